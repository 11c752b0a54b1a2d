import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

enum Discover: ArgusCommand {
    struct Options: VerbOptions {
        var duration = ServerConnector.searchTime
        var printsServiceFile = false
    }

    static let about = CommandInfo(
        name: "discover", summary: "Search the local network for servers", effect: .reads,
        description: """
            Asks this machine's avahi-daemon for \(code: "_argusai._tcp") and checks every address
            that it finds. Sends no credentials. Anyone can announce any name: the column KNOWN is
            filled only for servers that show the certificate you trust.

            Today's servers do not announce themselves. \(flag: "service-file") prints a file that
            makes the avahi-daemon on the server's machine do it; save it there as
            \(code: "/etc/avahi/services/argusai.service"). It is for the server in use, or for
            port 8000 if none is known.
            """,
        examples: [
            "argus discover": "List the servers on the network",
            "argus discover --for 10s --format ndjson": "Each answer as it comes",
            "argus discover --service-file > argusai.service":
                "The service file for the server's avahi-daemon",
        ],
        exitStatuses: [0, 1, 2], prints: .lists(ProbedServerView.fields))

    static let flags: [Flag<Options>] = [
        .option("for", sets: \.duration, "Search for DURATION").byDefault("3s"),
        .toggle("service-file", sets: \.printsServiceFile, "Print an Avahi service file"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        guard options.duration > .zero else { throw UsageError("--for must be more than 0") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.printsServiceFile { return try context.write(try serviceFile(in: context)) }
        let printer = try context.printer(of: ProbedServerView.fields, .list)
        let isStream = try context.format() == .ndjson
        let (connector, known) = (try context.connector(), try context.knownServers().servers)
        var failure: Failure?
        try await attempt(
            awaiting: await connector.search(for: options.duration, among: known) { found in
                do throws(Failure) {
                    try printer.write(found)
                    if isStream { try printer.endPage() }
                    return true
                } catch {
                    failure = error
                    return false
                }
            })
        if let failure { throw failure }
        try printer.finish(
            whenEmpty: "no server answered; 'argus discover --help' shows how to advertise one",
            counting: ListCount(("server", "servers")))
    }

    private static func serviceFile(in context: Context) throws(Failure) -> String {
        let known = try context.knownServers()
        let name = try context.settings[.server]?.text
        let record = name == nil ? known.defaultServer : try context.knownServer(name, in: known)
        let endpoint = record?.endpoints.first { $0.kind == .local }
        guard let endpoint, let origin = endpoint.origin else {
            return ServiceFile.text(port: 8000, usesTLS: false)
        }
        return ServiceFile.text(
            port: origin.port, usesTLS: origin.scheme == .https,
            version: record?.knowledge.serverVersion, fingerprint: endpoint.fingerprint)
    }
}
