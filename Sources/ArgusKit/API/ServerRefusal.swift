// What ArgusAI servers say with a 401 (backend-facts 0.2, 1, 2 and 3): nothing but their own words
// can end a sign-in that is stored.
extension APIError {
    /// The server rejects the access token.
    var endsAccessToken: Bool {
        says("Invalid token", "Token has expired", "User not found", "Not authenticated")
    }

    /// The server rejects the refresh token for good.
    var endsRefreshToken: Bool {
        says(
            "Invalid or expired refresh token", "Invalid or revoked refresh token",
            "Your session was terminated due to suspicious activity. Please log in again.")
    }

    /// The server rejects the password.
    var refusesPassword: Bool { says("Invalid credentials") }

    /// The server rejects the pairing code, or nobody has confirmed it yet.
    var refusesPairingCode: Bool {
        says(
            "Invalid, expired, or unconfirmed pairing code", "Invalid or expired pairing code")
    }

    private func says(_ words: String...) -> Bool {
        kind == .unauthorized && words.contains(detail)
    }

    /// The answer comes from a proxy, a captive portal or another kind of server.
    package var isForeign: Bool { kind == .malformedAnswer && (status == 401 || status == 404) }
}
