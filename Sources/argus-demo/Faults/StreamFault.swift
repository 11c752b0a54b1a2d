/// A failure of the stream of announcements, again and again.
struct StreamFault: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// All WebSockets are closed without a close frame.
        case drop
        /// The open WebSockets stay open but receive nothing more.
        case silence
        /// All WebSockets get a frame that breaks the protocol.
        case garbage
        /// All connections are closed, and none is taken for half a second.
        case restart
    }

    var kind: Kind
    /// The time between two of them in ms.
    var pauseMilliseconds: Int64 = 10_000

    /// Parses the value of `--stream-fault`, such as `drop` or `restart,every=2s`.
    init(parsing spec: String) throws(UsageError) {
        let parts = spec.split(separator: ",", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap(Kind.init(rawValue:)) else {
            let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--stream-fault is one of \(names), not \(spec)")
        }
        self.kind = kind
        guard parts.count == 2 else { return }
        guard parts[1].hasPrefix("every=") else {
            throw UsageError(
                "after \(kind.rawValue) a stream fault has only every=, not \(parts[1])")
        }
        pauseMilliseconds = try Fault.milliseconds("every", String(parts[1].dropFirst(6)))
        guard pauseMilliseconds > 0 else { throw UsageError("every=0 is not a pause") }
    }
}
