import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
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
    private func serve(
        _ video: [UInt8], tag: String?, times: Int, until last: Int? = nil,
        distinctiveLength tellsLength: Bool = true
    ) {
        for _ in 0..<times {
            fake.stub(.get, Self.target) { request in
                var headers = tag.map { [(name: "ETag", value: $0)] } ?? []
                func field(_ name: String) -> String? {
                    for field in request.headers where field.name == name {
                        if case .plain(let text) = field.value { return text }
                    }
                    return nil
                }
                guard let range = field("Range"), field("If-Range") ?? tag == tag else {
                    if tellsLength {
                        headers.append((name: "Content-Length", value: "\(video.count)"))
                    }
                    return .success(
                        HTTPResponse(status: 200, headers: HTTPHeaders(headers), body: video))
                }
                let ends = range.dropFirst(6).split(separator: "-").compactMap { Int($0) }
                guard ends[0] < video.count else {
                    let range = [(name: "Content-Range", value: "*/\(video.count)")]
                    return .success(
                        HTTPResponse(status: 416, headers: HTTPHeaders(range), body: []))
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
    private func download(
        _ part: [UInt8], tag: String?, _ look: (_ fits: Bool) -> Void = { _ in }
    ) async throws -> (kept: Int, [UInt8]) {
        let file = try PartialFile(folder.file("v.mp4"), remains: .continued, advice: "")
        try part.withUnsafeBytes { try file.write($0) }
        file.note = tag
        let result = try await VideoDownload(session: .test(fake), eventID: "e1", into: file).run(
            retries: 0
        ) { _ in }
        look(result.isSound)
        return (result.kept, try file.read(from: 0, count: file.size))
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

    @Test("a page in place of the video leaves the part as it was, to be continued")
    func page() async throws {
        serve(Self.video, tag: "\"a\"", times: 1)
        fake.stub(
            .get, Self.target, headers: [("Content-Type", "text/html")],
            body: "<html>Sign in</html>")
        let part = Array(Self.video[..<4500])
        await #expect(throws: VideoDownload.Failure.self) {
            _ = try await download(part, tag: "\"a\"")
        }
        let file = try PartialFile(folder.file("v.mp4"), remains: .continued, advice: "")
        #expect(try file.read(from: 0, count: 10_000) == part)
        fake.verify()
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

    @Test("an MP4 of unknown length stays a part if its boxes end elsewhere")
    func broken() async throws {
        let bytes = Array(Self.video.dropLast(9))
        serve(bytes, tag: "\"a\"", times: 2, distinctiveLength: false)
        await #expect(throws: VideoDownload.Failure.self) { try await download([], tag: nil) }
        fake.verify()
        let part = try PartialFile(folder.file("v.mp4"), remains: .continued, advice: "")
        #expect(try part.size == bytes.count)
    }

    @Test("a video that came in one answer of the announced length is whole, whatever its boxes")
    func odd() async throws {
        let fragments = Array(
            repeatElement([0, 0, 0, 9] + Array("mdat".utf8) + [7], count: 70_000).joined())
        let cases: [(video: [UInt8], tellsLength: Bool, fits: Bool)] = [
            (Self.video + [0, 0, 0, 0], false, true), (Self.video + [1, 2, 3], false, true),
            (Self.video + [UInt8](repeating: 0, count: 900), false, true),
            (Array(Self.video[..<16]) + fragments, false, true),
            (Array(Self.video.dropLast(9)), true, false),
            (Self.video + [UInt8](repeating: 9, count: 9), true, false),
        ]
        for (video, tellsLength, fits) in cases {
            serve(video, tag: "\"a\"", times: 2, distinctiveLength: tellsLength)
            let (kept, bytes) = try await download([], tag: nil) { #expect($0 == fits) }
            #expect(kept == 0)
            #expect(bytes == video)
            fake.verify()
            try PartialFile(folder.file("v.mp4"), remains: .replaced, advice: "").discard()
        }
    }

    @Test("what is no MP4 goes on under a version, and is fetched again where there is none")
    func noMP4() async throws {
        let video = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for (tag, requests, kept) in [("\"a\"", 2, 4500), (nil, 4, 0), ("W/\"a\"", 4, 0)] {
            serve(video, tag: tag, times: requests)
            let note = tag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
            let result = try await download(Array(video[..<4500]), tag: note)
            #expect(result.kept == kept)
            #expect(result.1 == video)
            fake.verify()
            try PartialFile(folder.file("v.mp4"), remains: .replaced, advice: "").discard()
        }
    }

    @Test("a part that another, longer video replaces is begun with the new version noted")
    func noted() async throws {
        let target = Self.target
        fake.stub(.get, target, error: TransportError(.tooLarge, "the answer is too long"))
        serve(Self.video, tag: "\"new\"", times: 1)
        fake.stub(.get, target, error: TransportError(.connectionLost, "the connection broke"))
        await #expect(throws: VideoDownload.Failure.self) {
            try await download(Array(Self.video[..<4500]), tag: "\"old\"")
        }
        fake.verify()
        let part = try PartialFile(folder.file("v.mp4"), remains: .continued, advice: "")
        #expect(part.note == "\"new\"")
    }
}
