/// The state of an object at a server, as far as writes can change it, and its state after a write.
package struct ObjectVersion: Hashable, Sendable {
    /// The members of the present state, such as `["enabled": true]`.
    package var values: [String: JSONValue]
    /// The members after the write; those that it does not change are the same.
    package var wanted: [String: JSONValue]
    /// The server's time of the last change of these members; nil if it does not report one, or
    /// another one, such as that of a device, which moves whenever the device is seen.
    package var changedAt: Timestamp?

    package init(
        _ values: [String: JSONValue], wanted: [String: JSONValue], changedAt: Timestamp? = nil
    ) {
        self.values = values
        self.wanted = wanted
        self.changedAt = changedAt
    }

    /// True if the server has what a write wants, so that nothing needs to be sent.
    package func holds(_ write: QueueableWrite) -> Bool {
        write.members.allSatisfy { values[$0] == wanted[$0] }
    }
}

/// The state of an object that a write replaces, used to detect a change in between.
package enum BaseVersion: Hashable, Sendable {
    /// The members that the user's decision was based on.
    case known([String: JSONValue])
    /// The state at a time of the server's clock, which could not be read then.
    case unread(since: Timestamp)

    /// True if what a write replaces is still the same at the server.
    ///
    /// A state that was not read is the same only if the server reports no later change.
    package func isCurrent(_ version: ObjectVersion, for write: QueueableWrite) -> Bool {
        switch self {
        case .known(let values):
            return write.members.allSatisfy { values[$0] == version.values[$0] }
        case .unread(let time):
            // Feedback that is not there cannot be overwritten.
            if case .feedback = write, version.values["rating"] == .null { return true }
            return version.changedAt.map { $0 <= time } ?? false
        }
    }

    /// The base of a later write of the same object, once an earlier one has been sent over
    /// `version`.
    ///
    /// Only the members of the earlier write change: the others keep the base by which a change of
    /// another client is found.
    func following(
        _ earlier: QueueableWrite, over version: ObjectVersion, for later: QueueableWrite
    ) -> BaseVersion {
        switch self {
        case .known(var values):
            for member in earlier.members { values[member] = version.wanted[member] }
            return .known(values)
        case .unread:
            // The earlier write has found the same members unchanged since a time before.
            let isCovered = later.members.allSatisfy(earlier.members.contains)
            guard isCovered || isCurrent(version, for: later) else { return self }
            return .known(version.wanted)
        }
    }
}

extension BaseVersion {
    /// The document: the members, or the time as a text.
    var state: JSONValue {
        switch self {
        case .known(let values): .object(values)
        case .unread(let time): .text(time.utcText)
        }
    }

    init(state: JSONValue) throws(StateUnreadable) {
        switch state {
        case .object(let values): self = .known(values)
        case .text(let text): self = .unread(since: try Timestamp(serverText: text).required())
        default: throw StateUnreadable()
        }
    }
}

extension BaseVersion {
    /// The members; nil if they were not read.
    package var values: [String: JSONValue]? {
        if case .known(let values) = self { values } else { nil }
    }
}
