/// Random texts that stand for credentials.
enum Secrets {
    /// 128 hexadecimal digits, as refresh tokens are.
    static func refreshToken() -> String { text(128, of: "0123456789abcdef") }

    /// `argus_` and 32 letters or digits.
    static func apiKey() -> String {
        "argus_"
            + text(32, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    /// Six digits to type on a dashboard.
    static func pairingCode() -> String { text(6, of: "0123456789") }

    /// Six signs that a dashboard shows, none of which looks like another.
    static func dashboardCode() -> String { text(6, of: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789") }

    private static func text(_ count: Int, of signs: String) -> String {
        let signs = Array(signs)
        return String((0..<count).map { _ in signs[Int.random(in: signs.indices)] })
    }
}
