import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// Exports that break, and go on.
@Suite(.waitsForPrograms)
struct EventExportTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test(
        "a broken export goes on without a repeated or missing row",
        arguments: ["csv", "tsv", "ndjson"])
    func resume(format: String) throws {
        let fault = "route=/api/v1/events,after=4,times=3,truncate=2000"
        let server = try DemoServer("--events", "1600", faults: [fault])
        try home.signIn(to: server)
        let words = ["events", "export", "--format", format, "--retries", "0", "-o", "out"]
        let broken = try home.argus(words)
        #expect(broken.status == 7)
        #expect(broken.complaint.contains("out.part"))
        #expect(broken.complaint.contains("--resume"))
        #expect(home.text(of: "out") == nil)
        let part = try #require(home.text(of: "out.part"))
        #expect(try home.argus(words).status == 1)
        // A machine that went down in the middle of a row.
        try home.write(String(part.dropLast(40)), to: "out.part")
        var ran = try home.argus(words + ["--resume"])
        while ran.status == 7 { ran = try home.argus(words + ["--resume"]) }
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.complaint.contains("'out' has 1600 events"))
        let whole = try home.argus("events", "export", "--format", format)
        #expect(home.text(of: "out") == whole.text)
        #expect(home.text(of: "out.part") == nil)
        #expect(try home.argus(words).status == 1)
    }

    @Test("what cannot be continued is said, and nothing is lost by it")
    func unusable() throws {
        try home.signIn(to: try DemoServer("--events", "30"))
        try home.write("id,type\nx,person\n", to: "out.part")
        let other = try home.argus("events", "export", "--resume", "-o", "out")
        #expect(other.status == 2)
        #expect(home.text(of: "out.part") == "id,type\nx,person\n")
        let keyless = try home.argus(
            "events", "export", "--resume", "-o", "out", "--fields", "id,type")
        #expect(keyless.status == 2)
        #expect(keyless.complaint.contains("no timestamp"))
        #expect(try home.argus("events", "export", "--resume").status == 2)
        #expect(
            try home.argus("events", "export", "--resume", "--json", "-o", "new").status == 2)
        #expect(try home.argus("events", "export", "--force", "-o", "out").status == 0)
        #expect(home.text(of: "out")?.split(separator: "\n").count == 31)
    }

    @Test("what a run left that was killed before its first row is no obstacle")
    func worthless() throws {
        try home.signIn(to: try DemoServer("--events", "30"))
        for text in ["", "id,timestamp\n"] {
            try home.write(text, to: "out.part")
            let ran = try home.argus(
                "events", "export", "--fields", "id,timestamp", "-o", "out")
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(home.text(of: "out")?.split(separator: "\n").count == 31)
            #expect(unlink(home.file("out")) == 0)
        }
    }

    @Test(
        "exports of every generation have the same columns",
        arguments: ["current", "mobile", "documented"])
    func generations(api: String) throws {
        try home.signIn(to: try DemoServer("--events", "250", api: api))
        let ran = try home.argus("events", "export")
        #expect(ran.lines.count == 251)
        #expect(ran.lines.first?.hasPrefix("id,camera_id,camera_name,timestamp,type,") == true)
    }

    @Test("the server's own export gives the same rows, and other servers are paged")
    func serverSide() throws {
        try home.signIn(to: try DemoServer("--events", "1200"))
        let words = ["events", "export", "--fields", "id,timestamp,objects,description"]
        let filters = ["--camera", "Garage", "--since", "5d", "--until", "1d", "--alerts"]
        for more in [[], filters] {
            let paged = try home.argus(words + more)
            let own = try home.argus(words + more + ["--server-side"])
            #expect(own.status == 0, "\(own.complaint)")
            #expect(own.output == paged.output)
            #expect(own.lines.count > 2)
        }
        // More fields than it has.
        #expect(try home.argus("events", "export", "--server-side").status == 2)
        let other = try TemporaryHome()
        try other.signIn(to: try DemoServer("--events", "150", api: "mobile"))
        #expect(try other.argus(words + ["--server-side"]).lines.count == 151)
    }

    @Test("a video goes on where it broke, and is whole in the end")
    func video() throws {
        let faults = [
            "route=*/video/download,after=2,times=1,truncate=100000",
            "route=*/video/download,after=4,times=1,truncate=50000",
        ]
        try home.signIn(to: try DemoServer("--events", "40", faults: faults))
        let id = try #require(
            try home.argus(
                "events", "list", "--source", "protect", "--all", "--format", "csv", "--fields",
                "id,has_thumbnail", "--no-header"
            ).lines.first { $0.hasSuffix(",true") }.map { String($0.prefix(36)) })
        let whole = try home.argus("events", "video", id, "-o", "whole.mp4", "--json")
        #expect(whole.status == 0, "\(whole.complaint)")
        let first = try home.argus("events", "video", id, "-o", "v.mp4", "--retries", "0")
        #expect(first.status == 0 || first.status == 7)
        var ran = first
        for _ in 0..<4 where ran.status == 7 {
            #expect(ran.complaint.contains("v.mp4.part"))
            ran = try home.argus("events", "video", id, "-o", "v.mp4", "--retries", "0")
        }
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(home.bytes(of: "v.mp4") == home.bytes(of: "whole.mp4"))
        #expect(whole.json["bytes"]?.int == home.bytes(of: "whole.mp4")?.count)
        #expect(try home.argus("events", "video", id, "-o", "-").output == home.bytes(of: "v.mp4"))
        // Another file's beginning is not continued.
        try home.write("no video at all", to: "w.mp4.part")
        #expect(try home.argus("events", "video", id, "-o", "w.mp4").status == 0)
        #expect(home.bytes(of: "w.mp4") == home.bytes(of: "whole.mp4"))
        #expect(try home.argus("events", "video", id, "-o", "w.mp4").status == 1)
    }
}
