import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum EventRating: String, Choice, Sendable {
    case helpful
    case notHelpful = "not_helpful"
}

enum EventsFeedback: ArgusCommand {
    struct Options: VerbOptions {
        @Required var event: String
        @Required var rating: EventRating
        var correction: String?
        var queueing = QueueingOptions()
    }

    static let about = CommandInfo(
        name: "feedback", summary: "Rate the description of an event", effect: .changes,
        description: "Replaces your earlier rating.",
        examples: [
            "argus events feedback latest helpful": "It was right",
            "argus events feedback latest not_helpful --correction 'That was the neighbour'":
                "It was not, and what it was",
        ],
        exitStatuses: .requests(3), prints: .objects(GivenFeedback.fields.queueable()))

    static let flags: [Flag<Options>] =
        [
            .option(
                "correction", value: "TEXT", sets: \.correction,
                "The description that would be right")
        ] + QueueingOptions.flags(at: \Options.queueing)

    static let arguments: [Argument<Options>] = [
        .event(\.$event), .required("RATING", sets: \.$rating, "Either helpful or not_helpful"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        // The bound of today's server; its own answer would be a 422.
        if options.correction?.unicodeScalars.count ?? 0 > 500 {
            throw UsageError("--correction is longer than 500 characters")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: GivenFeedback.fields.queueable(), .operands(1))
        let (row, _, sentence) = try await context.write(options.queueing, on: server) {
            context.cache(for: server)?.eventID(options.event).map { draft(options, of: $0) }
        } _: { (plan) async throws(Failure) in
            let id = try await server.event(named: options.event, to: "rate", in: context)
                .detail.event.id
            try plan(draft(options, of: id))
            let feedback = try await server.attempt(
                "rate event \(options.event.inQuotes)",
                await call(options, of: id).perform(
                    over: .unknown, by: context.sender(to: server)))
            context.note(on: server) { $0.note(feedback, on: id, at: $1) }
            let given = GivenFeedback(
                eventID: id, rating: feedback.rating, correction: feedback.correction,
                createdAt: feedback.createdAt)
            return (given, nil, "rated event \(id) as \(feedback.rating)")
        }
        try context.report(row, with: printer, sentence)
    }

    private static func draft(_ options: Options, of id: String) -> WriteDraft<GivenFeedback> {
        WriteDraft(
            write: .feedback(call(options, of: id)),
            record: GivenFeedback(
                eventID: id, rating: options.rating.rawValue, correction: options.correction))
    }

    private static func call(_ options: Options, of id: String) -> GiveFeedback {
        GiveFeedback(
            event: id, rating: options.rating.rawValue, correction: options.correction)
    }
}

struct GivenFeedback: Sendable {
    var eventID: String
    var rating: String
    var correction: String?
    var createdAt: Timestamp?

    static let fields: [Field<GivenFeedback>] = [
        .column("event_id", "the event's id") { $0.eventID },
        .column("rating", "helpful or not_helpful") { $0.rating },
        .column("correction", "the correct description") { $0.correction },
        .column("created_at", "when the first feedback was given") { $0.createdAt },
    ]
}
