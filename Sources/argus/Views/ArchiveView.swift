import ArgusArchive
import ArgusCore
import ArgusEvents

/// The canonical fields of archived events and of what changes an archive.
enum ArchiveView {
    static let listFields = [server { $0.server }] + EventView.fields

    /// The fields of a list that a filter chose.
    static func listFields(
        of filter: EventFilterOptions, in context: Context
    ) throws(Failure) -> [Field<Event>] {
        [server { $0.server }] + (try EventView.fields(of: filter, in: context))
    }

    static let statisticsFields = [server { $0.server }] + StatisticsView.fields

    static let detailFields: [Field<ArchivedEvent>] =
        [server { $0.detail.event.server }]
        + EventView.detailFields.reading(asColumns: true) { $0.detail } + archiveFields

    /// The first field of rows from several servers; see `ArchiveReading.fields`.
    private static func server<Record>(
        _ name: @escaping @Sendable (Record) -> String?
    ) -> Field<Record> {
        .column(
            serverName, "the server that it is from, where the archive has several", value: name
        ).conditional
    }

    static let serverName = "server"

    private static let archiveFields: [Field<ArchivedEvent>] = [
        .column("archived_at", "when it was archived") { $0.archivedAt },
        .column("deleted_at", "when argus first saw that the server no longer had it") {
            $0.deletedAt
        },
        .column("files", "the paths of its pictures in the archive, former ones last") { $0.files },
    ]

    static let reportFields: [Field<ArchiveReport>] = [
        .column("added", "how many events are new in the archive") { $0.added },
        .column("changed", "how many events the server has changed") { $0.changed },
        .column("deleted", "how many events the server no longer has") { $0.deleted },
        .column("returned", "how many of those it has again") { $0.returned },
        .column("pictures", "how many thumbnails and frames were fetched") { $0.pictures },
        .column("videos", "how many videos were fetched") { $0.videos },
        .column("absent_files", "how many files the server no longer has") { $0.absentFiles },
        .column("broken_files", "how many files are incomplete or damaged") { $0.brokenFiles },
        .column("unreadable_rows", "how many rows of the server are not events") {
            $0.unreadableRows
        },
    ]

    static let findingFields: [Field<ArchiveFinding>] = [
        .column("kind", "database, index, event, file, or stray for a file that no event has") {
            $0.kind.rawValue
        },
        .column("state", "damaged, missing, harmless or repaired") { $0.state.rawValue }.colored {
            [.text("damaged"), .text("missing")].contains($0) ? .red : nil
        },
        .column("subject", "the event's id, or the path of the file in the archive") { $0.subject },
        .column("reason", "what is wrong with it") { $0.reason }.shrinking(0, to: 12),
    ]

    static let planFields: [Field<ArchiveForgetting.Plan>] = [
        .column("events", "how many events are forgotten") { $0.count },
        .column("bytes", "the size of their objects and files") { $0.bytes },
        .column("until", "the time of the latest of them") { $0.until },
    ]

    static func sentence(_ report: ArchiveReport) -> String {
        let parts = [
            (report.changed, "changed"), (report.deleted, "gone from the server"),
            (report.returned, "there again"),
        ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        let files = [
            (report.pictures, report.pictures == 1 ? "picture" : "pictures"),
            (report.videos, report.videos == 1 ? "video" : "videos"),
            (report.absentFiles, "gone"), (report.brokenFiles, "not whole"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let events = report.added == 1 ? "1 new event" : "\(report.added) new events"
        return events + parts + (files.isEmpty ? "" : "; files: \(files)")
    }
}
