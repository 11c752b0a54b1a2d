import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

/// An error of the kit that means the same to a user in every command.
protocol FailureCause: Error {
    var failure: Failure { get }
}

extension FailureCause {
    fileprivate func failed(
        _ kind: ExitKind, hint: String? = nil, reason: String? = nil
    ) -> Failure {
        Failure(kind, "\(self)", hint: hint, reason: reason)
    }
}

extension Failure {
    init(_ cause: some FailureCause) { self = cause.failure }

    init(cause error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let cause as any FailureCause: self = cause.failure
        default: self.init(.failed, "\(error)")
        }
    }

    fileprivate func withMessage(_ message: String) -> Failure {
        var failure = self
        failure.message = message
        return failure
    }

    /// Reports that a store did not erase secrets, although everything else is done.
    init(secretsLeft cause: AccountError, _ message: String, hint: String) {
        self = cause.failure
        (kind, self.message, self.hint) = (.failed, message, hint)
    }
}

extension UsageError: FailureCause {
    var failure: Failure { Failure(.usage, message, hint: hint(for: Tool.name)) }
}

// Files and output.

extension FileSystemError: FailureCause {
    var failure: Failure {
        failed(.failed, hint: reason == .exists ? "overwrite it with --force" : nil)
    }
}

extension OutputError: FailureCause {
    /// A closed stdout is a success.
    var failure: Failure {
        switch self {
        case .closedPipe: .closedPipe
        case .failed: failed(.failed, reason: Failure.stdoutReason)
        case .file(let cause): cause.failure
        case .emptyName, .binaryToTerminal: Failure(.usage, "--output: \(self)")
        case .severalToOne:
            Failure(.usage, "--output: \(self)", hint: "name a folder, with a '/' at the end")
        }
    }
}

// Watches.

extension WatchStateError: FailureCause {
    var failure: Failure {
        switch self {
        case .otherServer, .otherFilter: failed(.usage, hint: "choose another name for --state")
        case .damaged:
            failed(.failed, hint: "'argus events watch --forget NAME' removes the state")
        case .newer: failed(.failed, hint: "update argus")
        case .noFolder, .running, .file: failed(.failed)
        }
    }
}

extension HookCommandError: FailureCause {
    var failure: Failure {
        switch self {
        case .noInterpreter(let path):
            failed(.usage, hint: "run it with a shell: -- sh \(path)")
        case .notFound(let word) where word.contains(" "):
            failed(.usage, hint: "write each word by itself, without quotes: -- \(word)")
        case .notFound, .notExecutable, .interpreterNotFound: failed(.usage)
        }
    }
}

// Servers.

extension ServerError: FailureCause {
    var failure: Failure {
        switch self {
        case .account(let cause): return cause.failure
        case .endpoint(_, _, let cause): return cause.failure.withMessage("\(self)")
        case .invalidAddress, .addressMissing, .noDefault, .ambiguous, .serverNotNamed,
            .certificateNeedsTLS, .fingerprintNeedsTLS, .invalidFingerprint, .nothingNew,
            .noAddressLeft, .localAndRelay, .noRelay, .malformedHeaders, .otherRelay,
            .ambiguousHeaders:
            return failed(.usage, hint: remedy)
        case .absent(let name, let known):
            return failed(
                .notFound, hint: hint(forMistyped: name, among: known) ?? remedy,
                reason: "no_such_server")
        case .noneKnown: return failed(.notSignedIn, hint: remedy, reason: "no_server")
        case .notSignedIn: return failed(.notSignedIn, hint: remedy, reason: "no_credentials")
        case .noEndpoint: return failed(.usage, hint: remedy, reason: "no_address")
        case .noServerFound: return failed(.unreachable, hint: remedy, reason: "no_server")
        case .plainHTTP(let refusal) where refusal.isTemporary:
            return failed(.unreachable, hint: remedy, reason: Failure.unknownNetworkReason)
        case .plainHTTP, .plainRelay: return failed(.identity, hint: remedy, reason: "plain_http")
        case .otherFingerprint, .fingerprintNotFound:
            return failed(.identity, hint: remedy, reason: "fingerprint_mismatch")
        case .unknownServers: return failed(.identity, hint: remedy, reason: "unknown_server")
        case .connection, .speaksPlainHTTP: return failed(.unreachable, hint: remedy)
        }
    }

    /// The failure of a server, with both fingerprints if it is not the trusted one.
    var explained: Failure {
        get async {
            switch self {
            case .endpoint(let kind, let address, let cause):
                let failure = await cause.explained
                return failure.withMessage("\(kind.rawValue) \(address): \(failure.message)")
            case .connection(let server, let cause):
                return await server.failure(
                    APIError(.transport(cause), cause.detail), doing: "connect")
            default: return failure
            }
        }
    }
}

