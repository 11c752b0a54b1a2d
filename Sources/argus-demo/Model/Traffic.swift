/// The requests so far, as the server counts them for `/metrics`.
struct Traffic: Sendable {
    struct Key: Sendable, Hashable {
        var method: String
        var path: String
        var status: Int
    }

    private(set) var counts: [Key: Int] = [:]

    /// Begins with `strangers` paths that somebody tried without credentials.
    init(strangers: Int = 0) {
        for number in 0..<strangers {
            let path = "/api/v1/probe-\(100_000 + number)"
            counts[Key(method: "GET", path: path, status: 401)] = 1
        }
    }

    mutating func count(_ request: Request, status: Int) {
        let path = Traffic.normalized(request.path)
        let key = Key(method: request.method.rawValue, path: path, status: status)
        counts[key, default: 0] += 1
    }

    /// The path with `{id}` for each UUID, and for the digits at the beginning of a segment.
    static func normalized(_ path: String) -> String {
        let bytes = Array(path.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let isSegmentStart = place > 0 && bytes[place - 1] == UInt8(ascii: "/")
            var end = place
            if isUUID(bytes[place...].prefix(36)) {
                end += 36
            } else if isSegmentStart {
                end = bytes[place...].firstIndex { !isDigit($0) } ?? bytes.count
            }
            if end > place {
                result += "{id}".utf8
                place = end
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { place, byte in
            if [8, 13, 18, 23].contains(place) { return byte == UInt8(ascii: "-") }
            return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        }
    }
}
