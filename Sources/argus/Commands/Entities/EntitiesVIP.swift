import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

/// The options of verbs that set a mark of entities or remove it.
struct EntityMarkOptions: VerbOptions {
    var words: [String] = []
    var isOff = false

    static let flags: [Flag<EntityMarkOptions>] = [
        .toggle("off", sets: \.isOff, "Remove the mark")
    ]
    static let arguments: [Argument<EntityMarkOptions>] = [.entities(\.words)]
}

enum EntitiesVIP: ArgusCommand {
    static let about = CommandInfo(
        name: "vip", summary: "Mark people and vehicles whose events the server pushes",
        effect: .changes,
        examples: [
            "argus entities vip Ann": "A push whenever she is seen",
            "argus entities vip Ann --off": "No longer",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EntityView.fields))

    static let flags = EntityMarkOptions.flags
    static let arguments = EntityMarkOptions.arguments

    static func run(_ options: EntityMarkOptions, in context: Context) async throws(Failure) {
        let isOn = !options.isOff
        try await EntityList.change(
            options.words, doing: "mark", to: EntityChange(isVIP: isOn), in: context
        ) { "'\($0.title)' is \(isOn ? "a" : "no longer a") VIP" }
    }
}
