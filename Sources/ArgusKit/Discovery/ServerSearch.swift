/// A search of the network that probes answers while others still come.
package struct ServerSearch<Finding: Sendable>: Sendable {
    private let browser: any ServerBrowser
    private let look: @Sendable (DiscoveredServer) async -> Finding

    /// The most concurrent probes.
    private static var mostLooks: Int { 32 }

    private enum Step: Sendable {
        case answer(DiscoveredServer)
        case looked(Finding)
        case over(DiscoveryError?)
    }

    package init(
        _ browser: any ServerBrowser, look: @escaping @Sendable (DiscoveredServer) async -> Finding
    ) {
        self.browser = browser
        self.look = look
    }

    /// Passes each finding to `take` as soon as it is known.
    ///
    /// Ends when `take` returns false, or when the time is up and every answer has been probed.
    /// - Throws: `DiscoveryError`, after the findings have been passed on.
    package func run(
        for duration: Duration, _ take: (Finding) -> Bool
    ) async throws(DiscoveryError) {
        let (steps, continuation) = AsyncStream<Step>.makeStream()
        let (browser, look) = (browser, look)
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
            var (looks, isOver) = (0, false)
            var failure: DiscoveryError?
            for await step in steps {
                switch step {
                case .answer(let server): waiting.append(server)
                case .looked(let finding):
                    looks -= 1
                    if !take(finding) { return nil }
                case .over(let error): (isOver, failure) = (true, error)
                }
                while looks < Self.mostLooks, !waiting.isEmpty {
                    let server = waiting.removeFirst()
                    looks += 1
                    group.addTask { continuation.yield(.looked(await look(server))) }
                }
                if isOver, looks == 0 { break }
            }
            return failure
        }
        if let failure { throw failure }
    }
}
