package import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// Reads and changes the push preferences of a subscription or a device.
package struct PushPreferencesService: Sendable {
    /// The preferences of a target and the extent of the server's support.
    package struct Found: Sendable {
        package var target: PushPreferencesTarget
        package var preferences: PushPreferences
        package var view: JSONView
        /// The device, on servers that store only its quiet hours.
        package var device: Device?
        /// The time at which reading began; nil for the answer to a change.
        package var readAt: Timestamp?
    }

    package struct Changed: Sendable {
        package var before: PushPreferences
        package var after: Found
        /// True if another client wrote at the same time and overwrote the change.
        package var isLost = false
        /// The time in which another client could have written unnoticed.
        package var window = Duration.zero
    }

    /// The delay before a change is verified, by which clients that read before it have written.
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

    /// Reads the preferences of a target.
    /// - Throws: `APIError`; `.notFound` for a target that is not registered.
    package func read(_ target: PushPreferencesTarget) async throws(APIError) -> Found {
        let readAt = now()
        do throws(APIError) {
            let view = try await session.call(PushPreferencesRoutes.read(target), ())
            let preferences = try PushPreferences(view).orMalformed("the answer has no preferences")
            return Found(
                target: target, preferences: preferences, view: view, readAt: readAt)
        } catch {
            guard error.isUnsupported, case .device(let id) = target else { throw error }
            guard let row = try await row(of: id, insteadOf: error) else {
                throw APIError(.notFound, "Device not found", status: 404)
            }
            return Found(
                target: target, preferences: PushPreferences(row.value), view: row.view,
                device: row.value)
        }
    }

    /// Applies a change to preferences that were just read and writes all of them, because servers
    /// accept no partial ones.
    ///
    /// Servers do not detect a write by another client in between: `verify` checks a moment later,
    /// and the caller reports a long `window`.
    /// - Throws: As `read`.
    package func change(
        _ change: PushPreferencesChange, over found: Found
    ) async throws(APIError) -> Changed {
        if let device = found.device { return try await self.change(device, found, change) }
        guard change.overridesCritical == nil else {
            throw APIError(.unsupported("critical alerts in the quiet hours of this receiver"))
        }
        let wanted = change.applied(to: found.preferences)
        let view = try await session.call(PushPreferencesRoutes.write(wanted, of: found.target), ())
        return Changed(
            before: found.preferences,
            after: Found(
                target: found.target, preferences: PushPreferences(view) ?? wanted, view: view),
            window: found.readAt.map { now() - $0 } ?? .zero)
    }

    /// Reads the preferences again after a moment, to verify that the change is still there.
    /// - Throws: As `read`.
    package func verify(
        _ changed: Changed, _ change: PushPreferencesChange
    ) async throws(APIError) -> Changed {
        // Rows of devices are changed in part, so no other change is overwritten.
        guard changed.after.device == nil else { return changed }
        await sleep(Self.settling)
        var changed = changed
        changed.after = try await read(changed.after.target)
        changed.isLost = !change.holds(in: changed.after.preferences)
        return changed
    }

    private func change(
        _ device: Device, _ found: Found, _ change: PushPreferencesChange
    ) async throws(APIError) -> Changed {
        let others = [
            ("cameras", change.cameras != nil), ("types", change.objects != nil),
            ("sound", change.hasSound != nil),
        ]
        let beyond = others.filter(\.1).map(\.0).joined(separator: ", ")
        guard beyond.isEmpty else {
            throw APIError(.unsupported("\(beyond) for a device, only quiet hours"))
        }
        let answer = try await DeviceService(session: session)
            .setQuietHours(of: device, to: change.deviceHours(over: found.preferences))
        return Changed(
            before: found.preferences,
            after: Found(
                target: found.target, preferences: PushPreferences(answer.device),
                view: answer.view, device: answer.device))
    }

    private func row(
        of id: String, insteadOf failure: APIError
    ) async throws(APIError) -> (value: Device, view: JSONView)? {
        guard let rows = try await ifSupported(try await DeviceService(session: session).list())
        else { throw failure }
        // A server without quiet hours for devices has no preferences for them at all.
        if rows.allSatisfy({ $0.value.quietHours == DeviceQuietHours() }), !rows.isEmpty {
            throw failure
        }
        return rows.first { $0.value.hasID(id) }
    }
}

/// The routes of preferences: one for subscriptions, one for devices of the documents.
enum PushPreferencesRoutes {
    static func read(_ target: PushPreferencesTarget) -> Operation<Void, JSONView> {
        operation("read", target, ResponseBody.parse) { path in
            RouteRequest(.post, path).sending(target.write)
        }
    }

    static func write(
        _ preferences: PushPreferences, of target: PushPreferencesTarget
    ) -> Operation<Void, JSONView> {
        operation("write", target, ResponseBody.parseChange) { path in
            RouteRequest(.put, path).sending { writer in
                target.write(to: &writer)
                preferences.write(to: &writer)
            }
        }
    }

    private static func operation(
        _ verb: String, _ target: PushPreferencesTarget,
        _ decode: @escaping Route<Void, JSONView>.Decoder,
        request: @escaping @Sendable (_ path: String) -> RouteRequest
    ) -> Operation<Void, JSONView> {
        switch target {
        case .endpoint:
            Operation(
                "push.preferences.\(verb)", feature: "push preferences",
                Route(.current, decode) { request("/api/v1/push/preferences") })
        case .device:
            Operation(
                "push.device-preferences.\(verb)", feature: "push preferences for devices",
                Route(.documented, decode) { request("/api/v1/push/mobile/preferences") })
        }
    }
}
