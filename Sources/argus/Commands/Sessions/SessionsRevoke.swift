import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

enum SessionsRevoke: ArgusCommand {
    struct Options: VerbOptions {
        var ids: [String] = []
        var endsOthers = false
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End web sessions other than this one", effect: .deletes,
        description: """
            An ended session can no longer be renewed; the server may accept its access token for
            up to a day. argus never ends its own session: \(command: "logout") does. If the
            server does not say which one that is, type \(code: "yes") or pass \(flag: "yes").
            """,
        examples: [
            "argus sessions revoke 741663ae": "By the start of its id",
            "argus sessions revoke --others": "All but this one",
            "argus sessions revoke --others --dry-run": "Show which ones these are",
        ],
        exitStatuses: .requests(
            3, 11, ExitStatus(12, "With --others, a row of the list was malformed")),
        prints: .lists(SessionView.fields))

    static let flags: [Flag<Options>] = [
        .toggle("others", sets: \.endsOthers, "End all sessions except this one"),
        .yes(\.assumesYes), .dryRun(\.isDryRun, "ended"),
    ]

    static let arguments: [Argument<Options>] = [
        .repeated("SESSION", appends: \.ids, "A session's id, or the start of it")
            .completing(.dynamic("sessions"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth("sessions", !options.ids.isEmpty, "--others", options.endsOthers)
        if !options.endsOthers, options.ids.isEmpty {
            throw UsageError("no session given", hint: "name sessions, or use --others")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: SessionView.fields, options.endsOthers ? .list : .rows(options.ids.count))
        let server = try await context.server()
        let rows = try await server.webSessions()
        var outcome = BatchResult()
        let chosen = try await chosen(options, among: rows, &outcome)
        if !options.assumesYes, !options.isDryRun {
            try confirm(chosen, among: rows, on: server, in: context)
        }
        if options.endsOthers {
            // An unreadable row may be the very session to end.
            let gap = server.unreadableRows(rows.unreadableRows, of: ("session", "sessions"))
            outcome.record(gap: gap)
            if gap == nil, chosen.isEmpty { context.console.notice("there is no other session") }
        }
        let isDryRun = options.isDryRun
        try await context.reportEach(
            chosen, id: \.value.id, isDryRun: isDryRun, with: printer, after: outcome
        ) { session, view async throws(Failure) in
            try session.expectNotCurrent()
            if !isDryRun { try await end(session, on: server) }
            return (
                session, view, "the session \(session.id) is ended; \(StoredSession.afterlife)"
            )
        }
    }

    private static func chosen(
        _ options: Options, among rows: ListedRows<WebSession>, _ outcome: inout BatchResult
    ) async throws(Failure) -> [ListedRows<WebSession>.Element] {
        guard !options.endsOthers else { return rows.filter { $0.value.isCurrent != true } }
        let session = NamedThing(
            one: "session", several: "sessions", listHint: "'argus sessions' lists their ids")
        return try await outcome.resolve(options.ids, id: \.value.id) { word throws(Failure) in
            try NameLookup.find(word, in: Array(rows), id: \.value.id, name: { _ in nil })
                .expectOne(word, session)
        }.map(\.thing)
    }

    /// Prompts if the server does not mark the session that argus uses.
    private static func confirm(
        _ chosen: [ListedRows<WebSession>.Element], among rows: ListedRows<WebSession>,
        on server: SignedInServer, in context: Context
    ) throws(Failure) {
        let isPaired = server.record?.account?.kind == .pairing && server.isStored
        let isCurrentKnown = isPaired || rows.contains { $0.value.isCurrent == true }
        guard !isCurrentKnown, !chosen.isEmpty else { return }
        try context.console.confirm(
            "End \(chosen.count == 1 ? "it" : "all \(chosen.count)")?",
            below: ["'\(server.name)' does not report which session argus uses."],
            otherwise: "no session was ended")
    }

    private static func end(_ session: WebSession, on server: SignedInServer) async throws(Failure)
    {
        do {
            try await server.session.call(WebSessionRoutes.revoke, session.id)
        } catch {
            // An absent session has ended.
            guard error.kind != .notFound else { return }
            throw await server.failure(error, doing: "end the session")
        }
    }
}

extension StoredSession {
    /// The clause about the tokens of a sign-in that was ended on the server (docs/compatibility.md,
    /// trap 8).
    static let afterlife = "its access token may work for up to 24 hours more"
}

extension WebSession {
    fileprivate func expectNotCurrent() throws(Failure) {
        guard isCurrent == true else { return }
        throw Failure(
            .usage, "\(id) is the session of argus itself",
            hint: "'argus logout' ends it", reason: "current_session")
    }
}
