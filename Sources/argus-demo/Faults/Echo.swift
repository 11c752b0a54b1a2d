import FoundationEssentials
import NIOCore

/// Repeats the secrets of earlier requests and answers in the texts of later answers.
struct Echo: Sendable {
    /// The secrets of all requests and answers so far, in the order in which they came.
    private(set) var secrets: [String] = []
    private var count = 0

    private static let ordinaryHeaders: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "connection", "content-type",
        "content-length", "x-device-id", "x-device-platform", "x-device-model", "x-app-version",
    ]

    /// True for members whose text a client depends on rather than shows.
    private static func isStructural(_ name: String) -> Bool {
        let parts = ["id", "_at", "time", "token", "key", "url", "path", "type", "code", "image"]
        return name == "platform" || name == "status" || parts.contains(where: name.contains)
    }

    /// Records the secrets of a request: credentials, unusual header fields, and its texts.
    mutating func record(_ request: Request) {
        for (name, value) in request.headers where !Self.ordinaryHeaders.contains(name) {
            let words = value.split { " ;".contains($0) }.map(String.init)
            words.forEach { keep(String($0.split(separator: "=", maxSplits: 1).last ?? "")) }
        }
        if let body = try? JSON.read(request.body) { record(body, always: true) }
    }

    private mutating func record(_ value: JSON, always: Bool) {
        switch value {
        case .text(let text) where always: keep(text)
        case .list(let elements): for element in elements { record(element, always: always) }
        case .object(let members):
            for member in members {
                let isSecret = ["access_token", "refresh_token", "key", "auth"]
                    .contains(member.name)
                record(member.value, always: always || isSecret)
            }
        default: break
        }
    }

    /// Records a text unless it is short, since short ones occur in other answers anyway.
    private mutating func keep(_ text: String) {
        if text.utf8.count >= 12, !secrets.contains(text) { secrets.append(text) }
    }

    /// The answer with a secret appended to each text of its body, and in several header fields.
    mutating func change(_ original: Answer) -> Answer {
        var answer = original
        if let body = try? JSON.read(answer.content) {
            record(body, always: false)
            answer.body = .bytes(ByteBuffer(bytes: appendingSecrets(body, under: "").bytes()))
        } else if answer.headers.contains(where: { $0.value.hasPrefix("text/") }) {
            answer.body = .bytes(ByteBuffer(string: "\(String(buffer: answer.bytes)) \(next())"))
        }
        for name in ["x-request-id", "server", "www-authenticate", "etag", "x-secret"] {
            answer.headers.append((name, next().filter { $0.isASCII && $0 >= " " }))
        }
        return answer
    }

    private mutating func appendingSecrets(_ value: JSON, under name: String) -> JSON {
        switch value {
        // Only by these texts do clients recognise an absent route.
        case .text(let text) where !Self.isStructural(name) && text != "Not Found":
            return .text("\(text) \(next())")
        case .list(let elements):
            return .list(elements.map { appendingSecrets($0, under: name) })
        case .object(let members):
            return .object(
                members.map {
                    .init(name: $0.name, value: appendingSecrets($0.value, under: $0.name))
                })
        default: return value
        }
    }

    /// The next secret, in the next of the encodings in which servers echo input.
    private mutating func next() -> String {
        guard !secrets.isEmpty else { return "" }
        count += 1
        let secret = secrets[count % secrets.count]
        switch count / secrets.count % 5 {
        case 0: return secret
        case 1: return secret.utf8.map { "%" + hexadecimal($0) }.joined()
        case 2: return Data(("x" + secret).utf8).base64EncodedString()
        case 3: return secret.utf8.map { "\\u00" + hexadecimal($0) }.joined()
        default: return "rtsp://user:\(secret)@camera/"
        }
    }
}

/// The two hexadecimal digits of a byte.
private func hexadecimal(_ byte: UInt8) -> Substring {
    String(UInt16(byte) + 256, radix: 16).dropFirst()
}
