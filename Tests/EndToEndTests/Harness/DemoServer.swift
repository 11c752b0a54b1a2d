@testable import argus_demo

/// The built `argus-demo`, which serves until it is released.
final class DemoServer {
    static let password = "argus-demo-1"

    let url: String
    /// An access token for the generation that knows no passwords; else empty.
    let token: String
    /// The code that the documents' dashboard shows; else empty.
    let pairingCode: String
    private let home: TemporaryHome
    private let program: RunningProgram

    /// Starts a demo on a free port, by default without rate limits and without new events, and
    /// waits until it listens.
    convenience init(_ options: String..., faults: [String] = [], api: String = "current") throws {
        try self.init(options: options + faults.flatMap { ["--fault", $0] }, api: api)
    }

    /// Starts a demo with these options.
    init(options: [String], api: String) throws {
        home = try TemporaryHome()
        var words = [
            "\(TemporaryHome.binaries)/argus-demo", "--port", "0", "--api", api, "--ready-file",
            home.file("ready"), "--log", home.file("log"),
        ]
        if !options.contains("--rate-limits") { words += ["--rate-limits", "off"] }
        if !options.contains("--rate") { words += ["--rate", "0"] }
        program = try Launch.server(words + options, in: home)
        let greeting = try JSONReader.read(home.bytes(of: "ready") ?? [])
        url = greeting["url"]?.string ?? ""
        pairingCode = greeting["pairing_code"]?.string ?? ""
        let lines = program.printed.split(separator: "\n")
        let login = lines.first { $0.contains("--token-stdin <<<") }
        token = login.flatMap { $0.split(separator: " ").last }.map(String.init) ?? ""
    }

    /// Ends the demo now.
    func stop() { program.stop() }

    /// The file of a JSON line for each request that has come.
    var log: String { home.file("log") }

    /// The requests that have come, oldest first: `method`, `target`, `headers` and others.
    var requests: [JSON] {
        (home.text(of: "log") ?? "").split(separator: "\n").compactMap {
            try? JSONReader.read(Array($0.utf8))
        }
    }

    /// The number of requests so far for paths with a prefix.
    func count(_ path: String) -> Int {
        requests.count { $0["target"]?.string?.hasPrefix(path) == true }
    }
}
