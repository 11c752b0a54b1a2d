import ArgusKit
import CommandLineKit

/// The command `argus server trust`.
enum ServerTrust: ArgusCommand {
    struct Options: Sendable, Equatable {
        var name = ""
        var fingerprint: Fingerprint?
    }

    static let about = CommandInfo(
        name: "trust", summary: "Trust the certificate that a server shows now",
        paragraphs: [
            """
            Needed when a server has a new key: argus refuses it, status 9, until somebody has \
            looked. What was trusted and what is seen are shown on the terminal, and a typed \
            \(code: "yes") replaces the one by the other; \(flag: "fingerprint") does so without a \
            terminal. Nothing is sent to the server meanwhile.
            """,
            """
            A server that a public authority vouched for so far is trusted by fingerprint only, \
            read on the server itself. With two ways, \(flag: "via") says which is meant.
            """,
        ],
        examples: [
            Example("argus server trust home", "Look at the new certificate and decide")
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [.fingerprint(\.fingerprint)]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.name, "A server's name or id").completing(.dynamic("servers"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(options.name, in: known)
        let newcomer = try context.anonymousByFirstWay(record)
        guard newcomer.way.proof != .plain else {
            throw Failure(
                .usage, "'\(record.name)' is reached by plain http, which has no certificate")
        }
        let trusted: Newcomer
        if let expected = try context.expectedFingerprint(options.fingerprint) {
            let seen = try await context.certificate(of: newcomer, showing: expected)
            trusted = context.trusting(seen, newcomer)
        } else {
            trusted = try await ask(about: newcomer, in: context)
        }
        let changed = try await context.changeServers { list throws(ServerListError) in
            // Other accounts on the same server meet the same certificate.
            for known in list.servers(at: trusted.client.address) {
                try list.change(known.id) { $0.replace(trusted.way) }
            }
            return list[record.id] ?? record
        }
        try context.report(
            ServerRow(record: changed, isDefault: record.id == known.defaultServer?.id),
            with: printer, "'\(record.name)' is trusted by the certificate that it shows now")
    }

    private static func ask(
        about newcomer: Newcomer, in context: Context
    ) async throws(Failure) -> Newcomer {
        let seen = try await context.certificate(of: newcomer)
        let vouchedFor = context.trustingAuthorities(newcomer)
        let isPublic =
            (try? await vouchedFor.client.certificate(holding: vouchedFor.client.proof)) != nil
        if newcomer.way.proof == .publicCertificate, !isPublic {
            throw Failure(
                .identity,
                "a public authority vouched for '\(newcomer.name)' so far, and none does now; "
                    + "its certificate has the SHA-256 \(seen.fingerprint)",
                hint: "read the fingerprint on the server itself and pass it with --fingerprint",
                reason: "identity_refused")
        }
        let trustedSoFar =
            switch newcomer.way.proof {
            case .pin(let pin):
                newcomer.way.fingerprint.map { "SHA-256 \($0)" } ?? "the key pin sha256/\(pin)"
            case .publicCertificate, .plain: "its publicly valid certificate"
            }
        let lines =
            ["Trusted so far: \(trustedSoFar)", "Seen now at \(newcomer.client.address):"]
            + seen.lines
            + (isPublic
                ? ["It is publicly valid for this address."]
                : ["Compare the fingerprint with the server's own, read on the server itself."])
        try context.confirm("Trust this certificate from now on? Type yes: ", below: lines)
        return isPublic ? vouchedFor : context.trusting(seen, newcomer)
    }
}
