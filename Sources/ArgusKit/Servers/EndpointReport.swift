/// What became of each way that was tried in a choice, in the order in which it was known.
package struct EndpointReport: Sendable {
    /// One thing that was tried.
    package struct Step: Sendable {
        /// What was tried, such as `local https://home.example`.
        package var what: String
        package var kind: Endpoint.Kind
        /// What the server that was found there says of itself; nil for an address of the record.
        package var advertisement: EndpointTarget.Advertisement?
        /// Why it cannot be used; nil for a way that proved its identity.
        package var error: TransportError?
        /// From the beginning of the choice.
        package var elapsed: Duration

        /// Whether somebody answered who is not the server and does not say so either.
        fileprivate var isRefused: Bool {
            error?.kind == .identityRefused && advertisement?.isOfAnother != true
        }

        /// Whether somebody took the connection and said nothing more, be it the server itself.
        fileprivate var isSilent: Bool { error?.kind == .timedOut(.handshake) }

        fileprivate var rank: Int {
            if advertisement == nil || error == nil { return 0 }
            return error?.kind == .identityRefused || isSilent ? 1 : 2
        }

        /// What was wrong, and who answered where that was not the server.
        fileprivate var reason: String? {
            guard let error else { return nil }
            guard let advertisement else { return error.detail }
            let name = "'\(advertisement.name)'"
            if isSilent {
                return "\(name) takes connections there and says nothing: \(error.detail)"
            }
            guard error.kind == .identityRefused else { return error.detail }
            return "\(name) answers there but is not trusted: \(error.detail)"
        }
    }

    package var steps: [Step] = []
    /// Why the network could not be searched.
    package var searchFailure: DiscoveryError?
    /// What was decided; nil when nothing can be used.
    package var target: EndpointTarget?
    package var elapsed = Duration.zero

    package init() {}

    /// Notes what became of a target.
    mutating func add(_ target: EndpointTarget, _ error: TransportError?, _ elapsed: Duration) {
        steps.append(
            Step(
                what: "\(target)", kind: target.kind, advertisement: target.advertisement,
                error: error, elapsed: elapsed))
    }

    /// The lines for a person who wants to know all of it.
    package var lines: [String] { steps.map(Self.line) + end }

    /// The lines that tell most, where a network is full of servers.
    package var summary: [String] { reported(Self.line) + end }

    private var end: [String] {
        var lines: [String] = []
        if let searchFailure { lines.append("\(searchFailure)") }
        if let target { lines.append("way: \(target), chosen after \(elapsed.words)") }
        return lines
    }

    private static func line(_ step: Step) -> String {
        guard let reason = step.reason else {
            return "\(step.what): proved after \(step.elapsed.words)"
        }
        let verb = step.error?.kind == .identityRefused ? "refused" : "failed"
        return "\(step.what): \(verb) after \(step.elapsed.words): \(reason)"
    }

    /// So many steps are told in an error; the others are counted.
    private static let mostTold = 6

    /// What words say of the steps: the record's addresses and what was proved first, then who
    /// answered, then the rest.
    private func reported(_ words: (Step) -> String?) -> [String] {
        let ranked = (0...2).flatMap { rank in steps.filter { $0.rank == rank } }
        let all = ranked.compactMap(words)
        guard all.count > Self.mostTold else { return all }
        return all.prefix(Self.mostTold) + ["and \(all.count - Self.mostTold) more"]
    }

    /// Whether somebody was met in the place of the server, or somebody who may be it and says
    /// nothing: of that the failure of the way that was used before knows nothing.
    var metSomebody: Bool {
        steps.contains { step in
            step.isRefused
                || step.isSilent && step.advertisement.map { !$0.isOfAnother } ?? false
        }
    }

    /// The failure of a choice in which nothing proved to be the server, naming each way.
    ///
    /// It is one of identity when anybody answered who did not prove to be the server, be it at an
    /// address of the record or found in the network; those who say that they have another
    /// certificate are other servers, which is no sign.
    package var failure: TransportError {
        let reasons = reported { step in step.reason.map { "\(step.what): \($0)" } }
        let words = reasons.isEmpty ? "there is no way to it" : reasons.joined(separator: "; ")
        let isRefused = steps.contains(where: \.isRefused)
        return TransportError(isRefused ? .identityRefused : .noEndpoint, words, nothingSent: true)
    }
}
