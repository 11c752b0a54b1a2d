import ArgusAccount
import ArgusCore

/// The state of a pairing of this machine.
struct PairingState: Sendable {
    /// The words of the field `state`.
    enum Stage: String, Sendable, CaseIterable {
        /// The code waits for its confirmation.
        case waiting
        /// A user confirmed it; the tokens are being fetched.
        case confirmed
        /// This machine is signed in.
        case paired
        /// The code disappeared early.
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

enum PairingView {
    static let fields: [Field<PairingState>] = [
        .column("state", "waiting, confirmed, paired, rejected or expired") { $0.stage.rawValue },
        .column("code", "the code to confirm") { $0.code.text.reveal() },
        .column("expires_at", "when the code expires; null for one that a dashboard made") {
            $0.expiresAt
        },
        .column("server", "the server's name here") { $0.server },
        .column("url", "the server's address") { $0.url },
        .column("username", "the account; null until paired") { $0.username },
        .column("device_id", "the server's id for this device; null until paired") { $0.deviceID },
        .column("hardware_id", "the id that this device chose") { $0.device.hardwareID },
        .column("device_name", "the name that this device chose") { $0.device.name },
        .column("platform", "ios or android, the kinds that servers know") {
            $0.device.platform.rawValue
        },
    ]
}

/// A device that waits for a confirmation, or that has just been confirmed or rejected.
struct PendingDeviceRow: Sendable {
    /// `waiting`, `confirmed` or `rejected`.
    var state: String
    var device: PendingDevice
}

enum PendingDeviceView {
    static let fields: [Field<PendingDeviceRow>] = [
        .column("code", "the code that the device shows") { $0.device.code.text.reveal() },
        .column("state", "waiting, confirmed or rejected") { $0.state }.withStateColors,
        .column("device_name", "the name that the device chose") { $0.device.name }.shrinking(1)
            .headed("name"),
        .column("device_model", "its model, as it claims") { $0.device.model }.shrinking(0)
            .headed("model"),
        .column("platform", "ios or android") { $0.device.platform }.headed("os"),
        .hidden("created_at", "when it asked") { $0.device.createdAt },
        .column("expires_at", "when its code expires") { $0.device.expiresAt },
    ]
}
