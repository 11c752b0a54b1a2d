import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum MuteListCommand: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List what is muted now", effect: .reads,
        examples: ["argus mute list": "All mutes of this user, of any server"],
        exitStatuses: [0, 1, 2], prints: .lists(MuteView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: MuteView.fields, .list)
        let now = context.now()
        for mute in try attempt(context.muteStore.all()) where mute.isActive(at: now) {
            try printer.write(mute)
        }
        try printer.finish(whenEmpty: "nothing is muted", counting: ListCount(("mute", "mutes")))
    }
}
