/// Reads and changes what a subscription or a device is told.
package struct PushPreferencesService: Sendable {
    /// What is set for a target, and how much of it the server keeps.
    package struct Found: Sendable {
        package var preferences: PushPreferences
        package var view: JSONView
        /// The device of a server that keeps only quiet hours for it.
        package var device: Device?
    }

    /// What became of a change.
    package struct Changed: Sendable {
        package var before: PushPreferences
        package var after: Found
        /// Somebody else wrote at the same moment, and the change is not there.
        package var isLost = false
        /// How long others could have written without being noticed.
        package var window = Duration.zero
    }

    /// How long a change is given to be overwritten by somebody who had read before it.
    package static let settling = Duration.milliseconds(250)

    private let session: Session
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void

    package init(
        session: Session, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.session = session
        self.now = now
        self.sleep = sleep
    }

    /// What is set for a target.
    ///
    /// - Throws: `APIError`; `.notFound` for a target that is not registered.
    package func read(_ target: PushPreferencesTarget) async throws(APIError) -> Found {
        do throws(APIError) {
            let view = try await session.call(PushPreferencesRoutes.read(target), target)
            guard let preferences = PushPreferences(view) else {
                throw APIError(.malformedAnswer, "the answer has no preferences")
            }
            return Found(preferences: preferences, view: view)
        } catch {
            guard case .unsupported = error.kind, case .device(let id) = target else { throw error }
            guard let row = try await row(of: id, insteadOf: error) else {
                throw APIError(.notFound, "Device not found", status: 404)
            }
            return Found(
                preferences: PushPreferences(row.value), view: row.view, device: row.value)
        }
    }

    /// Changes what was named and writes the whole, as servers want it.
    ///
    /// No server tells that somebody else wrote between our reading and our writing. So nothing
    /// lies between the two, and a moment later, when whoever had read before our writing has
    /// written too, the change is looked for; that `window` was longer than such a moment is told.
    package func change(
        _ target: PushPreferencesTarget, _ change: PushPreferencesChange
    ) async throws(APIError) -> Changed {
        let start = now()
        let found = try await read(target)
        if let device = found.device { return try await self.change(device, found, change) }
        let input = PushPreferencesRoutes.Writing(
            target: target, preferences: change.applied(to: found.preferences))
        let view = try await session.call(PushPreferencesRoutes.write(target), input)
        return Changed(
            before: found.preferences,
            after: Found(preferences: PushPreferences(view) ?? input.preferences, view: view),
            window: now() - start)
    }

    /// Looks, after a moment, whether a change is still there.
    package func verify(
        _ changed: Changed, _ change: PushPreferencesChange, of target: PushPreferencesTarget
    ) async throws(APIError) -> Changed {
        // The rows of devices are changed by parts, so nothing of others is overwritten.
        guard changed.after.device == nil else { return changed }
        await sleep(Self.settling)
        var changed = changed
        changed.after = try await read(target)
        changed.isLost = !change.holds(in: changed.after.preferences)
        return changed
    }

    private func change(
        _ device: Device, _ found: Found, _ change: PushPreferencesChange
    ) async throws(APIError) -> Changed {
        let beyond = change.beyondQuietHours
        guard beyond.isEmpty else {
            throw APIError(
                .unsupported("\(beyond.joined(separator: ", ")) for a device, only quiet hours"))
        }
        let answer = try await DeviceService(session: session)
            .setQuietHours(of: device, to: change.deviceHours)
        return Changed(
            before: found.preferences,
            after: Found(
                preferences: PushPreferences(answer.device), view: answer.view,
                device: answer.device))
    }

    private func row(
        of id: String, insteadOf failure: APIError
    ) async throws(APIError) -> (value: Device, view: JSONView)? {
        let rows: ListedRows<Device>
        do throws(APIError) {
            rows = try await DeviceService(session: session).list()
        } catch {
            guard case .unsupported = error.kind else { throw error }
            throw failure
        }
        // A server whose devices have no quiet hours has no preferences for them at all.
        if rows.allSatisfy({ $0.value.quietHours == DeviceQuietHours() }), !rows.isEmpty {
            throw failure
        }
        return rows.first { $0.value.hasID(id) }
    }
}

/// The routes of preferences: one for subscriptions, one for the documents' devices.
enum PushPreferencesRoutes {
    private static let push = "/api/v1/push"

    /// Preferences on their way to the server.
    struct Writing: Sendable {
        var target: PushPreferencesTarget
        var preferences: PushPreferences
    }

    static func read(
        _ target: PushPreferencesTarget
    ) -> Operation<PushPreferencesTarget, JSONView> {
        let place = Place(target)
        return Operation(
            place.name + ".read", purpose: place.purpose,
            routes: [
                Route(place.generation) { target in
                    var request = RouteRequest(.post, place.path)
                    request.body = JSONWriter.object { target.write(to: &$0) }
                    return request
                } decode: { answer throws(APIError) in
                    try ResponseBody.parse(answer)
                }
            ])
    }

    static func write(_ target: PushPreferencesTarget) -> Operation<Writing, JSONView> {
        let place = Place(target)
        return Operation(
            place.name + ".write", purpose: place.purpose,
            routes: [
                Route(place.generation) { input in
                    var request = RouteRequest(.put, place.path)
                    request.body = input.preferences.json(for: input.target)
                    return request
                } decode: { answer throws(APIError) in
                    try ResponseBody.parseChange(answer)
                }
            ])
    }

    private struct Place {
        var name: String
        var path: String
        var purpose: String
        var generation: Generation

        init(_ target: PushPreferencesTarget) {
            switch target {
            case .device:
                name = "push.device-preferences"
                path = push + "/mobile/preferences"
                purpose = "push preferences for devices"
                generation = .documented
            case .endpoint:
                name = "push.preferences"
                path = push + "/preferences"
                purpose = "push preferences"
                generation = .current
            }
        }
    }
}

/// Keeps two runs of one user from reading and writing the preferences of a server across each other.
package enum PushPreferencesLock {
    /// Takes the lock; nil where nothing can be kept, or the server has no record.
    package static func take(
        _ place: Paths.Place, _ server: ServerID?, sleep: FileLock.Sleep
    ) async throws(FileSystemError) -> FileLock? {
        guard case .folder(let folder) = place, let server else { return nil }
        try PrivateFolder.prepare(folder)
        return try await FileLock(
            "\(folder)/\(server.text).push.lock", timeout: .seconds(120), sleep: sleep)
    }
}
