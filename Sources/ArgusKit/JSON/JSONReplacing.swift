extension JSONView {
    /// A copy of the value with some strings replaced, to hide secrets in what is shown.
    ///
    /// `replacement` receives the name of the member that holds the string; nil keeps the string.
    package func replacingStrings(
        _ replacement: (_ member: String, _ text: String) -> String?
    ) -> JSONView {
        var writer = JSONWriter()
        write(to: &writer, as: "", replacement)
        guard let view = try? JSONView.parse(writer.bytes) else {
            preconditionFailure("a checked value is written as one")
        }
        return view
    }

    private func write(
        to writer: inout JSONWriter, as member: String,
        _ replacement: (_ member: String, _ text: String) -> String?
    ) {
        switch kind {
        case .object:
            writer.beginObject()
            forEachMember { key, value in
                writer.key(key.text)
                value.write(to: &writer, as: key.text, replacement)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in elements { element.write(to: &writer, as: member, replacement) }
            writer.endArray()
        case .string:
            guard let other = string.flatMap({ replacement(member, $0) }) else {
                return writer.value(self)
            }
            writer.string(other)
        case .number, .bool, .null: writer.value(self)
        }
    }
}
