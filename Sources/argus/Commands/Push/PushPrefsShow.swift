import ArgusPush
import CommandLineKit

enum PushPrefsShow: ArgusCommand {
    static let about = CommandInfo(
        name: "show", summary: "Show which pushes come through, and when", effect: .reads,
        description: """
            Shows what one receiver of pushes gets: cameras, types, sound and quiet hours. Without
            an option, it is that of this machine: the device, else the subscription.
            \(code: "summary") says what comes through now and when that changes.
            \(flag: "device") names any device of your account; today's servers store only quiet
            hours for it. \(flag: "receiver") names one of \(command: "notify receivers list").
            """,
        examples: [
            "argus push prefs": "Those of this machine",
            "argus push prefs show --device attic --json | jq -r .summary": "In words",
        ],
        exitStatuses: .requests(3), prints: .objects(PushPreferencesView.fields))

    static let flags = PushPrefsTarget.own

    static func validate(_ target: PushPrefsTarget) throws(UsageError) { try target.validate() }

    static func run(_ target: PushPrefsTarget, in context: Context) async throws(Failure) {
        let fields =
            try context.isForMachines()
            ? PushPreferencesView.fields : PushPreferencesView.tableFields
        let printer = try context.printer(of: fields, .operands(1))
        if let word = target.token {
            let tokens = try await attempt(awaiting: await context.receivers().load())
            let token = try tokens.named(word)
            return try printer.writeOnly(context.row(of: token))
        }
        let server = try await context.server()
        let receiver = try await target.resolve(on: server, in: context)
        let service = context.preferences(of: server)
        let found = try await server.attempt(
            "read the push preferences", of: receiver.target, in: context,
            await service.read(receiver.target))
        receiver.note(found.preferences, on: server, in: context)
        let cameras = try await server.cameraNames(of: found.preferences)
        try printer.writeOnly(
            context.row(
                receiver.target, found.preferences, cameras, isRegistered: receiver.isRegistered),
            raw: PushEndpoint.hidden(in: found.view))
    }
}
