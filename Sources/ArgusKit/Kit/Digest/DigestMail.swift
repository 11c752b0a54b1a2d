package import ArgusCore

/// A digest as a message for `sendmail -t`: a text, and a page with its pictures.
///
/// RFC 5322 and RFC 2045, but that lines end with a line feed alone, as sendmail reads them.
package struct DigestMail {
    private static let outer = "=_argus_alternative"
    private static let inner = "=_argus_related"
    /// The most bytes in a line of base64 (RFC 2045, section 6.8), before they are encoded.
    private static let bytesInLine = 57

    private let digest: Digest
    private let images: DigestImages
    private let recipients: [String]
    private let now: Timestamp

    /// Prepares a message to addresses, which `isAddress` accepts.
    package init(
        _ digest: Digest, _ images: DigestImages, to recipients: [String], at now: Timestamp
    ) {
        (self.digest, self.images) = (digest, images)
        (self.recipients, self.now) = (recipients, now)
    }

    /// True for an address such as `ann@example.org`, or the name of a user; none of its characters has
    /// a meaning of its own in a header.
    package static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && text.utf8.count <= 254
            && parts.allSatisfy { part in
                !part.isEmpty && !part.hasPrefix("-")
                    && part.utf8.allSatisfy {
                        $0.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0)
                    }
            }
    }

    /// The whole message.
    package var utf8: [UInt8] {
        var message = Writer()
        message.line("To: \(recipients.joined(separator: ",\n "))")
        message.line("Subject: \(HeaderText.encode(subject, after: 9))")
        message.line("Date: \(date)")
        message.line("Auto-Submitted: auto-generated")
        message.line("MIME-Version: 1.0")
        message.line("Content-Type: multipart/alternative; boundary=\"\(Self.outer)\"")
        message.line("")
        message.part(in: Self.outer, "text/plain; charset=utf-8", "quoted-printable")
        let text = DigestText(digest, width: 78, style: .plain).text
        message.quotedPrintable(Array(text.utf8))
        message.line("--\(Self.outer)")
        message.line(
            "Content-Type: multipart/related; type=\"text/html\"; boundary=\"\(Self.inner)\"")
        message.line("")
        message.part(in: Self.inner, "text/html; charset=utf-8", "base64")
        message.base64(DigestPage(digest, images, contentID: Self.contentID).utf8)
        for (index, image) in images.all.enumerated() {
            guard let kind = image.kind else { continue }
            message.line("--\(Self.inner)")
            message.line("Content-Type: image/\(kind.rawValue)")
            message.line("Content-Transfer-Encoding: base64")
            message.line("Content-ID: <\(Self.contentID(index))>")
            message.line(
                "Content-Disposition: inline; filename=\"\(index + 1).\(kind.fileExtension)\"")
            message.line("")
            message.base64(image.bytes)
        }
        message.line("--\(Self.inner)--")
        message.line("--\(Self.outer)--")
        return message.bytes
    }

    private static func contentID(_ index: Int) -> String { "picture\(index + 1)@argus.invalid" }

    /// `home: 3 alarms, 74 visits on Thursday 26 November 2026`.
    private var subject: String {
        let words = DigestWords(digest)
        let alarms = (digest.alarms ?? []).reduce(0) { $0 + $1.visits.visits }
        let numbers = [
            alarms > 0 ? DigestWords.count(alarms, "alarm") : nil,
            (digest.silent?.isEmpty ?? true) ? nil : "silent cameras",
            DigestWords.count(digest.visits, "visit"),
        ].compactMap(\.self).joined(separator: ", ")
        let source = DisplayWidth.truncate(Sanitizer.visible(digest.source), to: 60)
        return "\(source): \(numbers), \(words.title)"
    }

    /// The time in the form of RFC 5322, section 3.3, in the digest's zone.
    private var date: String {
        let offset = digest.zone.offset(at: now) / 60
        let fields = digest.zone.fields(of: now)
        let clock = now.displayText(in: digest.zone).dropFirst(11)
        let zone =
            (offset < 0 ? "-" : "+") + (abs(offset) / 60).padded(to: 2)
            + (abs(offset) % 60).padded(to: 2)
        return "\(fields.date.weekdayName.prefix(3)), \(fields.date.day) "
            + "\(fields.date.monthName.prefix(3)) \(fields.date.year.padded(to: 4)) \(clock) \(zone)"
    }

    /// The bytes of a message as it grows.
    private struct Writer {
        var bytes: [UInt8] = []

        mutating func line(_ text: String) {
            bytes += Array(text.utf8)
            bytes.append(0x0A)
        }

        /// The head of a part of text.
        mutating func part(in boundary: String, _ type: String, _ encoding: String) {
            line("--\(boundary)")
            line("Content-Type: \(type)")
            line("Content-Transfer-Encoding: \(encoding)")
            line("")
        }

        mutating func base64(_ content: [UInt8]) {
            for start in stride(from: 0, to: content.count, by: bytesInLine) {
                line(Base64.encode(Array(content[start..<min(start + bytesInLine, content.count)])))
            }
        }

        /// Text with its lines (RFC 2045, section 6.7).
        mutating func quotedPrintable(_ text: [UInt8]) {
            for content in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
                var width = 0
                for (index, byte) in content.enumerated() {
                    // Three letters may come, and a sign that the line goes on.
                    if width > 72 {
                        bytes += [0x3D, 0x0A]
                        width = 0
                    }
                    let isBlankAtEnd = byte == 0x20 && index == content.count - 1
                    let isPlain = (0x20...0x7E).contains(byte) && byte != 0x3D && !isBlankAtEnd
                    // A dot alone ends what sendmail reads; "From " begins another message in a box.
                    let isSafe = isPlain && !(width == 0 && (byte == 0x2E || byte == 0x46))
                    let encoded = isSafe ? [byte] : Self.hex(byte)
                    bytes += encoded
                    width += encoded.count
                }
                bytes.append(0x0A)
            }
        }

        private static func hex(_ byte: UInt8) -> [UInt8] {
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("=\(digits.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }
}

/// The text of a header field.
enum HeaderText {
    /// The most bytes in an encoded word: its line has at most 76 letters, with a short name of the
    /// field before it (RFC 2047, section 2).
    private static let bytesInWord = 39
    /// The width up to which a text stays as it is.
    private static let width = 70

    /// The text as it is if it is short and plain, else in encoded words, each on a line of its own.
    ///
    /// `used` is the number of letters before it. Controls become visible.
    static func encode(_ text: String, after used: Int) -> String {
        let text = Sanitizer.visible(text)
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isPlain, !text.contains("=?"), text.utf8.count + used <= width { return text }
        var words: [[UInt8]] = [[]]
        // No character is divided between two words.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (words.last?.count ?? 0) + bytes.count > bytesInWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\n ")
    }
}
