package import ArgusAccount
package import ArgusCore
package import ArgusTransport
import Synchronization

/// Fetches the video of an event into a file, from where an earlier run stopped.
package struct VideoDownload: Sendable {
    /// Bytes at the end of what is there that are compared before it is continued.
    private static let comparedBytes = 4096

    package enum Failure: Error, Sendable {
        case api(APIError)
        case file(FileSystemError)
    }

    private let session: Session
    private let id: String
    private let file: PartialFile

    package init(session: Session, eventID: String, into file: PartialFile) {
        self.session = session
        id = eventID
        self.file = file
    }

    /// The state of the file after a download.
    package struct Result: Sendable {
        /// Bytes that were there and are kept.
        package var kept: Int
        /// True if the boxes of an MP4 end where the file does, or if the file is not an MP4.
        package var isSound: Bool
    }

    /// The last answer: the place of its first byte, and whether the file has the announced length.
    private typealias LastAnswer = (first: Int, hasAnnouncedLength: Bool)

    /// Fetches the missing bytes, and continues a broken connection `retries` times as long as some
    /// came; `advance` gets the count of bytes as they arrive.
    /// - Throws: `Failure`; the bytes so far stay in the file.
    package func run(
        retries: Int, advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) -> Result {
        var kept = try await keptBytes()
        var last = try await fetchRest(retries: retries, advance)
        if last.first == 0 { kept = 0 }
        var boxesFit = try self.boxesFit()
        if last.first > 0, !isWhole(last, kept: kept, boxesFit: boxesFit) {
            // Some bytes of the file were altered, or belong to another video.
            try empty()
            kept = try await keptBytes()
            last = try await fetchRest(retries: retries, advance)
            boxesFit = try self.boxesFit()
        }
        guard isWhole(last, kept: kept, boxesFit: boxesFit) else {
            throw .api(APIError(.malformedAnswer, "the video is a broken MP4"))
        }
        return Result(kept: kept, isSound: boxesFit ?? true)
    }

    /// Returns true when the file is the server's video, as far as that can be known.
    ///
    /// The announced length or one strong tag prove bytes of this run, fitting boxes prove all.
    private func isWhole(_ last: LastAnswer, kept: Int, boxesFit: Bool?) -> Bool {
        let isOneVersion = last.first == 0 || file.note != nil
        return switch boxesFit {
        case true?: true
        case nil: isOneVersion || kept == 0
        case false?: isOneVersion && kept == 0 && last.hasAnnouncedLength
        }
    }

    /// Returns true when the boxes of an MP4 are as long as the file; nil for another file.
    private func boxesFit() throws(Failure) -> Bool? {
        let size = try sized()
        return try rethrowing(try MP4Boxes.fill(size, file.read(from:count:)), as: Failure.file)
    }

    private func fetchRest(
        retries: Int, _ advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) -> LastAnswer {
        var left = retries
        while true {
            let before = try sized()
            do throws(Failure) {
                return try await fetch(from: before, advance)
            } catch {
                guard left > 0, case .api(let cause) = error,
                    case .transport(let broken) = cause.kind,
                    [.connectionLost, .truncatedBody, .timedOut(.idle)].contains(broken.kind),
                    try sized() > before
                else { throw error }
                left -= 1
            }
        }
    }

    /// Returns how many bytes of the file begin this video, by its last bytes and its version.
    private func keptBytes() async throws(Failure) -> Int {
        let size = try sized()
        let first = max(0, size - Self.comparedBytes)
        let ours = try rethrowing(
            try file.read(from: first, count: size - first), as: Failure.file)
        do throws(APIError) {
            var part = VideoPart(eventID: id, first: first, last: max(0, size - 1))
            part.entityTag = size > 0 ? file.note : nil
            let answer = try await session.call(EventMediaRoutes.video, part)
            if size > 0, answer.status == 206, Self.place(of: answer)?.first == first,
                answer.body == ours
            {
                return size
            }
            file.note = Self.strongTag(of: answer)
        } catch {
            switch error.kind {
            // Longer than what was asked for, so of another version, or no such range: start over.
            case .transport(let cause) where cause.kind == .tooLarge && size > 0:
                try empty()
                return try await keptBytes()
            case .transport(let cause) where cause.kind == .tooLarge: file.note = nil
            case .rejected where error.status == 416: file.note = nil
            default: throw .api(error)
            }
        }
        try empty()
        return 0
    }

    private func fetch(
        from first: Int, _ advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) -> LastAnswer {
        let problem = Mutex<FileSystemError?>(nil)
        let file = file
        let head: HTTPResponse
        do throws(APIError) {
            var part = VideoPart(eventID: id, first: first > 0 ? first : nil)
            part.entityTag = first > 0 ? file.note : nil
            head = try await session.call(EventMediaRoutes.video, part) { bytes in
                do throws(FileSystemError) {
                    try file.write(bytes)
                    advance(bytes.count)
                    return true
                } catch {
                    problem.withLock { $0 = error }
                    return false
                }
            }
        } catch {
            if let problem = problem.withLock({ $0 }) { throw .file(problem) }
            // A page is no part of the video.
            if error.isForeign { try rethrowing(try file.truncate(to: first), as: Failure.file) }
            // All of it is there already.
            if error.status == 416, first > 0 { return try await expectNothingMore(than: first) }
            throw .api(error)
        }
        let size = try sized()
        guard first > 0 else { return try expect(size, Self.length(of: head), from: 0) }
        guard head.status == 206, let place = Self.place(of: head), place.first == first else {
            // The whole came instead of a part, and follows the old bytes in the file.
            try empty()
            file.note = Self.strongTag(of: head)
            guard head.status == 206 else { return try await fetch(from: 0, advance) }
            throw .api(APIError(.malformedAnswer, "the server sent another part of the video"))
        }
        return try expect(size, place.total, from: first)
    }

    /// Checks that the file ends where the video does, when the server has no byte after it.
    private func expectNothingMore(than size: Int) async throws(Failure) -> LastAnswer {
        let part = VideoPart(eventID: id, first: size - 1, last: size - 1)
        let answer = try await rethrowing(
            awaiting: try await session.call(EventMediaRoutes.video, part), as: Failure.api)
        return try expect(size, Self.place(of: answer)?.total, from: size)
    }

    private func expect(
        _ size: Int, _ total: Int?, from first: Int
    ) throws(Failure) -> LastAnswer {
        guard size > 0 else { throw .api(APIError(.malformedAnswer, "the video is empty")) }
        guard let total, total != size else { return (first, total != nil) }
        throw .api(
            APIError(.malformedAnswer, "the video has \(size) bytes instead of \(total)"))
    }

    private func sized() throws(Failure) -> Int { try rethrowing(try file.size, as: Failure.file) }

    private func empty() throws(Failure) {
        try rethrowing(try file.truncate(to: 0), as: Failure.file)
    }

    /// The version of an answer; weak tags name no bytes (RFC 9110, section 13.1.5).
    private static func strongTag(of answer: HTTPResponse) -> String? {
        answer.headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    }

    private static func length(of answer: HTTPResponse) -> Int? {
        // The length of a compressed answer is not that of the video.
        guard answer.headers["content-encoding"] == nil else { return nil }
        return answer.headers["content-length"].flatMap { Int($0) }
    }

    /// First byte and total of `bytes 100-199/200` (RFC 9110, section 14.4).
    private static func place(of answer: HTTPResponse) -> (first: Int, total: Int?)? {
        guard let text = answer.headers["content-range"], text.hasPrefix("bytes ") else {
            return nil
        }
        let parts = text.dropFirst(6).split(separator: "/")
        guard parts.count == 2,
            let first = parts[0].split(separator: "-").first.flatMap({ Int($0) })
        else { return nil }
        return (first, Int(parts[1]))
    }
}

/// The outermost boxes of an MP4 (ISO/IEC 14496-12, section 4.2).
enum MP4Boxes {
    /// Bytes that are read at once: they hold many small boxes.
    private static let blockSize = 4 << 10

    /// Returns true if the boxes fill the bytes, except for a short rest; nil if it is not an MP4.
    ///
    /// `read` takes an offset and the most bytes.
    static func fill(
        _ size: Int, _ read: (Int, Int) throws(FileSystemError) -> [UInt8]
    ) throws(FileSystemError) -> Bool? {
        var block = try read(0, blockSize)
        guard block.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        var (start, offset) = (0, 0)
        while size - offset >= 8 {
            if offset + 16 > start + block.count {
                block = try read(offset, blockSize)
                start = offset
            }
            let head = block.dropFirst(offset - start).prefix(16)
            guard head.count >= 8 else { return false }
            let length =
                switch number(head.prefix(4)) {
                // The last box goes to the end of the file.
                case 0: size - offset
                case 1 where head.count == 16 && head.dropFirst(8).first == 0:
                    number(head.suffix(8))
                case let length: length
                }
            guard length >= 8, length <= size - offset else { return false }
            offset += length
        }
        return true
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
