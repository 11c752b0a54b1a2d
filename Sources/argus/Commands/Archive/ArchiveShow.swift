import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum ArchiveShow: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var archive = ArchiveOptions()
        var isShown = false
    }

    static let about = CommandInfo(
        name: "show", summary: "Show archived events in detail", effect: .reads,
        description: """
            Shows the fields of \(command: "events show") that the server's list had, and
            \(code: "files"), the paths of the pictures. \(value: "EVENT") is a whole id, the
            first 8 or more characters of one, or \(code: "latest"). Filters choose what
            \(code: "latest") means.
            """,
        examples: [
            "argus archive show latest --camera 'Front Door'": "The last event at the door",
            "argus archive show latest --show": "The last event with its pictures, in the terminal",
            "argus archive show 8f85eda1 --json | jq -r '.files[]'": "The paths of its pictures",
        ],
        exitStatuses: [0, 1, 2, 3, 11, .damagedArchive, .archiveInUse],
        prints: .objects(ArchiveView.detailFields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + ArchiveOptions.flags(at: \Options.archive)
        + [.show(\.isShown, "Show the pictures above the fields")]

    static let arguments: [Argument<Options>] = [.events(\.events)]

    /// The first picture of an event that was printed; nil if the archive has none.
    static func picture(of row: JSONView) throws(Failure) -> [UInt8]? {
        let path = row["files"]?.strings?.first { path in
            ImageKind.allCases.contains { path.hasSuffix("." + $0.fileExtension) }
        }
        guard let path else { return nil }
        return try attempt(
            FileContents.bytes(ifAny: path, trust: .named, limit: SizeLimits().body))
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try options.filter.expectLatest(options.events)
        let screen = try context.pictureScreen(options.isShown)
        let (reading, printer) = try ArchiveReading.begin(
            options.archive, printing: ArchiveView.detailFields, .operands(options.events.count),
            in: context)
        let query = try await reading.query(options.filter, in: context)
        try await context.forEach(options.events, with: printer) { name throws(Failure) in
            let found = try attempt(reading.archive.find(name, latestOf: query))
            let isPictured = await result { () throws(Failure) in try screen?.show(found) }
            try printer.write(found, raw: found.view)
            try isPictured.get()
        }
    }
}

extension PictureScreen {
    /// Shows the archived pictures of an event.
    fileprivate func show(_ event: ArchivedEvent) throws(Failure) {
        for path in event.files where path.hasSuffix(".jpg") {
            let file = try attempt(FileContents(path, trust: .settings, limit: 64 << 20))
            try show(file.bytes)
        }
    }
}
