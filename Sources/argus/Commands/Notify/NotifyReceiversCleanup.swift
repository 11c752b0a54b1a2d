import ArgusAccount
import ArgusEvents
import ArgusPush
import CommandLineKit

enum NotifyReceiversCleanup: ArgusCommand {
    struct Options: VerbOptions {
        var includesUnused = false
        var clock = ClockOptions()
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "cleanup", summary: "Remove receivers that no longer work", effect: .deletes,
        description: """
            Removes receivers that have been inactive for more than 30 days, and those with five
            failures or more and no success in 7 days; with \(flag: "unused") also those without a
            success in 90 days. It does not prompt: \(code: "argus-notify-cleanup.timer") runs it
            each day.

            If this machine's clock differs by more than an hour from the server's, or from the
            last delivery if no server answers, argus removes nothing and ends with status 1;
            \(flag: "trust-clock") overrides that.
            """,
        examples: [
            "argus notify receivers cleanup --dry-run": "Show what would go",
            "argus notify receivers cleanup --unused": "Those without pushes in 90 days too",
        ],
        exitStatuses: [0, 1, 2], prints: .lists(DeliveryTokenView.cleanedFields))

    static let flags: [Flag<Options>] =
        [
            .toggle("unused", sets: \.includesUnused, "Also those without a success in 90 days")
        ] + ClockOptions.flags(at: \Options.clock) + [.dryRun(\.isDryRun, "removed")]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.cleanedFields, .list)
        let store = try context.receivers()
        let now = context.now()
        let known = try await attempt(awaiting: await store.load())
        if !known.stale(at: now, includesUnused: options.includesUnused).isEmpty {
            // A watch notes the server's time at each look.
            let passes = (try? WatchStates(in: context.system.paths.state).all()) ?? []
            try await options.clock.compareWithServer(
                or: (passes.map(\.lastPass) + [known.lastChange]).compactMap(\.self).max(),
                of: "the last delivery or watch was at", isDryRun: options.isDryRun, in: context)
        }
        let stale = try await attempt(
            awaiting: await store.change { all in
                let stale = all.stale(at: now, includesUnused: options.includesUnused)
                if !options.isDryRun { for (token, _) in stale { all.remove(token.id) } }
                return stale
            })
        for (token, reason) in stale {
            try printer.write(DeliveryTokenRow(token: token, result: reason.rawValue))
        }
        try printer.finish(
            whenEmpty: "nothing to remove", counting: ListCount(("removed", "removed")))
        if options.isDryRun { context.console.notice("dry run: nothing was changed") }
    }
}
