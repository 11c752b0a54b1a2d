import ArgusCore
package import ArgusTransport

/// The results of all attempts in a selection, in order.
package struct EndpointReport: Sendable {
    /// The result of one attempt.
    package struct Step: Sendable {
        package var target: EndpointTarget
        /// The failure; nil for an endpoint that proved its identity.
        package var error: TransportError?
        /// The time since the beginning of the selection.
        package var elapsed: Duration

        fileprivate var advertisement: EndpointTarget.Advertisement? { target.advertisement }

        /// True if a server answered that is not the right one, without announcing another
        /// certificate.
        fileprivate var isRefused: Bool {
            error?.kind == .identityRefused && advertisement?.announcesOtherCertificate != true
        }

        /// True if a peer accepted the connection and stayed silent; it may be the server itself.
        fileprivate var isSilent: Bool { error?.kind == .timedOut(.handshake) }

        fileprivate var rank: Int {
            if advertisement == nil || error == nil { return 0 }
            return error?.kind == .identityRefused || isSilent ? 1 : 2
        }

        /// The failure, with the name of a server that answered in its place.
        fileprivate var reason: String? {
            guard let error else { return nil }
            guard let advertisement else { return error.detail }
            let name = "'\(advertisement.name)'"
            if isSilent {
                return "\(name) accepts connections there but does not answer: \(error.detail)"
            }
            guard error.kind == .identityRefused else { return error.detail }
            return "\(name) answers there but is not trusted: \(error.detail)"
        }
    }

    package var steps: [Step] = []
    /// The reason why the network could not be searched.
    package var searchFailure: DiscoveryError?
    /// The selected endpoint; nil if none is usable.
    package var target: EndpointTarget?
    package var elapsed = Duration.zero

    mutating func add(_ target: EndpointTarget, _ error: TransportError?, _ elapsed: Duration) {
        steps.append(Step(target: target, error: error, elapsed: elapsed))
    }

    /// All lines, for verbose output.
    package var lines: [String] { steps.map(Self.line) + end }

    /// The most informative lines.
    package var summary: [String] { reported(Self.line) + end }

    private var end: [String] {
        var lines: [String] = []
        if let searchFailure { lines.append("\(searchFailure)") }
        if let target { lines.append("endpoint: \(target), chosen after \(elapsed.words)") }
        return lines
    }

    private static func line(_ step: Step) -> String {
        guard let reason = step.reason else {
            return "\(step.target): proved after \(step.elapsed.words)"
        }
        let verb = step.error?.kind == .identityRefused ? "refused" : "failed"
        return "\(step.target): \(verb) after \(step.elapsed.words): \(reason)"
    }

    /// The most steps in an error; the others are counted.
    private static let maxSteps = 6

    /// Formats the steps: addresses of the record and proved servers, servers that answered, the rest.
    private func reported(_ words: (Step) -> String?) -> [String] {
        let ranked = (0...2).flatMap { rank in steps.filter { $0.rank == rank } }
        let all = ranked.compactMap(words)
        guard all.count > Self.maxSteps else { return all }
        return all.prefix(Self.maxSteps) + ["and \(all.count - Self.maxSteps) more"]
    }

    /// True if an untrusted or silent server answered in place of the right one.
    var metUnprovedServer: Bool {
        steps.contains {
            $0.isRefused || $0.isSilent && $0.advertisement?.announcesOtherCertificate == false
        }
    }

    /// The failure of a selection in which no server proved its identity, with each attempt.
    ///
    /// It is an identity failure if any server answered without proof, unless it announces another
    /// certificate.
    package var failure: TransportError {
        let reasons = reported { step in step.reason.map { "\(step.target): \($0)" } }
        let words =
            reasons.isEmpty ? "it has no address that can be used" : reasons.joined(separator: "; ")
        let refused = steps.filter(\.isRefused)
        var error = TransportError(
            refused.isEmpty ? .noEndpoint : .identityRefused, words, nothingSent: true)
        error.isByDates = !refused.isEmpty && refused.allSatisfy { $0.error?.isByDates == true }
        return error
    }
}
