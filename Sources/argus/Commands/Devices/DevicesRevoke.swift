import ArgusKit
import CommandLineKit

/// The command `argus devices revoke`.
enum DevicesRevoke: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End the access of devices",
        description: """
            A device that was revoked can renew its tokens no longer, and gets no more pushes.
            Today's servers accept the access token that it has until that expires, at most a day
            later. Revoking the device that argus runs on wants a typed \(code: "yes"), or
            \(flag: "yes"), and then signs out here too.
            """,
        examples: [
            "argus devices revoke 'old phone'": "End the access of one device",
            "argus devices --json | jq -r '.[] | select(.inactive) | .id' "
                + "| xargs -r argus devices revoke":
                "Those that have not been seen for long",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(DeviceView.fields))

    static let flags: [Flag<Options>] = [
        .toggle("yes", short: "y", sets: \.assumesYes, "Do not ask")
    ]

    static let arguments: [Argument<Options>] = [.devices(\.names)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.fields, .operands(options.names.count))
        let server = try await context.server()
        let devices = try await DeviceList(server, in: context)
        var outcome = BatchResult()
        let chosen = try await chosen(options.names, among: devices, &outcome)
        if chosen.contains(where: \.row.isThisDevice), !options.assumesYes {
            try context.confirm(
                "Revoke it?",
                below: ["This is the device that argus runs on: it will be signed out here too."],
                otherwise: "no device was revoked")
        }
        // This device last: without its tokens the others could not be revoked.
        for item in chosen.filter({ !$0.row.isThisDevice }) + chosen.filter(\.row.isThisDevice) {
            try await outcome.collect(item.word) { () async throws(Failure) in
                try await revoke(item.row, by: devices, in: context)
                guard try context.isForMachines() else {
                    return context.notice(
                        "'\(item.row.device.name ?? item.row.device.id)' is revoked")
                }
                try printer.write(item.row, raw: item.view)
            }
        }
        if try context.isForMachines() { try printer.finish() }
        try outcome.finish()
    }

    private typealias Chosen = (word: String, row: DeviceRow, view: JSONView)

    /// The devices that the words name, each once.
    private static func chosen(
        _ words: [String], among devices: DeviceList, _ outcome: inout BatchResult
    ) async throws(Failure) -> [Chosen] {
        var chosen: [Chosen] = []
        for word in words {
            try await outcome.collect(word, countsSuccess: false) { () async throws(Failure) in
                let found = try devices.named(word)
                let isNew = !chosen.contains { $0.row.device.id == found.row.device.id }
                if isNew { chosen.append((word, found.row, found.view)) }
            }
        }
        return chosen
    }

    private static func revoke(
        _ row: DeviceRow, by devices: DeviceList, in context: Context
    ) async throws(Failure) {
        let server = devices.server
        try await server.attempt(
            "revoke the device", await devices.service.revoke(row.device))
        await forgetPush(of: row.device, on: server, in: context)
        if row.isThisDevice { try await signOut(of: server, in: context) }
    }

    /// Forgets what was registered for pushes of a device that is gone; a store that does not let
    /// go of it does not make the revoking a failure.
    private static func forgetPush(
        of device: Device, on server: SignedInServer, in context: Context
    ) async {
        let id = device.hardwareID ?? device.id
        do {
            guard try await !context.storedPush(of: server).registrations(of: id).isEmpty else {
                return
            }
            try await context.changeKeptPush(of: server) { $0.remove(id, nil) }
        } catch {
            context.warn("its push registration is still kept here: \(error.message)")
        }
    }

    private static func signOut(of server: SignedInServer, in context: Context)
        async throws(Failure)
    {
        guard let record = server.record, server.isStored else { return }
        try await attempt(
            awaiting: await context.signOut.end(
                record, await server.renewed.credential, keepsPush: false))
        context.notice("signed out of '\(server.name)'")
    }
}
