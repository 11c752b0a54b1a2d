/// A part of an archive that is not as it was stored.
package struct ArchiveFinding: Sendable, Hashable {
    package enum Kind: String, Sendable {
        /// The structure of the database.
        case database
        /// The full-text index, which can be rebuilt from the events.
        case index
        case event
        /// A picture, a frame or a video.
        case file
        /// A file that no event has, as an interrupted sync leaves it.
        case stray
    }

    package enum State: String, Sendable {
        case damaged, missing
        /// Nothing is lost.
        case harmless
        case repaired
    }

    package var kind: Kind
    package var state: State
    /// The event's id, or the path of the file in the archive; nil for the database.
    package var subject: String?
    package var reason: String
    /// The number of the event, for a repair.
    var number: Int?
    /// True if the object of the event is whole, so that a repair needs no server.
    package var isLocal = false

    /// True if something is lost unless it is repaired.
    package var isLoss: Bool { state == .damaged || state == .missing }
}

extension ArchiveFinding {
    /// The finding after its repair.
    package var repaired: ArchiveFinding {
        var finding = self
        finding.state = .repaired
        return finding
    }
}
