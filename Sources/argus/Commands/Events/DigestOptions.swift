import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

/// The options of the digests of a server and of an archive.
struct DigestOptions: OptionGroup, Equatable {
    var filter = EventFilterOptions()
    var page: String?
    var isMail = false
    var recipients: [MailAddress] = []

    static let own: [Flag<DigestOptions>] =
        [
            .file("html", sets: \.page, "Write a page of HTML to FILE, or to stdout (-)"),
            .toggle("mail", sets: \.isMail, "Print a message for 'sendmail -t'"),
            .repeatable(
                "to", appends: \.recipients, "Address the message to ADDRESS, not to this user"),
            rule.at(\DigestOptions.filter),
        ]
        + EventFilterOptions.own.filter { $0.info.long != rule.info.long }
        .map { $0.at(\DigestOptions.filter) }

    /// The option by which other verbs choose events; a digest counts them all.
    private static let rule: Flag<EventFilterOptions> = .repeatable(
        "rule", appends: \.rules, "Count the alarms of these alert rules",
        details: [
            """
            A name or an id of \(code: "argus rules list"), or \(code: "all"). argus applies the \
            rules itself, without their cooldowns.
            """
        ]
    ).withBlanks()

    /// - Throws: `UsageError` for options that do not fit.
    func validate() throws(UsageError) {
        try UsageError.rejectBoth("--html", page != nil, "--mail", isMail)
        if !recipients.isEmpty, !isMail { throw UsageError("--to needs --mail") }
    }

    /// The span of the digest, which ends now at the latest: yesterday, unless options say otherwise.
    /// - Throws: `Failure` 2 for one without a beginning, or one that is to come.
    func span(in context: Context) throws(Failure) -> ClosedRange<Timestamp> {
        let now = context.now()
        guard filter.time != EventTimeOptions() else {
            return NamedPeriod.yesterday.range(on: try LocalCalendar(of: context))
        }
        let (since, until) = try filter.time.resolve(in: context)
        guard let since else {
            throw Failure(.usage, "a digest needs a beginning", hint: "add --since")
        }
        guard since <= now else { throw Failure(.usage, "the digest would begin in the future") }
        return since...max(since, min(until ?? now, now))
    }
}

/// An address of mail, or the name of a user.
struct MailAddress: ArgumentValue, Equatable {
    static var placeholder: String { "ADDRESS" }

    var text: String

    init(argument: String) throws(ValueError) {
        guard DigestMail.isAddress(argument) else {
            throw ValueError("is not an address such as ann@example.org")
        }
        text = argument
    }
}

/// The form in which a digest is printed.
struct DigestOutput {
    /// The width of a text that is no terminal's.
    private static let width = 78

    private let context: Context
    private let options: DigestOptions
    /// The printer for programs; nil for a text.
    private let printer: Printer<Digest>?
    /// The addresses of a mail.
    private let recipients: [String]

    /// Prepares to print, before anything is read.
    /// - Throws: `Failure` 2 for options that do not fit.
    init(_ options: DigestOptions, in context: Context) throws(Failure) {
        (self.options, self.context) = (options, context)
        _ = try options.span(in: context)
        let isText = try context.format() == .table && context.globals.fields == nil
        guard isText || options.page == nil && !options.isMail else {
            throw Failure(.usage, "--html and --mail have no --format and no --fields")
        }
        recipients = options.isMail ? try Self.recipients(options, in: context) : []
        printer = isText ? nil : try context.printer(of: DigestView.fields, .operands(1))
    }

    /// Prints a digest; `images` fetches its pictures, if they are needed.
    func write(
        _ digest: Digest, images: (Digest) async throws(Failure) -> DigestImages
    ) async throws(Failure) {
        if let printer { return try printer.writeOnly(digest) }
        if let path = options.page {
            return try context.write(
                DigestPage(digest, try await images(digest)).utf8, toFile: path)
        }
        if options.isMail {
            let mail = DigestMail(
                digest, try await images(digest), to: recipients, at: context.now())
            return try context.write(String(decoding: mail.utf8, as: UTF8.self))
        }
        let terminal = context.terminal
        let text = DigestText(
            digest, width: terminal.isOutputTerminal ? terminal.width : Self.width,
            style: terminal.style)
        try context.writePaged(text.text)
    }

    /// The given addresses, else the name of this user.
    private static func recipients(
        _ options: DigestOptions, in context: Context
    ) throws(Failure) -> [String] {
        guard options.recipients.isEmpty else { return options.recipients.map(\.text) }
        let environment = context.system.environment
        let names = [
            environment["LOGNAME"], environment["USER"], Paths.userFromUserDatabase(),
        ].compactMap(\.self)
        guard let name = names.first(where: DigestMail.isAddress) else {
            throw Failure(.usage, "nobody to send a mail to", hint: "name an address with --to")
        }
        return [name]
    }
}
