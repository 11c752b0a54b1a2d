import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// The routes that change events; only today's server has them.
package enum EventChangeRoutes {
    private static let events = "/api/v1/events"

    /// The maximum number of events that one request may delete.
    package static let batchSize = 100

    /// The result of deleting a batch of events.
    package struct Deleted: Sendable, Equatable {
        package var deleted = 0
        package var alreadyGone = 0

        package init(deleted: Int = 0, alreadyGone: Int = 0) {
            (self.deleted, self.alreadyGone) = (deleted, alreadyGone)
        }
    }

    /// Deletes several events at once, at most `batchSize`.
    package static let deleteSeveral = Operation<[String], Deleted>(
        "events.delete.several", feature: "deletion of events",
        Route(.current) { ids in
            // A comma list would be the id of no event.
            RouteRequest(.delete, events, "bulk", query: ids.map { ("event_ids", $0) })
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard let deleted = body["deleted_count"]?.count else {
                throw .malformed("the answer does not say what was deleted", answer)
            }
            return Deleted(deleted: deleted, alreadyGone: body["not_found_count"]?.count ?? 0)
        })

    /// Deletes one event.
    package static let delete = Operation<String, Void>(
        "events.delete", feature: "deletion of events",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, events, $0) })

    /// A rating of an event's description.
    package struct Opinion: Sendable {
        package var eventID: String
        /// `helpful` or `not_helpful`.
        package var rating: String
        package var correction: String?

        package init(eventID: String, rating: String, correction: String?) {
            (self.eventID, self.rating, self.correction) = (eventID, rating, correction)
        }
    }

    /// Rates an event for the first time; 409 where it has a rating already.
    package static let giveFeedback = Operation<Opinion, EventFeedback>(
        "events.feedback", feature: "feedback on events",
        Route(.current, feedback) { feedback(.post, $0) })

    /// Replaces the rating of an event.
    package static let changeFeedback = Operation<Opinion, EventFeedback>(
        "events.feedback.change", feature: "feedback on events",
        Route(.current, feedback) { feedback(.put, $0) })

    /// Reads the rating of an event.
    package static let readFeedback = Operation<String, EventFeedback>(
        "events.feedback.read", feature: "feedback on events",
        Route(.current, feedback) { RouteRequest(.get, events, $0, "feedback") })

    /// Makes the AI describe an event again.
    package static let reanalyze = Operation<(id: String, mode: String), JSONView>(
        "events.reanalyze", feature: "a new analysis of events",
        Route(.current, ResponseBody.parse) { input in
            RouteRequest(.post, events, input.id, "reanalyze")
                .sending { $0.member("analysis_mode", input.mode) }.with { $0.isSlow = true }
        })

    private static func feedback(
        _ method: HTTPRequest.Method, _ opinion: Opinion
    ) -> RouteRequest {
        RouteRequest(method, events, opinion.eventID, "feedback").sending { writer in
            writer.member("rating", opinion.rating)
            if let correction = opinion.correction { writer.member("correction", correction) }
        }
    }

    private static func feedback(_ answer: HTTPResponse) throws(APIError) -> EventFeedback {
        try EventFeedback(try ResponseBody.parse(answer))
            .orMalformed("the answer is not feedback", in: answer)
    }
}

/// The rating that an event has before a new one.
package enum EarlierFeedback: Sendable {
    /// There may be one, which is replaced unseen.
    case unknown
    case none
    case given(EventFeedback)

    /// The rating, if one is known.
    package var feedback: EventFeedback? {
        if case .given(let feedback) = self { feedback } else { nil }
    }
}

extension EventService {
    /// Deletes events in batches, also those that are gone; `progress` gets the size of each batch.
    /// - Throws: `APIError` when a batch fails; `tally` has the batches before it.
    package func delete(
        _ ids: [String], tally: inout EventChangeRoutes.Deleted, progress: (Int) -> Void
    ) async throws(APIError) {
        for start in stride(from: 0, to: ids.count, by: EventChangeRoutes.batchSize) {
            let batch = Array(ids[start...].prefix(EventChangeRoutes.batchSize))
            let done = try await delete(batch)
            tally.deleted += done.deleted
            tally.alreadyGone += done.alreadyGone
            progress(batch.count)
        }
    }

    private func delete(_ batch: [String]) async throws(APIError) -> EventChangeRoutes.Deleted {
        do throws(APIError) {
            if batch.count == 1 {
                try await session.call(EventChangeRoutes.delete, batch[0])
                return .init(deleted: 1)
            }
            let done = try await session.call(EventChangeRoutes.deleteSeveral, batch)
            guard done.deleted + done.alreadyGone <= batch.count else {
                throw APIError(
                    .malformedAnswer,
                    "the server reports \(done.deleted) deleted and \(done.alreadyGone) absent of "
                        + "\(batch.count) events")
            }
            return done
        } catch  where error.kind == .notFound {
            return .init(alreadyGone: batch.count)
        }
    }

    /// Rates an event's description, and replaces the earlier rating.
    /// - Throws: `APIError`; with the status 409 for a rating where there was none.
    package func give(
        _ opinion: EventChangeRoutes.Opinion, over earlier: EarlierFeedback
    ) async throws(APIError) -> EventFeedback {
        switch earlier {
        case .given: return try await session.call(EventChangeRoutes.changeFeedback, opinion)
        case .none: return try await session.call(EventChangeRoutes.giveFeedback, opinion)
        case .unknown:
            do throws(APIError) {
                return try await give(opinion, over: .none)
            } catch  where error.status == 409 {
                return try await session.call(EventChangeRoutes.changeFeedback, opinion)
            }
        }
    }

    /// Reads the rating of an event; nil if there is none, or no such event.
    /// - Throws: `APIError`.
    package func feedback(on id: String) async throws(APIError) -> EventFeedback? {
        do throws(APIError) {
            return try await session.call(EventChangeRoutes.readFeedback, id)
        } catch  where error.kind == .notFound {
            return nil
        }
    }

    /// Makes the AI describe an event again; the answer leaves the camera's name out.
    /// - Throws: `APIError`; a refusal of more tries has the time to wait.
    package func reanalyze(
        _ detail: EventDetail, mode: String
    ) async throws(APIError) -> (detail: EventDetail, view: JSONView) {
        let view: JSONView
        do throws(APIError) {
            view = try await session.call(
                EventChangeRoutes.reanalyze, (id: detail.event.id, mode: mode))
        } catch  where error.kind == .rateLimited && error.retryAfterSeconds == nil {
            var error = error
            // Three times an event and hour, which today's server does not say.
            error.retryAfterSeconds = 3600
            throw error
        }
        var new = try EventDetail(view).orMalformed("the answer is not an event")
        new.event.cameraName = new.event.cameraName ?? detail.event.cameraName
        return (new, view)
    }
}
