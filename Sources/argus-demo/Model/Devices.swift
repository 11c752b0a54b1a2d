/// A device that was registered or paired; it has two ids.
struct Device: Sendable {
    /// The id of the row.
    var id = Identifier.random()
    /// The id that the device chose.
    var hardwareID: String
    var userID: Identifier
    var platform: String
    var name: String?
    var model: String?
    var pushToken: String?
    var lastSeenAt: Moment
    var createdAt: Moment
    var updatedAt: Moment?
    var isPairingConfirmed = false
    /// The hours without pushes.
    var hasQuietHours = false
    var quietStart: String?
    var quietEnd: String?
    var timezone = "UTC"
    var overridesCritical = true

    var json: JSON {
        [
            "id": .text(id.text), "user_id": .text(userID.text), "device_id": .text(hardwareID),
            "platform": .text(platform), "name": JSON(name),
            "last_seen_at": .text(lastSeenAt.text), "created_at": .text(createdAt.text),
            "device_model": JSON(model), "pairing_confirmed": .bool(isPairingConfirmed),
            "inactive_warning": false, "updated_at": JSON(updatedAt?.text),
            "quiet_hours_enabled": .bool(hasQuietHours),
            "quiet_hours_start": JSON(quietStart), "quiet_hours_end": JSON(quietEnd),
            "quiet_hours_timezone": .text(timezone),
            "quiet_hours_override_critical": .bool(overridesCritical),
        ]
    }
}

struct Devices: Sendable {
    var all: [Device] = []

    func index(row id: String) -> Int? { all.firstIndex { $0.id.text == id } }

    func index(hardware id: String) -> Int? { all.firstIndex { $0.hardwareID == id } }

    /// Updates the last-seen time of a device named in a request's header.
    mutating func touch(_ request: Request) {
        let silent = ["/api/v1/auth/", "/api/v1/events/", "/api/v1/thumbnails/"]
        guard let id = request.header("x-device-id"), let index = index(hardware: id),
            !silent.contains(where: request.path.hasPrefix)
        else { return }
        all[index].lastSeenAt = request.now
    }

    /// The row id of a pairing device, created if absent.
    mutating func pair(_ pairing: Pairing, _ user: Identifier, now: Moment) -> Identifier {
        guard let index = index(hardware: pairing.hardwareID) else {
            let device = Device(
                hardwareID: pairing.hardwareID, userID: user, platform: pairing.platform,
                name: pairing.name, model: pairing.model, lastSeenAt: now, createdAt: now,
                isPairingConfirmed: true)
            all.append(device)
            return device.id
        }
        all[index].userID = user
        all[index].isPairingConfirmed = true
        all[index].lastSeenAt = now
        all[index].updatedAt = now
        return all[index].id
    }
}
