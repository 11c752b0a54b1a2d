import Glibc

/// Secrets in sealed files, `credentials/SERVER.ITEM.sealed` in the state folder.
///
/// One file for each secret: replacing one never rewrites another, and a damaged one costs one
/// sign-in. The key is the random key file beside them or, where a passphrase is given, derived
/// from it. Sealing with the key file guards copies of single files and backups that leave the
/// key out; it does not guard against who reads the whole folder.
package final class SealedFileStore: CredentialStore {
    package let name = "sealed file"

    private static let sizeLimit = 1 << 20
    private static let keyCount = 32

    private let place: Paths.Place
    private let passphrase: Redacted<[UInt8]>?
    private let sleep: FileLock.Sleep
    private let setAside: @Sendable (String) -> Void

    /// Makes a store in the given state folder, which is made at the first write.
    ///
    /// - Parameters:
    ///   - place: The state folder, `Paths.state`.
    ///   - passphrase: What to seal with and to open with, where the files are sealed so.
    ///   - sleep: Waits between two tries to take the lock.
    ///   - setAside: Receives the new name of a damaged key file, to be told.
    package init(
        _ place: Paths.Place, passphrase: Redacted<[UInt8]>? = nil,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) },
        setAside: @escaping @Sendable (String) -> Void
    ) {
        self.place = place
        self.passphrase = passphrase
        self.sleep = sleep
        self.setAside = setAside
    }

    package func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        // Where nothing can be kept, nothing is: absent, not failed.
        guard case .folder = place else { return nil }
        let path = try path(of: key)
        guard let file = try readFile(path) else { return nil }
        let source = try source(of: file, path)
        let secret: SealedEnvelope.Secret
        switch source {
        case .passphrase:
            guard let passphrase else { throw .passphraseNeeded(path: path) }
            secret = .passphrase(passphrase)
        case .keyFile:
            guard let own = try readFile(try keyPath()) else { throw .wrongKey(path: path) }
            guard own.count == Self.keyCount else { throw .damaged(path: try keyPath()) }
            secret = .keyFile(Redacted(own))
        }
        do throws(SealedEnvelope.Failure) {
            return try SealedEnvelope.open(file, for: Self.label(key), with: secret)
        } catch { throw Self.told(error, source, path) }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        let path = try path(of: key)
        try prepareFolders()
        let secret: SealedEnvelope.Secret
        if let passphrase {
            secret = .passphrase(passphrase)
        } else {
            // Sealing anew with the key file would silently take the passphrase away.
            if let old = try readFile(path), (try? SealedEnvelope.source(of: old)) == .passphrase {
                throw .passphraseNeeded(path: path)
            }
            secret = .keyFile(try await ownKey())
        }
        let bytes = SealedEnvelope.seal(value, for: Self.label(key), with: secret)
        try onFiles { () throws(FileSystemError) in
            try AtomicFile.write(bytes, to: path, for: .state, replacing: true)
        }
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        guard case .folder = place else { return }
        let path = try path(of: key)
        try onFiles { () throws(FileSystemError) in try FileRename.remove(path) }
    }

    /// The 32 bytes of the key file, made when there are none; two processes at once agree.
    private func ownKey() async throws(CredentialStoreError) -> Redacted<[UInt8]> {
        let path = try keyPath()
        if let key = try readFile(path), key.count == Self.keyCount { return Redacted(key) }
        let lock: FileLock
        do throws(FileSystemError) {
            lock = try await FileLock(path + ".lock", patience: .seconds(10), sleep: sleep)
        } catch { throw .file(error) }
        let key = Result { () throws(CredentialStoreError) in try makeOwnKey(path) }
        lock.release()
        return try key.get()
    }

    private func makeOwnKey(_ path: String) throws(CredentialStoreError) -> Redacted<[UInt8]> {
        if let key = try readFile(path) {
            if key.count == Self.keyCount { return Redacted(key) }
            // What it sealed is lost already; a new sign-in must not be.
            try onFiles { () throws(FileSystemError) in setAside(try FileRename.setAside(path)) }
        }
        let key = SealedEnvelope.randomBytes(Self.keyCount)
        try onFiles { () throws(FileSystemError) in
            try AtomicFile.write(key, to: path, for: .state, replacing: false)
        }
        return Redacted(key)
    }

    private func prepareFolders() throws(CredentialStoreError) {
        guard case .folder(let state) = place else { return }
        try onFiles { () throws(FileSystemError) in
            try PrivateFolder.prepare(state)
            try PrivateFolder.prepare(state + "/credentials")
        }
    }

    private func path(of key: CredentialKey) throws(CredentialStoreError) -> String {
        try folder() + "/\(key.server.text).\(key.item.rawValue).sealed"
    }

    private func keyPath() throws(CredentialStoreError) -> String { try folder() + "/key" }

    private func folder() throws(CredentialStoreError) -> String {
        switch place {
        case .folder(let path): return path + "/credentials"
        case .none(let reason): throw .unavailable(reason: reason)
        }
    }

    private func readFile(_ path: String) throws(CredentialStoreError) -> [UInt8]? {
        do throws(FileSystemError) {
            return try FileContents(path, trust: .secretState, limit: Self.sizeLimit).bytes
        } catch {
            if error.isAbsent { return nil }
            throw .file(error)
        }
    }

    private func onFiles(
        _ work: () throws(FileSystemError) -> Void
    ) throws(CredentialStoreError) {
        do throws(FileSystemError) { try work() } catch { throw .file(error) }
    }

    private func source(
        of file: [UInt8], _ path: String
    ) throws(CredentialStoreError) -> SealedEnvelope.Source {
        do throws(SealedEnvelope.Failure) {
            return try SealedEnvelope.source(of: file)
        } catch { throw Self.told(error, .keyFile, path) }
    }

    private static func told(
        _ failure: SealedEnvelope.Failure, _ source: SealedEnvelope.Source, _ path: String
    ) -> CredentialStoreError {
        switch failure {
        case .damaged: .damaged(path: path)
        case .newerVersion: .newerVersion(path: path)
        case .wrongSecret:
            source == .passphrase ? .wrongPassphrase(path: path) : .wrongKey(path: path)
        }
    }

    /// What a file is sealed for, so that files cannot be swapped.
    private static func label(_ key: CredentialKey) -> String {
        "\(key.server.text)/\(key.item.rawValue)"
    }
}
