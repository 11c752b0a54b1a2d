import ArgusPush
import ArgusTransport
import Testing

@testable import argus

@Suite("the reports of a receiver of pushes")
struct ReceiverReportTests {
    private let world: TestSystem
    private let report: @Sendable (PushReceiver.Report) -> Void

    init() throws {
        world = try TestSystem()
        report = Context(globals: GlobalOptions(), system: world.system).console
            .receiverReports(of: "home")
    }

    @Test("a refusal that only clocks or keys explain is a warning, once; others are not reported")
    func refusals() {
        for refusal in [
            PushRefusal.notPost, .noProof, .expired, .expired, .tooLongLived, .foreignKey,
            .badSignature, .replayed, .tooLongLived,
        ] { report(.refused(refusal)) }
        #expect(
            world.stderr == """
                argus: warning: a push was refused: its sender's proof has expired; compare the \
                clocks of this machine and of 'home'
                argus: warning: a push was refused: its sender's proof is valid for more than 24 \
                hours; compare the clocks of this machine and of 'home'
                argus: warning: a push was refused: its sender does not use the server's key

                """)
    }

    @Test("what cannot be ended is reported in words")
    func leftovers() throws {
        let endpoint = try PushEndpoint("http://192.168.1.5:8099/secret-of-a-receiver")
        report(.keptLeftover(endpoint, APIError(.serverError, "x", status: 503)))
        #expect(
            world.stderr == """
                argus: warning: 'home' failed to unsubscribe \(endpoint.shown) (HTTP 503): x; it is \
                left from a run that was killed

                """)
    }
}
