import ArgusAccount
import ArgusCore
import ArgusTransport
import Synchronization

/// The server's own export of events, oldest first; pages are read where it fails.
///
/// It is one request, but has days, one camera, a confidence, and nine fields. Today's server skips
/// rows when events are deleted meanwhile.
final class ServerExport: EventCursor {
    private static let route = Operation<EventFilter, Void>(
        "events.export", feature: "an export of events",
        Route(.current) { filter in
            RouteRequest(.get, "/api/v1/events/export").with { request in
                request.query = [
                    ("format", "json"),
                    // The export counts whole UTC days.
                    ("start_date", filter.since.map { String($0.utcText.prefix(10)) }),
                    ("end_date", filter.until.map { String($0.utcText.prefix(10)) }),
                    ("camera_id", filter.cameraIDs.first),
                    ("min_confidence", filter.minConfidence.map { String($0) }),
                ]
                request.accept = "application/x-ndjson"
                request.limits.body = Int.max / 2
                request.isSlow = true
            }
        } decode: { _ in
        })

    private static let blockSize = 1 << 18
    /// The longest line, in bytes.
    private static let longestLine = SizeLimits().body

    private let service: EventService
    private let filter: EventFilter
    private let folder: String
    private let notify: @Sendable (EventNotice) -> Void
    private var spool: SpoolFile?
    private var paging: (any EventCursor)?
    private var offset = 0
    private var rest: [UInt8] = []
    private var seen = SeenIDs()
    private var brokenLines = 0

    /// `folder` holds the bytes that wait for their turn; `notify` gets what is left to argus.
    init(
        _ service: EventService, _ filter: EventFilter, spoolingIn folder: String,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) {
        (self.service, self.filter, self.folder) = (service, filter, folder)
        self.notify = notify
    }

    var unreadableRows: Int { paging?.unreadableRows ?? brokenLines }
    var gaps: [EventGap] { paging?.gaps ?? [] }

    func next() async throws(APIError) -> [EventRow]? {
        if let paging { return try await paging.next() }
        guard let spool else {
            self.spool = await fetched()
            if self.spool != nil {
                filter.notifyOfConditions(besides: [.camera, .confidence], notify)
            } else {
                notify(.readsPages)
                paging = service.listOldestFirst(filter, notify: notify)
            }
            return []
        }
        let block: [UInt8]
        do throws(FileSystemError) {
            block = try spool.read(from: offset, count: Self.blockSize)
        } catch {
            throw APIError(transport: TransportError(.receiverStopped, "\(error)"))
        }
        offset += block.count
        if block.isEmpty, rest.isEmpty { return nil }
        rest += block
        guard rest.count <= Self.longestLine else {
            throw APIError(.malformedAnswer, "a line of the export is longer than 32 MiB")
        }
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line ends with the next block, or with the file.
        rest = block.isEmpty ? [] : lines.popLast().map(Array.init) ?? []
        return lines.compactMap(row)
    }

    /// Fetches the whole export; nil where the server has none.
    private func fetched() async -> SpoolFile? {
        guard let spool = try? SpoolFile(in: folder) else { return nil }
        let isWritten = Mutex(true)
        do throws(APIError) {
            try await service.session.call(Self.route, filter) { bytes in
                do throws(FileSystemError) {
                    try spool.write(bytes)
                    return true
                } catch {
                    isWritten.withLock { $0 = false }
                    return false
                }
            }
        } catch {
            return nil
        }
        // For a server that answers one array, or a page of something else, pages are read.
        let start = (try? spool.read(from: 0, count: 1)) ?? []
        guard start.isEmpty || start == [UInt8(ascii: "{")], isWritten.withLock({ $0 }) else {
            return nil
        }
        return spool
    }

    private func row(_ line: ArraySlice<UInt8>) -> EventRow? {
        guard !line.allSatisfy({ $0 <= 0x20 }) else { return nil }
        guard let view = try? JSONView.parse(Array(line)), let row = EventRow(view) else {
            brokenLines += 1
            return nil
        }
        let event = row.event
        guard filter == EventFilter() || filter.matches(event) else { return nil }
        return seen.insert(row.id) ? row.keeping(event) : nil
    }
}

extension EventService {
    /// Lists the events that match, oldest first, by the server's own export, else by pages.
    package func export(
        _ filter: EventFilter, fields: Set<String>, spoolingIn folder: String,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        let isExportable =
            fields.isSubset(of: Self.exportedFields) && filter.cameraIDs.count <= 1
            && filter.types.isEmpty && filter.source == nil && filter.search == nil
            && filter.entities == nil && filter.rules == nil
        return isExportable
            ? ServerExport(self, filter, spoolingIn: folder, notify: notify)
            : listOldestFirst(filter, notify: notify)
    }
}
