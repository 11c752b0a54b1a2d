import ArgusKit
import CommandLineKit

/// The rating of a description.
enum EventRating: String, Choice, Sendable {
    case helpful
    case notHelpful = "not_helpful"

}

enum EventsFeedback: ArgusCommand {
    struct Options: VerbOptions {
        @Required var event: String
        @Required var rating: EventRating
        var correction: String?
    }

    static let about = CommandInfo(
        name: "feedback", summary: "Rate the description of an event",
        description: "Replaces earlier feedback.",
        examples: [
            "argus events feedback latest helpful": "It was right",
            "argus events feedback latest not_helpful --correction 'That was the neighbour'":
                "It was not, and what it was",
        ],
        exitStatuses: .requests(3), prints: .objects(GivenFeedback.fields))

    static let flags: [Flag<Options>] = [
        .option(
            "correction", value: "TEXT", sets: \.correction, "The description that would be right")
    ]

    static let arguments: [Argument<Options>] = [
        .event(\.$event), .required("RATING", sets: \.$rating, "Either helpful or not_helpful"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        // The bound of today's server; its own answer would be a 422 (backend-facts 5.2).
        if options.correction?.unicodeScalars.count ?? 0 > 500 {
            throw UsageError("--correction is longer than 500 characters")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: GivenFeedback.fields, .operands(1))
        let event = try await server.event(named: options.event, to: "rate", in: context)
            .detail.event
        let opinion = EventChangeRoutes.Opinion(
            eventID: event.id, rating: options.rating.rawValue, correction: options.correction)
        let feedback = try await server.attempt(
            "rate event \(options.event.inQuotes)", await server.events.give(opinion))
        try context.report(
            GivenFeedback(eventID: event.id, feedback: feedback), with: printer,
            "rated event \(event.id) as \(feedback.rating)")
    }
}

/// The feedback on an event.
struct GivenFeedback: Sendable {
    var eventID: String
    var feedback: EventFeedback

    static let fields: [Field<GivenFeedback>] = [
        Field("event_id", "the event's id") { .text($0.eventID) },
        Field("rating", "helpful or not_helpful") { .text($0.feedback.rating) },
        Field("correction", "the correct description") {
            FieldValue($0.feedback.correction)
        },
        Field("created_at", "when the first feedback was given") {
            FieldValue($0.feedback.createdAt)
        },
    ]
}
