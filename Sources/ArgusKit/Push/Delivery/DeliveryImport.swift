package import ArgusCore
import ArgusEvents

/// Receivers of pushes in the forms in which they are handed over: the records of `notify receivers
/// list`, the body of a registration, and Web Push subscriptions as browsers and UnifiedPush apps
/// print them.
package enum DeliveryImport {
    /// One record of the input: a token with the preferences that it names, or why it is none.
    package typealias Entry = Result<
        (token: DeliveryToken, preferences: PushPreferencesChange), PushFieldError
    >

    /// The largest input in bytes.
    package static let sizeLimit = 16 << 20

    /// Reads an object, an array of objects, or an object on each line.
    ///
    /// `publicKey` is the VAPID key of argus, with which Web Push subscriptions must have been made;
    /// nil if there is none yet.
    package static func read(
        _ bytes: [UInt8], publicKey: String?, at now: Timestamp
    ) -> [Entry] {
        if let whole = try? JSONView.parse(bytes) {
            let views = whole.kind == .array ? Array(whole.elements) : [whole]
            return views.map { read($0, publicKey, now) }
        }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { return nil }
            guard let view = try? JSONView.parse(Array(line)) else {
                return .failure(PushFieldError("record", "is not JSON"))
            }
            return read(view, publicKey, now)
        }
    }

    private static func read(_ view: JSONView, _ publicKey: String?, _ now: Timestamp) -> Entry {
        Result { () throws(PushFieldError) in
            guard view.kind == .object else { throw PushFieldError("record", "is not an object") }
            var token = DeliveryToken(
                id: DeliveryToken.newID(), address: try address(view, publicKey),
                device: try device(view), createdAt: now)
            token.device.platform = try platform(view, of: token.service)
            return (token, try preferences(view))
        }
    }

    private static func address(
        _ view: JSONView, _ publicKey: String?
    ) throws(PushFieldError) -> DeliveryToken.Address {
        let text = view.text("token", "device_token", "push_token")
        let endpoint = view.text("endpoint", "url")
        let named = view.text("service", "push_service")?.lowercased()
        let usual = endpoint == nil ? nil : DeliveryService.webPush
        guard let service = named.map(DeliveryService.init(rawValue:)) ?? usual else {
            throw PushFieldError("service", "is none of apns, fcm and webpush")
        }
        switch service {
        case .apns:
            let type = PushTokenType(rawValue: view.text("token_type") ?? "production")
            guard let type else {
                throw PushFieldError("token type", "is neither production nor sandbox")
            }
            return .apns(
                token: try PushToken(text ?? "", for: .apns), type: type,
                bundleID: try view.short("bundle id", 100, "bundle_id", "app_bundle_id"))
        case .fcm: return .fcm(token: try PushToken(text ?? "", for: .fcm))
        case .webPush:
            let address = try webPush(view, endpoint ?? "")
            try expectOwnKey(view, publicKey)
            return address
        }
    }

    private static func webPush(
        _ view: JSONView, _ endpoint: String
    ) throws(PushFieldError) -> DeliveryToken.Address {
        // `pubKeySet` is UnifiedPush's.
        let keys = view["keys"] ?? view["pubKeySet"] ?? view
        let endpoint = try PushEndpoint(endpoint)
        guard !endpoint.isAPNs else {
            throw PushFieldError("endpoint", "is a token of APNs: use the service apns")
        }
        return .webPush(
            endpoint: endpoint,
            keys: try PushKeys(
                p256dh: keys.text("p256dh", "pubKey") ?? "", auth: keys.text("auth") ?? ""))
    }

    /// Checks the key that a subscription was made with, as far as it can be known.
    private static func expectOwnKey(
        _ view: JSONView, _ publicKey: String?
    ) throws(PushFieldError) {
        guard let publicKey else {
            throw PushFieldError(
                "subscription", "was made with another key than argus's, which has none yet")
        }
        let made =
            view.text("applicationServerKey", "application_server_key", "vapid")
            ?? view["options"]?.text("applicationServerKey")
        guard let made else { return }
        guard Base64.decodeEitherAlphabet(made) == Base64.decodeEitherAlphabet(publicKey) else {
            throw PushFieldError(
                "subscription", "was made with another key than that of 'argus notify key show'")
        }
    }

    private static func device(_ view: JSONView) throws(PushFieldError) -> DeviceDescription {
        var device = DeviceDescription()
        // Devices choose their ids: most are UUIDs, whose case does not matter.
        let id = try view.short("device id", 128, "device_id")
        device.id = id.map { $0.isUUID ? $0.lowercased() : $0 }
        device.name = try view.short("device name", 100, "device_name", "name")
        device.model = try view.short("model", 100, "device_model", "model")
        device.osVersion = try view.short("system's version", 20, "os_version")
        device.appVersion = try view.short("app's version", 20, "app_version")
        device.user = try view.short("user", 100, "user")
        return device
    }

    private static func platform(
        _ view: JSONView, of service: DeliveryService
    ) throws(PushFieldError) -> PushPlatform? {
        // Browsers have no system of their own.
        guard let text = view.text("platform"), service != .webPush || text != "web" else {
            return service.usualPlatform
        }
        let platform = try PushPlatform(typed: text)
        guard service != .apns || platform != .android else {
            throw PushFieldError("service", "cannot be apns on android, whose devices use fcm")
        }
        return platform
    }

    private static func preferences(
        _ view: JSONView
    ) throws(PushFieldError) -> PushPreferencesChange {
        var change = PushPreferencesChange()
        change.cameras = (view["cameras"] ?? view["enabled_cameras"]).map { .init($0.strings) }
        change.objects = (view["types"] ?? view["enabled_object_types"]).map { .init($0.strings) }
        let objects = change.objects?.values ?? []
        if let object = objects.first(where: { PushObject(rawValue: $0) == nil }) {
            throw PushFieldError(
                "type \(object.inQuotes)", "is not person, vehicle, package or animal")
        }
        change.quiet = try quietHours(view)
        if let zone = view.text("timezone", "quiet_hours_timezone") {
            guard LocalZone.isName(zone) else {
                throw PushFieldError("timezone", "is not the name of a time zone")
            }
            change.timezone = zone
        }
        change.hasSound = (view["sound"] ?? view["sound_enabled"])?.bool
        return change
    }

    /// The quiet hours that a record names; an inner nil if it switches them off.
    private static func quietHours(_ view: JSONView) throws(PushFieldError) -> QuietHours?? {
        let (start, end) = (view.text("quiet_hours_start"), view.text("quiet_hours_end"))
        guard let isEnabled = view["quiet_hours_enabled"]?.bool ?? (start == nil ? nil : true)
        else { return nil }
        guard isEnabled else { return .some(nil) }
        guard let hours = QuietHours(from: start, to: end) else {
            throw PushFieldError("quiet hours", "are not two times such as 22:00 and 07:00")
        }
        return hours
    }
}

extension JSONView {
    /// The first text among members.
    fileprivate func text(_ names: String...) -> String? {
        names.lazy.compactMap { self[$0]?.string }.first
    }

    /// The first text among members, checked as text that describes a device.
    fileprivate func short(
        _ field: String, _ limit: Int, _ names: String...
    ) throws(PushFieldError) -> String? {
        let texts = names.lazy.compactMap { self[$0]?.string }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        return try PushText.read(text, field, atMost: limit)
    }
}
