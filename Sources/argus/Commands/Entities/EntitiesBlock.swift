import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesBlock: ArgusCommand {
    static let about = CommandInfo(
        name: "block", summary: "Mark people and vehicles whose pushes the server suppresses",
        effect: .changes,
        examples: [
            "argus entities block 'Mail Carrier'": "No pushes of the server about them",
            "argus entities block 'Mail Carrier' --off": "Pushes again",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EntityView.fields))

    static let flags = EntityMarkOptions.flags
    static let arguments = EntityMarkOptions.arguments

    static func run(_ options: EntityMarkOptions, in context: Context) async throws(Failure) {
        let isOn = !options.isOff
        try await EntityList.change(
            options.words, doing: "block", to: EntityChange(isBlocked: isOn), in: context
        ) { "'\($0.title)' is \(isOn ? "" : "no longer ")blocked" }
    }
}
