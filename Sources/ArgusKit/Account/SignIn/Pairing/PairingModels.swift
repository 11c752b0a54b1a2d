package import ArgusCore
import ArgusTransport

/// The device to be paired, as shown to the confirming user.
package struct PairingDevice: Hashable, Sendable {
    /// The platforms that servers accept for a device.
    package enum Platform: String, Hashable, Sendable, CaseIterable { case ios, android }

    /// The id that the device chose, a lower-case UUID.
    package var hardwareID: String
    /// At most 100 characters.
    package var name: String
    /// At most 50 characters.
    package let model: String
    package var platform: Platform

    package init(hardwareID: String, name: String, model: String, platform: Platform) {
        self.hardwareID = hardwareID
        self.name = name
        self.model = String(String.UnicodeScalarView(model.unicodeScalars.prefix(50)))
        self.platform = platform
    }
}

/// A code that the server issued for this device.
///
///     {"code":"376529","expires_in":299,"expires_at":"2026-11-20T23:50:58.840060Z"}
///     {"pairing_code":"123456","expires_at":"2025-12-24T12:35:00Z"}
package struct PairingOffer: Sendable {
    package var code: PairingCode
    private var lifetime: Duration?
    private var expiresAt: Timestamp?

    /// The lifetime of a code if the server names none.
    private static let usualLifetime = Duration.seconds(300)
    /// The longest plausible lifetime.
    private static let longestLifetime = Duration.seconds(86_400)

    init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        let text = body["code"]?.string ?? body["pairing_code"]?.string
        guard let code = text.flatMap(PairingCode.init(fromServer:)) else {
            throw .malformed("the answer has no pairing code", answer)
        }
        self.code = code
        lifetime = body["expires_in"]?.int.map { .seconds($0) }
        expiresAt = body["expires_at"]?.timestamp
        // Compared with the server's own date, its time needs no knowledge of the local clock.
        if let expiresAt, let date = answer.headers["date"].flatMap(HTTPDate.parse) {
            lifetime = lifetime ?? (expiresAt - date)
        }
    }

    /// The end of the code by the local clock, for an answer received now.
    package func end(at now: Timestamp) -> Timestamp {
        let reported = lifetime ?? expiresAt.map { $0 - now } ?? Self.usualLifetime
        return now + min(max(reported, .zero), Self.longestLifetime)
    }
}

/// The status of a code on the server.
package struct PairingStatus: Hashable, Sendable {
    package var isConfirmed: Bool
    /// True if expired, rejected, exchanged or never issued, which servers do not distinguish.
    package var isGone: Bool

    init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        guard let isConfirmed = body["confirmed"]?.bool else {
            throw APIError(.unsupported(PairingRoutes.status.feature))
        }
        self.isConfirmed = isConfirmed
        isGone = body["expired"]?.bool ?? false
    }
}

/// A code to be exchanged, and the device.
package struct PairingClaim: Sendable {
    package var code: PairingCode
    package var device: PairingDevice
}

/// The tokens of a paired device.
package struct PairingGrant: Sendable {
    package var tokens: TokenGrant
    /// The id of the device's row, which renewals need; not every server sends it.
    package var deviceRowID: String?

    init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        tokens = try TokenGrant(answer, body, of: "exchange of the code")
        deviceRowID = body["device_id"]?.string
    }
}

/// A device that waits for a confirmation or rejection.
///
///     {"code":"376529","device_name":"attic","device_model":"Linux x86_64","platform":"ios",
///      "expires_at":"2026-11-20T23:50:58.840060Z","created_at":"2026-11-20T23:45:58.840473Z"}
package struct PendingDevice: Hashable, Sendable {
    package var code: PairingCode
    package var name: String?
    package var model: String?
    package var platform: String?
    package var createdAt: Timestamp?
    package var expiresAt: Timestamp?

    package init(code: PairingCode) { self.code = code }

    /// Decodes a row of the list; nil without a code.
    package init?(_ view: JSONView) {
        let text = view["code"]?.string ?? view["pairing_code"]?.string
        guard let code = text.flatMap(PairingCode.init(fromServer:)) else { return nil }
        self.code = code
        read(view)
        createdAt = view["created_at"]?.timestamp
        expiresAt = view["expires_at"]?.timestamp
    }

    /// Takes over the details of the device in the answer to a confirmation.
    package mutating func read(_ view: JSONView) {
        name = view["device_name"]?.string ?? name
        model = view["device_model"]?.string ?? model
        platform = view["platform"]?.string ?? platform
    }
}
