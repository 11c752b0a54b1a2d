/// Replaces known secrets in a text: verbatim, percent- or JSON-escaped, and in base64.
package struct SecretMask: Sendable {
    /// The text that replaces a secret.
    package static let replacement = "<redacted>"

    /// The lengths in bytes of the secrets to look for: shorter ones are parts of words, and longer
    /// ones are documents whose secrets are held one by one.
    private static let lengths = 6...(64 << 10)

    /// Every form of every secret by its first four bytes, the longest first, since one may be the
    /// start of another.
    private var forms: [UInt32: [[UInt8]]] = [:]
    private var secrets: Set<[UInt8]> = []

    package init(_ secrets: [[UInt8]] = []) {
        for secret in secrets { add(secret) }
    }

    /// Adds a secret, unless it is so short that other texts contain it by chance.
    package mutating func add(_ secret: [UInt8]) {
        let isNumber = secret.allSatisfy(\.isASCIIDigit)
        guard Self.lengths.contains(isNumber ? secret.count - 2 : secret.count),
            secrets.insert(secret).inserted
        else { return }
        for form in Set(Self.forms(of: secret)) {
            let start = Self.start(of: form[...])
            let others = forms[start] ?? []
            let place = others.firstIndex { $0.count <= form.count } ?? others.count
            forms[start, default: []].insert(form, at: place)
        }
    }

    /// The text with each secret replaced by `replacement`.
    package func masking(_ text: String) -> String {
        guard !forms.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let rest = bytes[place...]
            if let form = forms[Self.start(of: rest)]?.first(where: { rest.starts(with: $0) }) {
                output += Self.replacement.utf8
                place += form.count
            } else {
                output.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// True if a text contains a `replacement`.
    package static func isReplaced(in text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: replacement.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension SecretMask {
    /// The first four bytes as a number; each form is longer, as `lengths` says.
    private static func start(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The forms in which a text may repeat a secret.
    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let text = String(decoding: secret, as: UTF8.self)
        var json: [UInt8] = []
        JSONEscaping.appendQuoted(text, to: &json)
        let percent = [true, false].flatMap { isUpper in
            [true, false].map { percentEncoded(secret, escapesAll: $0, isUpper: isUpper) }
        }
        return [secret, json.dropFirst().dropLast(), Array(Sanitizer.visible(text).utf8)]
            + percent + [true, false].map { unicodeEscaped(text, isUpper: $0) } + base64(secret)
    }

    /// The secret with hexadecimal escapes of all bytes, or of those that a URL does not allow.
    private static func percentEncoded(
        _ secret: [UInt8], escapesAll: Bool, isUpper: Bool
    ) -> [UInt8] {
        secret.flatMap { byte in
            guard escapesAll || !PercentEncoding.isUnreserved(byte) else { return [byte] }
            let digits = String(byte, radix: 16, uppercase: isUpper)
            return Array((byte < 16 ? "%0" : "%").utf8) + digits.utf8
        }
    }

    /// The text with each UTF-16 unit as a JSON escape (RFC 8259, section 7).
    private static func unicodeEscaped(_ text: String, isUpper: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let digits = String(unit, radix: 16, uppercase: isUpper)
            return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
    }

    /// The base64 letters that all texts with the secret in them share, one for each alignment and
    /// alphabet.
    private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
        [0, 1, 2].flatMap { shift in
            let padded = [UInt8](repeating: 0, count: shift) + secret
            // The letters at either end also depend on the bytes around the secret.
            let own = (shift * 8 + 5) / 6..<padded.count * 8 / 6
            let url = Array(Array(Base64.encodeForURL(padded).utf8)[own])
            let plain = url.map { letter in
                switch letter {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: letter
                }
            }
            return [url, plain]
        }
    }
}
