import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import ArgusCore
@testable import argus_demo

/// Pictures in the terminal, walls and films, in terminals that the test plays.
@Suite(.waitsForPrograms)
struct LookingTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    private func launch(_ words: [String], terminal: String = "xterm-256color") -> Launch {
        var launch = home.launch(words).onTerminal
        launch.environment["TERM"] = terminal
        return launch
    }

    @Test("a terminal that answers that it shows sixels gets them, one that does not, characters")
    func asking() throws {
        try home.signIn(to: try DemoServer("--all-online", "--rate", "0"))
        for (answer, start) in [("\u{1B}[?62;4;22c", "\u{1B}P"), ("\u{1B}[?62;22c", "\u{1B}[")] {
            let show = try launch(["cameras", "snapshot", "Garage", "--show"]).start()
            try show.wait(for: "\u{1B}[c")
            #expect(show.terminal?.echoes == false)
            show.type(answer)
            let ran = try show.finish()
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(show.printed.contains("\u{1B}7\u{1B}8" + start))
            #expect(!show.printed.contains("?62;"))
            #expect(show.terminal?.echoes == true)
        }
    }

    @Test("a known terminal is not asked, and a pipe gets not one byte of a picture")
    func known() throws {
        try home.signIn(to: try DemoServer("--all-online", "--rate", "0"))
        let show = try launch(["events", "show", "latest", "--show"], terminal: "xterm-kitty")
            .start()
        #expect(try show.finish().status == 0)
        #expect(show.printed.contains("\u{1B}7\u{1B}8\u{1B}_G"))
        #expect(!show.printed.contains("\u{1B}[c"))
        let piped = try home.argus("events", "show", "latest", "--show")
        #expect(piped.status == 2 && piped.text.isEmpty)
    }

    @Test("without a library or ffmpeg, a sentence names the package")
    func missing() throws {
        try home.signIn(to: try DemoServer("--all-online", "--rate", "0"))
        try home.write("", to: "lib/libchafa.so.0")
        try home.write("", to: "lib2/libturbojpeg.so.0")
        var show = launch(["cameras", "snapshot", "Garage", "--show"])
        show.environment["LD_LIBRARY_PATH"] = home.file("lib")
        let ran = try show.start().finish()
        #expect(ran.status == 1 && ran.text.contains("install the package 'libchafa0'"))
        let wall = try home.bash(
            "argus cameras wall -o wall.jpg", variables: ["LD_LIBRARY_PATH": home.file("lib2")])
        #expect(wall.status == 1 && wall.complaint.contains("'libturbojpeg0'"))
        let film = try home.bash(
            "argus events timelapse -o film.mp4", variables: ["PATH": TemporaryHome.binaries])
        #expect(film.status == 1 && film.complaint.contains("install the package 'ffmpeg'"))
        #expect(home.text(of: "film.mp4") == nil)
    }

    @Test("a watch shows a small picture above each line, and goes on where there is none")
    func watch() throws {
        let server = try DemoServer(
            "--rate", "600", faults: ["route=*/thumbnail*,after=1,times=1,status=500"])
        try home.signIn(to: server)
        let watch = try launch(["events", "watch", "--show", "-n", "4"], terminal: "xterm-kitty")
            .start()
        let ran = try watch.finish()
        #expect(ran.status == 0, "\(ran.complaint)")
        let pictures = ran.text.split(separator: "\u{1B}7\u{1B}8\u{1B}_G").count - 1
        #expect((1...4).contains(pictures), "\(pictures)")
    }

    @Test("a wall has a tile for each camera, also for those without a picture, and is one JPEG")
    func wall() throws {
        try home.signIn(to: try DemoServer("--rate", "0", "--cameras", "7"))
        let path = home.file("wall.jpg")
        let ran = try home.argus("cameras", "wall", "-o", path, "--format", "ndjson")
        #expect(ran.status == 11, "\(ran.complaint)")
        #expect(ran.text.contains(#""cameras":7,"pictures":5"#), "\(ran.text)")
        #expect(try ImageKind.ofComplete(home.bytes(of: "wall.jpg") ?? []) == .jpeg)
        #expect(try home.argus("cameras", "wall", "-o", path).status == 1)
        #expect(try home.argus("cameras", "wall", "--columns", "0").status == 2)
        #expect(try home.argus("cameras", "wall", "--every", "5s").status == 2)
        #expect(try home.argus("cameras", "wall", "--every", "1ms", "-o", path).status == 2)
    }

    @Test("--every replaces the file until Ctrl-C")
    func repeatedFile() throws {
        try home.signIn(to: try DemoServer("--rate", "0", "--all-online"))
        let wall = try launch(["cameras", "wall", "--every", "1s", "-o", "wall.jpg"]).start()
        // The pictures have the time.
        let changed = try home.bash(
            """
            until [ -e wall.jpg ]; do sleep 0.05; done
            cp wall.jpg first.jpg
            while cmp -s first.jpg wall.jpg; do sleep 0.05; done
            cp wall.jpg second.jpg
            """)
        #expect(changed.status == 0, "\(changed.complaint)")
        #expect(try ImageKind.ofComplete(home.bytes(of: "second.jpg") ?? []) == .jpeg)
        wall.type("\u{03}")
        #expect(try wall.finish().status == 0)
    }

    @Test("a wall of monitors leaves the terminal as it was, whatever ends it", arguments: [2, 15])
    func repeatedScreen(signal: Int32) throws {
        try home.signIn(to: try DemoServer("--rate", "0", "--cameras", "16"))
        let words = ["cameras", "wall", "--show", "--every", "1s"]
        let wall = try launch(words, terminal: "xterm-kitty").start()
        // Twice, of which the second begins at the same place.
        try wall.wait { $0.split(separator: "\u{1B}[?2026h\u{1B}[H").count > 2 }
        if signal == 2 { wall.type("\u{03}") } else { wall.send(signal) }
        let ran = try wall.finish()
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
        #expect(ran.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(ran.text.contains("Front Door") && ran.text.contains("disabled"))
    }

    @Test("a film has each picture once, and appears complete or not at all")
    func film() throws {
        try home.signIn(to: try DemoServer("--rate", "0", "--all-online"))
        let words = ["events", "timelapse", "--type", "person", "--since", "5d", "--fps", "6"]
        let ran = try home.argus(words + ["-o", "film.mp4", "--format", "ndjson"])
        #expect(ran.status == 0, "\(ran.complaint)")
        let frames = try #require(ran.text.firstMatch(of: /"frames":([0-9]+)/)?.output.1)
        let probe = try home.bash(
            """
            ffprobe -v error -count_frames -show_entries stream=codec_type,nb_read_frames,r_frame_rate \
                -of csv=p=0 film.mp4
            """)
        #expect(probe.text == "video,6/1,\(frames)\n", "\(probe.text) \(probe.complaint)")
        #expect(try home.argus(words + ["-o", "film.mp4"]).status == 1)
        let piped = try home.bash(
            "argus \(words.joined(separator: " ")) -o - | ffprobe -v error -show_format -",
            variables: [:])
        #expect(piped.status == 0 && piped.text.contains("mp4"), "\(piped.complaint)")
        try home.write("#!/bin/sh\necho no room >&2\nexit 1\n", to: "bin/ffmpeg", mode: 0o700)
        let failed = try home.bash(
            "argus \(words.joined(separator: " ")) -o other.mp4; s=$?; ls -A; exit $s",
            variables: ["PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin"])
        #expect(failed.status == 1 && failed.complaint.contains("ffmpeg failed: no room"))
        #expect(!failed.text.contains("other.mp4") && !failed.text.contains(".argus-"))
    }

    @Test("a film of a folder has the pictures that a timer saved there, of one camera")
    func folder() throws {
        try home.signIn(to: try DemoServer("--rate", "0", "--all-online"))
        for _ in 1...2 {
            let saved = try home.argus(
                "cameras", "snapshot", "Garage", "Driveway", "--keep-last", "9", "-q", "--force",
                "-o", "pictures/")
            #expect(saved.status == 0, "\(saved.complaint)")
        }
        let count = try home.bash("ls pictures | grep -c ^Garage").text
        let ran = try home.argus(
            "events", "timelapse", "--from", "pictures", "--camera", "Garage", "-o", "film.mp4",
            "--format", "ndjson")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.text.contains("\"frames\":\(count.dropLast()),"), "\(ran.text) of \(count)")
        let empty = try home.bash("mkdir empty && argus events timelapse --from empty -o x.mp4")
        #expect(empty.status == 3)
        #expect(try home.argus("events", "timelapse", "--from", "gone", "-o", "x.mp4").status == 1)
        // The times of files that argus did not save are not known.
        let untimed = try home.bash(
            "mkdir own; cp pictures/*.jpg own; argus events timelapse --from own --since 1d -o x.mp4"
        )
        #expect(untimed.status == 2 && untimed.complaint.contains("times"))
        #expect(
            try home.argus("events", "timelapse", "--from", "pictures", "--type", "ring").status
                == 2)
    }

    @Test("the command lines of docs/looking.md")
    func document() throws {
        try home.signIn(to: try DemoServer("--rate", "600"), "--name", "home")
        _ = try home.argus("archive", "init", "cameras")
        _ = try home.argus("config", "set", "archive_dir", home.file("cameras"))
        _ = try home.argus("archive", "sync")
        let lines = try DocumentTests.text(of: "docs/looking.md").split(separator: "\n").filter {
            $0.hasPrefix("    argus ")
        }
        #expect(lines.count >= 12)
        // Some events of a demo, perhaps the latest, have no picture.
        let pictured = try home.bash(
            """
            for id in $(argus events list --limit 20 --format csv --no-header --fields id); do
                argus events thumbnail "$id" -o first.jpg >/dev/null && echo "$id" && break
            done
            """
        ).lines.first
        let id = try #require(pictured)
        for line in lines.map({
            $0.replacing("events thumbnail latest", with: "events thumbnail \(id)")
        }) {
            _ = try home.bash("rm -f *.jpg *.mp4")
            var bash = Launch(
                words: ["/bin/bash", "-c", "exec " + line.dropFirst(4)],
                environment: home.environment, folder: home.path
            ).onTerminal
            bash.environment["TERM"] = "xterm-kitty"
            let running = try bash.start()
            if line.contains("--every"), !line.contains("--show") {
                _ = try home.bash("until [ -e wall.jpg ]; do sleep 0.05; done")
                running.type("\u{03}")
            } else if line.contains("--every") || line.contains("events watch") {
                try running.wait(for: "\u{1B}_G")
                running.type("\u{03}")
            }
            let ran = try running.finish()
            // A demo has a camera that is offline.
            #expect(ran.status == 0 || ran.status == 11, "\(line)\n\(ran.text.suffix(500))")
        }
    }
}
