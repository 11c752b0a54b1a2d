import ArgusTestSupport

@testable import ArgusAccount
@testable import ArgusCore

/// Stores of sealed files in a folder of a test's own, and what is kept in them.
enum SealedFiles {
    static func store(
        _ folder: TemporaryFolder, passphrase: String? = nil,
        machine: String? = "0123456789abcdef0123456789abcdef",
        report: @escaping @Sendable (SealedFileStore.Notice) -> Void = { _ in }
    ) -> SealedFileStore {
        SealedFileStore(
            .folder(folder.file("argus")), passphrase: passphrase.map { Redacted(Array($0.utf8)) },
            machine: machine.map { Redacted($0) }, report: report)
    }

    /// Where the sign-in at a server is.
    static func path(_ folder: TemporaryFolder, _ id: ServerID) -> String {
        folder.file("argus/credentials/\(id.text).sign-in.sealed")
    }

    static let session = Credential.session(
        StoredSession(
            kind: .mobile, accessToken: Redacted("planted-access"),
            refreshToken: Redacted("planted-refresh"), deviceRowID: "row-1",
            username: "admin", expiresAt: Timestamp(microseconds: 1_795_212_000_123_456),
            issuedAt: Timestamp(seconds: 1_795_125_600)))
}
