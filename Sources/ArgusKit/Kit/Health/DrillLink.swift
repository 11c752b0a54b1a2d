package import ArgusCore
package import ArgusEvents
package import ArgusPush
package import ArgusTransport

/// A link of the chain from a stored event to everything that should react to it, with what became
/// of it and when.
package struct DrillLink: Sendable {
    package enum Step: Hashable, Sendable {
        case stored
        case listed
        /// By the stream of announcements.
        case announced
        /// By the watch with this state.
        case handedOver(state: String)
        /// The command of the watch with this state has ended with status 0.
        case commandEnded(state: String)
        /// To a receiver of pushes.
        case pushed(Drill.Receiver)
        case deleted
    }

    package enum Result: Sendable {
        case done
        /// The event is not for this part, which therefore does not get it.
        case skipped(Reason)
        case broken(Reason)
        /// It did not happen in time.
        case late
    }

    package enum Reason: Sendable {
        case api(APIError)
        /// The stream is not open, for this reason.
        case stream(String)
        /// The filter of a watch, as typed.
        case filter(String)
        /// No process watches with the state.
        case notRunning
        /// The command failed, as its entry tells.
        case command(HookEntry)
        case state(UnreadableFile)
        case verdict(DeliveryRecord)
    }

    package var step: Step
    package var result: Result
    /// The event; nil if it was not stored, or the answer was lost.
    package var eventID: String?
    /// The time of the result.
    package var at: Timestamp
    /// The time since the request to store the event.
    package var after: Duration

    package init(
        _ step: Step, _ result: Result, of eventID: String?, at time: Timestamp, after: Duration
    ) {
        (self.step, self.result, self.eventID) = (step, result, eventID)
        (at, self.after) = (time, after)
    }

    /// False for a link that is broken or late.
    package var holds: Bool {
        switch result {
        case .done, .skipped: true
        case .broken, .late: false
        }
    }
}

/// The whole chain of a drill.
package struct DrillReport: Sendable {
    /// The event; nil if it was not stored, or the answer was lost.
    package var event: Event?
    /// The links that have a result, in the order of the chain.
    package var links: [DrillLink] = []

    /// The first link that does not hold; nil if all do.
    package var firstBroken: DrillLink? { links.first { !$0.holds } }
}
