/// What became of each way that was tried in a choice, in the order in which it was known.
package struct WayReport: Sendable {
    /// One thing that was tried.
    package struct Step: Sendable {
        /// What was tried, such as `local https://home.example`.
        package var what: String
        package var kind: ServerWay.Kind
        /// What the server that was found there says of itself; nil for an address of the record.
        package var advertisement: WayTarget.Advertisement?
        /// Why it cannot be used; nil for a way that proved its identity.
        package var error: TransportError?
        /// From the beginning of the choice.
        package var elapsed: Duration

        /// Whether somebody answered who is not the server and does not say so either.
        fileprivate var isRefused: Bool {
            error?.kind == .identityRefused && advertisement?.isOfAnother != true
        }

        /// What was wrong, and who answered where that was not the server.
        fileprivate var reason: String? {
            guard let error else { return nil }
            guard error.kind == .identityRefused, let advertisement else { return error.detail }
            return "'\(advertisement.name)' answers there but is not trusted: \(error.detail)"
        }
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
        steps.append(
            Step(
                what: "\(target)", kind: target.kind, advertisement: target.advertisement,
                error: error, elapsed: elapsed))
    }

    /// The lines for a person who wants to know.
    package var lines: [String] {
        var lines = steps.map { step in
            guard let reason = step.reason else {
                return "\(step.what): proved after \(step.elapsed.words)"
            }
            let verb = step.error?.kind == .identityRefused ? "refused" : "failed"
            return "\(step.what): \(verb) after \(step.elapsed.words): \(reason)"
        }
        if let searchFailure { lines.append("\(searchFailure)") }
        if let target { lines.append("way: \(target), chosen after \(elapsed.words)") }
        return lines
    }

    /// The failure of a choice in which nothing proved to be the server, naming each way.
    ///
    /// It is one of identity when anybody answered who did not prove to be the server, be it at an
    /// address of the record or found in the network; those who say that they have another
    /// certificate are other servers, which is no sign.
    package var failure: TransportError {
        let reasons = steps.compactMap { step in step.reason.map { "\(step.what): \($0)" } }
        let words = reasons.isEmpty ? "there is no way to it" : reasons.joined(separator: "; ")
        let isRefused = steps.contains(where: \.isRefused)
        return TransportError(isRefused ? .identityRefused : .noWay, words, nothingSent: true)
    }
}
