package import ArgusCore

/// A pairing that waits for confirmation, with everything that `pair resume` needs.
package struct PendingPairing: Hashable, Sendable {
    package var code: PairingCode
    package var device: PairingDevice
    /// The time of the request for the code, by the local clock.
    package var startedAt: Timestamp
    /// The end of the code, by the local clock.
    package var expiresAt: Timestamp
    /// The server's future record, with the proved endpoint.
    package var server: ServerRecord
    /// True if the user chose the server's name.
    package var isNameGiven: Bool
    /// The tokens, from the server's answer until they are stored as a sign-in.
    package var session: StoredSession?

    /// True if both are of one request for a code, whatever has become of it.
    func isSame(as other: PendingPairing) -> Bool {
        code == other.code && startedAt == other.startedAt
    }
}

extension PendingPairing {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        self.init(
            code: try PairingCode(fromServer: object.text("code").required()).required(),
            device: PairingDevice(
                hardwareID: try object.text("hardware_id").required(),
                name: try object.text("device_name").required(),
                model: try object.text("device_model").required(),
                platform: try PairingDevice.Platform(
                    rawValue: object.text("platform").required()
                ).required()),
            startedAt: try object.time(microseconds: "started_at_us").required(),
            expiresAt: try object.time(microseconds: "expires_at_us").required(),
            server: try ServerRecord(state: object.take("server").required()),
            isNameGiven: object.take("is_name_given") == .bool(true))
        if let text = try object.text("session"), let state = JSONValue(parsing: Array(text.utf8)),
            case .session(let kept)? = try? Credential(state: state)
        {
            session = kept
        }
    }

    var state: JSONValue {
        var object = JSONObject()
        object.put("code", code.text.reveal())
        object.put("hardware_id", device.hardwareID)
        object.put("device_name", device.name)
        object.put("device_model", device.model)
        object.put("platform", device.platform.rawValue)
        object.put("started_at_us", microseconds: startedAt)
        object.put("expires_at_us", microseconds: expiresAt)
        object.put("server", server.state)
        object.put("is_name_given", .bool(isNameGiven))
        object.put(
            "session",
            session.map {
                String(decoding: Credential.session($0).encoded().reveal(), as: UTF8.self)
            })
        return object.value
    }
}
