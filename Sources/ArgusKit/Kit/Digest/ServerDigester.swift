package import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// Makes a digest of a server's events.
package struct ServerDigester: Sendable {
    /// A digest, and what could not be read for it.
    package struct Result: Sendable {
        package var digest: Digest
        package var unreadableRows = 0
        package var gaps: [EventGap] = []
        /// The rules whose alarms were counted; nil if the server does not show them.
        package var rules: RuleSet?
        /// The failure to learn from the weeks before; nil if it succeeded.
        package var ignorance: APIError?
    }

    /// The pictures that are fetched at the same time.
    private static let parallelPictures = 6

    private let session: Session
    private let now: @Sendable () -> Timestamp

    package init(_ session: Session, now: @escaping @Sendable () -> Timestamp) {
        (self.session, self.now) = (session, now)
    }

    /// Reads the events that match a filter with both ends of the span, and counts them.
    ///
    /// Rules of the filter do not choose events: their alarms are counted, else those of all enabled
    /// rules. `memory` is what checks have learnt; the rest of the four weeks is read from the server.
    /// `progress` gets the number of events of each page, and that of all if the server tells it.
    /// - Throws: `APIError`.
    package func make(
        _ empty: Digest, _ filter: EventFilter, _ memory: CheckMemory, rulesIn zone: TimeZoneRules,
        progress: (Int, Int?) -> Void, notify: @escaping @Sendable (EventNotice) -> Void
    ) async throws(APIError) -> Result {
        let service = HealthService(session, empty.zone, now: now)
        async let readings = service.readings([.cameras, .pipeline, .events], memory)
        async let rules = rules(filter, in: zone)
        var all = filter
        all.rules = nil
        let cursor = EventService(session: session).list(all, wanted: nil, notify: notify)
        let applied = try await rules.get()
        var counter = DigestCounter(empty, rules: applied)
        while let rows = try await cursor.next() {
            for row in rows {
                counter.add(row.event, thumbnail: EventDetail(row.view)?.thumbnail)
            }
            progress(rows.count, cursor.total)
        }
        let known = await readings
        var result = Result(digest: empty)
        let failure = known.newest?.failure ?? known.cameras?.failure
        if let failure {
            result.ignorance = failure
            result.digest = counter.finish(nil)
        } else {
            var habits = HouseHabits()
            habits.learn(
                known.activity, known.members, before: empty.span.lowerBound,
                silentAt: min(empty.span.upperBound, known.now), in: empty.zone)
            let cameras = (try? known.cameras?.get()) ?? []
            habits.name(
                { silent in cameras.first { $0.id == silent.id }?.name },
                keeping: { filter.cameraIDs.isEmpty || filter.cameraIDs.contains($0.id) })
            result.digest = counter.finish(habits)
        }
        result.rules = applied
        result.unreadableRows = cursor.unreadableRows
        result.gaps = cursor.gaps
        result.digest.gaps = cursor.gaps.map { gap in
            let first = min(gap.from ?? empty.span.lowerBound, gap.until)
            return Digest.Gap(.unreadable, span: first...gap.until)
        }
        return result
    }

    /// The rules whose alarms count: those of the filter, else all that are enabled; nil where the
    /// server has none, or does not show them to this user.
    private func rules(
        _ filter: EventFilter, in zone: TimeZoneRules
    ) async -> Swift.Result<RuleSet?, APIError> {
        if let rules = filter.rules { return .success(rules) }
        do throws(APIError) {
            let all = try await RuleService(session: session).list().values
            return .success(RuleSet(all.filter(\.isEnabled), in: zone))
        } catch {
            let isHidden = error.isUnsupported || error.kind == .forbidden
            return isHidden ? .success(nil) : .failure(error)
        }
    }

    /// Fetches the pictures of a digest.
    package func images(of digest: Digest) async -> DigestImages {
        let service = EventService(session: session)
        let found = await digest.pictures.mapInParallel(Self.parallelPictures) { picture in
            do throws(APIError) {
                return Loaded.success(
                    try await service.thumbnail(of: picture.event, at: picture.thumbnail))
            } catch {
                return Loaded.failure(error)
            }
        }
        var images = DigestImages()
        for (picture, loaded) in zip(digest.pictures, found) {
            switch loaded {
            case .success(let bytes): images.add(bytes, of: picture)
            case .failure(let error):
                images.miss(picture, error.kind == .notFound ? "it is gone" : error.detail)
            }
        }
        return images
    }

    private typealias Loaded = Swift.Result<[UInt8], APIError>
}
