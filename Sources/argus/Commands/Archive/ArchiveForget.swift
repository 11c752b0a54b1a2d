import ArgusArchive
import ArgusCore
import CommandLineKit

/// A size in bytes, such as `50G`, in powers of 1024.
struct SizeArgument: ArgumentValue, Equatable {
    var bytes: Int

    init(argument: String) throws(ValueError) {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let shift = argument.last.flatMap { units[$0.uppercased().first ?? $0] }
        let digits = shift == nil ? argument[...] : argument.dropLast()
        let number = digits.allSatisfy(\.isNumber) ? Int(digits) : nil
        let size = number?.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard let size, !size.overflow else { throw ValueError("is not a size such as 50G") }
        bytes = size.partialValue
    }
}

enum ArchiveForget: ArgusCommand {
    struct Options: VerbOptions {
        var archive = ArchiveOptions()
        var age: AgeArgument?
        var size: SizeArgument?
        var clock = ClockOptions()
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "forget", summary: "Remove old events and their pictures from the archive",
        effect: .deletes,
        description: """
            Changes nothing on the server. No later sync brings back what the archive has
            forgotten. argus waits for a typed \(code: "yes"); \(flag: "yes") skips the question.

            \(flag: "keep") counts from this machine's clock. If it differs by more than an hour
            from the server's, or from the last sync if the server does not answer, argus forgets
            nothing and ends with status 1; \(flag: "trust-clock") overrides that. With
            \(flag: "yes"), \(flag: "keep") is refused if the last sync is over 30 days ago: the
            clock may be wrong.

            \(flag: "keep-size") counts events and files; the database needs about 1 KB more for
            each event.
            """,
        examples: [
            "argus archive forget --keep 365d --dry-run": "How much that would remove",
            "argus archive forget --keep-size 50G --yes": "The oldest beyond 50 GiB, from cron",
        ],
        exitStatuses: [0, 1, 2, .damagedArchive, .archiveInUse],
        prints: .objects(ArchiveView.planFields))

    static let flags: [Flag<Options>] =
        [
            .option("keep", value: "AGE", sets: \.age, "Keep events up to this age, such as 365d"),
            .option(
                "keep-size", value: "SIZE", sets: \.size,
                "Keep the newest events and pictures up to SIZE"),
            .yes(\.assumesYes),
            .dryRun(\.isDryRun, "forgotten"),
        ] + ClockOptions.flags(at: \Options.clock) + ArchiveOptions.flags(at: \Options.archive)

    static func validate(_ options: Options) throws(UsageError) {
        guard options.age == nil, options.size == nil else { return }
        throw UsageError("give --keep or --keep-size")
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ArchiveView.planFields, .operands(1))
        let archive = try await archive(options, in: context)
        let forgetting = ArchiveForgetting(archive)
        let now = context.now()
        let plan = try attempt(
            try forgetting.plan(
                before: options.age.map { now + (.zero - $0.duration) },
                keeping: options.size?.bytes))
        if options.age != nil, plan.count > 0 {
            // The time of a sync is the server's.
            let lastSync = try attempt(try archive.servers()).compactMap(\.lastSync).max()
            try await options.clock.compareWithServer(
                or: lastSync, of: "the last sync was at", isDryRun: options.isDryRun, in: context)
        }
        if options.isDryRun {
            try printer.writeOnly(plan)
            return context.console.notice("dry run: nothing was changed")
        }
        let events = ListCount(("event", "events")).sentence(for: plan.count)
        if plan.count > 0 {
            if !options.assumesYes {
                try context.console.confirm(
                    "Forget \(events) for good?", otherwise: "nothing was forgotten")
            }
            try attempt(try forgetting.run(plan, at: now))
        }
        let verb = plan.count == 1 ? "was" : "were"
        try context.report(plan, with: printer, "\(events) \(verb) forgotten")
    }

    private static func archive(
        _ options: Options, in context: Context
    ) async throws(Failure) -> Archive {
        guard options.isDryRun else { return try await options.archive.changing(in: context) }
        return try attempt(try Archive(reading: try options.archive.folder(in: context)))
    }
}
