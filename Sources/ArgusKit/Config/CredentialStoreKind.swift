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
            guard text.hasPrefix("helper:"), let name = Self.helperName(text.dropFirst(7)) else {
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

    /// The name in a sentence, as `whoami` prints it.
    package var name: String {
        switch self {
        case .file: "sealed file"
        case .secretService: "Secret Service"
        case .helper(let name): "credential helper '\(name)'"
        }
    }

    /// A name usable as part of a program's name: neither a path nor an option.
    private static func helperName(_ text: Substring) -> String? {
        let isName =
            text.first.map { ("a"..."z").contains($0) } == true && text.utf8.count <= 64
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
        return isName ? String(text) : nil
    }
}
