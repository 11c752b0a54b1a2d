import ArgusTestSupport
import Synchronization

@testable import ArgusTransport

/// A server with a list of events and their files; `fault` may answer in place of a file.
final class PictureServer: WholeAnswerTransport {
    /// A JPEG that is whole.
    static let picture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9]
        + [0xFF, 0xC0, 0, 5, 1, 2, 3, 0xFF, 0xFF, 0xDA, 0, 3, 0]
        + [7, 0xFF, 0, 8, 0xFF, 0xD0, 9, 0xFF, 0xD9]

    private let list: EventServer
    private let fault: @Sendable (String) -> HTTPResponse?
    private let targets = Mutex<[String]>([])

    init(
        _ rows: [EventServer.Row],
        fault: @escaping @Sendable (_ target: String) -> HTTPResponse? = { _ in nil }
    ) {
        list = EventServer(rows)
        self.fault = fault
    }

    /// The files that were asked for.
    var asked: [String] { targets.withLock { $0 } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let target = request.target
        guard target.hasPrefix("/api/v1/thumbnails/") || target.contains("/events/") else {
            return try await list.answer(request)
        }
        targets.withLock { $0.append(target) }
        // Pictures of the same file name are the same.
        let name = target.split(separator: "/").last ?? ""
        return fault(target)
            ?? HTTPResponse(status: 200, body: Self.picture + Array(name.utf8))
    }

    /// Rows `e1` to `eN`, newest first, a minute apart, with a picture each.
    static func rows(
        _ count: Int, file: (Int) -> String = { "event_e\($0).jpg" }
    ) -> [EventServer.Row] {
        (1...count).map {
            let path = #","thumbnail_path":"2026-11-20/\#(file($0))""#
            return EventServer.Row("e\($0)", at: 1_900_000 - Int64($0) * 60, path)
        }
    }
}
