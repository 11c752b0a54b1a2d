/// The feedback on descriptions on today's server.
enum FeedbackRoutes {
    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(try find(request, state).feedback)
    }

    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try EventRoutes.find(request, state)
        let event = state.events.rows[index]
        guard state.feedback[event.id] == nil else {
            throw Refusal(
                "Feedback already exists for this event. Use PUT to update.", status: 409)
        }
        var body = try BodyReader(request)
        let rating = body.word("rating", oneOf: ["helpful", "not_helpful"])
        let correction = body.optional("correction", length: 0...500)
        let type = correctionType(&body)
        try body.finish()
        let feedback: JSON = [
            "id": .text(Identifier.random().text), "event_id": .text(event.id.text),
            "camera_id": .text(state.events.label(of: event).id), "rating": .text(rating),
            "correction": JSON(correction), "correction_type": JSON(type),
            "created_at": .text(request.now.text), "updated_at": nil, "was_edited": false,
        ]
        state.feedback[event.id] = feedback
        state.events.mark(at: index, .feedback)
        return .created(feedback)
    }

    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var (id, feedback) = try find(request, state)
        var body = try BodyReader(request)
        if body["rating"] != nil {
            let rating = body.word("rating", oneOf: ["helpful", "not_helpful"])
            feedback = feedback.setting("rating", .text(rating))
        }
        if body["correction"] != nil {
            let correction = body.optional("correction", length: 0...500)
            feedback = feedback.setting("correction", JSON(correction))
        }
        if body["correction_type"] != nil {
            feedback = feedback.setting("correction_type", JSON(correctionType(&body)))
        }
        try body.finish()
        feedback = feedback.setting("updated_at", .text(request.now.text))
        state.feedback[id] = feedback
        return .json(feedback)
    }

    private static func correctionType(_ body: inout BodyReader) -> String? {
        guard let type = body["correction_type"], type != .null else { return nil }
        return body.word("correction_type", oneOf: ["not_package"])
    }

    private static func find(
        _ request: Request, _ state: State
    ) throws(Refusal) -> (id: Identifier, feedback: JSON) {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        let feedback = try state.feedback[event.id].orRefuse(
            "No feedback found for event \(event.id.text)")
        return (event.id, feedback)
    }
}
