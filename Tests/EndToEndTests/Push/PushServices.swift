import ArgusTestSupport
import FoundationEssentials

@testable import argus_demo

/// A demo with simulated push services, and what these received.
final class PushServices {
    let server: DemoServer
    /// The folder with keys, tokens and addresses.
    let folder: String
    private let home: TemporaryHome

    /// Starts a demo; `faults` are those of the push services.
    init(
        in home: TemporaryHome, named name: String = "providers", faults: [String] = [],
        _ options: [String] = []
    ) throws {
        self.home = home
        folder = home.file(name)
        let log = ["--providers", folder, "--provider-log", "\(folder).log"]
        server = try DemoServer(
            options: log + faults.flatMap { ["--provider-fault", $0] } + options, api: "current")
    }

    /// The variables that lead argus there.
    var environment: [String: String] {
        let lines = text(of: "environment").split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let pair = line.split(separator: "=", maxSplits: 1)
                return (String(pair[0]), String(pair[1]))
            }
        ) { $1 }
    }

    /// What the services received, oldest first.
    var received: [JSON] { records(at: "\(folder).log") }

    /// The objects of a file of the folder.
    func records(of name: String) -> [JSON] { records(at: "\(folder)/\(name)") }

    /// The push tokens of a service, `apns`, `fcm` or `webpush`.
    func tokens(of service: String) -> [JSON] {
        records(of: "tokens.ndjson").filter { $0["service"]?.string == service }
    }

    func text(of name: String) -> String { read("\(folder)/\(name)") }

    private func read(_ path: String) -> String {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    private func records(at path: String) -> [JSON] {
        read(path).split(separator: "\n").compactMap { try? JSONReader.read(Array($0.utf8)) }
    }

    /// Runs a part of Fixtures/push_services.py, which asks with curl, PyJWT and cryptography.
    func ask(_ words: [String]) throws -> ProgramResult {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/push_services.py")
        var launch = home.launch([])
        launch.words = ["/usr/bin/python3", script.path(), folder] + words
        return try launch.start().finish()
    }
}
