import ArgusPush
import CommandLineKit

enum NotifyKeyRotate: ArgusCommand {
    struct Options: VerbOptions {
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "rotate", summary: "Replace the key of Web Push", effect: .changes,
        description: """
            Makes a new key. All Web Push subscriptions become inactive until their receivers
            subscribe again with the new key and are added again. argus waits for a typed
            \(code: "yes"); \(flag: "yes") skips the question.
            """,
        examples: ["argus notify key rotate": "After the old key became known to others"],
        exitStatuses: [0, 1, 2], prints: .objects(VAPIDKeyView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: VAPIDKeyView.fields, .operands(1))
        let store = try context.receivers()
        if !options.assumesYes {
            let bound = try await attempt(awaiting: await store.load()).tokens
                .count { $0.service == .webPush && $0.isActive }
            try context.console.confirm(
                "Replace the key?", below: bound == 0 ? [] : ["\(receivers(bound)) bound to it."],
                otherwise: "nothing was changed")
        }
        let (key, lost) = try await attempt(awaiting: await store.rotateVAPIDKey(at: context.now()))
        if lost > 0 {
            context.console.notice("\(receivers(lost)) inactive now: subscribe them again")
        }
        try context.report(key, with: printer, "the new key is \(key.key.publicKey)")
    }

    private static func receivers(_ count: Int) -> String {
        count == 1 ? "1 receiver of Web Push is" : "\(count) receivers of Web Push are"
    }
}
