import ArgusKit
package import CommandLineKit

extension PairingCode: ArgumentValue {
    package init(argument: String) throws(ValueError) {
        do { self = try PairingCode(typed: argument) } catch { throw ValueError("\(error)") }
    }
}

extension Argument {
    static func code(_ path: OptionPath<[String]>) -> Self {
        .repeated("CODE", atLeast: 1, appends: path, "The code that the device shows").sensitive()
    }
}

extension [String] {
    /// The code in these words, perhaps typed in groups.
    func pairingCode() throws(UsageError) -> PairingCode {
        do { return try PairingCode(typed: joined()) } catch {
            throw UsageError("CODE: the value \(error)")
        }
    }
}

extension PairingDevice.Platform: Choice {}

extension Pair {
    struct Options: VerbOptions {
        /// The source of a dashboard's code.
        enum Code: Sendable, Equatable, ArgumentValue {
            /// The operand after a bare `--code`, or the terminal.
            case elsewhere
            case given(PairingCode)

            init(argument: String) throws(ValueError) {
                self = .given(try PairingCode(argument: argument))
            }
        }

        var first: String?
        var second: String?
        var link: String?
        var code: Code?
        var deviceName: LimitedName<100>?
        var platform = PairingDevice.Platform.ios
        var waits = true
        var name: String?
        var fingerprint: CertificateFingerprint?
        var allowsInsecure = false
        var keepsAlive = false

        /// The operands: addresses, and the code after a bare `--code`.
        private var words: [String] { [first, second].compactMap { $0 } }

        /// The argument that is a code: after a bare `--code`, one that is not a URL.
        var codeWord: String? {
            code == .elsewhere ? words.first { !$0.holdsScheme } : nil
        }

        var addresses: [String] {
            code == .elsewhere ? words.filter(\.holdsScheme) : words
        }
    }

    static func validate(_ options: Options) throws(UsageError) {
        if options.addresses.count > 1 || (options.second != nil && options.code != .elsewhere) {
            throw UsageError("too many arguments")
        }
        if let word = options.codeWord {
            do {
                _ = try PairingCode(argument: word)
            } catch {
                throw UsageError("--code: the value \(error.reason)")
            }
        }
        if options.link != nil {
            if !options.addresses.isEmpty { throw UsageError("give a URL or --link, not both") }
            if options.code != nil { throw UsageError("give --code or --link, not both") }
        }
        if !options.waits, options.keepsAlive {
            throw UsageError("use --keep-alive with 'argus pair resume' instead")
        }
        if !options.waits, options.link != nil || options.code != nil {
            throw UsageError("--no-wait works only for a code that argus shows")
        }
    }
}

extension String {
    /// True if it looks like a URL.
    fileprivate var holdsScheme: Bool { indices.contains { self[$0...].hasPrefix("://") } }
}
