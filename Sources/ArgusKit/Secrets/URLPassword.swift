internal import Glibc

/// Finds the passwords in `rtsp://user:password@host`, whatever the scheme.
struct URLPassword {
    private let text: UnsafeBufferPointer<UInt8>
    /// The '@' that was looked at last, and where the user info before it begins.
    private var last: (at: Int, start: Int?)?

    /// Calls `found` with the range of each password, and of a user without one, who may be a token.
    static func find(in text: UnsafeBufferPointer<UInt8>, found: (Range<Int>) -> Void) {
        guard let start = text.baseAddress else { return }
        var search = URLPassword(text: text)
        var place = 0
        // Few texts have an '@' at all, which memchr tells faster than any loop.
        while place < text.count,
            let at = memchr(start + place, Int32(UInt8(ascii: "@")), text.count - place)
        {
            let at = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(at))
            if let secret = search.secret(endingAt: at) { found(secret) }
            place = at + 1
        }
    }

    private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// What is secret of the user info that an '@' ends; nil where the '@' ends none.
    private mutating func secret(endingAt at: Int) -> Range<Int>? {
        let start = userInfo(endingAt: at)
        last = (at, start)
        guard let start, start < at, text[start] != UInt8(ascii: "[") else { return nil }
        let info = text[start..<at]
        let colon = info.firstIndex(of: UInt8(ascii: ":"))
        let end = info.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
        guard let colon else {
            // A comma is likely to be that of a list whose next element is a mail address.
            let isUser = end == nil && !info.contains(UInt8(ascii: ","))
            return isUser ? start..<at : nil
        }
        if let end {
            // `https://host:8080/@name` has a port and a path; a password may have a slash in it.
            let isPort = colon < end && text[(colon + 1)..<end].allSatisfy(Self.isDigit)
            guard colon < end, !isPort || isCamera(before: start) else { return nil }
        }
        return colon + 1 < at ? (colon + 1)..<at : nil
    }

    /// Whether the scheme is one that cameras have, whose paths have no '@'.
    private func isCamera(before start: Int) -> Bool {
        let scheme = text[max(0, start - 8)..<(start - 3)].map { $0 | 0x20 }
        return scheme.suffix(4).elementsEqual("rtsp".utf8)
            || scheme.suffix(5).elementsEqual("rtsps".utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Where the user info begins: behind `://`, with nothing that ends a URL before the '@'.
    private func userInfo(endingAt at: Int) -> Int? {
        var place = at
        while place > 0 {
            // What stands before the last '@' is known, so that a text is read once.
            if let last, place == last.at + 1 { return last.start }
            let byte = text[place - 1]
            guard byte > 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "<") else {
                return nil
            }
            if byte == UInt8(ascii: "/"), place >= 3, text[place - 2] == byte,
                text[place - 3] == UInt8(ascii: ":")
            {
                return place
            }
            place -= 1
        }
        return nil
    }
}
