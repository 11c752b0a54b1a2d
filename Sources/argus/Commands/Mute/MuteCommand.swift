import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

enum MuteCommand: ArgusCommand {
    struct Options: VerbOptions {
        var duration: Duration?
        var until: TimeArgument?
        var camera: String?
        var type: String?
        var reason: String?
        var assumesYes = false
    }

    /// The longest mute that needs no question.
    private static let longest = Duration.seconds(30 * 86_400)

    static let about = CommandInfo(
        name: "mute", summary: "Have no alarms for a while", effect: .changes,
        description: """
            For this user on this machine: commands of watches, \(command: "notify run") and
            \(command: "rules run") do nothing for events that are taken up or were captured in this
            time. They are counted; watches that print, and the archive, have them as usual. It ends
            by itself, and \(command: "mute end") ends it earlier.

            A mute of more than 30 days asks first.
            """,
        examples: [
            "argus mute 1h": "Quiet for an hour",
            "argus mute --until 08:00 --camera 'Front Door' --reason party":
                "One camera, until the morning",
            "argus mute end": "Alarms again",
        ],
        exitStatuses: [0, 1, 2, 3, 4, 6, 7, 8, 9, 13], prints: .objects(MuteView.fields))

    static let flags: [Flag<Options>] = [
        .option("until", sets: \.until, "Until TIME").completing(.dynamic("times")),
        .option("camera", value: "CAMERA", sets: \.camera, "Only events of CAMERA")
            .completing(.dynamic("cameras")).withBlanks(),
        .option("type", value: "TYPE", sets: \.type, "Only events of TYPE")
            .completing(.dynamic("types")),
        .option("reason", sets: \.reason, "Why, for 'mute list' and 'notify why'"),
        .yes(\.assumesYes),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("DURATION", sets: \.duration, "How long, such as 1h or 30m")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth(
            "a duration", options.duration != nil, "--until", options.until != nil)
        guard options.duration != nil || options.until != nil else {
            throw UsageError("no end given", hint: "such as 'argus mute 1h'")
        }
        if options.duration == .zero { throw UsageError("the duration is zero") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: MuteView.fields, .operands(1))
        let calendar = try LocalCalendar(of: context)
        let now = calendar.now
        let until =
            options.duration.map { now + $0 }
            ?? options.until?.expression.resolve(asEnd: true, on: calendar, after: now) ?? now
        guard until > now else {
            throw Failure(.usage, "--until: the time is in the past")
        }
        var mute = Mute(
            server: server.record?.id.text ?? server.name, from: now, until: until,
            type: options.type?.lowercased(), reason: options.reason)
        if let name = options.camera {
            let camera = try await context.cameras(of: server).values.named(name)
            (mute.cameraID, mute.cameraName) = (camera.id, camera.name)
        }
        if until - now > longest, !options.assumesYes {
            try context.console.confirm(
                "Have no alarms until \(until.displayText(in: context.timeZone))?",
                otherwise: "nothing is muted")
        }
        let added = try await attempt(awaiting: await context.muteStore.add(mute))
        try context.report(
            added, with: printer,
            "\(added.scope) is muted until \(until.displayText(in: context.timeZone)); "
                + "'argus mute end' ends it")
    }
}
