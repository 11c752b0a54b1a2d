/// The body of a request or an answer as a trace shows it: JSON without its secrets, else its size.
package enum TracedBody {
    /// The longest body that is shown; the rest of a list page tells a person nothing more.
    private static let longest = 4096

    /// Describes a body; given its media type and its bytes.
    package static func describe(_ mediaType: String?, _ bytes: [UInt8]) -> String {
        let size = "\(bytes.count) bytes of \(mediaType ?? "unknown type")"
        guard let mediaType, mediaType.lowercased().contains("json"),
            let body = try? JSONView.parse(bytes)
        else { return size }
        var writer = JSONWriter()
        append(body, to: &writer)
        guard writer.bytes.count <= longest else {
            return "\(size): " + String(decoding: writer.bytes.prefix(longest), as: UTF8.self) + "…"
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func append(_ view: JSONView, to writer: inout JSONWriter) {
        switch view.kind {
        case .object:
            writer.beginObject()
            // The errors of a 422 repeat what was submitted under a name of its own.
            view.forEachMember { key, value in
                writer.key(key.text)
                let mayBeSecret = SecretNames.contains(key.text) || key == "input" || key == "ctx"
                if mayBeSecret, !value.isNull, value.bool == nil {
                    // Another text of the same answer may repeat what it gives.
                    if SecretNames.given.contains(key.text), let secret = value.string {
                        HeldSecrets.hold(secret)
                    }
                    writer.string(SecretNames.mask)
                } else {
                    append(value, to: &writer)
                }
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in view.elements { append(element, to: &writer) }
            writer.endArray()
        case .string, .number, .bool, .null:
            writer.value(view)
        }
    }
}
