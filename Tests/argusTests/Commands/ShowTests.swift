import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("--show")
struct ShowTests {
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let stored = "/api/v1/thumbnails/2026-11-20/event_\(id).jpg"

    /// A JPEG of 128 × 72 pixels.
    private static let jpeg = Base64.decodeDataURI(Drill.picture) ?? []

    private func screen() async throws -> TestSystem {
        let test = try TestSystem.onScreen(width: 80)
        test.terminal.height = 24
        test.terminal.hasSigns = true
        try await test.know()
        return test
    }

    private func stub(_ picture: [UInt8], in test: TestSystem) throws {
        test.fake.stub(.get, "/api/v1/events/\(Self.id)", body: try Samples.text("event-detail"))
        test.fake.stub(.get, Self.stored) { _ in
            .success(HTTPResponse(status: 200, body: picture))
        }
    }

    @Test("a picture is shown below its heading, and not saved without --output")
    func thumbnail() async throws {
        let test = try await screen()
        try stub(Self.jpeg, in: test)
        #expect(await test.run("events", "thumbnail", Self.id, "--show") == .done, "\(test.stderr)")
        #expect(test.stdout.hasPrefix("\u{1B}[1mFront Door  ring  2026-11-20 23:00:00"))
        #expect(test.stdout.contains("\u{1B}7\u{1B}8\u{1B}["))
        #expect(!test.stdout.contains("bytes"))
    }

    @Test("with --output it is saved, too")
    func saved() async throws {
        let test = try await screen()
        try stub(Self.jpeg, in: test)
        let path = test.folder.file("x.jpg")
        #expect(
            await test.run("events", "thumbnail", Self.id, "--show", "-o", path) == .done,
            "\(test.stderr)")
        #expect(try FileContents(path, trust: .named, limit: 1 << 20).bytes == Self.jpeg)
        #expect(test.stdout.contains("\u{1B}7\u{1B}8\u{1B}[") && test.stdout.contains("x.jpg"))
    }

    @Test(
        "in a pipe, for programs and on a dumb terminal it is refused before anything is sent",
        arguments: [
            ["cameras", "snapshot", "c1"], ["events", "thumbnail", "latest"],
            ["events", "frames", "latest"], ["events", "show", "latest"],
            ["archive", "show", "latest"],
        ])
    func refusals(words: [String]) async throws {
        let piped = try TestSystem()
        try await piped.know()
        #expect(await piped.run(words + ["--show"]) == .usage)
        #expect(piped.stdout.isEmpty)
        #expect(piped.stderr.contains("--show is for people at a terminal"))
        for more in [["--format", "ndjson"], ["--fields", "id"]] {
            let test = try await screen()
            #expect(await test.run(words + ["--show"] + more) == .usage, "\(test.stderr)")
            #expect(!test.stdout.contains("\u{1B}7"))
        }
        let dumb = try await screen()
        dumb.environment["TERM"] = "dumb"
        #expect(await dumb.run(words + ["--show"]) == .usage)
    }

    @Test("what is no whole JPEG is status 7, and nothing of it reaches the terminal")
    func hostile() async throws {
        let pictures = [
            Array("GIF89a\u{1B}]0;title\u{7}".utf8), Array(Self.jpeg.dropLast(100)),
            Array("\u{1B}[31m".utf8),
        ]
        for picture in pictures {
            let test = try await screen()
            try stub(picture, in: test)
            #expect(await test.run("events", "thumbnail", Self.id, "--show") == .serverError)
            #expect(!test.stdout.contains("\u{1B}7"))
            #expect(test.stdout.contains("argus: "), "\(test.stdout)")
            #expect(!test.stdout.contains("\u{1B}]0") && !test.stdout.contains("\u{1B}[31m<"))
        }
    }

    @Test("a camera's picture is shown, and names and folders are for those that are saved")
    func snapshot() async throws {
        let test = try await screen()
        test.fake.stub(
            .get, "/api/v1/cameras",
            body: #"[{"id":"c1","name":"Ga\u001brage","is_enabled":true}]"#)
        let picture = Drill.picture.replacing("\n", with: "")
        test.fake.stub(
            .get, "/api/v1/cameras/c1/stream/snapshot?quality=medium",
            body: #"{"image_base64":"\#(picture)","timestamp":"2026-11-21T11:59:59Z"}"#)
        #expect(await test.run("cameras", "snapshot", "c1", "--show") == .done, "\(test.stdout)")
        #expect(test.stdout.contains("Ga\\x1brage  2026-11-21 12:59:59"), "\(test.stdout)")
        #expect(test.stdout.contains("\u{1B}7\u{1B}8\u{1B}["))
        for more in [["--keep", "3d"], ["--name-template", "{time}"]] {
            let refused = try await screen()
            #expect(await refused.run(["cameras", "snapshot", "c1", "--show"] + more) == .usage)
        }
    }
}
