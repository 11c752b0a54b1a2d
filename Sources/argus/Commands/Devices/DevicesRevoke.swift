import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import CommandLineKit

enum DevicesRevoke: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End the access of devices", effect: .deletes,
        description: """
            A revoked device can no longer renew its sign-in and gets no more pushes. Today's
            servers accept its access token for up to a day. If argus itself is paired as the
            device, type \(code: "yes") or pass \(flag: "yes"): argus is then signed out here as
            well. A sign-in with a password or a key stays.
            """,
        examples: [
            "argus devices revoke 'old phone'": "End the access of one device",
            "argus devices revoke 'old phone' --dry-run": "Only show which device that is",
            "argus devices --json | jq -r '.[] | select(.inactive) | .id' "
                + "| xargs -r argus devices revoke":
                "Those that have not been seen for long",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(DeviceView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes), .dryRun(\.isDryRun, "revoked")]

    static let arguments: [Argument<Options>] = [.devices(\.names)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.fields, .operands(options.names.count))
        let server = try await context.server()
        let devices = try await DeviceList(server, in: context)
        var outcome = BatchResult()
        var chosen = try await outcome.resolve(options.names, id: \.row.device.id) {
            word throws(Failure) in try devices.named(word)
        }
        let isDryRun = options.isDryRun
        if !isDryRun {
            try confirm(chosen, options, in: context)
            // This device last: without its tokens the others could not be revoked.
            chosen =
                chosen.filter { !$0.thing.row.holdsSignIn } + chosen.filter(\.thing.row.holdsSignIn)
        }
        try await context.reportEach(
            chosen, id: \.word, isDryRun: isDryRun, with: printer, after: outcome
        ) { item async throws(Failure) in
            let (row, view) = item.thing
            if !isDryRun { try await revoke(row, on: server, in: context) }
            return (
                row, view,
                "'\(row.device.name ?? row.device.id)' is revoked; \(StoredSession.afterlife)"
            )
        }
    }

    private static func confirm(
        _ chosen: [(word: String, thing: (row: DeviceRow, view: JSONView))], _ options: Options,
        in context: Context
    ) throws(Failure) {
        guard chosen.contains(where: \.thing.row.holdsSignIn), !options.assumesYes else { return }
        try context.console.confirm(
            "Revoke it?",
            below: ["argus is paired as this device and will be signed out here, too."],
            otherwise: "no device was revoked")
    }

    /// Revokes a device and removes its stored push registrations; a failure of the store is not a
    /// failure of the revocation.
    private static func revoke(
        _ row: DeviceRow, on server: SignedInServer, in context: Context
    ) async throws(Failure) {
        try await server.attempt("revoke the device", await server.devices.revoke(row.device))
        let id = row.device.hardwareID ?? row.device.id
        do throws(AccountError) {
            let stored = try await context.secrets.storedPush(of: server)
            if !stored.registrations(of: id).isEmpty {
                try await context.secrets.changePush(of: server) { $0.remove(id, nil) }
            }
        } catch {
            context.console.warn("its push registration is still stored here: \(error)")
        }
        guard row.holdsSignIn, server.isStored, let record = server.record else { return }
        let credential = await server.renewed.credential
        try await attempt(awaiting: await context.signOut.end(record, credential, keepsPush: false))
        context.console.notice("signed out of '\(server.name)'")
    }
}
