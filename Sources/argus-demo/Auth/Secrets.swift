/// Random texts that stand for credentials.
enum Secrets {
    /// 128 hexadecimal digits, as refresh tokens are.
    static func refreshToken() -> String {
        (0..<64).map { _ in
            let byte = UInt8.random(in: .min ... .max)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// `argus_` and 32 letters or digits.
    static func apiKey() -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "argus_" + String((0..<32).map { _ in digits[Int.random(in: 0..<digits.count)] })
    }

    /// Six digits to type on a dashboard.
    static func pairingCode() -> String {
        String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst())
    }
}
