import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("a transport whose requests end when another task wants it", .hangLimit)
struct CancellableTransportTests {
    /// Answers when it is cancelled only.
    private struct StuckTransport: WholeAnswerTransport {
        func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            do { try await Task.sleep(for: .seconds(3600)) } catch {
                throw TransportError(.cancelled, "cancelled")
            }
            throw TransportError(.timedOut(.total), "not cancelled")
        }
    }

    private let cancellation = RequestCancellation()

    private func kindOfEnd() async -> TransportError.Kind? {
        let transport = CancellableTransport(StuckTransport(), cancellation)
        let origin = Origin(scheme: .https, host: "home.example", port: 443)
        let request = HTTPRequest(.get, origin, "/", proof: ServerProof(.plain))
        let error = await failure { () async throws(TransportError) in
            try await transport.send(request)
        }
        return error?.kind
    }

    @Test("requests that are under way end, and so do later ones")
    func cancels() async {
        async let first = kindOfEnd()
        async let second = kindOfEnd()
        await Task.yield()
        cancellation.cancel()
        #expect(await first == .cancelled)
        #expect(await second == .cancelled)
        #expect(await kindOfEnd() == .cancelled)
    }

    @Test("a caller's own cancellation is passed on")
    func passesOn() async {
        let request = Task { await kindOfEnd() }
        request.cancel()
        #expect(await request.value == .cancelled)
    }
}
