import Glibc

/// Fetches the pictures that an archive still wants, and keeps each by its SHA-256.
struct ArchivePictures {
    private static let batchSize = 32
    private static let parallel = 4
    /// How often a picture that is not whole is tried, once in each sync.
    private static let tries = 5

    private let archive: Archive
    private let service: EventService
    private let server: Archive.Server
    private let sleep: @Sendable (Duration) async -> Void
    private let notify: @Sendable (EventArchiver.Notice) -> Void

    init(
        _ archive: Archive, from service: EventService, of server: Archive.Server,
        sleep: @escaping @Sendable (Duration) async -> Void,
        notify: @escaping @Sendable (EventArchiver.Notice) -> Void
    ) {
        (self.archive, self.service, self.server) = (archive, service, server)
        (self.sleep, self.notify) = (sleep, notify)
    }

    /// A picture to fetch.
    private struct Wanted: Sendable {
        var number: Int
        var detail: EventDetail
    }

    private enum Outcome: Sendable {
        case picture(StoredBytes)
        case failure(APIError)
    }

    /// Fetches all, the latest events first; each is tried once.
    /// - Throws: `EventArchiver.Failure` of a server that cannot be asked, or of the disk.
    func fetch(into report: inout ArchiveReport) async throws(EventArchiver.Failure) {
        var below = Int.max
        var waits = RateLimitWaits()
        while true {
            let found = try archived { () throws(ArchiveError) in try wanted(below: below) }
            guard let found else { return }
            below = found.below
            var batch = found.pictures
            while !batch.isEmpty { try await fetch(&batch, &report, &waits) }
        }
    }

    /// Fetches some, of which those remain that the server refuses for now.
    private func fetch(
        _ batch: inout [Wanted], _ report: inout ArchiveReport, _ waits: inout RateLimitWaits
    ) async throws(EventArchiver.Failure) {
        let outcomes = await outcomes(of: batch)
        var left: [Wanted] = []
        var refusal: APIError?
        var failure: APIError?
        for (picture, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .picture(let bytes):
                try archived { () throws(ArchiveError) in
                    try keep(bytes, of: picture, &report)
                }
            case .failure(let error):
                if error.kind == .rateLimited {
                    left.append(picture)
                    refusal = error
                } else if error.concernsOnePicture {
                    try archived { () throws(ArchiveError) in
                        try note(error, of: picture, &report)
                    }
                } else {
                    failure = error
                }
            }
        }
        if let failure { throw .api(failure) }
        notify(.pictures(batch.count - left.count))
        if left.count < batch.count { waits.reset() }
        batch = left
        guard let refusal else { return }
        guard let wait = waits.next(after: refusal) else { throw .api(refusal) }
        notify(.rateLimited(wait))
        await sleep(wait)
    }

    private func outcomes(of batch: [Wanted]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var waiting = batch.enumerated().makeIterator()
            func startNext() {
                guard let (index, picture) = waiting.next() else { return }
                group.addTask { [service] in
                    do throws(APIError) {
                        return (index, .picture(try await service.thumbnail(picture.detail)))
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

    /// The next pictures, and the number below which others follow; nil at the end.
    private func wanted(
        below number: Int
    ) throws(ArchiveError) -> (pictures: [Wanted], below: Int)? {
        var numbers: [Int] = []
        try archive.database.forEach(
            """
            SELECT media.event FROM media JOIN event ON event.number = media.event
            WHERE media.state = 'wanted' AND media.kind = 'thumbnail' AND media.event < ?1
              AND event.server = ?2
            ORDER BY media.event DESC LIMIT \(Self.batchSize)
            """, [SQLiteValue(number), SQLiteValue(server.number)]
        ) { row throws(ArchiveError) in
            if let number = row.int(0) { numbers.append(number) }
        }
        guard let last = numbers.last else { return nil }
        var pictures: [Wanted] = []
        for number in numbers {
            // A damaged event is named by `verify`; a full sync stores it again.
            let detail = try archive.object(number)?.view.flatMap(EventDetail.init)
            if let detail { pictures.append(Wanted(number: number, detail: detail)) }
        }
        return (pictures, last)
    }

    private func keep(
        _ bytes: StoredBytes, of picture: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        let kind: ImageKind
        do throws(ImageKind.Fault) {
            kind = try ImageKind.ofComplete(bytes)
        } catch {
            let fault = APIError(.malformedAnswer, "the picture \(error)")
            return try note(fault, of: picture, &report)
        }
        let sha256 = try archive.keep(bytes, as: kind.fileExtension)
        // The file is on the disk before the database has its name.
        try archive.database.run(
            """
            UPDATE media SET state = 'stored', sha256 = ?2, bytes = ?3, extension = ?4,
              reason = NULL
            WHERE event = ?1 AND kind = 'thumbnail' AND item = 0
            """, SQLiteValue(picture.number), .text(sha256), SQLiteValue(bytes.count),
            .text(kind.fileExtension))
        report.pictures += 1
    }

    /// Notes why there is no picture.
    private func note(
        _ error: APIError, of picture: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        let isAbsent = error.kind == .notFound
        let reason = error.detail.isEmpty ? "status \(error.status ?? 0)" : error.detail
        try archive.database.run(
            """
            UPDATE media SET tries = tries + 1, reason = ?2,
              state = CASE WHEN ?3 THEN 'absent' WHEN tries + 1 >= ?4 THEN 'broken'
                ELSE 'wanted' END
            WHERE event = ?1 AND kind = 'thumbnail' AND item = 0
            """, SQLiteValue(picture.number), .text(reason), SQLiteValue(isAbsent),
            SQLiteValue(Self.tries))
        if isAbsent { report.absentFiles += 1 } else { report.brokenFiles += 1 }
    }

    private func archived<Value>(
        _ work: () throws(ArchiveError) -> Value
    ) throws(EventArchiver.Failure) -> Value {
        do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
    }
}

extension APIError {
    /// True if other pictures of the server may well be there.
    fileprivate var concernsOnePicture: Bool {
        switch kind {
        case .notFound, .rejected, .serverError, .malformedAnswer, .unsupported: true
        case .transport(let cause): cause.kind == .tooLarge || cause.kind == .truncatedBody
        default: false
        }
    }
}

extension Archive {
    /// Keeps the bytes of a file under their SHA-256, unless they are there, and returns it.
    /// - Throws: `ArchiveError`; the file then is not there, or as it was.
    func keep(_ bytes: StoredBytes, as fileExtension: String) throws(ArchiveError) -> String {
        do throws(FileSystemError) {
            let sha256 = try Checksum.sha256(of: bytes)
            let path = folder.media(sha256, fileExtension)
            // A file of that name with other bytes was damaged since, and is written again.
            if try Checksum.sha256(ofFile: path) == sha256 { return sha256 }
            if mkdir(FileRename.folder(of: path), 0o700) != 0, errno != EEXIST {
                throw .current(.create, path)
            }
            let file = try AtomicFile(path, for: .settings)
            var blocks = bytes.blocks()
            while let block = try blocks.next() { try file.write(block) }
            try file.commit(replacing: true)
            FileRename.synchronizeFolder(of: path)
            return sha256
        } catch {
            if case .errno(let number) = error.reason, [ENOSPC, EDQUOT].contains(number.rawValue) {
                throw .full(error.path)
            }
            throw .file(error)
        }
    }
}
