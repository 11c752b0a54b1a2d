import Glibc

/// Fetches the files that an archive still wants, and keeps each by its SHA-256.
struct ArchiveMedia {
    /// A kind of files of an event, in the order in which they are fetched.
    enum Kind: String, Sendable, CaseIterable {
        case thumbnail
        /// The list of an event's frames.
        case frames
        case frame, video
    }

    private static let batchSize = 32
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

    enum Outcome: Sendable {
        case picture(StoredBytes)
        case frames(ListedRows<EventFrame>)
        case video(PartialFile, isSound: Bool)
        case failure(APIError)
        case fault(FileSystemError)
    }

    /// Fetches all, the latest events first; each is tried once.
    /// - Throws: `EventArchiver.Failure` of a server that cannot be asked, or of the disk.
    func fetch(into report: inout ArchiveReport) async throws(EventArchiver.Failure) {
        for kind in Kind.allCases {
            var place = (number: Int.max, item: 0)
            var waits = waits
            while true {
                let found = try archived { () throws(ArchiveError) in
                    try wanted(kind, after: place, atMost: Self.batchSize)
                }
                guard let found else { break }
                place = found.place
                var batch = found.files
                while !batch.isEmpty { try await fetch(&batch, &report, &waits) }
            }
        }
        archive.removeUnwantedParts()
    }

    /// Fetches some, of which those remain that the server refuses for now.
    private func fetch(
        _ batch: inout [Wanted], _ report: inout ArchiveReport, _ waits: inout RateLimitWaits
    ) async throws(EventArchiver.Failure) {
        let outcomes = await outcomes(of: batch)
        var left: [Wanted] = []
        var refusal: APIError?
        var failure: APIError?
        for (file, outcome) in zip(batch, outcomes) {
            if case .failure(let error) = outcome {
                if error.kind == .rateLimited {
                    left.append(file)
                    refusal = error
                    continue
                }
                if !error.concernsOneFile(file.kind) {
                    failure = error
                    continue
                }
            }
            try archived { () throws(ArchiveError) in try store(outcome, of: file, &report) }
        }
        if let failure {
            if case .unsupported = failure.kind, let kind = batch.first?.kind {
                try archived { () throws(ArchiveError) in try unwant(kind) }
            }
            throw .api(failure)
        }
        notify(.files(batch.count - left.count))
        if left.count < batch.count { waits.reset() }
        batch = left
        guard let refusal else { return }
        guard let wait = waits.next(after: refusal) else { throw .api(refusal) }
        notify(.rateLimited(until: now() + wait))
        await sleep(wait)
    }

    private func outcomes(of batch: [Wanted]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var waiting = batch.enumerated().makeIterator()
            let (service, folder) = (service, archive.folder)
            func startNext() {
                guard let (index, file) = waiting.next() else { return }
                group.addTask {
                    do throws(APIError) {
                        return (index, try await Self.outcome(of: file, from: service, in: folder))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for _ in 0..<Self.parallel { startNext() }
            var found: [Int: Outcome] = [:]
            for await (index, outcome) in group {
                startNext()
                found[index] = outcome
            }
            return batch.indices.compactMap { found[$0] }
        }
    }

    private static func outcome(
        of file: Wanted, from service: EventService, in folder: ArchiveFolder
    ) async throws(APIError) -> Outcome {
        let id = file.detail.event.id
        switch file.kind {
        case .thumbnail: return .picture(try await service.thumbnail(file.detail))
        case .frames: return .frames(try await service.frames(of: id))
        case .frame:
            return .picture(
                try await service.session.call(
                    EventMediaRoutes.frame, (id: id, number: file.item)))
        case .video:
            let part: PartialFile
            do throws(FileSystemError) {
                part = try folder.openPart(of: file.number)
            } catch {
                return .fault(error)
            }
            let download = VideoDownload(session: service.session, eventID: id, into: part)
            do throws(VideoDownload.Failure) {
                let result = try await download.run(retries: videoRetries) { _ in }
                return .video(part, isSound: result.isSound)
            } catch {
                if (try? part.size) == 0 { part.discard() }
                switch error {
                case .api(let error): throw error
                case .file(let error): return .fault(error)
                }
            }
        }
    }

    private func archived<Value>(
        _ work: () throws(ArchiveError) -> Value
    ) throws(EventArchiver.Failure) -> Value {
        do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
    }
}
