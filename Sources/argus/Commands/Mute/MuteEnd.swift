import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum MuteEnd: ArgusCommand {
    struct Options: VerbOptions {
        var number: Int?
    }

    static let about = CommandInfo(
        name: "end", summary: "End what is muted", effect: .changes,
        examples: [
            "argus mute end": "All mutes", "argus mute end 2": "One of 'argus mute list'",
        ],
        exitStatuses: [0, 1, 2, 3], prints: .lists(MuteView.fields))

    static let arguments: [Argument<Options>] = [
        .optional("N", sets: \.number, "The number in 'argus mute list'; without it, all")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: MuteView.fields, .list)
        let ended = try await attempt(
            awaiting: await context.muteStore.end(at: context.now()) { mute in
                options.number.map { $0 == mute.number } ?? true
            })
        if ended.isEmpty {
            guard let number = options.number else {
                return context.console.notice("nothing is muted")
            }
            throw Failure(
                .notFound, "there is no mute \(number)", hint: "'argus mute list' lists them")
        }
        guard try context.isForMachines() else {
            for mute in ended { context.console.notice("\(mute.scope) is no longer muted") }
            return
        }
        for mute in ended { try printer.write(mute) }
        try printer.finish()
    }
}
