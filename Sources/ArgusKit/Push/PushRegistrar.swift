/// Registers devices for native pushes, by whichever routes the server has.
package struct PushRegistrar: Sendable {
    /// What came of a registration or an update.
    package struct Outcome: Sendable {
        package var registration: PushRegistration
        package var view: JSONView
        /// Whether the server keeps service, token type and versions beside the token.
        package var keepsAll: Bool
    }

    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The row that the server has of a device; nil where it has none, or no list of devices.
    package func known(_ deviceID: String) async throws(APIError) -> Device? {
        try await devices()?.first { $0.hasID(deviceID) }
    }

    /// The devices of the server; nil where it has no list of them.
    private func devices() async throws(APIError) -> [Device]? {
        do throws(APIError) {
            return try await DeviceService(session: session).list().map(\.device)
        } catch {
            guard case .unsupported = error.kind else { throw error }
            return nil
        }
    }

    /// Registers a device; the same again is sent all the same, since the server may have lost it.
    ///
    /// `kept` is what argus registered of it before, `known` the row that the server has.
    package func register(
        _ device: PushDevice, known: Device?, kept: KeptRegistration?
    ) async throws(APIError) -> Outcome {
        let answer = try await session.call(
            PushRegistrationRoutes.register(device.service), .init(device: device, known: known))
        var registration = PushRegistration(device)
        registration.read(answer.view)
        // Where no row could be compared, the server's word stands alone.
        let isNew = answer.isNew ?? (known == nil && kept == nil)
        registration.result =
            isNew ? .created : kept?.isSame(as: device) == true ? .unchanged : .updated
        return Outcome(registration: registration, view: answer.view, keepsAll: answer.keepsAll)
    }

    /// Puts a token in the place of the one that a server has of a device.
    ///
    /// `namesService` says the service to the server, for a device that has both.
    /// - Throws: `APIError`; `.notFound` for a device that is not registered.
    package func update(
        _ deviceID: String, _ service: PushService, namesService: Bool, token: PushToken,
        kept: KeptRegistration?
    ) async throws(APIError) -> Outcome {
        let input = PushRegistrationRoutes.Updating(
            deviceID: deviceID, service: namesService ? service : nil, token: token)
        let view = try await session.call(PushRegistrationRoutes.update(service), input)
        var registration =
            kept.map { PushRegistration($0.device) } ?? PushRegistration(deviceID: deviceID)
        registration.id = kept?.registrationID
        registration.service = service
        registration.read(view)
        registration.result = kept?.device.token == token ? .unchanged : .updated
        return Outcome(registration: registration, view: view, keepsAll: true)
    }

    /// Takes the token of a device away from the server; one that is gone is no failure.
    ///
    /// - Throws: `APIError`; `.unsupported` where the server cannot, or cannot for a device that
    ///   this machine did not register.
    package func unregister(
        _ deviceID: String, _ service: PushService?, isMine: Bool
    ) async throws(APIError) {
        let devices = try await devices()
        let known = devices?.first { $0.hasID(deviceID) }
        let input = PushRegistrationRoutes.Removing(
            deviceID: known?.hardwareID ?? deviceID, service: service, rowID: known?.id,
            isMine: isMine)
        do throws(APIError) {
            try await session.call(PushRegistrationRoutes.unregister(input), input)
        } catch {
            // Where tokens are kept in the rows of devices, a device without a row has none.
            let isKeptInRows = if case .unsupported = error.kind { true } else { false }
            guard error.kind == .notFound || (isKeptInRows && devices != nil && known == nil) else {
                throw error
            }
        }
    }
}
