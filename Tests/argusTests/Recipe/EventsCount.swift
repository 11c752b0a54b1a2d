import ArgusCore
import ArgusEvents
import CommandLineKit

@testable import argus

enum EventsCount: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
    }

    static let about = CommandInfo(
        name: "count", summary: "Count events", effect: .reads,
        description: "Every condition must hold, as for \(command: "events list").",
        examples: [
            "argus events count --type person --since today": "How many people came today"
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .objects(fields))

    static let fields: [Field<Int>] = [
        .column("count", "how many events match") { $0 }
    ]

    static let flags: [Flag<Options>] = EventFilterOptions.flags(at: \Options.filter)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: fields, .operands(1))
        let filter = try await options.filter.resolve(with: server, in: context)
        let cursor = server.events.list(filter, wanted: nil, notify: context.console.eventNotice)
        var count = 0
        while let rows = try await server.attempt("count events", await cursor.next()) {
            count += rows.count
        }
        try printer.writeOnly(count)
        try cursor.expectComplete(on: server)
    }
}
