import ArgusKit
import CommandLineKit

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
