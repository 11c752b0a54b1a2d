import ArgusAccount
import CommandLineKit

enum ServerListCommand: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the known servers", effect: .reads,
        examples: ["argus server list": "All servers, and which one is used by default"],
        exitStatuses: [0, 1, 2], prints: .lists(ServerView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .list)
        let known = try context.knownServers()
        for record in known.servers { try printer.write(known.row(of: record)) }
        try printer.finish(
            whenEmpty: "no server is known; sign in with 'argus login URL'",
            counting: ListCount(("server", "servers")))
    }
}

extension ServerList {
    func row(of record: ServerRecord) -> ServerRow {
        ServerRow(record: record, isDefault: record.id == defaultServer?.id)
    }
}

extension Argument {
    static func server(
        _ path: OptionPath<Required<String>>, _ summary: String = "A server's name or id"
    ) -> Self {
        .required("NAME", sets: path, summary).completing(.dynamic("servers"))
    }
}
