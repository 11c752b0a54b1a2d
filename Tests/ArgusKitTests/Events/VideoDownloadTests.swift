import ArgusKit
import ArgusTestSupport
import Testing

@Suite("videos")
struct VideoDownloadTests {
    private let fake = FakeTransport()
    private let folder: TemporaryFolder
    private static let target = "/api/v1/events/e1/video/download"
    /// A box of 16 bytes, and one of as many as are left.
    private static let video: [UInt8] =
        [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0] + [0, 0, 0x13, 0x88]
        + Array("mdat".utf8) + (0..<4992).map { UInt8(truncatingIfNeeded: $0) }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Answers requests as a server of files does, and notes the ranges and versions asked for.
    private func serve(_ video: [UInt8], tag: String, times: Int, until last: Int? = nil) {
        for _ in 0..<times {
            fake.stub(.get, Self.target) { request in
                var headers = [(name: "ETag", value: tag)]
                func field(_ name: String) -> String? {
                    for field in request.headers where field.name == name {
                        if case .plain(let text) = field.value { return text }
                    }
                    return nil
                }
                guard let range = field("Range"), field("If-Range") ?? tag == tag else {
                    return .success(
                        HTTPResponse(status: 200, headers: HTTPHeaders(headers), body: video))
                }
                let ends = range.dropFirst(6).split(separator: "-").compactMap { Int($0) }
                guard ends[0] < video.count else {
                    return .success(HTTPResponse(status: 416))
                }
                let end = min(ends.count > 1 ? ends[1] : .max, last ?? .max, video.count - 1)
                headers.append(
                    (name: "Content-Range", value: "bytes \(ends[0])-\(end)/\(video.count)"))
                return .success(
                    HTTPResponse(
                        status: 206, headers: HTTPHeaders(headers),
                        body: Array(video[ends[0]...end])))
            }
        }
    }

    /// Runs a download into a part that holds some bytes, begun with a version.
    private func download(_ part: [UInt8], tag: String?) async throws -> (kept: Int, [UInt8]) {
        let file = try PartialFile(folder.file("v.mp4"), remains: .continued, advice: "")
        try part.withUnsafeBytes { try file.write($0) }
        file.note = tag
        let kept = try await VideoDownload(session: .test(fake), eventID: "e1", into: file).run(
            retries: 0
        ) { _ in }
        return (kept, try file.read(from: 0, count: file.size))
    }

    @Test("a video comes whole, or after what is there")
    func whole() async throws {
        for (count, requests) in [(0, 2), (4500, 2), (Self.video.count, 3)] {
            serve(Self.video, tag: "\"a\"", times: requests)
            let (kept, bytes) = try await download(Array(Self.video[..<count]), tag: "\"a\"")
            #expect(kept == count)
            #expect(bytes == Self.video)
            fake.verify()
            try PartialFile(folder.file("v.mp4"), remains: .replaced, advice: "").discard()
        }
    }

    @Test("a part of another version is begun anew, even where its end is the same")
    func otherVersion() async throws {
        serve(Self.video, tag: "\"new\"", times: 2)
        let (kept, bytes) = try await download(Array(Self.video[..<4500]), tag: "\"old\"")
        #expect(kept == 0)
        #expect(bytes == Self.video)
        fake.verify()
    }

    @Test("a part that was altered before its end is fetched again")
    func altered() async throws {
        var part = Array(Self.video[..<4800])
        part[2] = 1
        serve(Self.video, tag: "\"a\"", times: 4)
        let (kept, bytes) = try await download(part, tag: "\"a\"")
        #expect(kept == 0)
        #expect(bytes == Self.video)
        fake.verify()
    }

    @Test("an MP4 whose boxes do not end with it is refused")
    func broken() async throws {
        serve(Array(Self.video.dropLast(9)), tag: "\"a\"", times: 2)
        await #expect(throws: VideoDownload.Failure.self) { try await download([], tag: nil) }
        fake.verify()
    }
}
