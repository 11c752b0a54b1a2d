/// A guess, from the words alone, whether a request will follow.
///
/// Loading libcurl takes longer than all else that happens until the first request, understanding
/// the words included. A wrong guess costs a little work, and changes nothing that anybody sees.
enum Anticipation {
    /// The commands that ask a server whatever their verb is.
    static let commands = [
        "events", "cameras", "devices", "sessions", "keys", "push", "api", "whoami", "login",
        "logout", "passwd", "pair", "discover", "doctor",
    ]

    /// Whether the words are likely to make a request.
    static func expectsRequest(_ words: [String]) -> Bool {
        if words.contains("-h") || words.contains("--help") || words.contains("--version") {
            return false
        }
        guard let first = words.first else { return false }
        // After options that come first, it takes the parser to tell a command from a value.
        return first.hasPrefix("-")
            ? words.contains(where: commands.contains) : commands.contains(first)
    }
}
