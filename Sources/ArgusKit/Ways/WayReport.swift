/// What became of each way that was tried in a choice, in the order in which it was known.
package struct WayReport: Sendable {
    /// One thing that was tried.
    package struct Step: Sendable {
        /// What was tried, such as `local https://home.example`.
        package var what: String
        package var kind: ServerWay.Kind
        /// Whether it is a server that was found and does not even claim to be the one.
        package var isStranger: Bool
        /// Why it cannot be used; nil for a way that proved its identity.
        package var error: TransportError?
        /// From the beginning of the choice.
        package var elapsed: Duration
    }

    package var steps: [Step] = []
    /// Why the network could not be searched.
    package var searchFailure: DiscoveryError?
    /// What was decided; nil when nothing can be used.
    package var target: WayTarget?
    package var elapsed = Duration.zero

    package init() {}

    /// Notes what became of a target.
    mutating func add(_ target: WayTarget, _ error: TransportError?, _ elapsed: Duration) {
        let isStranger = target.proof.endpoint != nil && !target.isClaimed
        steps.append(
            Step(
                what: "\(target)", kind: target.kind, isStranger: isStranger, error: error,
                elapsed: elapsed))
    }

    /// The lines for a person who wants to know.
    package var lines: [String] {
        var lines = steps.map { step in
            guard let error = step.error else {
                return "\(step.what): proved after \(step.elapsed.words)"
            }
            let verb = error.kind == .identityRefused ? "refused" : "failed"
            return "\(step.what): \(verb) after \(step.elapsed.words): \(error.detail)"
        }
        if let searchFailure { lines.append("\(searchFailure)") }
        if let target { lines.append("way: \(target), chosen after \(elapsed.words)") }
        return lines
    }

    /// The failure of a choice in which nothing proved to be the server, naming each way.
    ///
    /// It is one of identity when an address of the record, or somebody who claims the record's
    /// certificate, is another server; that other servers are in the network too is no sign.
    package var failure: TransportError {
        let reasons = steps.compactMap { step in step.error.map { "\(step.what): \($0.detail)" } }
        let isRefused = steps.contains { step in
            step.error?.kind == .identityRefused && !step.isStranger
        }
        let words = reasons.isEmpty ? "there is no way to it" : reasons.joined(separator: "; ")
        return TransportError(isRefused ? .identityRefused : .noWay, words, nothingSent: true)
    }
}
