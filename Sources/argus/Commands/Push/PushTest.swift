import ArgusKit
import CommandLineKit

enum PushTest: ArgusCommand {
    static let about = CommandInfo(
        name: "test", summary: "Try whether pushes reach this machine",
        description: """
            Servers send the test to every subscription and call it a success when one of them was
            reached; argus tells what came of the one that was made on this machine. While receivers
            do not answer, servers try again for some 14 seconds each.
            """,
        examples: ["argus push test": "Try the subscription of this machine"],
        exitStatuses: .requests(3), prints: .objects(PushTestView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: PushTestView.fields, .operands(1))
        let kept = try await attempt(awaiting: await context.secrets.storedPush(of: server))
            .subscriptions
        guard !kept.isEmpty else { throw await missing(on: server) }
        let (report, answer) = try await server.attempt(
            "send a test push", await server.subscriber.test())
        let ids = kept.compactMap(\.subscriptionID)
        guard var own = report.deliveries.last(where: { ids.contains($0.id) }) else {
            throw Failure(
                .notFound, "'\(server.name)' no longer has the subscription of this machine",
                hint: "subscribe again with 'argus push subscribe'", reason: "subscription_gone")
        }
        own.error = own.error.map { hiding(kept, in: $0) }
        let isForMachines = try context.isForMachines()
        if own.isDelivered || isForMachines {
            try printer.writeOnly(
                PushTestRow(report: report, own: own), raw: hiding(kept, in: answer))
        }
        guard !own.isDelivered else { return }
        let because = own.error.map { ": \($0)" } ?? ""
        throw Failure(
            .failed, "the test push did not reach this machine's receiver\(because)",
            reason: "not_delivered")
    }

    /// The text without the secret parts of the endpoints.
    private static func hiding(_ kept: [StoredSubscription], in text: String) -> String {
        kept.reduce(text) { $1.endpoint.hidden(in: $0) }
    }

    private static func hiding(_ kept: [StoredSubscription], in answer: JSONView) -> JSONView {
        // The errors of others repeat endpoints that are not known here.
        answer.replacingStrings { member, text in
            guard member == "error" else { return nil }
            let shown = hiding(kept, in: text)
            return shown == text && text.contains("/") ? "…" : shown
        }
    }

    /// Without a subscription of its own there is nothing to test, unless the server cannot anyway.
    private static func missing(on server: SignedInServer) async -> Failure {
        do {
            _ = try await server.subscriber.list()
        } catch {
            if case .unsupported = error.kind {
                return await server.failure(
                    APIError(.unsupported("test pushes")), doing: "send a test push")
            }
        }
        return Failure(
            .notFound, "this machine has no push subscription",
            hint: "make one with 'argus push subscribe'")
    }
}
