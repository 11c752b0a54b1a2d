/// The devices of today's server; some routes take the row id, others the hardware id.
enum DeviceRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        let own = state.devices.all.filter { $0.userID == user.id }
        return .json(["devices": .list(own.map(\.json)), "total": .integer(own.count)])
    }

    /// Registers a device or replaces it; drops a name that is left out.
    static func register(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        var body = try BodyReader(request)
        let hardwareID = body.required("device_id", length: 1...255)
        let platform = body.word("platform", oneOf: ["ios", "android", "web"])
        let name = body.optional("name", length: 0...100)
        let model = body.optional("device_model", length: 0...100)
        let token = body.optional("push_token")
        try body.finish()
        let known = state.devices.index(hardware: hardwareID)
        var device =
            known.map { state.devices.all[$0] }
            ?? Device(
                hardwareID: hardwareID, userID: user.id, platform: platform,
                lastSeenAt: request.now, createdAt: request.now)
        device.userID = user.id
        device.platform = platform
        device.name = name
        device.model = model
        device.pushToken = token ?? device.pushToken
        device.lastSeenAt = request.now
        if let known {
            device.updatedAt = request.now
            state.devices.all[known] = device
        } else {
            state.devices.all.append(device)
        }
        return .created([
            "id": .text(device.id.text), "device_id": .text(hardwareID),
            "platform": .text(platform), "created_at": .text(device.createdAt.text),
            "is_new": .bool(known == nil),
        ])
    }

    /// Renames a device, given by its row id.
    static func rename(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try state.devices.index(row: request.parameter("id"))
            .orRefuse("Device not found")
        var body = try BodyReader(request)
        let name = body.optional("name", length: 0...100)
        let token = body.optional("push_token")
        try body.finish()
        var device = state.devices.all[index]
        device.name = name ?? device.name
        device.pushToken = token ?? device.pushToken
        device.lastSeenAt = request.now
        device.updatedAt = request.now
        state.devices.all[index] = device
        return .json(device.json)
    }

    /// Stores a push token; takes the hardware id, as do the next two.
    static func setToken(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try hardware(request, state)
        var body = try BodyReader(request)
        let token = body.required("push_token", length: 1...Int.max)
        try body.finish()
        state.devices.all[index].pushToken = token
        return .json(["success": true, "message": "Token updated successfully"])
    }

    static func setPreferences(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try hardware(request, state)
        var body = try BodyReader(request)
        let isEnabled = body.flag("quiet_hours_enabled")
        let start = body.optional("quiet_hours_start")
        let end = body.optional("quiet_hours_end")
        let zone = body.optional("quiet_hours_timezone") ?? body.optional("timezone")
        let overrides =
            body.flag("quiet_hours_override_critical") ?? body.flag("override_critical")
        for case (let name, let time?) in [("quiet_hours_start", start), ("quiet_hours_end", end)]
        where !ClockTime.isTime(time, isStrict: true) {
            body.report("value_error", name, "Value error, Time must be in HH:MM format")
        }
        if let zone, !ClockTime.isZone(zone) {
            body.report(
                "value_error", "quiet_hours_timezone", "Value error, Invalid timezone: \(zone)")
        }
        try body.finish()
        var device = state.devices.all[index]
        device.hasQuietHours = isEnabled ?? device.hasQuietHours
        device.quietStart = start ?? device.quietStart
        device.quietEnd = end ?? device.quietEnd
        device.timezone = zone ?? device.timezone
        device.overridesCritical = overrides ?? device.overridesCritical
        device.updatedAt = request.now
        state.devices.all[index] = device
        return .json(device.json)
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        state.removeDevice(at: try hardware(request, state))
        return .noContent
    }

    private static func hardware(_ request: Request, _ state: State) throws(Refusal) -> Int {
        try state.devices.index(hardware: request.parameter("device_id"))
            .orRefuse("Device not found")
    }
}
