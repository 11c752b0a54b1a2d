import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesRename: ArgusCommand {
    struct Options: VerbOptions {
        @Required var entity: String
        @Required var name: LimitedName<255>
    }

    static let about = CommandInfo(
        name: "rename", summary: "Name a person or a vehicle", effect: .changes,
        examples: ["argus entities rename 156ee2d2 'Mail Carrier'": "By the start of its id"],
        exitStatuses: .requests(3), prints: .objects(EntityView.fields))

    static let arguments: [Argument<Options>] = [
        .entity(\.$entity), .required("NAME", sets: \.$name, "The new name, 1 to 255 characters"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let name = options.name.text
        try await EntityList.change(
            [options.entity], doing: "rename", to: EntityChange(name: name), in: context
        ) { _ in "\(options.entity.inQuotes) is now called '\(name)'" }
    }
}