extension DiscoveryError: FailureCause {
    var failure: Failure { failed(.failed, hint: remedy, reason: "discovery_failed") }
}

// The configuration, secrets and sign-ins.

extension AccountError: FailureCause {
    var failure: Failure {
        switch self {
        case .setting(let fault, others: 0):
            let names = fault.isUnknown ? ConfigurationKey.names : []
            return failed(.usage, hint: hint(forMistyped: fault.name, among: names))
        case .setting: return failed(.usage, hint: "'argus config list' shows all of them")
        case .configurationUnreadable(let cause) where cause.isShortage: return failed(.failed)
        case .configurationUnreadable, .configurationSyntax: return failed(.usage)
        case .noConfigurationFolder, .configurationUnwritable: return failed(.failed)

        case .secret, .tokenAndKey, .passphraseUnreadable: return failed(.usage)
        case .noTerminal, .nothingEntered: return failed(.usage, reason: "input_needed")

        case .passphraseNeeded, .wrongPassphrase:
            return unreadable(hint: "give the file of its passphrase with --passphrase-file")
        case .wrongKey, .damaged, .senseless, .otherMachine:
            return unreadable(hint: "sign in again with 'argus login'")
        case .storeUnavailable: return store(hint: nil)
        case .storeFile(let cause): return store(hint: cause.remedy)
        case .newerVersion, .newerValue: return store(hint: "update argus")
        case .storeFailed, .storeSilent:
            return store(
                hint: "see 'argus help credentials'; --token-file and --api-key-file need no store")
        case .storeLocked:
            return failed(
                .failed,
                hint: "unlock it on the desktop; --token-file and --api-key-file need no store",
                reason: "credential_store_locked")

        case .noStateFolder, .unwritableFolder: return state(hint: nil)
        case .serverListFile(let cause): return state(hint: cause.remedy)
        case .newerServerList: return state(hint: "update argus")
        case .invalidName, .nameTaken, .unknownServer: return failed(.usage)

        case .passwordNotStored(_, let cause), .passwordLeft(_, let cause),
            .recordLeft(_, _, _, let cause):
            return cause.failure.withMessage("\(self)")
        case .secretsLeft(let server, _, let cause):
            return Failure(
                secretsLeft: cause, "\(self)",
                hint: "when that is mended: argus logout --server \(server)")
        case .notSignedIn: return failed(.notSignedIn, reason: "no_credentials")
        case .nothingPending:
            return failed(
                .notFound, hint: "start one with 'argus pair URL'", reason: "nothing_pending")
        case .notPending(_, let waiting):
            return failed(.notFound, hint: "waiting: \(waiting)", reason: "nothing_pending")
        case .severalPending: return failed(.usage, hint: "name one with --server")
        }
    }

    private func unreadable(hint: String) -> Failure {
        failed(.notSignedIn, hint: hint, reason: "credentials_unreadable")
    }

    private func store(hint: String?) -> Failure {
        failed(.failed, hint: hint, reason: "credential_store_failed")
    }

    private func state(hint: String?) -> Failure {
        failed(.failed, hint: hint, reason: "state_failed")
    }
}

// Archives.

extension ArchiveError: FailureCause {
    var failure: Failure {
        let kind: ExitKind =
            switch self {
            case .isArchive, .notEmpty, .ambiguous: .usage
            case .damaged, .notDatabase, .badMarker, .damagedEvent: .gap
            case .running: .timeout
            case .unknownServer, .noMatch, .noEvent: .notFound
            default: .failed
            }
        if case .file(let cause) = self { return cause.failure }
        return failed(kind, hint: remedy, reason: reason)
    }

    private var reason: String? {
        switch self {
        case .notArchive: "no_archive"
        case .running: "archive_in_use"
        case .damaged, .notDatabase, .badMarker, .damagedEvent: "archive_damaged"
        case .newer: "archive_newer"
        default: nil
        }
    }
}

// Case files.

extension CaseFileError: FailureCause {
    var failure: Failure {
        switch self {
        case .file(let cause): cause.failure
        case .archive(let cause): cause.failure
        case .zip, .notCaseFile:
            failed(
                .gap, hint: "get it once more from where it came from", reason: "bundle_changed")
        case .libraryMissing, .signing, .api: failed(.failed)
        }
    }
}

// Pushes.

extension DeliveryError: FailureCause {
    var failure: Failure {
        let status: ExitKind =
            switch kind {
            case .settings: .usage
            case .credentials: .notSignedIn
            case .rejected: .rejected
            case .unavailable: .serverError
            case .failed: .failed
            }
        return Failure(status, description, hint: hint)
    }
}

extension PushFieldError: FailureCause {
    var failure: Failure { Failure(.usage, "\(self)") }
}
