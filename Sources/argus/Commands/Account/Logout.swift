import ArgusKit
import CommandLineKit

/// The command `argus logout`.
enum Logout: ArgusCommand {
    struct Options: VerbOptions {
        var keepsPush = false
        var isForAll = false
    }

    static let about = CommandInfo(
        name: "logout", summary: "Sign out, here and on the server",
        description: """
            The credentials on this machine are forgotten even when the server cannot be reached.
            Today's servers accept an access token until it expires, whatever is signed out; the
            command says until when. An API key stays valid until it is revoked. Of a pairing, the
            refresh token is ended; the device stays in the server's list.

            A push registration or subscription that argus made on this machine is taken back first,
            as far as the server can be reached; \(flag: "keep-push") leaves it, and argus knows it
            again after the next sign-in.

            With \(flag: "all") all servers are signed out of at once, and none waits for another
            that is gone. Secrets that their store does not let go of are status 1, and 11 where
            other servers were signed out of; they are used no more in any case.
            """,
        examples: [
            "argus logout": "Sign out of the server in use",
            "argus logout --server cottage": "Sign out of 'cottage'",
            "argus logout --all": "Sign out of every server",
        ],
        exitStatuses: [0, 1, 2, 3, 4, 11], prints: .objects(AccountView.fields))

    static let needsPassphrase = false
    static let flags: [Flag<Options>] = [
        .toggle("all", sets: \.isForAll, "Sign out of every server"),
        .toggle("keep-push", sets: \.keepsPush, "Leave push registrations as they are"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let context = context.forgetting
        let known = try context.knownServers()
        guard options.isForAll else {
            let printer = try context.printer(of: AccountView.fields, .operands(1))
            let record = try context.knownServer(try context.serverName()?.text, in: known)
            let credential = try await attempt(
                awaiting: await context.signOut.end(record, keepsPush: options.keepsPush))
            return try context.report(
                status(of: record, credential), with: printer, "signed out of '\(record.name)'")
        }
        guard context.globals.server == nil else {
            throw Failure(.usage, "give --server or --all, not both")
        }
        try await signOutOfAll(known.servers, options, in: context)
    }

    /// Signs out of all servers at once, telling of each as it is done.
    private static func signOutOfAll(
        _ servers: [ServerRecord], _ options: Options, in context: Context
    ) async throws(Failure) {
        let printer = try context.printer(of: AccountView.fields, .list)
        let isForMachines = try context.isForMachines()
        let results = await withTaskGroup { group in
            for (index, record) in servers.enumerated() {
                group.addTask {
                    (index, await end(record, options.keepsPush, in: context))
                }
            }
            var results: [Int: Result<AccountStatus?, Failure>] = [:]
            for await (index, result) in group {
                results[index] = result
                guard !isForMachines, case .success(.some) = result else { continue }
                context.notice("signed out of '\(servers[index].name)'")
            }
            return results
        }
        var outcome = BatchResult()
        for (index, record) in servers.enumerated() {
            switch results[index] {
            case nil, .success(nil)?: continue
            case .failure(let failure)?: outcome.record(failure, of: record.name)
            case .success(let status?)?:
                outcome.record(nil, of: record.name)
                if isForMachines { try printer.write(status) }
            }
        }
        if isForMachines { try printer.finish() }
        if outcome.isEmpty { context.notice("signed in to no server") }
        try outcome.finish()
    }

    /// Signs out of one of all servers; nil where nobody is signed in.
    private static func end(
        _ record: ServerRecord, _ keepsPush: Bool, in context: Context
    ) async -> Result<AccountStatus?, Failure> {
        do throws(SignOutError) {
            let credential = try await context.signOut.end(record, keepsPush: keepsPush)
            return .success(status(of: record, credential))
        } catch .notSignedIn {
            return .success(nil)
        } catch {
            return .failure(Failure(error))
        }
    }

    /// What was ended; it needs no way to the server that is allowed here and now.
    private static func status(of record: ServerRecord, _ credential: Credential?) -> AccountStatus
    {
        let endpoint = record.endpoints.first
        return AccountStatus(
            user: nil, server: record.name, url: endpoint?.address ?? "",
            via: endpoint?.kind == .relay ? .relay : .local,
            signIn: (record.account?.kind ?? .password).rawValue,
            credentialSource: record.credentialStore.name, expiresAt: credential?.expiresAt)
    }
}
