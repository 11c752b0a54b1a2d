import ArgusEvents
import ArgusPush
import CommandLineKit

enum DevicesPreferences: ArgusCommand {
    struct Options: VerbOptions {
        @Required var device: String
        var quiet: QuietChoice?
        var timezone: ZoneName?
        var critical: Switch?
    }

    static let about = CommandInfo(
        name: "preferences", summary: "Show or change the quiet hours of a device",
        effect: .changes,
        description: """
            Shows the hours in which a device of your account gets no pushes, or changes those that
            you name. \(code: "22:00-07:00") ends on the next day. The time zone stays as it is;
            hours that are set for the first time are in this machine's zone unless
            \(flag: "timezone") names another. The output shows the zone.

            \(command: "push prefs") has everything that one receiver gets: cameras, types, sound
            and quiet hours.
            """,
        examples: [
            "argus push prefs --device attic": "The quiet hours of 'attic'",
            "argus push prefs set --device attic --quiet-hours 22:00-07:00 --critical on":
                "Silence at night, critical alerts excepted",
        ],
        exitStatuses: .requests(3), prints: .objects(DeviceView.detailFields), isHidden: true)

    static let flags: [Flag<Options>] = [
        .option(
            "quiet-hours", value: "HH:MM-HH:MM|off", sets: \.quiet, "Set or end the quiet hours"),
        .option(
            "timezone", value: "ZONE", sets: \.timezone,
            "The zone of the quiet hours, such as Europe/Paris"),
        .option("critical", value: "on|off", sets: \.critical, "Let critical alerts through"),
    ]

    static let arguments: [Argument<Options>] = [.device(\.$device)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.detailFields, .operands(1))
        try context.system.check(options.timezone, for: options.quiet)
        let devices = try await DeviceList(try await context.server(), in: context)
        let found = try devices.named(options.device)
        guard let change = options.change(of: found.row.device, in: context.system) else {
            return try printer.writeOnly(found.row, raw: found.view)
        }
        let changed = try await devices.server.attempt(
            "set quiet hours for a device",
            await devices.server.devices.setQuietHours(of: found.row.device, to: change))
        devices.remember(changed.device, in: context)
        let row = context.row(of: changed.device, on: devices.server)
        try context.report(
            row, with: printer,
            "'\(row.device.name ?? row.device.id)' \(row.device.quietHours.sentence)")
    }
}

extension DevicesPreferences.Options {
    /// The members to send; nil when nothing is to be changed.
    fileprivate func change(of device: Device, in system: SystemEnvironment) -> DeviceQuietHours? {
        guard quiet != nil || timezone != nil || critical != nil else { return nil }
        var change = PushPreferencesChange()
        change.set(quiet, timezone, in: system)
        var hours = change.deviceHours(over: PushPreferences(device))
        hours.overridesCritical = critical.map { $0 == .on }
        return hours
    }
}

extension DeviceQuietHours {
    /// The quiet hours in words that follow the device's name.
    fileprivate var sentence: String {
        guard isEnabled == true, let start, let end else { return "has no quiet hours" }
        let exception = overridesCritical == true ? "; critical alerts come through" : ""
        return "is quiet from \(start) to \(end), \(timezone ?? "UTC")\(exception)"
    }
}
