/// A comparison of a known server with one at a new address, which gets no credentials.
///
/// The frames of an event can be read by everyone who knows its id, and their ids are random: only
/// the same server, or a relay to it, lists the same ones.
package struct ServerComparison: Sendable {
    /// The result of a comparison.
    package enum Verdict: Sendable {
        case same
        case other
        /// The servers cannot be compared for this reason.
        case undecided(String)
        /// No ArgusAI server answers at the new address.
        case failed(APIError)
    }

    private static let maxEvents = 5

    private let known: Session?
    private let client: APIClient

    /// Prepares the comparison of a server's session, nil without one, with a client that has no
    /// credentials.
    package init(of known: Session?, with client: APIClient) {
        (self.known, self.client) = (known, client)
    }

    /// Returns the result; asks the new address first.
    package func verdict() async -> Verdict {
        do throws(APIError) {
            _ = try await client.call(AccountRoutes.health, ())
            return try await compare()
        } catch {
            return .failed(error)
        }
    }

    private func compare() async throws(APIError) -> Verdict {
        guard let known else { return .undecided("without a sign-in nothing can be compared") }
        let sample: (event: String, frames: Set<String>)?
        do throws(APIError) {
            sample = try await Self.sample(of: known)
        } catch {
            let because = error.detail.isEmpty ? "" : ": \(error.detail)"
            return .undecided("the server does not answer at the addresses that it has\(because)")
        }
        guard let sample else { return .undecided("no recent event has frames to compare") }
        do throws(APIError) {
            let rows = try await client.call(EventMediaRoutes.frames, sample.event)
            return Self.ids(of: rows) == sample.frames ? .same : .other
        } catch  where error.kind == .notFound {
            return .other
        } catch  where error.isUnsupported {
            return .undecided("it does not show the frames of events")
        }
    }

    /// The newest event whose frames have ids, and these; nil if there is none.
    private static func sample(
        of known: Session
    ) async throws(APIError) -> (event: String, frames: Set<String>)? {
        let service = EventService(session: known)
        let cursor = service.list(EventFilter(), wanted: maxEvents, notify: { _ in })
        for row in try await cursor.rest() {
            do throws(APIError) {
                let frames = ids(of: try await service.frames(of: row.id))
                if let frames { return (row.id, frames) }
            } catch  where error.isUnsupported {
                return nil
            }
        }
        return nil
    }

    /// The ids of frames; nil if there are none, or one has no id.
    private static func ids(of rows: ListedRows<EventFrame>) -> Set<String>? {
        let ids = rows.compactMap { $0.view["id"]?.string }
        return ids.isEmpty || ids.count < rows.count ? nil : Set(ids)
    }
}
