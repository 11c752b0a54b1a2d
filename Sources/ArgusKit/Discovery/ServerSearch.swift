/// A search of the network that probes answers while others still come.
package struct ServerSearch<Finding: Sendable>: Sendable {
    private let browser: any ServerBrowser
    private let probe: @Sendable (DiscoveredServer) async -> Finding

    /// The most concurrent probes.
    private static var mostProbes: Int { 32 }

    private enum Step: Sendable {
        case answer(DiscoveredServer)
        case probed(Finding)
        case over(DiscoveryError?)
    }

    package init(
        _ browser: any ServerBrowser, probe: @escaping @Sendable (DiscoveredServer) async -> Finding
    ) {
        self.browser = browser
        self.probe = probe
    }

    /// Passes each finding to `take` as soon as it is known.
    ///
    /// Ends when `take` returns false, or when the time is up and every answer has been probed.
    /// - Throws: `DiscoveryError`, after the findings have been passed on.
    package func run(
        for duration: Duration, _ take: (Finding) -> Bool
    ) async throws(DiscoveryError) {
        let (steps, continuation) = AsyncStream<Step>.makeStream()
        let (browser, probe) = (browser, probe)
        let failure = await withTaskGroup(of: Void.self) { group -> DiscoveryError? in
            group.addTask {
                do throws(DiscoveryError) {
                    try await browser.browse(.servers, for: duration) { server in
                        continuation.yield(.answer(server))
                        return true
                    }
                    continuation.yield(.over(nil))
                } catch {
                    continuation.yield(.over(error))
                }
            }
            defer { group.cancelAll() }
            var waiting: [DiscoveredServer] = []
            var (probes, isOver) = (0, false)
            var failure: DiscoveryError?
            for await step in steps {
                switch step {
                case .answer(let server): waiting.append(server)
                case .probed(let finding):
                    probes -= 1
                    if !take(finding) { return nil }
                case .over(let error): (isOver, failure) = (true, error)
                }
                while probes < Self.mostProbes, !waiting.isEmpty {
                    let server = waiting.removeFirst()
                    probes += 1
                    group.addTask { continuation.yield(.probed(await probe(server))) }
                }
                if isOver, probes == 0 { break }
            }
            return failure
        }
        if let failure { throw failure }
    }
}
