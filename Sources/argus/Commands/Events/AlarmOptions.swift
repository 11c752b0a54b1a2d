import ArgusCore
import ArgusEvents
package import CommandLineKit

extension AlarmCooldown.Scope: ArgumentValue {
    package static var placeholder: String { "SCOPE" }
    package static var completion: Completion {
        .list(
            [Self.camera.rawValue, Self.type.rawValue],
            alone: [Self.visit.rawValue, Self.all.rawValue])
    }

    package init(argument: String) throws(ValueError) {
        guard let scope = argument == "type,camera" ? .cameraAndType : Self(rawValue: argument)
        else { throw ValueError("is not camera, type, 'camera,type', visit or all") }
        self = scope
    }
}

/// The options for one alarm where several events mean the same visit.
struct AlarmOptions: OptionGroup, Equatable {
    var duration: Duration?
    var scope: AlarmCooldown.Scope?

    private static let usual = AlarmCooldown.Scope.camera

    static let own: [Flag<AlarmOptions>] = [
        .option(
            "cooldown", sets: \.duration, "Act once, and then not for DURATION",
            details: [
                """
                Events within DURATION of the one that was acted upon, by their capture times, are \
                counted only. The next one has their number in \(code: "ARGUS_EVENT_SUPPRESSED").
                """
            ]),
        .option(
            "cooldown-per", sets: \.scope, "Count it for each SCOPE",
            details: [
                """
                \(code: "camera"), \(code: "type"), \(code: "camera,type"), \(code: "visit") (events \
                that the server itself correlates, such as those of two cameras), or \(code: "all").
                """
            ]
        ).byDefault(usual.rawValue),
    ]

    /// - Throws: `UsageError` for a scope without a cooldown.
    func validate() throws(UsageError) {
        guard scope == nil || duration != nil else {
            throw UsageError("--cooldown-per needs --cooldown")
        }
    }

    var cooldown: AlarmCooldown? {
        duration.map { AlarmCooldown($0, per: scope ?? Self.usual) }
    }
}
