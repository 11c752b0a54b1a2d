import ArgusTestSupport
import Testing

@testable import ArgusPush
@testable import ArgusTransport

@Suite("StreamGate")
struct StreamGateTests {
    private let gate = StreamGate()
    private let hung = TransportError(.timedOut(.firstByte), "no answer within 30 s")

    private func word(_ turn: StreamGate.Turn) -> String {
        switch turn {
        case .open: "open"
        case .opener: "opener"
        case .failed(let error): error.detail
        }
    }

    /// Sends that wait for the one that tries.
    private func wait(_ count: Int) async -> [Task<String, Never>] {
        let sends = (0..<count).map { _ in Task { word(await gate.waitForFirstStream()) } }
        while await gate.count < count { await Task.yield() }
        return sends
    }

    private func words(_ sends: [Task<String, Never>]) async -> [String] {
        var words: [String] = []
        for send in sends { words.append(await send.value) }
        return words.sorted()
    }

    @Test("one time-out is that of all who wait, and the next send tries again")
    func hanging() async {
        #expect(word(await gate.waitForFirstStream()) == "opener")
        let sends = await wait(4)
        await gate.finish(.failure(hung))
        #expect(await words(sends) == Array(repeating: hung.detail, count: 4))
        #expect(word(await gate.waitForFirstStream()) == "opener")
    }

    @Test("an answer opens the gate for all; after a refused token the next one tries")
    func answers() async {
        #expect(word(await gate.waitForFirstStream()) == "opener")
        let sends = await wait(3)
        func answer(_ status: Int, _ body: String) -> DeliveryTries.Outcome {
            .success(HTTPResponse(status: status, body: Array(body.utf8)))
        }
        // The first one's answer is a proxy's, which proves no token.
        await gate.finish(answer(502, "<html>"))
        while await gate.count > 2 { await Task.yield() }
        await gate.finish(answer(403, #"{"reason":"InvalidProviderToken"}"#))
        while await gate.count > 1 { await Task.yield() }
        await gate.finish(answer(400, #"{"reason":"BadDeviceToken"}"#))
        #expect(await words(sends) == ["open", "opener", "opener"])
        #expect(word(await gate.waitForFirstStream()) == "open")
    }

    @Test("the end of a task ends its wait, and the end of the one that tries costs no other")
    func cancelled() async {
        #expect(word(await gate.waitForFirstStream()) == "opener")
        let sends = await wait(2)
        sends[0].cancel()
        #expect(await sends[0].value == "cancelled")
        let ended = TransportError(.cancelled, "cancelled", nothingSent: true)
        await gate.finish(.failure(ended))
        #expect(await sends[1].value == "opener")
    }
}
