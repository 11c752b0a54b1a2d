import ArgusCore

/// A message of a client: a request, or a notification if it has no id (JSON-RPC 2.0, section 4).
struct JSONRPCMessage: Sendable {
    var id: JSONRPCID?
    var method: String
    var params: JSONView?

    /// Reads a line; nil for an answer, since nothing was asked.
    ///
    /// - Throws: `JSONRPCError` for anything that is no message.
    init?(_ line: [UInt8]) throws(JSONRPCError) {
        let view: JSONView
        do throws(JSONError) {
            view = try JSONView.parse(line)
        } catch {
            throw JSONRPCError(.parse, "this is no JSON: \(error)")
        }
        guard view.kind == .object else {
            throw JSONRPCError(.request, "a message is an object on a line of its own")
        }
        let id = view["id"].flatMap(JSONRPCID.init)
        guard let method = view["method"] else {
            if view["result"] != nil || view["error"] != nil { return nil }
            throw JSONRPCError(.request, "the message has no method", id: id)
        }
        guard view["jsonrpc"]?.string == "2.0" else {
            throw JSONRPCError(.request, "the member jsonrpc is not \"2.0\"", id: id)
        }
        guard let name = method.string else {
            throw JSONRPCError(.request, "the method is not a string", id: id)
        }
        if let given = view["id"], id == nil {
            let what = given.isNull ? "null" : "neither a string nor a number"
            throw JSONRPCError(.request, "the id is \(what)")
        }
        let params = view["params"].flatMap { $0.isNull ? nil : $0 }
        guard params == nil || params?.kind == .object else {
            throw JSONRPCError(.params, "the params are not an object", id: id)
        }
        (self.id, self.method, self.params) = (id, name, params)
    }
}

/// The id of a request, or the token of its progress, as the client wrote it.
struct JSONRPCID: Hashable, Sendable {
    let text: String

    /// Returns nil unless it is a string or a number.
    init?(_ view: JSONView) {
        guard view.kind == .string || view.kind == .number else { return nil }
        text = String(decoding: view.compact, as: UTF8.self)
    }
}

/// An error of the protocol (JSON-RPC 2.0, section 5.1).
struct JSONRPCError: Error, Sendable {
    enum Code: Int, Sendable {
        case parse = -32700
        case request = -32600
        case method = -32601
        case params = -32602
        /// The protocol version of a request is not spoken here (MCP 2026-07-28).
        case version = -32022
    }

    var code: Code
    var message: String
    var data: FieldValue?
    /// The request that failed; nil if it cannot be told.
    var id: JSONRPCID?

    init(_ code: Code, _ message: String, data: FieldValue? = nil, id: JSONRPCID? = nil) {
        (self.code, self.message, self.data, self.id) = (code, message, data, id)
    }

    /// The answer to the request.
    var answer: [UInt8] {
        var error: [FieldValue.Member] = [
            .init("code", .integer(Int64(code.rawValue))), .init("message", .text(message)),
        ]
        if let data { error.append(.init("data", data)) }
        return jsonRPCAnswer(to: id, .init("error", .object(error)))
    }
}

/// The answer to a request in a line; the id is null if the request cannot be told.
func jsonRPCAnswer(to id: JSONRPCID?, _ result: FieldValue.Member) -> [UInt8] {
    let object = JSONWriter.object { writer in
        writer.member("jsonrpc", "2.0")
        writer.key("id")
        writer.literal(id?.text ?? "null")
        writer.member(result.name, result.value)
    }
    return object + [UInt8(ascii: "\n")]
}
