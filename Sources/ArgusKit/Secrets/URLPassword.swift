internal import Glibc

/// Finds the passwords in `rtsp://user:password@host`, whatever the scheme.
enum URLPassword {
    /// The longest user info that is looked for.
    private static let longest = 1024

    /// Calls `found` with the range of each password, and of a user without one, who may be a token.
    static func find(in text: UnsafeBufferPointer<UInt8>, found: (Range<Int>) -> Void) {
        guard let start = text.baseAddress else { return }
        var place = 0
        // Few texts have an '@' at all, which memchr tells faster than any loop.
        while place < text.count,
            let at = memchr(start + place, Int32(UInt8(ascii: "@")), text.count - place)
        {
            let at = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(at))
            if let secret = secret(endingAt: at, in: text) { found(secret) }
            place = at + 1
        }
    }

    /// What is secret of the user info that an '@' ends; nil where the '@' ends none.
    private static func secret(
        endingAt at: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        guard let start = userInfo(endingAt: at, in: text) else { return nil }
        let info = text[start..<at]
        let colon = info.firstIndex(of: UInt8(ascii: ":"))
        if let slash = info.firstIndex(of: UInt8(ascii: "/")) {
            // `https://host:8080/@name` has a port and a path; a password may have a slash in it.
            guard let colon, colon < slash else { return nil }
            let port = text[(colon + 1)..<slash]
            guard !port.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        }
        let secret = (colon.map { $0 + 1 } ?? start)..<at
        return secret.isEmpty ? nil : secret
    }

    /// Where the user info begins: behind `://`, with nothing that ends a URL before the '@'.
    private static func userInfo(
        endingAt at: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        let floor = max(0, at - longest)
        var place = at
        while place > floor {
            let byte = text[place - 1]
            guard byte > 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "<") else {
                return nil
            }
            if byte == UInt8(ascii: "/"), place - 3 >= floor, text[place - 2] == byte,
                text[place - 3] == UInt8(ascii: ":")
            {
                return place
            }
            place -= 1
        }
        return nil
    }
}
