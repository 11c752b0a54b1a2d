import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@Suite("cancellation of requests", .hangLimit)
struct CancellationTests {
    @Test("a task cancelled before it submits its request ends at once and sends nothing")
    func cancelledBeforeSubmission() async throws {
        try await LoopbackServer.serving({ _ in [.staySilent] }) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { () async throws(TransportError) in
                    try await transport.send(request)
                }
            }
            task.cancel()
            let error = await task.value
            #expect(error?.kind == .cancelled)
            #expect(error?.nothingSent == true)
            #expect(server.requests.isEmpty)
            await transport.shutdown()
        }
    }

    @Test("cancelling a request in flight ends it before its deadlines")
    func cancelledInFlight() async throws {
        let arrived = Signal()
        let script: LoopbackServer.Script = { _ in
            arrived.raise()
            return [.staySilent]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            // Its thread must be woken, and not only find the cancellation at a deadline.
            let request = HTTPRequest(
                .get, server.origin, "/", proof: ServerProof(.plain), deadlines: .unreachable)
            let task = Task {
                await failure { () async throws(TransportError) in
                    try await transport.send(request)
                }
            }
            await arrived.wait()
            task.cancel()
            let error = await task.value
            #expect(error?.kind == .cancelled)
            #expect(error?.nothingSent == false)
            await transport.shutdown()
        }
    }

    @Test("cancellations at every moment of 400 requests leave none waiting")
    func cancelledAtAnyMoment() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            for round in 0..<40 {
                await withTaskGroup(of: TransportError?.self) { group in
                    for _ in 0..<10 {
                        group.addTask {
                            await failure { () async throws(TransportError) in
                                try await transport.send(request)
                            }
                        }
                    }
                    for _ in 0..<round * 3 { await Task.yield() }
                    group.cancelAll()
                    for await error in group {
                        #expect(error == nil || error?.kind == .cancelled)
                    }
                }
            }
            await transport.shutdown()
        }
    }

    @Test("a shut-down transport cancels what is under way and refuses what comes later")
    func shutDown() async throws {
        let arrived = Signal()
        let script: LoopbackServer.Script = { _ in
            arrived.raise()
            return [.staySilent]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            async let pending = failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            await arrived.wait()
            await transport.shutdown()
            #expect(await pending?.kind == .cancelled)
            let later = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(later?.kind == .cancelled)
            #expect(later?.nothingSent == true)
        }
    }
}
