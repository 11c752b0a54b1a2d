package import ArgusCore
import FoundationEssentials

/// Scrubbed answers of real servers: `Tests/EndToEndTests/Fixtures/samples`.
package enum Samples {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "EndToEndTests/Fixtures/samples")

    /// The bytes of a file, such as `thumbnail.jpg`.
    package static func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: file)))
    }

    /// The text of the answer with that name, such as `auth-me`.
    package static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name + ".json"), as: UTF8.self)
    }

    /// The answer with that name as JSON.
    package static func json(_ name: String) throws -> JSONView {
        try JSONView.parse(bytes(name + ".json"))
    }
}
