import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTransport
import CommandLineKit

enum PushTest: ArgusCommand {
    static let about = CommandInfo(
        name: "test", summary: "Test whether pushes reach this machine", effect: .sends,
        description: """
            The server sends a test push to every subscription, and reports success if one of them
            got it. argus reports the result for each subscription of this machine. The server
            tries for some 14 seconds to reach a receiver that does not answer.
            """,
        examples: ["argus push test": "Try the subscription of this machine"],
        exitStatuses: .requests(3, 11), prints: .objects(PushTestView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: PushTestView.fields, .operands(1))
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
            .subscriptions
        guard !stored.isEmpty else { throw await missing(on: server) }
        let (report, answer) = try await server.attempt(
            "send a test push", await server.subscriber.test())
        let rows = Self.rows(of: stored, in: report)
        guard let first = rows.first else {
            throw Failure(
                .notFound, "'\(server.name)' no longer has the subscription of this machine",
                hint: "subscribe again with 'argus push subscribe'", reason: "subscription_gone")
        }
        let failed = rows.filter { !$0.own.isDelivered }
        let isForMachines = try context.isForMachines()
        if rows.count == 1 || context.globals.isRaw {
            if failed.isEmpty || isForMachines {
                try printer.writeOnly(first, raw: hiding(stored, in: answer))
            }
        } else {
            let printer = try context.printer(of: PushTestView.fields, .operands(rows.count))
            for row in rows { try printer.write(row) }
            try printer.finish()
        }
        if !failed.isEmpty { throw failure(failed, of: rows.count) }
    }

    private static func rows(
        of stored: [StoredSubscription], in report: PushTestReport
    ) -> [PushTestRow] {
        report.deliveries.compactMap { delivery in
            stored.first { $0.subscriptionID == delivery.id }.map { own in
                var delivery = delivery
                delivery.error = delivery.error.map { hiding(stored, in: $0) }
                return PushTestRow(report: report, own: delivery, endpoint: own.endpoint.shown)
            }
        }
    }

    private static func failure(_ failed: [PushTestRow], of count: Int) -> Failure {
        let names = failed.map { $0.endpoint + ($0.own.error.map { ": \($0)" } ?? "") }
            .joined(separator: "; ")
        let what =
            count == 1
            ? "this machine's subscription"
            : "\(failed.count) of \(count) subscriptions of this machine"
        return Failure(
            failed.count < count ? .partial : .failed,
            "the test push did not reach \(what): \(names)", reason: "not_delivered")
    }

    /// The text without the secret parts of the endpoints.
    private static func hiding(_ stored: [StoredSubscription], in text: String) -> String {
        stored.reduce(text) { $1.endpoint.hidden(in: $0) }
    }

    private static func hiding(_ stored: [StoredSubscription], in answer: JSONView) -> JSONView {
        // Errors of other subscriptions contain endpoints that are unknown here.
        answer.replacing { member, value in
            guard member == "error", let text = value.string else { return nil }
            let shown = hiding(stored, in: text)
            return shown == text && text.contains("/") ? "…" : shown
        }
    }

    /// The failure if this machine has no subscription, or if the server cannot test.
    private static func missing(on server: SignedInServer) async -> Failure {
        do {
            _ = try await server.subscriber.list()
        } catch {
            if error.isUnsupported {
                return await server.failure(
                    APIError(.unsupported("test pushes")), doing: "send a test push")
            }
        }
        return Failure(
            .notFound, "this machine has no push subscription",
            hint: "test the server's pushes with 'argus push listen --test', or create a "
                + "subscription with 'argus push subscribe'")
    }
}
