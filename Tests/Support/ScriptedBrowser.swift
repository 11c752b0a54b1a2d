package import ArgusTransport

/// A network on which certain servers answer, or that cannot be searched.
package struct ScriptedBrowser: ServerBrowser {
    private let answers: [DiscoveredServer]
    private let failure: DiscoveryError?

    package init(_ answers: [DiscoveredServer], failing failure: DiscoveryError? = nil) {
        self.answers = answers
        self.failure = failure
    }

    package func browse(
        _ target: DiscoveryTarget, for duration: Duration, _ take: (DiscoveredServer) async -> Bool
    ) async throws(DiscoveryError) {
        for answer in answers where await !take(answer) { return }
        if let failure { throw failure }
    }
}
