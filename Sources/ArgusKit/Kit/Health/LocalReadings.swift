package import ArgusCore

/// What is kept on this machine of a server.
package struct LocalReadings: Sendable {
    /// A watch with a state.
    package struct Watch: Sendable {
        package var name: String
        package var isRunning: Bool
        package var lastPass: Timestamp?
        /// Events whose command failed too often.
        package var setAside: Int
        /// True if it acts on alert rules.
        package var runsRules: Bool

        package init(
            name: String, isRunning: Bool, lastPass: Timestamp?, setAside: Int,
            runsRules: Bool = false
        ) {
            (self.name, self.isRunning, self.runsRules) = (name, isRunning, runsRules)
            (self.lastPass, self.setAside) = (lastPass, setAside)
        }
    }

    /// The sync of an archive.
    package struct Sync: Sendable {
        package var last: Timestamp?
        /// The usual time between two syncs; nil if it is unknown.
        package var interval: Duration?

        package init(last: Timestamp?, interval: Duration? = nil) {
            (self.last, self.interval) = (last, interval)
        }
    }

    /// A receiver of argus's own pushes.
    package struct Receiver: Sendable {
        package var name: String
        package var inactiveSince: Timestamp?
        /// Failures in a row, and the reason of the last one.
        package var failures: Int
        package var reason: String?

        package init(name: String, inactiveSince: Timestamp?, failures: Int, reason: String?) {
            (self.name, self.inactiveSince) = (name, inactiveSince)
            (self.failures, self.reason) = (failures, reason)
        }
    }

    /// How the sign-in ends; nil if no end is foreseeable.
    package enum SignIn: Sendable, Equatable {
        case lasting(String)
        case ending(String, near: Bool, renewal: String)
    }

    package var signIn: SignIn?
    package var watches: [Watch] = []
    /// Nil without an archive.
    package var archive: Sync?
    package var receivers: [Receiver] = []
    /// What could not be read, by the check that needed it, with the reason.
    package var unreadable: [(check: CheckName, subject: String?, reason: String)] = []

    package init() {}
}
