import Glibc

/// Secrets in sealed files, `credentials/SERVER.ITEM.sealed` in the state folder.
///
/// One file for each secret: replacing one never rewrites another, and a damaged one costs one
/// sign-in. The key is derived from the random key file beside them and the id of the machine or,
/// where a passphrase is given, from that. Sealing so guards copies of single files, backups and
/// copied homes; it does not guard against who reads the folder on the machine itself.
///
/// Files that were sealed without the machine's id, by an earlier argus or where there was none, go
/// on being read, and are bound at the next write: setting them aside would cost every user a
/// sign-in to gain what the next renewal brings within a day.
package final class SealedFileStore: CredentialStore {
    package var name: String { CredentialStoreKind.file.name }

    /// How the names of sealed files end.
    static let suffix = ".sealed"

    private static let sizeLimit = 1 << 20
    private static let keyCount = 32

    private let place: Paths.Place
    private let passphrase: Redacted<[UInt8]>?
    private let machine: Redacted<String>?
    private let sleep: FileLock.Sleep
    private let report: @Sendable (Notice) -> Void

    /// Something that the person should be told, although the work goes on.
    package enum Notice: Hashable, Sendable {
        /// The damaged key file now has this name.
        case keySetAside(path: String)
        /// A secret was sealed with nothing of this machine, which has no id.
        case notBound
    }

    /// Makes a store in the given state folder, which is made at the first write.
    ///
    /// - Parameters:
    ///   - place: The state folder, `Paths.state`.
    ///   - passphrase: What to seal with and to open with, where the files are sealed so.
    ///   - machine: The id of the machine that the key is bound to, `MachineID.current`; nil binds
    ///     it to none.
    ///   - sleep: Waits between two tries to take the lock.
    ///   - report: Receives what the person should be told.
    package init(
        _ place: Paths.Place, passphrase: Redacted<[UInt8]>? = nil, machine: Redacted<String>?,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (Notice) -> Void
    ) {
        self.place = place
        self.passphrase = passphrase
        self.machine = machine
        self.sleep = sleep
        self.report = report
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
        case .keyFile, .keyFileHere:
            guard let own = try readFile(try keyPath()) else { throw .wrongKey(path: path) }
            guard own.count == Self.keyCount else { throw .damaged(path: try keyPath()) }
            if source == .keyFile {
                secret = .keyFile(Redacted(own))
            } else {
                guard let machine else { throw .otherMachine(path: path) }
                secret = .keyFileHere(Redacted(own), machine: machine)
            }
        }
        do throws(SealedEnvelope.Failure) {
            return try SealedEnvelope.open(file, for: Self.label(key), with: secret)
        } catch { throw Self.reported(error, source, path) }
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
            let own = try await ownKey()
            secret = machine.map { .keyFileHere(own, machine: $0) } ?? .keyFile(own)
            if machine == nil { report(.notBound) }
        }
        let bytes = SealedEnvelope.seal(value, for: Self.label(key), with: secret)
        try onFiles { () throws(FileSystemError) in
            try AtomicFile.write(bytes, to: path, for: .state, replacing: true)
        }
        AbandonedFiles.sweep(try folder())
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        guard case .folder = place else { return }
        let path = try path(of: key)
        try onFiles { () throws(FileSystemError) in try FileRename.remove(path) }
        // What a process was killed with is a secret too.
        AbandonedFiles.sweep(try folder())
    }

    /// Makes sure that a secret can be written.
    package func expectWritable() throws(CredentialStoreError) {
        try prepareFolders()
        let folder = try folder()
        try onFiles { () throws(FileSystemError) in try PrivateFolder.expectWritable(folder) }
    }

    /// The 32 bytes of the key file, made when there are none; two processes at once agree.
    private func ownKey() async throws(CredentialStoreError) -> Redacted<[UInt8]> {
        let path = try keyPath()
        if let key = try readFile(path), key.count == Self.keyCount { return Redacted(key) }
        let lock: FileLock
        do throws(FileSystemError) {
            lock = try await FileLock(path + ".lock", timeout: .seconds(10), sleep: sleep)
        } catch { throw .file(error) }
        let key = Result { () throws(CredentialStoreError) in try makeOwnKey(path) }
        lock.release()
        return try key.get()
    }

    private func makeOwnKey(_ path: String) throws(CredentialStoreError) -> Redacted<[UInt8]> {
        if let key = try readFile(path) {
            if key.count == Self.keyCount { return Redacted(key) }
            // What it sealed is lost already; a new sign-in must not be.
            try onFiles { () throws(FileSystemError) in
                report(.keySetAside(path: try FileRename.setAside(path)))
            }
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
            try PrivateFolder.prepare(Self.folder(in: state))
        }
    }

    private func path(of key: CredentialKey) throws(CredentialStoreError) -> String {
        try folder() + "/\(key.server.text).\(key.item.rawValue)" + Self.suffix
    }

    private func keyPath() throws(CredentialStoreError) -> String { try folder() + "/key" }

    /// The folder of sealed files in a state folder.
    static func folder(in state: String) -> String { state + "/credentials" }

    private func folder() throws(CredentialStoreError) -> String {
        switch place {
        case .folder(let state): return Self.folder(in: state)
        case .none(let reason): throw .unavailable(reason: reason)
        }
    }

    private func readFile(_ path: String) throws(CredentialStoreError) -> [UInt8]? {
        do throws(FileSystemError) {
            // Who may write the folder above could put another one in its place.
            if case .folder(let state) = place { try PrivateFolder.expectTrusted(state) }
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
        } catch { throw Self.reported(error, .keyFile, path) }
    }

    private static func reported(
        _ failure: SealedEnvelope.Failure, _ source: SealedEnvelope.Source, _ path: String
    ) -> CredentialStoreError {
        switch failure {
        case .damaged: .damaged(path: path)
        case .newerVersion: .newerVersion(path: path)
        case .wrongSecret:
            switch source {
            case .passphrase: .wrongPassphrase(path: path)
            case .keyFile: .wrongKey(path: path)
            case .keyFileHere: .otherMachine(path: path)
            }
        }
    }

    /// What a file is sealed for, so that files cannot be swapped.
    private static func label(_ key: CredentialKey) -> String {
        "\(key.server.text)/\(key.item.rawValue)"
    }
}
