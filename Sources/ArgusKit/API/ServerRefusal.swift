// What ArgusAI servers say with a 401 (backend-facts 0.2, 1, 2 and 3): nothing but their own words
// can end a sign-in that is stored.
extension APIError {
    /// Whether the server says that it does not take the access token.
    var endsAccessToken: Bool {
        says("Invalid token", "Token has expired", "User not found", "Not authenticated")
    }

    /// Whether the server says that it will never take the refresh token again.
    var endsRefreshToken: Bool {
        says(
            "Invalid or expired refresh token", "Invalid or revoked refresh token",
            "Your session was terminated due to suspicious activity. Please log in again.")
    }

    /// Whether the server says that the password is another one.
    var refusesPassword: Bool { says("Invalid credentials") }

    /// Whether the server says that it does not take the pairing code, be it that nobody has
    /// confirmed it yet.
    var refusesPairingCode: Bool {
        says(
            "Invalid, expired, or unconfirmed pairing code", "Invalid or expired pairing code")
    }

    private func says(_ words: String...) -> Bool {
        kind == .unauthorized && words.contains(detail)
    }

    /// Whether what answered is no ArgusAI server, but something in front of one, or of another kind.
    package var isForeign: Bool { kind == .malformedAnswer && (status == 401 || status == 404) }
}
