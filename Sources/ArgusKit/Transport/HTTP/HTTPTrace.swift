import ArgusCore
import Synchronization

/// Writes a transport's events as lines, in which secrets are masked.
///
/// They contain a server's header fields: a writer to a terminal must sanitise them.
package final class HTTPTrace: Sendable {
    /// One line for each request (`-v`), or all of requests and answers (`--trace`).
    package enum Detail: Sendable { case summary, full }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let pending = Mutex<[TransferID: TransferEvent.Started]>([:])
    /// The heads of answers that may repeat a secret of their bodies, until these end.
    private let heads = Mutex<[TransferID: [String]]>([:])

    /// Makes a trace; `write` receives each line without its line break.
    package init(_ detail: Detail, write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.write = write
    }

    /// Writes an event; with `.summary`, one line when the request ends.
    package func record(_ event: TransferEvent) {
        switch detail {
        case .summary: recordSummary(event)
        case .full: recordFull(event)
        }
    }

    private func recordSummary(_ event: TransferEvent) {
        switch event {
        case .started(let id, let started):
            pending.withLock { $0[id] = started }
        case .answered:
            break
        case .finished(let id, let end):
            guard let request = pending.withLock({ $0.removeValue(forKey: id) }) else { return }
            write(
                "\(request.method) \(request.url): \(end.status), \(end.bodyBytes) bytes, "
                    + end.timings.words)
        case .failed(let id, let error, let timings):
            guard let request = pending.withLock({ $0.removeValue(forKey: id) }) else { return }
            write("\(request.method) \(request.url): \(error.detail), \(timings.words)")
        }
    }

    private func recordFull(_ event: TransferEvent) {
        switch event {
        case .started(let id, let request):
            let proxy = request.usesProxy ? " (by a proxy)" : ""
            if request.method != "GET" { heads.withLock { $0[id] = [] } }
            var lines = ["\(request.method) \(request.url)\(proxy)"]
            lines += request.headers.map { "\($0.name): \($0.value)" }
            if let body = request.body { lines.append("body: \(body)") }
            write(lines, id, ">")
        case .answered(let id, let answer):
            let lines =
                ["\(answer.version) \(answer.status)"]
                + answer.headers.map { "\($0.name): \($0.value)" }
            // A header field may repeat a token that only the body identifies as one.
            let isHeldBack = heads.withLock { $0[id]?.append(contentsOf: lines) != nil }
            if !isHeldBack { write(lines, id, "<") }
        case .finished(let id, let end):
            writeHead(of: id)
            if let body = end.body { write(["body: \(body)"], id, "<") }
            write(["\(end.receivedBytes) bytes received, \(end.timings.words)"], id, "*")
        case .failed(let id, let error, let timings):
            writeHead(of: id)
            write(["\(error.detail), \(timings.words)"], id, "*")
        }
    }

    private func writeHead(of id: TransferID) {
        guard let lines = heads.withLock({ $0.removeValue(forKey: id) }) else { return }
        write(lines, id, "<")
    }

    private func write(_ lines: [String], _ id: TransferID, _ mark: String) {
        // Before the line is cut or escaped, which would hide a secret from the mask.
        for line in lines { write("#\(id.rawValue) \(mark) \(line)".masked) }
    }
}

extension TransferEvent.Timings {
    /// The phases reached, such as `34 ms (connected 3 ms, first byte 30 ms) from 127.0.0.1:8000`.
    fileprivate var words: String {
        let parts = [
            ("resolved", resolved), ("connected", connected), ("secured", secured),
            ("first byte", firstByte),
        ]
        let reached = parts.filter { $0.1 > .zero }.map { "\($0.0) \($0.1.words)" }
        let detail = reached.isEmpty ? "" : " (\(reached.joined(separator: ", ")))"
        let reuse = reusedConnection ? ", same connection" : ""
        return total.words + detail + (remoteAddress.map { " from \($0)\(reuse)" } ?? "")
    }
}

/// A body in a trace: JSON without its secrets, or its size.
package enum TracedBody {
    private static let maxShownSize = 4096

    /// Describes a body by its media type and bytes.
    package static func describe(_ mediaType: String?, _ bytes: [UInt8]) -> String {
        let size = "\(bytes.count) bytes of \(mediaType ?? "unknown type")"
        guard let mediaType, mediaType.lowercased().contains("json"),
            let body = try? JSONView.parse(bytes)
        else { return size }
        let shown = body.bytes { member, value in
            // The errors of a 422 repeat what was submitted under a name of its own.
            guard SecretNames.contains(member) || ["input", "ctx"].contains(member),
                !value.isNull, value.bool == nil
            else { return nil }
            // Another text of the answer may repeat the secret.
            if SecretNames.given.contains(member), let secret = value.string {
                HeldSecrets.hold(secret)
            }
            return SecretMask.replacement
        }
        let text = String(decoding: shown, as: UTF8.self)
        return shown.count <= maxShownSize ? text : "\(size): \(text.cut(to: maxShownSize))"
    }
}
