import Glibc

/// Fetches the files that an archive still wants, and keeps each by its SHA-256.
struct ArchiveMedia {
    typealias Failure = EventArchiver.Failure

    /// A kind of files of an event, in the order in which they are fetched.
    enum Kind: String, Sendable, CaseIterable {
        case thumbnail
        /// The list of an event's frames.
        case frames
        case frame, video
    }

    private static let batchSize = 32
    /// The size of the objects of a batch, which may hold pictures, in bytes.
    private static let batchBytes = 1 << 20
    private static let parallel = 4
    /// The further tries of a video whose connection breaks.
    private static let videoRetries = 5

    let archive: Archive
    private let service: EventService
    let server: Archive.Server
    private let waits: RateLimitWaits
    let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void
    private let notify: @Sendable (EventArchiver.Notice) -> Void

    init(
        _ archive: Archive, from service: EventService, of server: Archive.Server,
        waits: RateLimitWaits, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void,
        notify: @escaping @Sendable (EventArchiver.Notice) -> Void
    ) {
        (self.archive, self.service, self.server) = (archive, service, server)
        self.waits = waits
        (self.now, self.sleep, self.notify) = (now, sleep, notify)
    }

    /// A file to fetch, or a list of frames.
    struct Wanted: Sendable {
        var kind: Kind
        var number: Int
        /// The number of a frame, 0 for others.
        var item: Int
        var detail: EventDetail
    }

    /// The answer of the server.
    private enum Answer: Sendable {
        case picture(StoredBytes)
        case frames(ListedRows<EventFrame>)
        case video(PartialFile, isSound: Bool)
    }

    /// The result of fetching a wanted file.
    enum Outcome: Sendable {
        /// It is in its place.
        case kept(KeptFile)
        case frames(ListedRows<EventFrame>)
        case failure(APIError)
    }

    /// Fetches all, the latest events first; each is tried once.
    /// - Throws: `Failure` of a server that cannot be asked, or of the disk; that of one
    ///   kind of files alone comes after all others were fetched.
    func fetch(into report: inout ArchiveReport) async throws(Failure) {
        var refusal: APIError?
        for kind in Kind.allCases {
            do throws(Failure) {
                try await fetch(kind, &report)
            } catch {
                guard case .api(let cause) = error, cause.concernsOneKind else { throw error }
                refusal = refusal ?? cause
            }
        }
        archive.removeUnwantedParts()
        if let refusal { throw .api(refusal) }
    }

    private func fetch(
        _ kind: Kind, _ report: inout ArchiveReport
    ) async throws(Failure) {
        var numbers = try rethrowing(try wantedEvents(kind), as: Failure.archive)[...]
        var waits = waits
        while !numbers.isEmpty {
            var batch: [Wanted] = []
            var size = 0
            while batch.count < Self.batchSize, size < Self.batchBytes,
                let number = numbers.popFirst()
            {
                batch += try rethrowing(
                    try wanted(kind, of: number, adding: &size), as: Failure.archive)
            }
            while !batch.isEmpty { try await fetch(&batch, &report, &waits) }
        }
    }

    /// Fetches some, of which those remain that the server refuses for now.
    private func fetch(
        _ batch: inout [Wanted], _ report: inout ArchiveReport, _ waits: inout RateLimitWaits
    ) async throws(Failure) {
        var settled: [(Wanted, Outcome)] = []
        var left: [Wanted] = []
        var refusal: APIError?
        var failure: APIError?
        for (file, outcome) in try await outcomes(of: batch) {
            switch outcome {
            case .failure(let error) where error.kind == .rateLimited:
                left.append(file)
                refusal = error
            case .failure(let error) where !error.concernsOneFile(file.kind): failure = error
            default: settled.append((file, outcome))
            }
        }
        try rethrowing(try record(settled, &report), as: Failure.archive)
        if let failure {
            if case .unsupported = failure.kind, let kind = batch.first?.kind {
                try rethrowing(try unwant(kind), as: Failure.archive)
            }
            throw .api(failure)
        }
        notify(.files(settled.count))
        if !settled.isEmpty { waits.reset() }
        batch = left
        guard let refusal else { return }
        guard let wait = waits.next(after: refusal) else { throw .api(refusal) }
        notify(.rateLimited(until: now() + wait))
        await sleep(wait)
    }

    /// Fetches a batch, and keeps each file as it comes; the outcomes are in the order of the answers.
    private func outcomes(
        of batch: [Wanted]
    ) async throws(Failure) -> [(file: Wanted, outcome: Outcome)] {
        typealias Found = Result<[(file: Wanted, outcome: Outcome)], ArchiveError>
        let found = await withTaskGroup(of: Fetched.self) { group -> Found in
            var waiting = batch.makeIterator()
            let (service, folder) = (service, archive.folder)
            func startNext() {
                guard let file = waiting.next() else { return }
                group.addTask { await Self.fetch(file, from: service, in: folder) }
            }
            for _ in 0..<Self.parallel { startNext() }
            var outcomes: [(file: Wanted, outcome: Outcome)] = []
            for await fetched in group {
                startNext()
                do throws(ArchiveError) {
                    outcomes.append((fetched.file, try keep(fetched.answer)))
                } catch {
                    group.cancelAll()
                    return .failure(error)
                }
            }
            return .success(outcomes)
        }
        return try rethrowing(try found.get(), as: Failure.archive)
    }

    /// A file with the answer to its request.
    private struct Fetched: Sendable {
        var file: Wanted
        var answer: Result<Answer, Fault>
    }

    private static func fetch(
        _ file: Wanted, from service: EventService, in folder: ArchiveFolder
    ) async -> Fetched {
        do throws(Fault) {
            let answer = try await answer(to: file, from: service, in: folder)
            return Fetched(file: file, answer: .success(answer))
        } catch {
            return Fetched(file: file, answer: .failure(error))
        }
    }

    private func keep(_ answer: Result<Answer, Fault>) throws(ArchiveError) -> Outcome {
        switch answer {
        case .success(.picture(let bytes)): try keep(bytes)
        case .success(.frames(let frames)): .frames(frames)
        case .success(.video(let part, let isSound)): try keep(part, isSound)
        case .failure(.api(let error)): .failure(error)
        case .failure(.file(let error)): throw ArchiveError(error)
        }
    }

    private typealias Fault = VideoDownload.Failure

    private static func answer(
        to file: Wanted, from service: EventService, in folder: ArchiveFolder
    ) async throws(Fault) -> Answer {
        let id = file.detail.event.id
        do throws(APIError) {
            switch file.kind {
            case .thumbnail: return .picture(try await service.thumbnail(file.detail))
            case .frames: return .frames(try await service.frames(of: id))
            case .frame:
                let place = (id: id, number: file.item)
                return .picture(try await service.session.call(EventMediaRoutes.frame, place))
            case .video: break
            }
        } catch {
            throw .api(error)
        }
        let part = try rethrowing(try folder.openPart(of: file.number), as: Fault.file)
        let download = VideoDownload(session: service.session, eventID: id, into: part)
        do throws(Fault) {
            let result = try await download.run(retries: videoRetries) { _ in }
            return .video(part, isSound: result.isSound)
        } catch {
            if (try? part.size) == 0 { part.discard() }
            throw error
        }
    }
}
