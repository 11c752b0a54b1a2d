package import ArgusCore
import Glibc

/// Secrets in sealed files, `credentials/SERVER.ITEM.sealed` in the state folder.
///
/// A secret has its own file, so that a damaged one costs one sign-in. The key is derived from the
/// key file beside them and the id of the machine or, if given, from a passphrase. This protects
/// single files, backups and copied home folders, but not against readers on the machine itself.
///
/// Files sealed without the machine's id, by an earlier argus or for lack of an id, stay readable
/// and are bound at the next write.
package final class SealedFileStore: CredentialStore {
    package var name: String { CredentialStoreKind.file.name }

    /// The suffix of sealed files.
    static let suffix = ".sealed"

    /// Some ten thousand push tokens.
    private static let sizeLimit = 8 << 20
    private static let keyCount = 32
    /// The space to reserve for a value: several times that of the tokens of any known server.
    private static let reservedCount = 16 << 10

    private let state: Paths.Folder
    private let passphrase: Redacted<[UInt8]>?
    private let machine: Redacted<String>?
    private let report: @Sendable (Notice) -> Void

    /// A message for the user; the work continues.
    package enum Notice: Hashable, Sendable {
        /// The damaged key file was renamed to this path.
        case keySetAside(path: String)
        /// A secret was sealed without a machine id, since the machine has none.
        case notBound
    }

    /// Makes a store in a state folder, which the first write creates.
    ///
    /// A `passphrase` replaces the key file; `machine` is the id that binds the key file's key.
    package init(
        _ state: Paths.Folder, passphrase: Redacted<[UInt8]>? = nil, machine: Redacted<String>?,
        report: @escaping @Sendable (Notice) -> Void
    ) {
        self.state = state
        self.passphrase = passphrase
        self.machine = machine
        self.report = report
    }

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        // Without a state folder nothing is stored: the value is absent, which is not a failure.
        guard case .folder = state else { return nil }
        let path = try path(of: key)
        guard let file = try readFile(path) else { return nil }
        let source = try rethrowing(
            SealedEnvelope.source(of: file), as: { Self.reported($0, .keyFile, path) })
        let secret: SealedEnvelope.Secret
        switch source {
        case .passphrase:
            guard let passphrase else { throw .passphraseNeeded(path: path) }
            secret = .passphrase(passphrase)
        case .keyFile, .machineBoundKeyFile:
            guard let own = try readFile(try keyPath()) else { throw .wrongKey(path: path) }
            guard own.count == Self.keyCount else { throw .damaged(path: try keyPath()) }
            if source == .keyFile {
                secret = .keyFile(Redacted(own))
            } else {
                guard let machine else { throw .otherMachine(path: path) }
                secret = .machineBoundKeyFile(Redacted(own), machine: machine)
            }
        }
        return try rethrowing(
            SealedEnvelope.open(file, for: Self.label(key), with: secret),
            as: { Self.reported($0, source, path) })
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        let path = try path(of: key)
        let secret = try await sealingSecret(of: path)
        try put(value, for: key, sealedWith: secret, in: try newFile(path))
    }

    package func place(
        for key: CredentialKey
    ) async throws(AccountError) -> CredentialPlace {
        let path = try path(of: key)
        let secret = try await sealingSecret(of: path)
        let file = try newFile(path)
        try rethrowing(file.reserve(Self.reservedCount), as: AccountError.storeFile)
        return CredentialPlace(of: key, in: self) { value throws(AccountError) in
            try self.put(value, for: key, sealedWith: secret, in: file)
        }
    }

    /// The secret for the next value of a file.
    private func sealingSecret(
        of path: String
    ) async throws(AccountError) -> SealedEnvelope.Secret {
        try prepareFolders()
        if let passphrase { return .passphrase(passphrase) }
        // Resealing with the key file would silently drop the passphrase.
        if let old = try readFile(path), (try? SealedEnvelope.source(of: old)) == .passphrase {
            throw .passphraseNeeded(path: path)
        }
        let own = try await ownKey()
        if machine == nil { report(.notBound) }
        return machine.map { .machineBoundKeyFile(own, machine: $0) } ?? .keyFile(own)
    }

    private func newFile(_ path: String) throws(AccountError) -> AtomicFile {
        try rethrowing(AtomicFile(path, for: .state), as: AccountError.storeFile)
    }

    private func put(
        _ value: Redacted<[UInt8]>, for key: CredentialKey,
        sealedWith secret: SealedEnvelope.Secret, in file: AtomicFile
    ) throws(AccountError) {
        let bytes = SealedEnvelope.seal(value, for: Self.label(key), with: secret)
        do throws(FileSystemError) {
            try file.write(bytes)
            try file.commit(replacing: true)
        } catch {
            throw .storeFile(error)
        }
        AbandonedFiles.sweep(try folder())
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        guard case .folder = state else { return }
        let path = try path(of: key)
        try rethrowing(FileRename.remove(path), as: AccountError.storeFile)
        // Files left by killed processes hold secrets too.
        AbandonedFiles.sweep(try folder())
    }

    /// Checks that a secret can be written.
    ///
    /// - Throws: `AccountError`.
    package func expectWritable() throws(AccountError) {
        try prepareFolders()
        let folder = try folder()
        try rethrowing(PrivateFolder.expectWritable(folder), as: AccountError.storeFile)
    }

    /// The 32 bytes of the key file, created if absent; concurrent processes agree on one.
    private func ownKey() async throws(AccountError) -> Redacted<[UInt8]> {
        let path = try keyPath()
        if let key = try readFile(path), key.count == Self.keyCount { return Redacted(key) }
        return try await Paths.Folder.folder(try folder()).withLock(
            "key.lock", timeout: .seconds(10),
            unlocked: { error throws(AccountError) in throw .storeFile(error) }
        ) { () throws(AccountError) in
            if let key = try readFile(path) {
                if key.count == Self.keyCount { return Redacted(key) }
                // The secrets that it sealed are lost already; a new sign-in must not be.
                let aside = try rethrowing(FileRename.setAside(path), as: AccountError.storeFile)
                report(.keySetAside(path: aside))
            }
            let key = SealedEnvelope.randomBytes(Self.keyCount)
            try rethrowing(
                AtomicFile.write(key, to: path, for: .state, replacing: false),
                as: AccountError.storeFile)
            return Redacted(key)
        }
    }

    private func prepareFolders() throws(AccountError) {
        guard case .folder(let path) = state else { return }
        for folder in [path, Self.folder(in: path)] {
            try rethrowing(PrivateFolder.prepare(folder), as: AccountError.storeFile)
        }
    }

    private func path(of key: CredentialKey) throws(AccountError) -> String {
        try folder() + "/\(key.server.text).\(key.item.rawValue)" + Self.suffix
    }

    private func keyPath() throws(AccountError) -> String { try folder() + "/key" }

    /// The folder of sealed files in a state folder.
    static func folder(in state: String) -> String { state + "/credentials" }

    private func folder() throws(AccountError) -> String {
        switch state {
        case .folder(let path): return Self.folder(in: path)
        case .none(let reason): throw .storeUnavailable(reason: reason)
        }
    }

    private func readFile(_ path: String) throws(AccountError) -> [UInt8]? {
        do throws(FileSystemError) {
            // A user who may write the folder above could replace this one.
            if case .folder(let path) = state { try PrivateFolder.expectTrusted(path) }
            return try FileContents(path, trust: .secretState, limit: Self.sizeLimit).bytes
        } catch {
            if error.isAbsent { return nil }
            throw .storeFile(error)
        }
    }

    private static func reported(
        _ failure: SealedEnvelope.Failure, _ source: SealedEnvelope.Source, _ path: String
    ) -> AccountError {
        switch failure {
        case .damaged: .damaged(path: path)
        case .newerVersion: .newerVersion(path: path)
        case .wrongSecret:
            switch source {
            case .passphrase: .wrongPassphrase(path: path)
            case .keyFile: .wrongKey(path: path)
            case .machineBoundKeyFile: .otherMachine(path: path)
            }
        }
    }

    /// The label of a file, which prevents swapping files.
    private static func label(_ key: CredentialKey) -> String {
        "\(key.server.text)/\(key.item.rawValue)"
    }
}
