import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum AnalysisMode: String, Choice, Sendable {
    case singleFrame = "single_frame"
    case multiFrame = "multi_frame"
    case videoNative = "video_native"
}

enum EventsReanalyze: ArgusCommand {
    struct Options: VerbOptions {
        @Required var event: String
        var mode = AnalysisMode.singleFrame
    }

    static let about = CommandInfo(
        name: "reanalyze", summary: "Make the AI describe an event again", effect: .changes,
        description: """
            The new description replaces the old one. Today's server analyses an event at most
            three times an hour; multi_frame and video_native work for Protect cameras only.
            """,
        examples: ["argus events reanalyze latest": "A second look at the last event"],
        exitStatuses: .requests(3), prints: .objects(EventView.detailFields))

    static let flags: [Flag<Options>] = [
        .option("mode", value: "MODE", sets: \.mode, "What the AI looks at")
            .byDefault(Options().mode.rawValue)
    ]

    static let arguments: [Argument<Options>] = [.event(\.$event)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: EventView.detailFields, .operands(1))
        let found = try await server.event(named: options.event, to: "analyse", in: context)
        let new = try await server.attempt(
            "analyse event \(options.event.inQuotes)",
            await server.events.reanalyze(found.detail, mode: options.mode.rawValue))
        try printer.writeOnly(new.detail, raw: new.view)
    }
}
