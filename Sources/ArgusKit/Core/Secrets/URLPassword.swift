internal import Glibc

/// Finds the passwords in URLs such as `rtsp://user:password@host`, of any scheme.
struct URLPassword {
    private let text: UnsafeBufferPointer<UInt8>
    /// The '@' examined last, and the start of the user info before it.
    private var last: (at: Int, start: Int?)?

    /// Finds the ranges of passwords and of user names without one, which may be tokens.
    static func find(in text: UnsafeBufferPointer<UInt8>, found: (Range<Int>) -> Void) {
        guard let start = text.baseAddress else { return }
        var search = URLPassword(text: text)
        var place = 0
        // Few texts contain an '@' at all, which memchr finds faster than any loop.
        while place < text.count,
            let at = memchr(start + place, Int32(UInt8(ascii: "@")), text.count - place)
        {
            let at = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(at))
            if let secret = search.secret(endingAt: at) { found(secret) }
            place = at + 1
        }
    }

    private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The secret part of the user info before an '@'; nil if it ends none.
    private mutating func secret(endingAt at: Int) -> Range<Int>? {
        let start = userInfo(endingAt: at)
        last = (at, start)
        guard let start, start < at, text[start] != UInt8(ascii: "[") else { return nil }
        let info = text[start..<at]
        let colon = info.firstIndex(of: UInt8(ascii: ":"))
        let end = info.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
        guard let colon else {
            // A comma probably separates list elements, the next of which is a mail address.
            let isUser = end == nil && !info.contains(UInt8(ascii: ","))
            return isUser ? start..<at : nil
        }
        if let end {
            // `https://host:8080/@name` has a port and a path; a password may contain a slash.
            let isPort = colon < end && text[(colon + 1)..<end].allSatisfy(\.isASCIIDigit)
            guard colon < end, !isPort || isCamera(before: start) else { return nil }
        }
        return colon + 1 < at ? (colon + 1)..<at : nil
    }

    /// True for the schemes of cameras, whose paths contain no '@'.
    private func isCamera(before start: Int) -> Bool {
        let scheme = text[max(0, start - 8)..<(start - 3)].map { $0 | 0x20 }
        return scheme.suffix(4).elementsEqual("rtsp".utf8)
            || scheme.suffix(5).elementsEqual("rtsps".utf8)
    }

    /// The start of the user info: after `://`, with no URL delimiter before the '@'.
    private func userInfo(endingAt at: Int) -> Int? {
        var place = at
        while place > 0 {
            // The text before the last '@' has been examined, so that each byte is read once.
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
