import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum ArchiveShow: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "show", summary: "Show archived events in detail",
        description: """
            Shows the fields of \(command: "events show") that the server's list had, and
            \(code: "files"), the paths of the pictures. \(value: "EVENT") is a whole id, the
            first 8 or more characters of one, or \(code: "latest"). Filters choose what
            \(code: "latest") means.
            """,
        examples: [
            "argus archive show latest --camera 'Front Door'": "The last event at the door",
            "argus archive show 8f85eda1 --json | jq -r '.files[]'": "The paths of its pictures",
        ],
        exitStatuses: [0, 1, 2, 3, 11, .damagedArchive, .archiveInUse],
        prints: .objects(ArchiveView.detailFields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + ArchiveOptions.flags(at: \Options.archive)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try options.filter.expectLatest(options.events)
        let (reading, printer) = try ArchiveReading.begin(
            options.archive, printing: ArchiveView.detailFields, .operands(options.events.count),
            in: context)
        let query = try await reading.query(options.filter, in: context)
        try await context.forEach(options.events, with: printer) { name throws(Failure) in
            let found = try attempt(reading.archive.find(name, latestOf: query))
            try printer.write(found, raw: found.view)
        }
    }
}
