/// A kind of credential store, as users name it.
package enum CredentialStoreKind: Hashable, Sendable {
    /// Sealed files in the state folder.
    case file
    /// The desktop's keyring (the Secret Service of freedesktop.org).
    case secretService
    /// The program `argus-credential-NAME`.
    case helper(String)

    /// Parses `file`, `secret-service` or `helper:NAME`; nil for anything else, never a default.
    package init?(_ text: String) {
        switch text {
        case "file": self = .file
        case "secret-service": self = .secretService
        default:
            // The name becomes part of a program's name: neither a path nor an option.
            let name = String(text.dropFirst(7))
            guard text.hasPrefix("helper:"), name.utf8.count <= 64, Alias.isName(name) else {
                return nil
            }
            self = .helper(name)
        }
    }

    /// The name in state files, options and variables.
    package var text: String {
        switch self {
        case .file: "file"
        case .secretService: "secret-service"
        case .helper(let name): "helper:\(name)"
        }
    }

    /// The place of its secrets in words.
    package var place: String {
        switch self {
        case .file: "in an encrypted file of this machine"
        case .secretService: "in the desktop's keyring"
        case .helper(let name): "kept by the credential helper '\(name)'"
        }
    }

    /// The name in a sentence, as `whoami` prints it.
    package var name: String {
        switch self {
        case .file: "sealed file"
        case .secretService: "Secret Service"
        case .helper(let name): "credential helper '\(name)'"
        }
    }
}
