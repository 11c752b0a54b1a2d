package import ArgusCore

/// Opens the stores that keep secrets between runs.
///
/// A store that fails is an error, never a reason to open another.
package struct CredentialStores: Sendable {
    private let folder: Paths.Folder
    private let passphrase: SealingPassphrase
    private let environment: Environment
    private let machine: @Sendable () throws(FileSystemError) -> Redacted<String>?
    private let keyring: @Sendable (Environment) -> any CredentialStore
    private let timeouts: TimeoutSkippingStore.Memory
    private let report: @Sendable (SealedFileStore.Notice) -> Void

    /// Prepares to open stores; nothing is opened yet.
    ///
    /// `place`, `passphrase`, `machine` and `report` are those of `SealedFileStore`; `keyring` makes
    /// the store of the desktop's keyring.
    package init(
        _ folder: Paths.Folder, passphrase: SealingPassphrase, environment: Environment,
        machine: @escaping @Sendable () throws(FileSystemError) -> Redacted<String>?,
        keyring: @escaping @Sendable (Environment) -> any CredentialStore,
        timeouts: TimeoutSkippingStore.Memory,
        report: @escaping @Sendable (SealedFileStore.Notice) -> Void
    ) {
        self.folder = folder
        self.passphrase = passphrase
        self.environment = environment
        self.machine = machine
        self.keyring = keyring
        self.timeouts = timeouts
        self.report = report
    }

    /// The error of an unreadable passphrase that is ignored; nil if there is none.
    package var ignoredProblem: AccountError? {
        passphrase.ignoredProblem.map(AccountError.passphraseUnreadable)
    }

    /// Opens a store.
    ///
    /// - Throws: `.passphraseUnreadable`, or `.storeFile` if the id of the machine cannot be read.
    package func open(
        _ kind: CredentialStoreKind
    ) throws(AccountError) -> any CredentialStore {
        switch kind {
        case .file: try sealedFiles()
        case .secretService: TimeoutSkippingStore(keyring(environment), timeouts)
        case .helper(let name):
            TimeoutSkippingStore(HelperStore(name, environment: environment), timeouts)
        }
    }

    /// Checks that a store answers, before using up one of the few sign-ins that servers allow.
    ///
    /// - Throws: `AccountError` of the store.
    package func expectUsable(_ kind: CredentialStoreKind) async throws(AccountError) {
        guard kind != .file else { return try sealedFiles().expectWritable() }
        _ = try await open(kind).read(CredentialKey(.random()))
    }

    private func sealedFiles() throws(AccountError) -> SealedFileStore {
        let passphrase = try rethrowing(passphrase.read(), as: AccountError.passphraseUnreadable)
        let machine = try rethrowing(machine(), as: AccountError.storeFile)
        return SealedFileStore(folder, passphrase: passphrase, machine: machine, report: report)
    }
}

/// The passphrase of the sealed files, read at most once, because a pipe can be read only once.
package struct SealingPassphrase: Sendable {
    private let credentials: CredentialOverrides
    private let lazy = Lazy<(passphrase: Redacted<[UInt8]>?, problem: AccountError?)>()
    private var isOptional = false

    /// Prepares to read the passphrase that options and the service manager name.
    package init(of credentials: CredentialOverrides) {
        self.credentials = credentials
    }

    /// This passphrase, ignored if unreadable, since erasing secrets does not open them.
    package var ignoredIfUnreadable: SealingPassphrase {
        var passphrase = self
        passphrase.isOptional = true
        return passphrase
    }

    /// The ignored error; nil if the passphrase is readable, or required.
    package var ignoredProblem: AccountError? {
        isOptional ? reading.problem : nil
    }

    /// Reads the passphrase; nil if none is named, or it is unreadable and that is ignored.
    func read() throws(AccountError) -> Redacted<[UInt8]>? {
        if let problem = reading.problem, !isOptional { throw problem }
        return reading.passphrase
    }

    private var reading: (passphrase: Redacted<[UInt8]>?, problem: AccountError?) {
        lazy.value {
            do throws(AccountError) {
                return (try credentials.passphrase(), nil)
            } catch {
                return (nil, error)
            }
        }
    }
}
