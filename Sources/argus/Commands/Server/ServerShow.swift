import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

enum ServerShow: ArgusCommand {
    struct Options: VerbOptions {
        var name: String?
    }

    static let about = CommandInfo(
        name: "show", summary: "Show what is known about a server, and its state", effect: .reads,
        description: """
            Asks the server only what it tells anyone, without credentials. If the server does not
            answer, argus prints what it has stored, and why there is no answer.
            """,
        examples: ["argus server show home": "Everything about the server 'home'"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(ServerView.detailFields))

    static let arguments: [Argument<Options>] = [
        .optional("NAME", sets: \.name, "A server's name or id; without it, the one in use")
            .completing(.dynamic("servers"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let forPeople = try context.isForScreen() && context.globals.fields == nil
        let printer = try context.printer(
            of: forPeople ? ServerView.screenFields : ServerView.detailFields, .operands(1))
        let known = try context.knownServers()
        let inUse = try context.settings[.server]?.text
        let record = try context.knownServer(options.name ?? inUse, in: known)
        let shown = await detail(of: known.row(of: record), in: context)
        try printer.writeOnly(shown)
    }

    private static func detail(of row: ServerRow, in context: Context) async -> ServerDetail {
        var detail = ServerDetail(row: row, isReachable: false)
        do {
            let cache = context.system.connections.cache(of: row.record)
            let remembered = cache?.entry(at: context.now())
            let connector = try context.connector()
            let unverified = try attempt(connector.unverifiedServer(row.record))
            defer {
                let report = context.endpointReports.all.last
                detail.endpoint = report == nil ? unverified.endpoints?.current : report?.target
                detail.endpointReport = report
                if detail.endpointReport == nil { detail.endpointProvedAt = remembered?.provedAt }
            }
            var questions = Questions(unverified: unverified)
            detail.health = await questions.ask("ask for its health") { client throws(APIError) in
                try await client.call(AccountRoutes.health, ())
            }
            detail.isSetUp = await questions.ask("ask for its set-up") { client throws(APIError) in
                try await SignIn(client: client, sleep: context.sleep).serverHasAccount()
            }.flatMap { $0 }
            detail.version = await questions.ask("ask for its version") { client throws(APIError) in
                try await client.call(AccountRoutes.root, ()).version
            }.flatMap { $0 }
            detail.isReachable = questions.isAnswered
            detail.problem = questions.problem
        } catch {
            detail.problem = error.message
        }
        return detail
    }

    /// Several requests to one server, each of which may fail on its own.
    private struct Questions {
        /// True if the server answered anything, even with a refusal.
        private(set) var isAnswered = false
        private(set) var problem: String?
        var isCutOff = false
        let unverified: UnverifiedServer

        /// The answer; nil if it fails, or if the server was unreachable before.
        mutating func ask<Value>(
            _ doing: String, _ work: (APIClient) async throws(APIError) -> Value
        ) async -> Value? {
            guard !isCutOff else { return nil }
            do {
                let value = try await work(unverified.client)
                isAnswered = true
                return value
            } catch {
                // A server without the route has still answered.
                // A proxy may pass on the API only, and answer for the rest itself.
                isCutOff = !error.isUnsupported && !error.isForeign && error.status == nil
                isAnswered = isAnswered || error.isUnsupported || error.status != nil
                guard !error.isUnsupported else { return nil }
                let failure = await unverified.failure(error, doing: doing)
                problem = problem ?? failure.message
                return nil
            }
        }
    }
}
