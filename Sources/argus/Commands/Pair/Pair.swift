import ArgusAccount
import ArgusCore
import ArgusTransport
package import CommandLineKit

enum Pair: ArgusCommand {
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

        /// The argument that is a code: after a bare `--code`, one that is not an address.
        var codeWord: String? {
            code == .elsewhere ? words.first { !isAddress($0) } : nil
        }

        var addresses: [String] {
            code == .elsewhere ? words.filter(isAddress) : words
        }

        private func isAddress(_ word: String) -> Bool {
            word.contains { marksOfAddresses.contains($0) }
        }
    }

    /// The characters of which an address has one, and neither a verb nor a code has any.
    static let marksOfAddresses: [Character] = [":", "."]

    static let about = CommandInfo(
        name: "pair", summary: "Sign in as a device, without a password", effect: .changes,
        description: """
            Shows a code. A signed-in user confirms it in the server's dashboard or with
            \(command: "pair confirm"); argus then stores the device's tokens and renews them.
            argus waits until the code expires. Ctrl-C stops only the waiting:
            \(command: "pair resume") goes on, as it does after \(flag: "no-wait").
            \(flag: "keep-alive") works as for \(command: "login").

            \(flag: "code") is for a code that the dashboard shows: 6 digits or, on some servers,
            6 letters and digits. Write \(code: "--code=CODE"), or \(flag: "code") alone to be
            asked for it. \(flag: "link") is for a pairing link, which has address, code and
            fingerprint; \(flag: "fingerprint") completes one without.

            The server must prove its identity before argus sends anything, as for
            \(command: "login"); see \(topic: "servers"). It learns the device's name and id, and
            the machine's model.

            The states are \(code: "waiting"), \(code: "confirmed"), \(code: "paired"),
            \(code: "rejected") and \(code: "expired"). \(code: "--format ndjson") prints each as
            it comes, \(code: "--json") the last.
            """,
        examples: [
            "argus pair https://home.example": "Show a code and wait",
            "argus pair https://home.example --code=482913": "Use the dashboard's code",
            "argus pair --link - < link": "Use a pairing link without showing it",
            "argus pair https://home.example --no-wait && argus pair resume":
                "Show the code now, wait later",
        ],
        exitStatuses: .requests(
            3, ExitStatus(13, "Nobody confirmed the code in time")),
        prints: .objects(PairingView.fields))

    static let flags: [Flag<Options>] = [
        .option("link", value: "LINK", sets: \.link, "Use a pairing link; - reads it from stdin")
            .sensitive(),
        .optionalValue(
            "code", value: "CODE", sets: \.code, bare: .elsewhere,
            "Exchange the code that the dashboard shows"
        ).sensitive(),
        .option("device-name", sets: \.deviceName, "Call this device NAME on the server"),
        .option(
            "platform", value: "OS", sets: \.platform, "The kind of device for the server",
            details: ["Servers know only these two."]
        ).byDefault("ios"),
        .shorthand("no-wait", sets: \.waits, to: false, "Show the code and do not wait"),
        .option("name", value: "NAME", sets: \.name, "Store the server under NAME"),
        .keepAlive(\.keepsAlive),
        .toggle("insecure-http", sets: \.allowsInsecure, "Allow plain http to this server"),
        .fingerprint(\.fingerprint),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("URL", sets: \.first, "The server's address, such as https://home.example")
            .sensitive(),
        .optional("CODE", sets: \.second, "With --code: the code that the dashboard shows")
            .sensitive(),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.addresses.count > 1 || (options.second != nil && options.code != .elsewhere) {
            throw UsageError("too many arguments")
        }
        if let word = options.codeWord, PairingCode(typed: word) == nil {
            throw UsageError("--code: the value \(PairingCode.fault)")
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

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PairingView.fields, .operands(1))
        let link = try readLink(options.link, in: context)
        let word = options.codeWord.flatMap(PairingCode.init(typed:))
        if options.code == .elsewhere, word == nil {
            try context.console.expectTerminal(for: question, otherwise: codeOption)
        }
        let fingerprint = try fingerprint(of: link, options)
        try await attempt(awaiting: await context.signInTransaction().expectStorable())
        let target = SignInTarget(
            url: link?.address ?? options.addresses.first, name: options.name,
            allowsPlainHTTP: options.allowsInsecure, command: about.name)
        let unverified = try await ServerPrompts(context).server(
            for: target, fingerprint: fingerprint)
        let run = try PairingRun(
            with: unverified, printer, keepsAlive: options.keepsAlive, in: context)
        let device = device(options, for: unverified.name, in: context)
        switch options.code {
        case .given(let code)?: try await run.redeem(code, by: device)
        case .elsewhere?:
            if let word { return try await run.redeem(word, by: device) }
            try await run.redeem(try ask(in: context), by: device)
        case nil:
            if let link { return try await run.redeem(link.code, by: device) }
            try await run.start(device, waits: options.waits)
        }
    }

    private static func device(
        _ options: Options, for server: String, in context: Context
    ) -> PairingDevice {
        let identity = context.system.device()
        return PairingDevice(
            hardwareID: context.pairingID(of: server),
            name: options.deviceName?.text ?? "argus on \(identity.name)", model: identity.model,
            platform: options.platform)
    }

    private static func fingerprint(
        of link: PairingLink?, _ options: Options
    ) throws(Failure) -> CertificateFingerprint? {
        let fingerprint = link?.fingerprint ?? options.fingerprint
        if let given = options.fingerprint, given != fingerprint {
            throw Failure(
                .usage, "--fingerprint differs from the fingerprint in the link",
                hint: "nothing was sent; compare both with the server's own fingerprint")
        }
        return fingerprint
    }

    private static func readLink(
        _ word: String?, in context: Context
    ) throws(Failure) -> PairingLink? {
        guard let word else { return nil }
        let text = word == "-" ? try context.console.secretFromStdin(.anyText).reveal() : word
        return try attempt(PairingLink(text)) { error in
            Failure(
                .usage, "--link: \(error)",
                hint: "such as 'argusai://pair?code=…&url=https://…&fp=sha256:…'")
        }
    }

    private static let question = "Code that the dashboard shows"
    private static let codeOption = "--code=CODE"

    private static func ask(in context: Context) throws(Failure) -> PairingCode {
        let answer = try context.console.ask(question + ": ", otherwise: codeOption)
        guard let code = PairingCode(typed: answer) else {
            throw Failure(.usage, "the code \(PairingCode.fault)", hint: "nothing was sent")
        }
        return code
    }
}

extension PairingCode: ArgumentValue {
    package init(argument: String) throws(ValueError) {
        guard let code = PairingCode(typed: argument) else { throw ValueError(PairingCode.fault) }
        self = code
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
        guard let code = PairingCode(typed: joined()) else {
            throw UsageError("CODE: the value \(PairingCode.fault)")
        }
        return code
    }
}

extension PairingDevice.Platform: Choice {}
