// What a signed-in user can change of events.
extension EventService {
    /// Deletes events in batches that the server takes; `progress` hears how many each was.
    ///
    /// An event that is gone already counts as such and is no failure.
    /// - Throws: `APIError` when a batch fails; `tally` has the batches before it.
    package func delete(
        _ ids: [String], tally: inout EventChangeRoutes.Deleted, progress: (Int) -> Void
    ) async throws(APIError) {
        var rest = ids[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(EventChangeRoutes.batchSize))
            rest = rest.dropFirst(batch.count)
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
                return .init(deleted: 1, alreadyGone: 0)
            }
            return try await session.call(EventChangeRoutes.deleteSeveral, batch)
        } catch  where error.kind == .notFound {
            return .init(deleted: 0, alreadyGone: batch.count)
        }
    }

    /// Says what a person thinks of an event's description, in place of what was said before.
    package func give(
        _ opinion: EventChangeRoutes.Opinion
    ) async throws(APIError) -> EventFeedback {
        do throws(APIError) {
            return try await session.call(EventChangeRoutes.giveFeedback, opinion)
        } catch  where error.status == 409 {
            return try await session.call(EventChangeRoutes.changeFeedback, opinion)
        }
    }

    /// Has the AI look at an event again; the answer leaves the camera's name out.
    ///
    /// - Throws: `APIError`; a refusal of more tries says when to come back.
    package func reanalyze(
        _ detail: EventDetail, mode: String
    ) async throws(APIError) -> (detail: EventDetail, view: JSONView) {
        let view: JSONView
        do throws(APIError) {
            view = try await session.call(
                EventChangeRoutes.reanalyze, (id: detail.event.id, mode: mode))
        } catch {
            var error = error
            // Three times an event and hour, which today's server does not say (backend-facts 0.4).
            if error.kind == .rateLimited {
                error.retryAfterSeconds = error.retryAfterSeconds ?? 3600
            }
            throw error
        }
        guard var new = EventDetail(view) else {
            throw APIError(.malformedAnswer, "the answer is no event")
        }
        new.event.cameraName = new.event.cameraName ?? detail.event.cameraName
        return (new, view)
    }

    /// The frames that the server keeps of an event.
    package func frames(of id: String) async throws(APIError) -> ListedRows<EventFrame> {
        try await session.call(EventMediaRoutes.frames, id)
    }

    /// The picture of a frame.
    package func picture(
        of frame: EventFrame, of id: String
    ) async throws(APIError) -> StoredBytes {
        try await session.call(EventMediaRoutes.frame, (id: id, number: frame.number))
    }
}
