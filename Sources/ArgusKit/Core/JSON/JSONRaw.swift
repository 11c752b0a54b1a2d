/// The treatment of strings in a value that is passed on as received.
package enum JSONRawEscaping: Sendable {
    /// Bytes stay as received, except that invalid UTF-8, which is not JSON (RFC 8259, section
    /// 8.1), becomes U+FFFD.
    case asReceived
    /// Controls, C1 and bidi controls become `\uXXXX`, invalid UTF-8 becomes U+FFFD.
    case forTerminal
}

extension JSONView {
    /// The value without the blanks between its tokens, and with U+FFFD for invalid UTF-8; a slice of
    /// the text where that is the same.
    package var compact: ArraySlice<UInt8> {
        if !buffer.hasBlanks, isValidUTF8 { return rawBytes }
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return bytes[...]
    }

    /// Appends the value without the blanks between its tokens; numbers keep their digits.
    package func appendCompact(to output: inout [UInt8], escaping: JSONRawEscaping = .asReceived) {
        buffer.bytes.withUnsafeBufferPointer { bytes in
            let value = UnsafeBufferPointer(rebasing: bytes[start..<end])
            switch escaping {
            case .asReceived:
                let first = output.count
                Self.appendTokens(value, to: &output)
                if !output.span.extracting(first...).isValidUTF8 {
                    let repaired = String(decoding: output[first...], as: UTF8.self)
                    output.replaceSubrange(first..., with: repaired.utf8)
                }
            case .forTerminal:
                var compact: [UInt8] = []
                Self.appendTokens(value, to: &compact)
                // Outside strings a checked text is ASCII without controls, so escaping all of it
                // as if it were one string changes strings only.
                compact.withUnsafeBufferPointer {
                    JSONEscaping.append($0, to: &output, keepingEscapes: true)
                }
            }
        }
    }

    /// True if every string in the value is valid UTF-8.
    package var isValidUTF8: Bool {
        let bytes = buffer.bytes
        return bytes.span.extracting(start..<end).isValidUTF8
    }

    /// Copies runs of bytes between the blanks that stand outside strings.
    private static func appendTokens(
        _ value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        guard let base = value.baseAddress else { return }
        var runStart = 0
        var position = 0
        while position < value.count {
            let byte = base[position]
            if byte == UInt8(ascii: "\"") {
                position = JSONStringSpan(value, at: position).end
            } else if byte.isJSONBlank {
                output.append(
                    contentsOf: UnsafeBufferPointer(rebasing: value[runStart..<position]))
                while position < value.count, base[position].isJSONBlank { position += 1 }
                runStart = position
            } else {
                position += 1
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: value[runStart...]))
    }

    /// A copy with a string in place of each value for which `replacement`, given also the name of
    /// the member that the value is or lies in, returns one.
    package func replacing(
        _ replacement: (_ member: String, _ value: JSONView) -> String?
    ) -> JSONView {
        guard let view = try? JSONView.parse(bytes(replacing: replacement)) else {
            preconditionFailure("a checked value is written as one")
        }
        return view
    }

    /// As `replacing`, as text.
    package func bytes(
        replacing replacement: (_ member: String, _ value: JSONView) -> String?
    ) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer, as: "", replacement)
        return writer.bytes
    }

    private func write(
        to writer: inout JSONWriter, as member: String,
        _ replacement: (_ member: String, _ value: JSONView) -> String?
    ) {
        if let text = replacement(member, self) { return writer.string(text) }
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
        case .string, .number, .bool, .null: writer.value(self)
        }
    }
}
