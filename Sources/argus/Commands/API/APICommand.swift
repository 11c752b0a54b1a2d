import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusTransport
import CommandLineKit

enum APICommand: ArgusCommand {
    struct Options: VerbOptions {
        /// The method, the path if it is the only operand, or the text to search routes for.
        var first: String?
        var second: String?
        var fields: [APIField] = []
        /// The fields of `-f`, appended to `fields` as text.
        var textFields: [APITextField] {
            get { [] }
            set { fields += newValue.map(\.field) }
        }
        var input: String?
        var headers: [APIHeader] = []
        var paginates = false
        var showsHead = false
        var listsRoutes = false
    }

    static let about = CommandInfo(
        name: "api", summary: "Send any request with your credentials", effect: .deletes,
        description: """
            \(value: "PATH") is relative to \(code: "/api/v1/") unless it begins with
            \(code: "/"). \(value: "METHOD") is GET, or POST if there are fields or an input.
            Fields become the query of a GET, else a JSON object; \(code: "a[b]=1") nests and
            \(code: "a[]=1") appends to a list.

            Prints the answer unchanged, also if it is an error; the message goes to stderr.
            \(flag: "json") insists on JSON. \(code: "--format ndjson") prints an element of a
            list on each line; csv and tsv print it as a row, with the columns of
            \(flag: "fields") or those of the first page. Header fields that hold credentials,
            such as Set-Cookie, are printed without their value. Binary data never goes to a
            terminal.

            \(flag: "paginate") reads all pages and prints them as one list. Elements whose id was
            on an earlier page are left out (argus compares the last 100,000 ids).

            An answer that goes unchanged to a pipe or a file may have any size; with a format or
            \(flag: "paginate"), limits apply. \(flag: "list") lists the server's routes, or those
            with \(value: "METHOD") in their path or summary.
            """,
        examples: [
            "argus api system/storage": "How much room is left",
            "argus api --paginate 'events?limit=500' --format ndjson": "All events",
            "argus api --paginate 'notifications?limit=100' --format csv --fields id,rule_name":
                "Two columns for a spreadsheet",
            "argus api PATCH notifications/mark-all-read": "Change something",
            "argus api api-keys -f name=script -f 'scopes[]=read:events'": "A POST with fields",
            "argus api --list rules": "The routes about rules",
        ],
        exitStatuses: .requests(3, 11), prints: .lists(RouteView.fields))

    static let flags: [Flag<Options>] = [
        .repeatable(
            "raw-field", short: "f", value: "K=V", appends: \.textFields, "Send a field as text"),
        .repeatable(
            "field", short: "F", value: "K=V", appends: \.fields,
            "Send a typed field: true, false, null, a number, @FILE"),
        .file("input", sets: \.input, "Send FILE as the body; - is stdin"),
        .repeatable("header", short: "H", value: "N: V", appends: \.headers, "Send a header field"),
        .toggle("paginate", sets: \.paginates, "Fetch all pages of a list"),
        .toggle("include", short: "i", sets: \.showsHead, "Print status and header fields too"),
        .toggle("list", sets: \.listsRoutes, "List the server's routes"),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("METHOD", sets: \.first, "GET, HEAD, POST, PUT, PATCH or DELETE")
            .completing(.dynamic("calls")),
        .optional("PATH", sets: \.second, "A path such as events or /api/v1/events")
            .completing(.dynamic("routes")),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.listsRoutes {
            if options.second != nil { throw UsageError("--list takes one word") }
            return
        }
        guard let first = options.first else { throw UsageError("missing PATH") }
        if options.second == nil, HTTPRequest.Method(rawValue: first) != nil {
            throw UsageError("missing PATH", hint: "argus api \(first) events")
        }
        if options.second != nil, method(options) == nil {
            throw UsageError("METHOD must be GET, HEAD, POST, PUT, PATCH or DELETE")
        }
        if options.paginates, let method = method(options), method != .get {
            throw UsageError("--paginate is for GET")
        }
        let readers = options.fields.count { $0.file == "-" } + (options.input == "-" ? 1 : 0)
        if readers > 1 { throw UsageError("stdin can be read only once") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.listsRoutes { return try await list(options.first, in: context) }
        let format = try format(in: context)
        let columns = context.globals.fields?.values
        if columns != nil, format == .json || format == .ndjson {
            throw Failure(
                .usage, "with api, --fields is for csv, tsv and tables",
                hint: "select members of JSON with jq")
        }
        let fields = try options.readFields()
        let body = try options.input.map { (file) throws(Failure) in try Options.bytes(of: file) }
        let server = try await context.server()
        let request = try request(options, fields, body, to: server)
        let call = APICall(
            server: server, context: context, format: format, columns: columns,
            showsHead: options.showsHead)
        if options.paginates {
            try await call.printPages(request)
        } else {
            try await call.printAnswer(request)
        }
    }

    private static func request(
        _ options: Options, _ fields: RawFields, _ body: [UInt8]?, to server: SignedInServer
    ) throws(Failure) -> RawRequest {
        let path = options.second ?? options.first ?? ""
        guard let target = RawRequest.target(path, at: server.session.client.address) else {
            throw Failure(
                .usage, "the path leads to another server than '\(server.name)'",
                hint: "nothing was sent; give a path such as /api/v1/events")
        }
        let hasBody = body != nil || !fields.isEmpty
        var request = RawRequest(
            method(options) ?? (hasBody && !options.paginates ? .post : .get), target)
        request.headers = options.headers.filter { !$0.isContentType }.map {
            HTTPHeader($0.name, $0.value)
        }
        let type = options.headers.last(where: \.isContentType)?.value ?? "application/json"
        if let body {
            request.body = .init(bytes: body, contentType: type)
            request.addQuery(fields.query)
        } else if request.method == .get || request.method == .head {
            request.addQuery(fields.query)
        } else if !fields.isEmpty {
            request.body = .init(bytes: fields.json, contentType: type)
        }
        return request
    }

    /// The requested format; the configuration applies to argus's own objects, not to the server's.
    private static func format(in context: Context) throws(Failure) -> OutputFormat {
        if case .configuration = try context.settings[.format]?.origin {
            return .table
        }
        return try context.format()
    }

    /// The named method; nil if the only operand is the path.
    private static func method(_ options: Options) -> HTTPRequest.Method? {
        options.second == nil
            ? nil : options.first.flatMap { HTTPRequest.Method(rawValue: $0.uppercased()) }
    }

    private static func list(_ word: String?, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: RouteView.fields, .list)
        let routes = try await server.attempt("list its routes", await routes(of: server))
        context.cache(for: server)?.remember(routes: routes)
        for route in routes where word.map(route.mentions) ?? true { try printer.write(route) }
        try printer.finish(
            whenEmpty: "no route matches", counting: ListCount(("route", "routes")))
    }

    private static func routes(
        of server: SignedInServer
    ) async throws(APIError) -> [ServerRoutes.Entry] {
        do {
            return try await server.session.call(ServerRoutes.list, ())
        } catch  where error.kind == .notFound {
            throw APIError(.unsupported(ServerRoutes.list.feature), status: error.status)
        }
    }
}
