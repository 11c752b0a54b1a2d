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
            The fields of \(command: "events show"), as far as the server's list had them, and those
            of the archive, \(code: "files") with the paths of pictures. \(value: "EVENT") is a
            whole id, the first 8 or more characters of one, or \(code: "latest"), which may have
            conditions.
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
        let query = try reading.query(options.filter, in: context)
        try await context.forEach(options.events, with: printer) { name throws(Failure) in
            let found = try event(named: name, latestOf: query, in: reading.archive)
            try printer.write(found, raw: found.view)
        }
    }

    private static func event(
        named name: String, latestOf query: ArchiveQuery, in archive: Archive
    ) throws(Failure) -> ArchivedEvent {
        do throws(ArchiveLookupError) {
            return try archive.find(name, latestOf: query)
        } catch {
            switch error {
            case .archive(let cause): throw Failure(cause)
            case .none where name == "latest":
                throw Failure(.notFound, "no archived event matches")
            case .none:
                throw Failure(
                    .notFound, "there is no event \(name.inQuotes) in the archive",
                    hint: "give its id, or the first \(EventService.shortestPrefix) characters")
            case .ambiguous(let ids):
                throw Failure(
                    .usage, "\(name.inQuotes) begins several ids: \(ids.joined(separator: ", "))",
                    hint: "give the full id")
            case .damaged(let id):
                throw Failure(
                    .gap, "the archive's copy of event \(id) is damaged",
                    hint: "'argus archive verify --repair' reads it again from the server",
                    reason: "archive_damaged")
            }
        }
    }
}
