import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusTransport
import Synchronization

/// Collects events for a case file from a server, several at once.
package struct ServerCase: Sendable {
    private static let parallel = 8

    private let service: EventService
    private let scope: CaseScope
    private let spool: CaseSpool
    private let retries: Int
    private let now: @Sendable () -> Timestamp

    /// `retries` is how often a broken connection of a video is continued.
    package init(
        _ service: EventService, _ scope: CaseScope, into spool: CaseSpool, retries: Int,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.service, self.scope, self.spool) = (service, scope, spool)
        (self.retries, self.now) = (retries, now)
    }

    /// Collects events by the rows of a list, in their order; `advance` is called for each one.
    /// - Throws: `CaseFileError`; a file alone that the server does not give is noted with its event.
    package func collect(
        _ rows: [EventRow], advance: @escaping @Sendable () -> Void
    ) async throws(CaseFileError) -> [CaseEvent] {
        let failure = Mutex<CaseFileError?>(nil)
        let events = await rows.mapInParallel(Self.parallel) { row -> CaseEvent? in
            guard failure.withLock({ $0 == nil }) else { return nil }
            do throws(CaseFileError) {
                let event = try await collect(row)
                advance()
                return event
            } catch {
                failure.withLock { $0 = $0 ?? error }
                return nil
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return events.compactMap(\.self)
    }

    /// The row of the server's list for an event, whose own route may tell more of it, and other things
    /// at other times.
    /// - Throws: `APIError`; `.notFound` if the list has not got it.
    package func row(of event: Event) async throws(APIError) -> EventRow {
        if let time = event.timestamp {
            var filter = EventFilter()
            filter.cameraIDs = [event.cameraID].compactMap(\.self)
            (filter.since, filter.until) = (time, time)
            let rows = try await service.list(filter, wanted: nil) { _ in }.rest()
            if let row = rows.first(where: { $0.id == event.id }) { return row }
        }
        throw APIError(.notFound, "the server does not list it")
    }

    private func collect(_ row: EventRow) async throws(CaseFileError) -> CaseEvent {
        var result = CaseEvent(row.event)
        let object = try rethrowing(try spool.keep(Array(row.view.compact)), as: CaseFileError.file)
        let client = service.session.client
        result.files.append(
            CaseItem(
                kind: .object, content: object, fileExtension: "json",
                source: client.path(
                    of: EventRoutes.list, EventQuery(filter: EventFilter(), limit: 1)),
                capturedAt: row.event.timestamp, collectedAt: now()))
        if let detail = EventDetail(row.view) {
            try await add(.picture, row.event.timestamp, to: &result) {
                () async throws(APIError) in
                try await service.thumbnail(detail)
            } source: {
                guard detail.thumbnail.base64 == nil else { return nil }
                return CaseSource.path(of: detail.thumbnail)
                    ?? client.path(of: EventRoutes.thumbnail, detail.event.id)
            }
        }
        if scope.withFrames { try await addFrames(of: row.event, to: &result) }
        if scope.withVideos { try await addVideo(of: row.event, to: &result) }
        return result
    }

    private func addFrames(
        of event: Event, to result: inout CaseEvent
    ) async throws(CaseFileError) {
        let frames: ListedRows<EventFrame>
        do throws(APIError) {
            frames = try await service.frames(of: event.id)
        } catch {
            return try note(error, "frames", in: &result)
        }
        if frames.isEmpty { try note(APIError(.notFound), "frames", in: &result) }
        var numbers: Set<Int> = []
        for frame in frames.values where numbers.insert(frame.number).inserted {
            let time = event.timestamp.map { $0 + .milliseconds(frame.offset ?? 0) }
            let kind = CaseItem.Kind.frame(frame.number)
            try await add(kind, time, to: &result) { () async throws(APIError) in
                try await service.picture(ofFrame: frame.number, of: event.id)
            } source: {
                CaseSource.path(of: kind, event.id)
            }
        }
    }

    /// Adds a picture, or why there is none.
    private func add(
        _ kind: CaseItem.Kind, _ time: Timestamp?, to result: inout CaseEvent,
        _ fetch: () async throws(APIError) -> [UInt8], source: () -> String?
    ) async throws(CaseFileError) {
        let bytes: [UInt8]
        do throws(APIError) {
            bytes = try await fetch()
        } catch {
            return try note(error, kind.title, in: &result)
        }
        let image: ImageKind
        do throws(ImageKind.Fault) {
            image = try ImageKind.ofComplete(bytes)
        } catch {
            let error = APIError(.malformedAnswer, "what the server sent \(error)")
            return try note(error, kind.title, in: &result)
        }
        let content = try rethrowing(try spool.keep(bytes), as: CaseFileError.file)
        result.files.append(
            CaseItem(
                kind: kind, content: content, fileExtension: image.fileExtension,
                source: source(), capturedAt: time, collectedAt: now()))
    }

    private func addVideo(
        of event: Event, to result: inout CaseEvent
    ) async throws(CaseFileError) {
        let part = try rethrowing(try spool.makePart(), as: CaseFileError.file)
        let isSound: Bool
        do throws(VideoDownload.Failure) {
            let download = VideoDownload(
                session: service.session, eventID: event.id, into: part)
            isSound = try await download.run(retries: retries) { _ in }.isSound
        } catch {
            switch error {
            case .api(let error): return try note(error, "video", in: &result)
            case .file(let error): throw .file(error)
            }
        }
        let start = try rethrowing(try part.read(from: 4, count: 4), as: CaseFileError.file)
        guard start == Array("ftyp".utf8) else {
            let error = APIError(.malformedAnswer, "what the server sent is not an MP4")
            return try note(error, "video", in: &result)
        }
        let content = try rethrowing(
            try spool.keep(part.read(from:count:)), as: CaseFileError.file)
        result.files.append(
            CaseItem(
                kind: .video, content: content, fileExtension: "mp4",
                source: CaseSource.path(of: .video, event.id), capturedAt: event.timestamp,
                collectedAt: now(),
                remark: isSound ? nil : "its boxes do not end where the file does"))
    }

    /// Notes a file that the server does not give.
    /// - Throws: `CaseFileError.api` for a failure that concerns more than this file.
    private func note(
        _ error: APIError, _ what: String, in result: inout CaseEvent
    ) throws(CaseFileError) {
        let isAbsent = error.kind == .notFound
        switch error.kind {
        case .notFound, .rejected, .serverError, .malformedAnswer: break
        case .foreign(let status) where status < 500: break
        case .transport(let cause) where [.tooLarge, .truncatedBody].contains(cause.kind): break
        default: throw .api(error)
        }
        let status = error.status.map { "status \($0)" } ?? "unknown"
        let reason =
            !error.detail.isEmpty
            ? error.detail.masked : isAbsent ? "the server has none" : "it failed: \(status)"
        result.absences.append(CaseAbsence(what: what, reason: reason, isFailure: !isAbsent))
    }
}

/// The paths of URLs that are the same on every server that has the route.
enum CaseSource {
    /// The path of a frame or of the video of an event.
    static func path(of kind: CaseItem.Kind, _ id: String) -> String? {
        let event = "/api/v1/events/\(PercentEncoding.encode(id))"
        return switch kind {
        case .frame(let number): "\(event)/frames/\(number)"
        case .video: "\(event)/video/download"
        case .object, .picture: nil
        }
    }

    /// The path of a picture that the server stores by day; nil for another, or for one in the object.
    static func path(of picture: ThumbnailReference) -> String? {
        guard picture.base64 == nil, let stored = picture.storedPath else { return nil }
        return "/api/v1/thumbnails/\(stored.day)/\(PercentEncoding.encode(stored.file))"
    }
}
