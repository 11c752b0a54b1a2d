package import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// Registers devices for native pushes by the routes of the server.
package struct PushRegistrar: Sendable {
    /// The result of a registration or an update.
    package struct Outcome: Sendable {
        package var registration: PushRegistration
        package var view: JSONView
        /// The generation of the route, which determines what the server stores beside the token.
        package var generation: Generation

        /// True if the server stores a token of each service and the description of the device.
        package var keepsAll: Bool { generation == .documented }
    }

    /// The state that a server removed to end a device's pushes.
    package enum Ended: Sendable {
        case nothing
        case registration
        /// The token in the device's row.
        case token
        /// The registrations of all devices of the account (mobile API file, `unregisterPush`).
        case all
    }

    private let session: Session

    package init(session: Session) { self.session = session }

    /// Returns the server's row of a device; nil if it has none, or no list of devices.
    /// - Throws: `APIError`.
    package func known(_ deviceID: String) async throws(APIError) -> Device? {
        try await devices()?.first { $0.hasID(deviceID) }
    }

    /// Lists the devices of the server; nil if it has no list of them.
    private func devices() async throws(APIError) -> [Device]? {
        try await ifSupported(try await DeviceService(session: session).list().values)
    }

    /// Registers a device, even if `kept` or the row `known` has it, since servers may lose one.
    /// - Throws: `APIError`.
    package func register(
        _ device: PushDevice, known: Device?, kept: StoredRegistration?
    ) async throws(APIError) -> Outcome {
        let answer = try await session.call(
            PushRegistrationRoutes.register(device, known: known), ())
        var registration = PushRegistration(device, keptBy: answer.generation)
        registration.complete(from: known)
        registration.read(answer.view)
        // Without a row to compare, only the server's answer counts.
        let isNew = answer.isNew ?? (known == nil && kept == nil)
        registration.result =
            isNew ? .created : kept?.isSame(as: device) == true ? .unchanged : .updated
        return Outcome(
            registration: registration, view: answer.view, generation: answer.generation)
    }

    /// Replaces the token of a device; `namesService` sends the service too.
    /// - Throws: `APIError`; `.notFound` for a device that is not registered.
    package func update(
        _ deviceID: String, _ service: PushService, namesService: Bool, token: PushToken,
        kept: StoredRegistration?
    ) async throws(APIError) -> Outcome {
        // The server compares ids case-sensitively, but the id may have been typed in another case.
        let known = try await known(deviceID)
        let update = PushRegistrationRoutes.update(
            known?.hardwareID ?? deviceID, service, namesService: namesService, token: token)
        let answer = try await session.call(update, ())
        var registration =
            kept.map { PushRegistration($0.device, keptBy: answer.generation) }
            ?? PushRegistration(deviceID: deviceID)
        registration.id = kept?.registrationID
        registration.complete(from: known)
        if answer.generation == .documented { registration.service = service }
        registration.read(answer.view)
        registration.result = kept?.device.token == token ? .unchanged : .updated
        return Outcome(
            registration: registration, view: answer.view, generation: answer.generation)
    }

    /// Removes the token of a device from the server; succeeds if it is absent.
    /// - Throws: `APIError`; `.unsupported` if the server cannot, or only by ending all
    ///   registrations of the account without `mayEndAll`.
    package func unregister(
        _ deviceID: String, _ service: PushService?, mayEndAll: Bool
    ) async throws(APIError) -> Ended {
        let devices = try await devices()
        let known = devices?.first { $0.hasID(deviceID) }
        let removal = PushRegistrationRoutes.unregister(
            known?.hardwareID ?? deviceID, service, rowID: known?.id, mayEndAll: mayEndAll)
        do throws(APIError) {
            return try await session.call(removal, ())
        } catch  where error.kind == .notFound {
            return .nothing
        } catch  where error.isUnsupported && devices != nil && known == nil {
            // If tokens are stored in the rows of devices, a device without a row has none.
            return .nothing
        }
    }

    /// Probes, with an unsupported method, for the route that ends all of the account's
    /// registrations.
    /// - Throws: `APIError`.
    package func mayUnregisterAll() async throws(APIError) -> Bool {
        let probe = RawRequest(.get, PushRegistrationRoutes.unregisterAllPath)
        let answer = try await session.send(probe, receive: nil)
        let error = APIError(answer: answer)
        if error.isForeign { throw error }
        return answer.status == 405
            || !APIClient.isRouteAbsent(answer, to: probe.method, isAnonymous: false)
    }
}
