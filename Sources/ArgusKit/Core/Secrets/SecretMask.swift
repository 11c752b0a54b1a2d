/// Finds known secrets in text that may encode them.
///
/// A secret is found verbatim and in base64, both behind up to four levels of escapes, and where it
/// is truncated. Passwords in URLs are found without being known.
package struct SecretMask: Sendable {
    /// The text that replaces a secret.
    package static let replacement = "<redacted>"

    /// The length in bytes of the shortest secret to search for; shorter ones are parts of words.
    package static let shortest = 6

    /// Every encoding of every secret.
    private var needles: [[UInt8]] = []
    /// For four bytes, as a number, the needles that start with them, at one of the first offsets.
    private var anchors: [UInt32: [Anchor]] = [:]
    /// A bit for each hash of a key of `anchors`, which saves most look-ups.
    private var filter = [UInt64](repeating: 0, count: 1024)

    private struct Anchor {
        var needle: Int
        var offset: Int
    }

    /// The distance in bytes between the offsets of a text to examine.
    ///
    /// Of that many successive anchors of a needle one falls on such an offset, and the shortest
    /// needle has exactly that many.
    private static let step = shortest - MemoryLayout<UInt32>.size + 1

    /// The length of a prefix that is masked on its own, for secrets at least twice as long.
    private static let distinctiveLength = 16

    /// The most levels of escapes to undo: two by a server, and one or two by argus.
    private static let depth = 4

    /// The window in which long texts are searched, and the overlap of windows, which exceeds the
    /// longest secret even at six encoded bytes per byte.
    private static let window = 1 << 16
    private static let overlap = 1 << 15

    /// True if a mask searches for the value; a short number could be any number.
    package static func canFind(_ secret: [UInt8]) -> Bool {
        let isNumber = secret.allSatisfy { (0x30...0x39).contains($0) }
        return secret.count >= (isNumber ? shortest + 2 : shortest)
    }

    package init(_ secrets: [[UInt8]]) {
        for secret in secrets where Self.canFind(secret) { add(secret) }
    }

    mutating func add(_ secret: [UInt8]) {
        for form in [secret, Self.formEncoded(secret)] + Self.base64(secret)
        where !needles.contains(form) {
            addNeedle(form)
        }
    }

    private mutating func addNeedle(_ needle: [UInt8]) {
        needles.append(needle)
        needle.withUnsafeBytes { bytes in
            for offset in 0..<Self.step {
                let key = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                anchors[key, default: []].append(
                    Anchor(needle: needles.count - 1, offset: offset))
                let hash = Self.hash(key)
                filter[hash >> 6] |= 1 << UInt64(hash & 63)
            }
        }
    }

    @inline(__always)
    private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 16) }

    /// Encodes blanks as `+` (application/x-www-form-urlencoded).
    private static func formEncoded(_ secret: [UInt8]) -> [UInt8] {
        secret.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
    }

    /// The base64 letters shared by all texts that contain the secret, one for each alignment and
    /// alphabet.
    private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
        [0, 1, 2].flatMap { shift -> [[UInt8]] in
            let padded = [UInt8](repeating: 0, count: shift) + secret
            // The first letters also depend on the bytes before the secret.
            let skipped = (shift * 8 + 5) / 6
            let whole = padded.count * 8 / 6
            let url = Array(Base64.encodeForURL(padded).utf8.prefix(whole).dropFirst(skipped))
            let plain = url.map { letter -> UInt8 in
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

extension SecretMask {
    /// The ranges of secrets in a text, in order and without overlaps.
    package func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        repeat {
            // In windows, because undoing escapes takes ten times the memory of a text.
            let end = min(start + Self.window + Self.overlap, text.count)
            searchLevels(UnsafeBufferPointer(rebasing: text[start..<end])) { range in
                found.append((range.lowerBound + start)..<(range.upperBound + start))
            }
            start += Self.window
        } while start + Self.overlap < text.count
        return Self.merged(found)
    }

    /// Searches a text and the results of undoing its escapes.
    private func searchLevels(
        _ text: UnsafeBufferPointer<UInt8>, found: (Range<Int>) -> Void
    ) {
        search(text, found: found)
        let present = UnescapedText.kinds(in: text)
        guard !present.isEmpty else { return }
        search(text, undoing: .all, depth: Self.depth, found: found)
        // An encoder of one kind of escape leaves other kinds alone, such as the backslash of a
        // secret in a URL.
        for kind in [UnescapedText.Kinds.percent, .backslash, .entity]
        where present != kind && present.contains(kind) {
            search(text, undoing: kind, depth: Self.depth, found: found)
        }
    }

    private func search(
        _ text: UnsafeBufferPointer<UInt8>, undoing kinds: UnescapedText.Kinds, depth: Int,
        found: (Range<Int>) -> Void
    ) {
        guard depth > 0, let inner = UnescapedText(kinds, in: text) else { return }
        inner.bytes.withUnsafeBufferPointer { bytes in
            search(bytes) { found(inner.range(of: $0)) }
            search(bytes, undoing: .all, depth: depth - 1) { found(inner.range(of: $0)) }
        }
    }

    /// True if a text has a `replacement`.
    package static func isReplaced(in text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: replacement.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The text with each secret replaced by `replacement`.
    package func masking(_ text: [UInt8]) -> [UInt8] {
        let ranges = text.withUnsafeBufferPointer { self.ranges(in: $0) }
        guard !ranges.isEmpty else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var end = 0
        for range in ranges {
            output += text[end..<range.lowerBound]
            let isNumber = Self.isNumber(range, in: text)
            output += (isNumber ? "\"\(Self.replacement)\"" : Self.replacement).utf8
            end = range.upperBound
        }
        return output + text[end...]
    }

    /// True if a range is a JSON number, which only a string can replace without breaking the JSON.
    private static func isNumber(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        guard text[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        let before = text[..<range.lowerBound].last { $0 > 0x20 }
        guard let before, ":,[".utf8.contains(before) else { return false }
        let after = text[range.upperBound...].first
        guard after.map({ ",]} \n".utf8.contains($0) }) ?? true else { return false }
        // Outside strings the number of quotes so far is even.
        var isInside = false
        var isEscaped = false
        for byte in text[..<range.lowerBound] {
            if byte == UInt8(ascii: "\""), !isEscaped { isInside.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return !isInside
    }

    private func search(
        _ text: UnsafeBufferPointer<UInt8>, found: (Range<Int>) -> Void
    ) {
        URLPassword.find(in: text, found: found)
        guard !needles.isEmpty, text.count >= Self.shortest else { return }
        let bytes = UnsafeRawBufferPointer(text)
        filter.withUnsafeBufferPointer { (filter: UnsafeBufferPointer<UInt64>) -> Void in
            var place = 0
            while place <= text.count - MemoryLayout<UInt32>.size {
                let key = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let hash = Self.hash(key)
                if filter[hash >> 6] & 1 << UInt64(hash & 63) != 0 {
                    for anchor in anchors[key] ?? [] where anchor.offset <= place {
                        if let range = match(needles[anchor.needle], text, place - anchor.offset) {
                            found(range)
                        }
                    }
                }
                place += Self.step
            }
        }
    }

    /// The range of a needle at an offset, complete or truncated with an ellipsis.
    private func match(
        _ needle: [UInt8], _ text: UnsafeBufferPointer<UInt8>, _ start: Int
    ) -> Range<Int>? {
        var length = 0
        while length < needle.count, start + length < text.count,
            text[start + length] == needle[length]
        {
            length += 1
        }
        if length == needle.count { return start..<(start + length) }
        guard length >= Self.shortest else { return nil }
        // Servers truncate echoes too; a prefix of this length is no coincidence.
        if length >= Self.distinctiveLength, needle.count >= 2 * Self.distinctiveLength {
            return start..<(start + length)
        }
        // An escape may have been truncated as well, leaving a few bytes before the ellipsis.
        let rest = text[(start + length)..<min(start + length + 8, text.count)]
        let ellipsis = Array("…".utf8)
        let end = rest.indices.first { text[$0...].starts(with: ellipsis) }
        return end.map { start..<$0 }
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard ranges.count > 1 else { return ranges }
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
