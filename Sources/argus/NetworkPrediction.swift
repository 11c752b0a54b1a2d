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

    /// True if the arguments are likely to cause a request.
    ///
    /// Compares bytes, because the first string of a process is slow.
    static func expectsRequest(_ words: RawArguments) -> Bool {
        var beginsWithOption = false
        var isFirst = true
        var expects = false
        words.forEachOperand { word in
            if answeredAtOnce.contains(where: word.equals) {
                expects = false
                return false
            }
            if isFirst { beginsWithOption = word.first == UInt8(ascii: "-") }
            // After leading options, only the parser can distinguish a command from a value.
            if isFirst || beginsWithOption, commands.contains(where: word.equals) { expects = true }
            isFirst = false
            return true
        }
        return expects
    }
}
