package import ArgusAccount
import ArgusCore
package import ArgusTransport

/// A comparison of a known server with one at a new address, which gets no credentials.
///
/// The frames of an event can be read by everyone who knows its id, and their ids are random: only
/// the same server, or a relay to it, lists the same ones. The same holds for its stored picture, by
/// whose name everyone gets it.
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

    /// Public data by which one server differs from all others.
    private enum Sample {
        case frames(event: String, Set<String>)
        case picture(ThumbnailReference.StoredPath, sha256: String)
    }

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
        let sample: Sample?
        do throws(APIError) {
            sample = try await Self.sample(of: known)
        } catch {
            let because = error.detail.isEmpty ? "" : ": \(error.detail)"
            return .undecided("the server does not answer at the addresses that it has\(because)")
        }
        guard let sample else {
            return .undecided("no recent event has frames or a picture to compare")
        }
        do throws(APIError) {
            switch sample {
            case .frames(let event, let frames):
                let rows = try await client.call(EventMediaRoutes.frames, event)
                return Self.ids(of: rows) == frames ? .same : .other
            case .picture(let path, let sha256):
                let picture = try await client.call(EventRoutes.storedThumbnail, path)
                return Checksum.sha256(picture) == sha256 ? .same : .other
            }
        } catch  where error.kind == .notFound {
            return .other
        } catch  where error.isUnsupported {
            return .undecided("it shows neither frames nor pictures of events")
        }
    }

    /// The frames of the newest event whose frames have ids, else its newest stored picture; nil if
    /// there is neither.
    private static func sample(of known: Session) async throws(APIError) -> Sample? {
        let service = EventService(session: known)
        let cursor = service.list(EventFilter(), wanted: maxEvents, notify: { _ in })
        let rows = try await cursor.rest()
        for row in rows {
            let frames = try await ifSupported(try await service.frames(of: row.id))
            guard let frames else { break }
            if let ids = ids(of: frames) { return .frames(event: row.id, ids) }
        }
        for row in rows {
            guard let path = EventDetail(row.view)?.thumbnail.storedPath else { continue }
            do throws(APIError) {
                let picture = try await known.call(EventRoutes.storedThumbnail, path)
                return .picture(path, sha256: Checksum.sha256(picture))
            } catch  where error.kind == .notFound || error.isUnsupported {}
        }
        return nil
    }

    /// The ids of frames; nil if there are none, or one has no id.
    private static func ids(of rows: ListedRows<EventFrame>) -> Set<String>? {
        let ids = rows.compactMap { $0.view["id"]?.string }
        return ids.isEmpty || ids.count < rows.count ? nil : Set(ids)
    }
}
