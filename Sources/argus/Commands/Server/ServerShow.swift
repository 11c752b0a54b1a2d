import ArgusKit
import CommandLineKit

/// The command `argus server show`.
enum ServerShow: ArgusCommand {
    struct Options: Sendable, Equatable {
        var name: String?
    }

    static let about = CommandInfo(
        name: "show", summary: "Show what is known of a server, and ask how it is",
        paragraphs: [
            """
            Nothing secret is sent: the server is asked what it tells anybody. A server that does \
            not answer is shown all the same, with the reason.
            """
        ],
        examples: [Example("argus server show home", "Everything about the server 'home'")],
        exitStatuses: [0, 1, 2, 3], fields: ServerView.detailFields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [
        .optional("NAME", sets: \.name, "A server's name or id; without it, the one in use")
            .completing(.dynamic("servers"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.detailFields, .operands(1))
        let known = try context.knownServers()
        let inUse = try context.serverName()?.text
        let record = try context.knownServer(options.name ?? inUse, in: known)
        let row = ServerRow(record: record, isDefault: record.id == known.defaultServer?.id)
        let shown = await detail(of: row, in: context)
        try printer.write(shown)
        try printer.finish()
    }

    private static func detail(of row: ServerRow, in context: Context) async -> ServerDetail {
        var detail = ServerDetail(row: row, isReachable: false)
        do throws(Failure) {
            let remembered = context.memory(of: row.record)?.entry(at: context.now())
            let newcomer = try context.anonymous(row.record)
            defer {
                let report = context.wayReports.all.last
                detail.way = report == nil ? newcomer.ways?.current : report?.target
                detail.wayReport = report
                if detail.wayReport == nil { detail.wayProvedAt = remembered?.provedAt }
            }
            detail.health = try await newcomer.attempt("ask for its health") {
                () async throws(APIError) in
                try await newcomer.client.call(AccountRoutes.health, ())
            }
            detail.isReachable = true
            detail.isSetUp = try await newcomer.attempt("ask for its set-up") {
                () async throws(APIError) in
                try await SignIn(client: newcomer.client, sleep: context.sleep).isSetUp()
            }
            detail.version = try await newcomer.attempt("ask for its version") {
                () async throws(APIError) in
                try await newcomer.client.call(AccountRoutes.root, ()).version
            }
        } catch {
            // A server that has no such route has answered all the same.
            if error.kind == .unsupported { detail.isReachable = true }
            if !detail.isReachable { detail.problem = error.message }
        }
        return detail
    }
}
