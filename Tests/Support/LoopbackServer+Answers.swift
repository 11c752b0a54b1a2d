extension LoopbackServer.Step {
    /// A whole answer with its length, after which the connection stays open.
    package static func answer(
        _ status: String = "200 OK", headers: [String] = [], _ body: String = ""
    ) -> Self {
        answer(status, headers: headers, bytes: Array(body.utf8))
    }

    /// A whole answer with its length, after which the connection stays open.
    package static func answer(
        _ status: String = "200 OK", headers: [String] = [], bytes body: [UInt8]
    ) -> Self {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
        return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
    }

    /// Text as it stands.
    package static func text(_ text: String) -> Self {
        .send(Array(text.utf8))
    }
}
