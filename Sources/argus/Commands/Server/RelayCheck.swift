import ArgusAccount
import ArgusEvents
import CommandLineKit

/// Checks that new relays lead to a server before they are stored.
///
/// A relay gets its header fields, but neither credentials nor the fields of this device.
struct RelayCheck {
    let record: ServerRecord
    let connector: ServerConnector
    let context: Context

    /// Checks each new relay of a change; prompts for those that cannot be checked.
    ///
    /// - Throws: `Failure` 9 for a relay that leads to another server or does not prove its
    ///   identity; without a typed `yes`, the failure of the check.
    func run(
        _ changes: [EndpointChange], sending headers: RelayHeaders?
    ) async throws(Failure) {
        let relays = changes.filter { $0.kind == .relay }.flatMap(\.newEndpoints)
        // A relay that shows the server's key needs no further check.
        for relay in relays where !record.endpoints.contains(where: relay.sharesPin) {
            try await check(relay, headers)
        }
    }

    private func check(_ relay: Endpoint, _ headers: RelayHeaders?) async throws(Failure) {
        let what = "relay \(relay.address)"
        let server = try attempt(connector.unverifiedRelay(relay, named: what, sending: headers))
        // Without a sign-in there is no session to compare with.
        let signedIn = (try? await context.secrets.credential(of: record)).flatMap { credential in
            try? context.signedInServer(
                record, credential, from: record.credentialStore.name, renewing: true)
        }
        switch await ServerComparison(of: signedIn?.session, with: server.client).verdict() {
        case .same: context.console.debug("\(what) leads to '\(record.name)'")
        case .other:
            throw Failure(
                .identity, "\(what) leads to another server than '\(record.name)'",
                hint: "nothing was stored; check the URL", reason: "other_server")
        case .undecided(let reason):
            let reason = "cannot check that \(what) leads to '\(record.name)': \(reason)"
            try confirm(Failure(.usage, reason, reason: "input_needed"))
        case .failed(let error):
            let failure = await server.failure(error, doing: "check it")
            guard failure.kind != .identity else { throw failure }
            try confirm(failure)
        }
    }

    private func confirm(_ failure: Failure) throws(Failure) {
        do throws(Failure) {
            let answer = try context.console.ask(
                "Store this relay anyway? Type yes: ", below: [failure.message],
                otherwise: "--no-check")
            if answer.filter({ $0 != " " }).lowercased() == "yes" { return }
        } catch  where error.reason == "input_needed" {}
        var failure = failure
        failure.hint = "nothing was stored; --no-check skips the check"
        throw failure
    }
}

extension Endpoint {
    fileprivate func sharesPin(_ other: Endpoint) -> Bool {
        if case .pin = proof { proof == other.proof } else { false }
    }
}
