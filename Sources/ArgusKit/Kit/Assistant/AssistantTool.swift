package import ArgusCore

/// A tool that an assistant may call.
package struct AssistantTool: Sendable {
    /// Reports how much of a call is done, of how much in total if that is known.
    package typealias Progress = @Sendable (_ completed: Int, _ total: Int?) -> Void
    /// Does the work for the arguments of a call, which are an object, or nil for none.
    package typealias Work =
        @Sendable (_ arguments: JSONView?, _ progress: @escaping Progress) async -> AssistantResult

    package var name: String
    package var description: String
    /// The JSON Schema of its arguments.
    package var schema: FieldValue
    package var work: Work

    package init(
        name: String, description: String, schema: FieldValue, work: @escaping Work
    ) {
        (self.name, self.description) = (name, description)
        (self.schema, self.work) = (schema, work)
    }

    /// The definition that clients get; every tool here only reads.
    package var definition: FieldValue {
        [
            "name": name, "description": description, "inputSchema": schema,
            "annotations": ["readOnlyHint": true] as FieldValue,
        ]
    }
}

/// The result of a tool.
package struct AssistantResult: Sendable {
    package var text: String
    package var pictures: [Picture] = []
    /// True if the text is an error object instead of a result.
    package var isError: Bool

    package struct Picture: Sendable {
        package var bytes: [UInt8]
        package var kind: ImageKind

        package init(bytes: [UInt8], kind: ImageKind) {
            (self.bytes, self.kind) = (bytes, kind)
        }
    }

    package init(_ text: String, isError: Bool = false) {
        (self.text, self.isError) = (text, isError)
    }

    /// The result in the form of the protocol.
    var members: [FieldValue.Member] {
        let text: FieldValue = ["type": "text", "text": text]
        let images = pictures.map { picture -> FieldValue in
            [
                "type": "image", "data": Base64.encode(picture.bytes),
                "mimeType": "image/\(picture.kind.rawValue)",
            ]
        }
        return [.init("content", .list([text] + images)), .init("isError", .bool(isError))]
    }
}
