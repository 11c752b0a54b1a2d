import ArgusKit
import CommandLineKit

@testable import argus

/// The command `argus events count`.
enum EventsCount: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
    }

    static let about = CommandInfo(
        name: "count", summary: "Count events",
        description: "Every condition must hold, as for \(command: "events list").",
        examples: [
            "argus events count --type person --since today": "How many people came today"
        ],
        exitStatuses: .requests(3, 12), prints: .objects(fields))

    static let fields: [Field<Int>] = [
        Field("count", "how many events match") { .integer(Int64($0)) }
    ]

    static let flags: [Flag<Options>] = EventFilterOptions.flags(at: \Options.filter)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: fields, .operands(1))
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let cursor = EventService(session: server.session).list(
            filter, wanted: nil, notify: context.eventNotice)
        var count = 0
        while let rows = try await server.attempt("count events", await cursor.next()) {
            count += rows.count
        }
        try printer.write(count)
        try printer.finish()
        try cursor.expectNoUnreadableRows(of: server)
    }
}
