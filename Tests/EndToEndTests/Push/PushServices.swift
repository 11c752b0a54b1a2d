import ArgusTestSupport
import FoundationEssentials

@testable import argus_demo

/// The push services of Apple, Google and browsers that Tests/PushSimulator simulates, and what these
/// received.
final class PushServices {
    /// The Python of the system, for which its packages are installed.
    private static let python = "/usr/bin/python3"
    /// The words that start the simulator.
    static let program = [python, path(of: "../PushSimulator")]

    /// The folder with keys, tokens and addresses.
    let folder: String
    private let home: TemporaryHome
    private let simulator: RunningProgram

    /// Starts the services with faults and further options of the simulator.
    init(
        in home: TemporaryHome, named name: String = "push", faults: [String] = [],
        _ options: [String] = []
    ) throws {
        self.home = home
        folder = home.file(name)
        let faults = faults.flatMap { ["--fault", $0] }
        simulator = try Launch.server(
            Self.program + [folder, "--log", "\(folder).log"] + faults + options, in: home)
    }

    /// The path of a file of these tests.
    private static func path(of name: String) -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.appending(path: name).path()
    }

    /// The certificate of the services.
    var certificate: String { "\(folder)/certificate.pem" }

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
        var launch = home.launch([])
        launch.words = [Self.python, Self.path(of: "Fixtures/push_services.py"), folder] + words
        return try launch.start().finish()
    }
}
