import ArgusKit

/// The state of a pairing of this machine.
struct PairingState: Sendable {
    /// The words of the field `state`.
    enum Stage: String, Sendable, CaseIterable {
        /// The code waits for its confirmation.
        case waiting
        /// Somebody did; the tokens are being fetched.
        case confirmed
        /// This machine is signed in.
        case paired
        /// The code was gone before its time.
        case rejected
        case expired
    }

    var stage: Stage
    var code: PairingCode
    /// The user's name for the server.
    var server: String
    var url: String
    var device: PairingDevice
    var username: String?
    /// The id of the device's row at the server.
    var deviceID: String?
    /// By the local clock; nil for a dashboard's code.
    var expiresAt: Timestamp?
}

/// The canonical fields of a pairing.
enum PairingView {
    static let fields: [Field<PairingState>] = [
        Field("state", "waiting, confirmed, paired, rejected or expired") {
            .text($0.stage.rawValue)
        },
        Field("code", "the code to confirm") { .text($0.code.text.reveal()) },
        Field("expires_at", "when the code ends; null for one that a dashboard made") {
            FieldValue($0.expiresAt)
        },
        Field("server", "what the server is called here") { .text($0.server) },
        Field("url", "the address that is used") { .text($0.url) },
        Field("username", "whose account it is; null until paired") { FieldValue($0.username) },
        Field("device_id", "the server's id of this device; null until paired") {
            FieldValue($0.deviceID)
        },
        Field("hardware_id", "the id that this device gave itself") {
            .text($0.device.hardwareID)
        },
        Field("device_name", "what this device calls itself") { .text($0.device.name) },
        Field("platform", "ios or android, which servers want to be told") {
            .text($0.device.platform.rawValue)
        },
    ]
}

/// A device that waits to be let in, or that has just been answered.
struct PendingDeviceRow: Sendable {
    /// `waiting`, `confirmed` or `rejected`.
    var state: String
    var device: PendingDevice
}

/// The canonical fields of a device that waits.
enum PendingDeviceView {
    static let fields: [Field<PendingDeviceRow>] = [
        Field("code", "the code that the device shows") { .text($0.device.code.text.reveal()) },
        Field("state", "waiting, confirmed or rejected") { .text($0.state) },
        Field("device_name", "what the device calls itself") { FieldValue($0.device.name) },
        Field("device_model", "what it says it is") { FieldValue($0.device.model) },
        Field("platform", "ios or android") { FieldValue($0.device.platform) },
        Field("created_at", "when it asked") { FieldValue($0.device.createdAt) },
        Field("expires_at", "when its code ends") { FieldValue($0.device.expiresAt) },
    ]
}
