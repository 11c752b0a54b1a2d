/// The routes that change events; only today's server has them (backend-facts 5.2).
package enum EventChangeRoutes {
    /// The most events that one request may delete.
    package static let batchSize = 100

    /// What became of a batch of events.
    package struct Deleted: Sendable, Equatable {
        package var deleted: Int
        package var alreadyGone: Int

        package init(deleted: Int, alreadyGone: Int) {
            self.deleted = deleted
            self.alreadyGone = alreadyGone
        }
    }

    /// Deletes several events at once, at most `batchSize`.
    package static let deleteSeveral = Operation<[String], Deleted>(
        "events.delete.several", purpose: "deletion of events",
        routes: [
            Route(.current) { ids in
                var request = RouteRequest(.delete, "/api/v1/events/bulk")
                // A comma list would be one id that nobody has.
                request.query = ids.map { ("event_ids", $0) }
                return request
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                guard let deleted = body["deleted_count"]?.int.flatMap(Int.init(exactly:)),
                    deleted >= 0
                else { throw .malformed("the answer does not say what was deleted", answer) }
                let gone = body["not_found_count"]?.int.flatMap(Int.init(exactly:)) ?? 0
                return Deleted(deleted: deleted, alreadyGone: max(0, gone))
            }
        ])

    /// Deletes one event.
    package static let delete = Operation<String, Void>(
        "events.delete", purpose: "deletion of events",
        routes: [
            Route(.current) { id in
                RouteRequest(.delete, "/api/v1/events", id)
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            }
        ])

    /// What a person says of an event's description.
    package struct Opinion: Sendable {
        package var eventID: String
        /// `helpful` or `not_helpful`.
        package var rating: String
        package var correction: String?

        package init(eventID: String, rating: String, correction: String?) {
            self.eventID = eventID
            self.rating = rating
            self.correction = correction
        }

        var body: [UInt8] {
            var writer = JSONWriter()
            writer.object { object in
                object.member("rating", rating)
                if let correction { object.member("correction", correction) }
            }
            return writer.bytes
        }
    }

    /// Says something of an event for the first time; 409 where somebody has already.
    package static let giveFeedback = Operation<Opinion, EventFeedback>(
        "events.feedback", purpose: "feedback on events",
        routes: [
            Route(.current) {
                feedback(.post, $0)
            } decode: { answer throws(APIError) in
                try feedback(answer)
            }
        ])

    /// Replaces what was said of an event.
    package static let changeFeedback = Operation<Opinion, EventFeedback>(
        "events.feedback.change", purpose: "feedback on events",
        routes: [
            Route(.current) {
                feedback(.put, $0)
            } decode: { answer throws(APIError) in
                try feedback(answer)
            }
        ])

    /// Has the AI look at an event again.
    package static let reanalyze = Operation<(id: String, mode: String), JSONView>(
        "events.reanalyze", purpose: "a new analysis of events",
        routes: [
            Route(.current) { input in
                var request = RouteRequest(.post, "/api/v1/events", input.id, "reanalyze")
                var writer = JSONWriter()
                writer.object { $0.member("analysis_mode", input.mode) }
                request.body = writer.bytes
                request.isSlow = true
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    private static func feedback(
        _ method: HTTPRequest.Method, _ opinion: Opinion
    ) -> RouteRequest {
        var request = RouteRequest(method, "/api/v1/events", opinion.eventID, "feedback")
        request.body = opinion.body
        return request
    }

    private static func feedback(_ answer: HTTPResponse) throws(APIError) -> EventFeedback {
        guard let feedback = EventFeedback(try ResponseBody.parse(answer)) else {
            throw .malformed("the answer is no feedback", answer)
        }
        return feedback
    }
}
