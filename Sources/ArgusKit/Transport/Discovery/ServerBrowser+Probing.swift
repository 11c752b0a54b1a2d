private enum Step<Finding: Sendable>: Sendable {
    case answer(DiscoveredServer)
    case probed(Finding)
    case over(DiscoveryError?)
}

extension ServerBrowser {
    /// Probes the servers of the network, at most 32 at once, while other answers still come.
    ///
    /// Ends when `take` returns false, or when browsing has ended and every answer is probed.
    /// - Throws: `DiscoveryError`, after the findings have been passed on.
    package func search<Finding: Sendable>(
        for duration: Duration, probe: @escaping @Sendable (DiscoveredServer) async -> Finding,
        _ take: (Finding) -> Bool
    ) async throws(DiscoveryError) {
        let (steps, continuation) = AsyncStream<Step<Finding>>.makeStream()
        let failure = await withTaskGroup(of: Void.self) { group -> DiscoveryError? in
            group.addTask {
                do throws(DiscoveryError) {
                    try await browse(.servers, for: duration) { server in
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
                while probes < 32, !waiting.isEmpty {
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
