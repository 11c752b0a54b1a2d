enum Secrets {
    /// A refresh token: 128 hexadecimal digits.
    static func refreshToken() -> String { text(128, of: "0123456789abcdef") }

    /// An API key: `argus_` and 32 letters or digits.
    static func apiKey() -> String {
        "argus_"
            + text(32, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// A pairing code to type into a dashboard: six digits.
    static func pairingCode() -> String { text(6, of: "0123456789") }

    /// A pairing code that a dashboard shows: six letters and digits without look-alikes.
    static func dashboardCode() -> String { text(6, of: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789") }

    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

    private static func text(_ count: Int, of alphabet: String) -> String {
        let characters = Array(alphabet)
        return String((0..<count).map { _ in characters[Int.random(in: characters.indices)] })
    }
}
