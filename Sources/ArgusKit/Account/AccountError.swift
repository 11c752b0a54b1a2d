package import ArgusCore

/// The failure of something that is kept here: the configuration, a secret, a server's record, a
/// sign-in.
package enum AccountError: Error, Hashable, Sendable, CustomStringConvertible {
    // The config file.

    /// There is no folder for the config file, for this reason.
    case noConfigurationFolder(reason: String)
    case configurationUnreadable(FileSystemError)
    case configurationUnwritable(FileSystemError)
    /// The config file is not the TOML that argus reads; line and column are counted from 1.
    case configurationSyntax(path: String, line: Int?, column: Int?, words: String)
    /// The first unknown key or wrong value, and the number of others.
    case setting(SettingFault, others: Int = 0)

    // Secrets that the user provides.

    /// The secret from a source, such as `ARGUS_TOKEN`, a path or `standard input`, is unusable.
    case secret(_ source: String, SecretText.Fault)
    /// One level of precedence has both a token and an API key; the two sources.
    case tokenAndKey(String, String)
    /// The passphrase of the sealed files is unreadable.
    indirect case passphraseUnreadable(AccountError)
    /// There is no terminal, or prompts are forbidden; the question and the alternative.
    case noTerminal(question: String, remedy: String)
    /// The terminal was closed (Ctrl-D) before an answer.
    case nothingEntered

    // The credential store.

    /// No store is available, for example without a home folder.
    case storeUnavailable(reason: String)
    case storeFile(FileSystemError)
    /// The store is locked; argus does not prompt to unlock it.
    case storeLocked(store: String)
    /// The store did not answer in time; a retry is pointless.
    case storeSilent(store: String, reason: String)
    /// The store is unreachable or gave an invalid answer.
    case storeFailed(store: String, reason: String)
    /// The value is sealed with a passphrase, but none was given.
    case passphraseNeeded(path: String)
    /// The value is sealed with another passphrase.
    case wrongPassphrase(path: String)
    /// The value is sealed with another key than that of the key file, or the key is missing.
    case wrongKey(path: String)
    /// The value was sealed on another machine, or this machine's id has changed.
    case otherMachine(path: String)
    /// The sealed bytes were changed, truncated or swapped.
    case damaged(path: String)
    /// The stored value is not a secret of this kind.
    case senseless(store: String)
    /// The format of a sealed file is known only to a newer argus.
    case newerVersion(path: String)
    /// The value has the layout of a newer argus.
    case newerValue(store: String)

    // The records of servers.

    /// There is no state folder.
    case noStateFolder(reason: String)
    /// This user can never write to the state folder.
    case unwritableFolder(String, FileSystemError.Reason)
    case serverListFile(FileSystemError)
    /// A newer argus wrote the list of servers in an unknown layout.
    case newerServerList(path: String)
    /// Not 1 to 64 characters of `[A-Za-z0-9._-]`, or beginning with `-`.
    case invalidName(String)
    /// Another server has that name, in any case.
    case nameTaken(String)
    case unknownServer(ServerID)

    // Signing in and out, and pairing.

    /// The sign-in is stored, but its password is not.
    indirect case passwordNotStored(server: String, AccountError)
    /// The sign-in is stored, but the password of an earlier one is still stored too.
    indirect case passwordLeft(server: String, AccountError)
    /// There is no sign-in to end.
    case notSignedIn(server: String)
    /// The record could not be changed: it still has its account.
    indirect case recordLeft(server: String, hasEnded: Bool, hasSecrets: Bool, AccountError)
    /// The store did not erase the secrets; argus no longer uses them.
    indirect case secretsLeft(server: String, store: String, AccountError)
    /// No pairing waits.
    case nothingPending
    /// Pairings wait, but none with the server of this name.
    case notPending(server: String, waiting: String)
    /// Pairings with several servers wait.
    case severalPending(String)

    /// The failure in one line, without any secret.
    package var description: String {
        switch self {
        case .noConfigurationFolder(let reason): "there is no place for a configuration: \(reason)"
        case .configurationUnreadable(let error), .configurationUnwritable(let error),
            .storeFile(let error), .serverListFile(let error):
            error.description
        case .configurationSyntax(let path, let line, let column, let words):
            ([path] + [line, column].compactMap { $0.map { String($0) } }).joined(separator: ":")
                + ": \(words)"
        case .setting(let fault, others: 0): fault.description
        case .setting(let fault, let others):
            "\(fault); \(others) more \(others == 1 ? "thing" : "things") in it cannot be used"

        case .secret(let source, let fault): fault.sentence(about: source)
        case .tokenAndKey(let token, let key): "\(token) and \(key) exclude each other"
        case .passphraseUnreadable(let error): "the passphrase cannot be read: \(error)"
        case .noTerminal(let question, let remedy):
            question.hasSuffix("?")
                ? "no terminal to ask \"\(question)\"; use \(remedy)"
                : "no terminal to prompt for the \(question.prefix(1).lowercased())"
                    + "\(question.dropFirst()); use \(remedy)"
        case .nothingEntered: "nothing was entered"

        case .storeUnavailable(let reason): "credentials cannot be stored: \(reason)"
        case .storeLocked(let store): "the \(store) is locked"
        case .storeFailed(let store, let reason), .storeSilent(let store, let reason):
            "the \(store) failed: \(reason)"
        case .passphraseNeeded(let path): "'\(path)' is sealed with a passphrase"
        case .wrongPassphrase(let path): "the passphrase does not open '\(path)'"
        case .wrongKey(let path): "'\(path)' is sealed with a key that is not stored here"
        case .otherMachine(let path):
            "'\(path)' was sealed on another machine: a copied home holds no sign-in"
        case .damaged(let path): "'\(path)' is damaged, or was put there from elsewhere"
        case .senseless(let store): "the \(store) returned invalid data"
        case .newerVersion(let path), .newerServerList(let path):
            "'\(path)' was written by a newer argus"
        case .newerValue(let store): "the \(store) holds a value written by a newer argus"

        case .noStateFolder(let reason): "nothing can be stored: \(reason)"
        case .unwritableFolder(let folder, let reason):
            "nothing can be stored in '\(folder)': \(reason)"
        case .invalidName(let name):
            "\(name.inQuotes) is not a server name: use up to 64 letters, digits, '.', '_' and '-', "
                + "but no '-' first"
        case .nameTaken(let name): "there is already a server named \(name.inQuotes)"
        case .unknownServer(let id): "there is no server '\(id.text)'"

        case .passwordNotStored(let server, let error):
            "signed in to '\(server)', but the password was not stored: \(error)"
        case .passwordLeft(let server, let error):
            "signed in to '\(server)', but an earlier password is still stored: \(error)"
        case .notSignedIn(let server): "not signed in to '\(server)'"
        case .recordLeft(let server, let hasEnded, let hasSecrets, let error):
            (hasEnded ? "the server has ended the session, but " : "")
                + (hasSecrets ? "the" : "the record of the")
                + " sign-in to '\(server)' is still stored here: \(error)"
        case .secretsLeft(let server, let store, let error):
            "signed out of '\(server)', but its secrets are still in the \(store): \(error)"
        case .nothingPending: "no pairing is waiting"
        case .notPending(let server, _): "no pairing with '\(server)' is waiting"
        case .severalPending(let servers): "several pairings wait: \(servers)"
        }
    }
}

extension AccountError {
    /// True if this user may not read the config file.
    package var isForbiddenFile: Bool {
        if case .configurationUnreadable(let error) = self { error.isForbidden } else { false }
    }

    /// True if the store needs another passphrase.
    package var asksForPassphrase: Bool {
        switch self {
        case .passphraseNeeded, .wrongPassphrase: true
        default: false
        }
    }

    /// True if the stored value is unreadable for good.
    var isLoss: Bool {
        switch self {
        case .damaged, .senseless, .wrongKey, .otherMachine: true
        default: false
        }
    }

    /// True if the store may take a value a moment later.
    package var mayPass: Bool {
        switch self {
        case .storeFile(let error): error.mayPass
        case .storeFailed: true
        default: false
        }
    }

    /// True if nothing is broken and the user can remove the cause.
    package var isForUser: Bool {
        if case .storeUnavailable = self { true } else { asksForPassphrase }
    }

    /// The error for a store that accepted a value and does not return it.
    package static func loses(store: String) -> AccountError {
        .storeFailed(store: store, reason: "it returned another value than it was given")
    }
}
