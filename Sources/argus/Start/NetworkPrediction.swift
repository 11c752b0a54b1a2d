import Glibc

/// Predicts from the arguments alone if a request will follow.
///
/// Loading libcurl takes longer than everything else before the first request. A wrong guess costs
/// a little work and changes no output.
enum NetworkPrediction {
    /// The commands whose verbs all send requests.
    static let commands: [StaticString] = [
        "events", "cameras", "devices", "sessions", "keys", "push", "api", "whoami", "login",
        "logout", "passwd", "pair", "discover", "doctor",
    ]

    private static let answeredAtOnce: [StaticString] = ["-h", "--help", "--version"]

    /// True if the arguments of main(3) are likely to cause a request.
    ///
    /// Compares bytes, because the first string of a process is slow.
    static func expectsRequest(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Bool {
        guard list.pointee != nil else { return false }
        var next = list + 1
        var beginsWithOption = false
        var expects = false
        while let word = next.pointee {
            func isOne(of names: [StaticString]) -> Bool {
                names.contains { name in
                    let count = name.utf8CodeUnitCount
                    return strlen(word) == count && memcmp(word, name.utf8Start, count) == 0
                }
            }
            if isOne(of: answeredAtOnce) { return false }
            let isFirst = next == list + 1
            if isFirst { beginsWithOption = word.pointee == UInt8(ascii: "-") }
            // After leading options, only the parser can distinguish a command from a value.
            if isFirst || beginsWithOption, isOne(of: commands) { expects = true }
            next += 1
        }
        return expects
    }
}
