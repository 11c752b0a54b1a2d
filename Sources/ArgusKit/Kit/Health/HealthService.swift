package import ArgusAccount
package import ArgusCore
import ArgusEvents
import ArgusTransport

/// Reads what checks need to know of a server, all of it at once.
package struct HealthService: Sendable {
    /// The newest events that each check reads.
    private static let newestEvents = 100
    /// The most events that a first check learns from.
    private static let mostEvents = 50_000
    /// The time in which a server renews the date of its answers.
    private static let renewalOfDates = Duration.seconds(2)
    /// The cameras that take a picture at the same time.
    private static let parallelPictures = 6

    private let session: Session
    private let zone: TimeZoneRules
    private let now: @Sendable () -> Timestamp

    package init(
        _ session: Session, _ zone: TimeZoneRules, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.session, self.zone, self.now) = (session, zone, now)
    }

    /// Reads the inputs of checks, and what the events add to what was learnt before.
    package func readings(
        _ inputs: Set<HouseInput>, _ memory: CheckMemory
    ) async -> HouseReadings {
        let start = ContinuousClock.now
        async let cameras = ifNeeded(inputs, .cameras) { () throws(APIError) in
            (try await self.cameras.plainList(), ContinuousClock.now - start)
        }
        async let pipeline = ifNeeded(inputs, .pipeline) { () throws(APIError) in
            try await session.call(HealthRoutes.pipeline, ())
        }
        async let events = ifNeeded(inputs, .events) { () throws(APIError) in
            try await self.events(memory.activity)
        }
        async let health = ifNeeded(inputs, .health) { () throws(APIError) in
            try await self.health()
        }
        async let metrics = ifNeeded(inputs, .metrics) { () throws(APIError) in
            try await session.client.call(HealthRoutes.metrics, ())
        }
        async let rules = ifNeeded(inputs, .rules) { () throws(APIError) in
            try await RuleService(session: session).list().values.count(where: \.isEnabled)
        }
        async let certificate = ifNeeded(inputs, .certificate) { () throws(APIError) in
            try await self.certificate()
        }
        var readings = HouseReadings(now: now(), zone: zone)
        let listed = await cameras
        readings.cameras = listed?.map(\.0.values)
        readings.unreadableCameras = (try? listed?.get())?.0.unreadableRows ?? 0
        readings.latency = (try? listed?.get())?.1
        readings.pipeline = await pipeline
        let report = await health
        readings.health = report?.map(\.0)
        readings.reportTime = (try? report?.get())?.1
        readings.metrics = await metrics
        readings.rules = await rules
        readings.certificate = await certificate.flatMap { reading in
            switch reading {
            case .success(let certificate): certificate.map { .success($0) }
            case .failure(let error): .failure(error)
            }
        }
        let found = await events
        readings.newest = found?.map(\.newest)
        readings.activity = (try? found?.get())?.activity ?? memory.activity
        readings.address = session.client.address.description
        readings.localTime = now()
        readings.now = session.client.clock.now ?? readings.localTime
        let first = readings
        async let capture = inputs.contains(.pipeline) ? self.capture(first) : nil
        async let pause = self.pause(first)
        readings.take(await capture)
        readings.pause = await pause
        return readings
    }

    private var cameras: CameraService { CameraService(session: session) }

    /// Runs a request if its answer is needed; nil if not, or if the server has no such route.
    private func ifNeeded<Value: Sendable>(
        _ inputs: Set<HouseInput>, _ input: HouseInput,
        _ ask: () async throws(APIError) -> Value
    ) async -> Result<Value, APIError>? {
        inputs.contains(input) ? await reading(ask) : nil
    }

    /// Runs a request; nil if the server has no such route.
    private func reading<Value: Sendable>(
        _ ask: () async throws(APIError) -> Value
    ) async -> Result<Value, APIError>? {
        do throws(APIError) {
            return .success(try await ask())
        } catch {
            return error.isUnsupported ? nil : .failure(error)
        }
    }

    /// The newest events, and the activity with all since the last check.
    private func events(
        _ known: HouseActivity
    ) async throws(APIError) -> (newest: [Event], activity: HouseActivity) {
        let service = EventService(session: session)
        let newest = try await complete(
            service.list(EventFilter(), wanted: Self.newestEvents, notify: { _ in }))
        let now = session.client.clock.now ?? now()
        var activity = known
        let since = known.since(at: now)
        var older: [Event] = []
        if newest.count == Self.newestEvents, let last = newest.last?.timestamp, last >= since {
            var filter = EventFilter()
            (filter.since, filter.until) = (since, last)
            older = try await complete(
                service.list(filter, wanted: Self.mostEvents, notify: { _ in }))
        }
        activity.add(newest + older, until: now, in: zone)
        return (newest, activity)
    }

    /// All rows of a listing.
    /// - Throws: `APIError`, also for a range for which the server fails: a camera could seem silent.
    private func complete(_ cursor: any EventCursor) async throws(APIError) -> [Event] {
        let rows = try await cursor.rest()
        guard cursor.gaps.isEmpty else {
            throw APIError(.unsteady, "the server fails to list some events")
        }
        return rows.map(\.event)
    }

    /// Why the server has paused descriptions, if some are missing.
    private func pause(_ readings: HouseReadings) async -> String? {
        guard case .success(let events)? = readings.newest,
            events.prefix(20).contains(where: \.lacksDescription)
        else { return nil }
        return (try? await session.call(HealthRoutes.pause, ())) ?? nil
    }

    /// The state of capturing, with the reasons if a camera is not well.
    private func capture(
        _ readings: HouseReadings
    ) async -> HouseReadings.Reading<[String: CameraHealth]>? {
        guard case .success(let cameras)? = readings.cameras else { return nil }
        let known = readings.pipeline?.map(\.cameras)
        let states = (try? known?.get()) ?? [:]
        let areWell = cameras.allSatisfy { camera in
            camera.isEnabled == false || camera.isOnline == true
                || (states[camera.id]?.status).map { $0 == "connected" } ?? camera.isOfProtect
        }
        if areWell { return known }
        let reasons = await reading { () throws(APIError) in
            try await session.call(CameraRoutes.health, ())
        }
        if case .success? = reasons { return reasons }
        return states.isEmpty ? reasons : known
    }

    /// The server's report about itself, and when it came.
    ///
    /// Asks again if the server's clock seems to be behind: a server that was too busy to renew the
    /// date of its answers sends an old one.
    private func health() async throws(APIError) -> (ServerHealth, Timestamp) {
        let report = try await session.client.call(HealthRoutes.health, ())
        let time = now()
        guard let date = report.date else { return (report, time) }
        let clock = ClockComparison(server: date, local: time, tolerance: ClockComparison.close)
        guard !clock.isClose, clock.seconds < 0 else { return (report, time) }
        try? await Task.sleep(for: Self.renewalOfDates)
        guard let renewed = try? await session.client.call(HealthRoutes.health, ()) else {
            return (report, time)
        }
        return (renewed, now())
    }

    /// The certificate of a server with https; nil for plain http.
    private func certificate() async throws(APIError) -> PeerCertificate? {
        let client = session.client
        guard client.address.origin.scheme == .https else { return nil }
        return try await rethrowing(
            awaiting: try await client.certificate(holding: client.proof),
            as: APIError.init(transport:))
    }

    /// Takes the pictures of the enabled cameras that a check looks at.
    package func addPictures(
        to readings: inout HouseReadings, of scope: CheckScope, _ memory: CheckMemory
    ) async {
        guard case .success(let cameras)? = readings.cameras else { return }
        let enabled = cameras.filter {
            $0.isEnabled != false && $0.isCaptureEnabled != false && scope.includes($0)
        }
        let library = Result { () throws(PicturesUnavailable) in try JPEGLibrary() }
        let pictures = await enabled.mapInParallel(Self.parallelPictures) { camera in
            do throws(APIError) {
                let bytes = try await self.cameras.snapshot(of: camera.id, quality: .low).bytes
                let sha256 = Checksum.sha256(bytes)
                let known = memory.pictures[camera.id]
                var reading = PictureReading(
                    sha256: sha256, since: known?.sha256 == sha256 ? known?.since ?? now() : now())
                do throws(PicturesUnavailable) {
                    reading.brightness = try library.get().brightness(of: bytes)
                    reading.reason = "it is no JPEG that argus can read"
                } catch {
                    reading.reason = error.description
                }
                return HouseReadings.Reading<PictureReading>.success(reading)
            } catch {
                return .failure(error)
            }
        }
        readings.pictures = Dictionary(
            zip(enabled.map(\.id), pictures), uniquingKeysWith: { first, _ in first })
    }
}
