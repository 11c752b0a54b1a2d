import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum ArchiveDigest: ArgusCommand {
    struct Options: VerbOptions {
        var digest = DigestOptions()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "digest", summary: "Tell what happened in a day, from archived events",
        effect: .reads,
        description: """
            Filters, numbers and formats are those of \(command: "events digest"); no server is
            asked, unless \(flag: "entity") or \(flag: "rule") names something of it. An archive
            has no alert rules: without \(flag: "rule") the only alarms are those that the server
            itself has raised.
            """,
        examples: [
            "argus archive digest --during last-month": "A month, of a server that is gone",
            "argus archive digest --during last-night --camera Garage": "One camera, last night",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .objects(DigestView.fields))

    static let flags: [Flag<Options>] =
        DigestOptions.flags(at: \Options.digest) + ArchiveOptions.flags(at: \Options.archive)

    static func validate(_ options: Options) throws(UsageError) {
        try options.digest.validate()
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let output = try DigestOutput(options.digest, in: context)
        let reading = try ArchiveReading(options.archive, in: context)
        var query = try await reading.query(options.digest.filter, in: context)
        let span = try options.digest.span(in: context)
        (query.filter.since, query.filter.until) = (span.lowerBound, span.upperBound)
        let digester = ArchiveDigester(reading.archive, query)
        let empty = Digest(
            of: reading.archive.folder.path, span: span, zone: try context.displayZone())
        let (digest, rows) = try attempt(try digester.make(empty))
        try await output.write(digest) { digest throws(Failure) in
            try attempt(try digester.images(of: digest))
        }
        try rows.expectNoDamage()
    }
}
