import ArgusCore
import ArgusEvents
import ArgusTransport

// Fetches the files that an archive still wants, and keeps each by its SHA-256.
extension EventArchiver {
    /// A kind of files of an event, in the order in which they are fetched.
    enum FileKind: String, Sendable, CaseIterable {
        case thumbnail
        /// The list of an event's frames.
        case frames
        case frame, video
    }

    private static let batchSize = 32
    /// The size of the objects of a batch, which may hold pictures, in bytes.
    private static let batchBytes = 1 << 20
    private static let parallel = 4
    private static let videoRetries = 5

    /// A file to fetch, or a list of frames.
    struct Wanted: Sendable {
        var kind: FileKind
        var number: Int
        /// The number of a frame, 0 for others.
        var item: Int
        var detail: EventDetail
    }

    /// A wanted file with the answer of the server.
    private struct Fetched: Sendable {
        var file: Wanted
        var answer: Answer
    }

    private enum Answer: Sendable {
        case picture([UInt8])
        case frames(ListedRows<EventFrame>)
        case video(PartialFile, isSound: Bool)
        case failure(VideoDownload.Failure)
    }

    enum Outcome: Sendable {
        /// It is in its place.
        case kept(KeptFile)
        case frames(ListedRows<EventFrame>)
        case failure(APIError)
    }

    /// Fetches all, the latest events first; each is tried once.
    /// - Throws: `ArchiveError` of a server that cannot be asked, or of the disk; that of one
    ///   kind of files alone comes after all others were fetched.
    func fetchFiles(
        _ waits: RateLimitWaits, into report: inout ArchiveReport
    ) async throws(ArchiveError) {
        var refusal: APIError?
        for kind in FileKind.allCases {
            do throws(ArchiveError) {
                try await fetch(kind, &report, waits)
            } catch {
                guard case .api(let cause) = error, cause.concernsOneKind else { throw error }
                refusal = refusal ?? cause
            }
        }
        archive.removeUnwantedParts()
        if let refusal { throw .api(refusal) }
    }

    private func fetch(
        _ kind: FileKind, _ report: inout ArchiveReport, _ waits: RateLimitWaits
    ) async throws(ArchiveError) {
        var numbers = try wantedEvents(kind)[...]
        if !numbers.isEmpty { notify(.expectedFiles(try wantedFileCount(kind))) }
        var waits = waits
        while !numbers.isEmpty {
            var batch: [Wanted] = []
            var size = 0
            while batch.count < Self.batchSize, size < Self.batchBytes,
                let number = numbers.popFirst()
            {
                batch += try wanted(kind, of: number, adding: &size)
            }
            while !batch.isEmpty { try await fetch(&batch, &report, &waits) }
        }
    }

    /// Fetches some, of which those remain that the server refuses for now.
    private func fetch(
        _ batch: inout [Wanted], _ report: inout ArchiveReport, _ waits: inout RateLimitWaits
    ) async throws(ArchiveError) {
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
        try record(settled, &report)
        if let failure {
            if failure.isUnsupported, let kind = batch.first?.kind { try unwant(kind) }
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
    ) async throws(ArchiveError) -> [(file: Wanted, outcome: Outcome)] {
        typealias Found = Result<[(file: Wanted, outcome: Outcome)], FileSystemError>
        let found = await withTaskGroup(of: Fetched.self) { group -> Found in
            var waiting = batch.makeIterator()
            let (service, folder) = (service, archive.folder)
            func startNext() {
                guard let file = waiting.next() else { return }
                group.addTask {
                    Fetched(
                        file: file, answer: await Self.answer(to: file, from: service, in: folder))
                }
            }
            for _ in 0..<Self.parallel { startNext() }
            var outcomes: [(file: Wanted, outcome: Outcome)] = []
            for await fetched in group {
                startNext()
                do throws(FileSystemError) {
                    outcomes.append((fetched.file, try keep(fetched.answer)))
                } catch {
                    guard archive.folder.concernsOneFile(error) else {
                        group.cancelAll()
                        return .failure(error)
                    }
                    let failure = APIError(.malformedAnswer, "\(error)")
                    outcomes.append((fetched.file, .failure(failure)))
                }
            }
            return .success(outcomes)
        }
        return try rethrowing(try found.get(), as: ArchiveError.init)
    }

    private func keep(_ answer: Answer) throws(FileSystemError) -> Outcome {
        switch answer {
        case .picture(let bytes): try keep(bytes)
        case .frames(let frames): .frames(frames)
        case .video(let part, let isSound): try keep(part, isSound)
        case .failure(.api(let error)): .failure(error)
        case .failure(.file(let error)): throw error
        }
    }

    private static func answer(
        to file: Wanted, from service: EventService, in folder: ArchiveFolder
    ) async -> Answer {
        let id = file.detail.event.id
        do throws(APIError) {
            switch file.kind {
            case .thumbnail: return .picture(try await service.thumbnail(file.detail))
            case .frames: return .frames(try await service.frames(of: id))
            case .frame: return .picture(try await service.picture(ofFrame: file.item, of: id))
            case .video: break
            }
        } catch {
            return .failure(.api(error))
        }
        do throws(VideoDownload.Failure) {
            let part = try rethrowing(
                try folder.openPart(of: file.number), as: VideoDownload.Failure.file)
            let download = VideoDownload(session: service.session, eventID: id, into: part)
            // Not after a success: such a download has at least a byte.
            defer { if (try? part.size) == 0 { part.discard() } }
            let result = try await download.run(retries: videoRetries) { _ in }
            return .video(part, isSound: result.isSound)
        } catch {
            return .failure(error)
        }
    }
}
