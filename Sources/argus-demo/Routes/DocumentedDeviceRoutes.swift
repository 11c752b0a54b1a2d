/// Devices by the documents, which do not define the id, so both are accepted.
enum DocumentedDeviceRoutes {
    /// Exchanges the code that the dashboard shows.
    static func pair(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let body = try MobileAuthRoutes.body(request)
        guard let code = body["code"]?.string else { throw MobileAuthRoutes.invalid }
        guard let shown = state.pairings.dashboardCode, shown.code == code,
            shown.expiresAt > request.now, let user = state.accounts[username: Accounts.username]
        else { throw Refusal("Invalid or expired pairing code", status: 400) }
        let pairing = Pairing(
            code: code, hardwareID: body["device_id"]?.string ?? Identifier.random().text,
            name: body["device_name"]?.string, model: body["device_model"]?.string,
            platform: body["platform"]?.string ?? "ios", createdAt: request.now,
            expiresAt: request.now)
        let device = state.devices.pair(pairing, user.id, now: request.now)
        // The dashboard shows the next code at once.
        state.pairings.showDashboardCode(now: request.now)
        let lifetime = JSON.integer(Int(state.settings.accessTokenLifetime))
        return state.grant(
            to: user, on: device, now: request.now,
            ["token_type": "bearer", "device_id": .text(device.text), "expires_in": lifetime])
    }

    static func list(_ request: Request, _ state: inout State) -> Answer {
        .json(["devices": .list(state.devices.all.map(json))])
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(json(state.devices.all[try find(request, state)]))
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        state.removeDevice(at: try find(request, state))
        return .noContent
    }

    static func rename(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try find(request, state)
        guard let name = try MobileAuthRoutes.body(request)["name"]?.string, !name.isEmpty else {
            throw MobileAuthRoutes.invalid
        }
        var device = state.devices.all[index]
        device.name = name
        device.updatedAt = request.now
        state.devices.all[index] = device
        return .json(json(device))
    }

    private static func find(_ request: Request, _ state: State) throws(Refusal) -> Int {
        let id = request.parameter("id")
        return try (state.devices.index(row: id) ?? state.devices.index(hardware: id))
            .orRefuse("Device not found")
    }

    private static func json(_ device: Device) -> JSON {
        [
            "id": .text(device.id.text), "device_id": .text(device.hardwareID),
            "name": JSON(device.name), "platform": .text(device.platform),
            "device_model": JSON(device.model), "created_at": .text(device.createdAt.text),
            "last_seen_at": .text(device.lastSeenAt.text),
        ]
    }
}
