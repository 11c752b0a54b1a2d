import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

enum Logout: ArgusCommand {
    struct Options: VerbOptions {
        var keepsPush = false
        var isForAll = false
    }

    static let about = CommandInfo(
        name: "logout", summary: "Sign out, here and on the server", effect: .deletes,
        description: """
            Removes the credentials from this machine, also if the server does not answer, and
            ends the session on the server. Today's servers accept an access token until it
            expires; argus prints when. An API key that you signed in with works until it is
            revoked. A paired device stays in the server's list, but can no longer renew its
            sign-in. Changes made with \(code: "--queue") wait until the same user signs in again.

            Ends this machine's push registrations and subscriptions too, if the server answers;
            \(flag: "keep-push") leaves them.

            \(flag: "all") signs out of all servers. If a credential store does not delete its
            secrets, the status is 1, or 11 if argus signed out of other servers.
            """,
        examples: [
            "argus logout": "Sign out of the server in use",
            "argus logout --server cottage": "Sign out of 'cottage'",
            "argus logout --all": "Sign out of every server",
        ],
        exitStatuses: [0, 1, 2, 3, 4, 11], prints: .objects(AccountView.fields),
        guesses: ["server logout", "signout"], operandOption: "--server")

    static let needsPassphrase = false
    static let flags: [Flag<Options>] = [
        .toggle("all", sets: \.isForAll, "Sign out of every server"),
        .toggle("keep-push", sets: \.keepsPush, "Keep the push registrations"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let context = context.withoutPassphrase
        let known = try context.knownServers()
        guard options.isForAll else {
            let printer = try context.printer(of: AccountView.fields, .operands(1))
            let record = try context.knownServer(try context.settings[.server]?.text, in: known)
            let status = try await end(record, options, in: context)
            return try context.report(status, with: printer, "signed out of '\(record.name)'")
        }
        guard context.globals.server == nil else {
            throw Failure(.usage, "give --server or --all, not both")
        }
        try await signOutOfAll(known.servers, options, in: context)
    }

    /// Signs out of all servers in parallel and reports each as it finishes.
    private static func signOutOfAll(
        _ servers: [ServerRecord], _ options: Options, in context: Context
    ) async throws(Failure) {
        let printer = try context.printer(of: AccountView.fields, .list)
        let isForMachines = try context.isForMachines()
        let results = await servers.mapInParallel(servers.count) { record in
            let outcome = await result { () async throws(Failure) in
                try await end(record, options, in: context)
            }
            if !isForMachines, case .success = outcome {
                context.console.notice("signed out of '\(record.name)'")
            }
            return outcome
        }
        var outcome = BatchResult()
        for (record, result) in zip(servers, results) {
            switch result {
            case .failure(let failure) where failure.reason == "no_credentials": continue
            case .failure(let failure): outcome.record(failure, of: record.name)
            case .success(let status):
                outcome.record(nil, of: record.name)
                if isForMachines { try printer.write(status) }
            }
        }
        if isForMachines { try printer.finish() }
        if outcome.isEmpty { context.console.notice("not signed in to any server") }
        try outcome.finish()
    }

    /// Signs out of a server and returns the ended sign-in; requires no usable endpoint.
    private static func end(
        _ record: ServerRecord, _ options: Options, in context: Context
    ) async throws(Failure) -> AccountStatus {
        let credential = try await attempt(
            awaiting: await context.signOut.end(record, keepsPush: options.keepsPush))
        record.warnOfWaitingWrites(in: context)
        let endpoint = record.endpoints.first
        return AccountStatus(
            user: nil, server: record.name, url: endpoint?.address ?? "",
            via: endpoint?.kind == .relay ? .relay : .local,
            signIn: (record.account?.kind ?? .password).rawValue,
            credentialSource: record.credentialStore.name, expiresAt: credential?.expiresAt)
    }
}
