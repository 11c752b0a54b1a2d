import Synchronization

/// Fetches the video of an event into a file, from where an earlier run has stopped.
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

    /// Fetches what is missing, and gives the number of bytes that were there and are kept.
    ///
    /// `advance` hears of bytes as they come.
    /// A connection that breaks is continued `retries` times, as long as something came.
    /// - Throws: `Failure`; what has come stays in the file.
    package func run(
        retries: Int, advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) -> Int {
        let kept = try await keptBytes()
        try await fetchRest(retries: retries, advance)
        if try isWhole(isContinued: kept > 0) { return kept }
        // What was there is not what came, wherever it was changed.
        try truncate(to: 0)
        guard kept > 0 else {
            throw .api(APIError(.malformedAnswer, "the video is a broken MP4"))
        }
        _ = try await keptBytes()
        try await fetchRest(retries: retries, advance)
        guard try isWhole(isContinued: false) else {
            try truncate(to: 0)
            throw .api(APIError(.malformedAnswer, "the video is a broken MP4"))
        }
        return 0
    }

    private func fetchRest(
        retries: Int, _ advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) {
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

    /// Whether the boxes of an MP4 are as long as the file; another kind of file has none, unless
    /// what was there was one.
    private func isWhole(isContinued: Bool) throws(Failure) -> Bool {
        let size = try sized()
        let isWhole = try result { () throws(FileSystemError) in
            try MP4Boxes.fill(size) { offset, count throws(FileSystemError) in
                try file.read(from: offset, count: count)
            }
        }
        return isWhole ?? !isContinued
    }

    /// How much of the file is the beginning of this video, by a look at its last bytes and at the
    /// version that it was begun with.
    private func keptBytes() async throws(Failure) -> Int {
        let size = try sized()
        let first = max(0, size - Self.comparedBytes)
        let ours = try result { () throws(FileSystemError) in
            try file.read(from: first, count: size - first)
        }
        do throws(APIError) {
            var part = VideoPart(eventID: id, first: first, last: max(0, size - 1))
            part.entityTag = size > 0 ? file.note : nil
            let answer = try await session.call(EventMediaRoutes.video, part)
            if size > 0, answer.status == 206, Self.place(of: answer)?.first == first,
                answer.body == ours
            {
                return size
            }
            // Weak tags name no bytes (RFC 9110, section 13.1.5).
            file.note = answer.headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        } catch {
            switch error.kind {
            // Longer than what was asked for, or no such range: begin anew.
            case .transport(let cause) where cause.kind == .tooLarge: file.note = nil
            case .rejected where error.status == 416: file.note = nil
            default: throw .api(error)
            }
        }
        try truncate(to: 0)
        return 0
    }

    private func fetch(
        from first: Int, _ advance: @escaping @Sendable (Int) -> Void
    ) async throws(Failure) {
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
            // All of it is there already.
            if error.status == 416, first > 0 { return try await expectNothingMore(than: first) }
            throw .api(error)
        }
        let size = try sized()
        guard first > 0 else { return try expect(size, Self.length(of: head)) }
        guard head.status == 206, let place = Self.place(of: head), place.first == first else {
            // The whole came where a part was asked for, and stands behind what was there.
            try truncate(to: 0)
            guard head.status == 206 else { return try await fetch(from: 0, advance) }
            throw .api(APIError(.malformedAnswer, "the server sent another part of the video"))
        }
        try expect(size, place.total)
    }

    /// Makes sure that the last byte is the video's last one, where the server has none after it.
    private func expectNothingMore(than size: Int) async throws(Failure) {
        let part = VideoPart(eventID: id, first: size - 1, last: size - 1)
        let answer: HTTPResponse
        do throws(APIError) {
            answer = try await session.call(EventMediaRoutes.video, part)
        } catch {
            throw .api(error)
        }
        try expect(size, Self.place(of: answer)?.total)
    }

    private func expect(_ size: Int, _ total: Int?) throws(Failure) {
        guard size > 0 else { throw .api(APIError(.malformedAnswer, "the video is empty")) }
        guard let total, total != size else { return }
        throw .api(
            APIError(.malformedAnswer, "the video has \(size) bytes, and should have \(total)"))
    }

    private func sized() throws(Failure) -> Int {
        try result { () throws(FileSystemError) in try file.size }
    }

    private func truncate(to size: Int) throws(Failure) {
        try result { () throws(FileSystemError) in try file.truncate(to: size) }
    }

    private func result<Value>(
        _ work: () throws(FileSystemError) -> Value
    ) throws(Failure) -> Value {
        do throws(FileSystemError) { return try work() } catch { throw .file(error) }
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
