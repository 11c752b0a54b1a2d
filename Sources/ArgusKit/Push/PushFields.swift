package import ArgusCore

/// An invalid value of a push registration or subscription.
package struct PushFieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `device id`.
    package var field: String
    /// Continues a sentence whose subject is the value.
    package var reason: String

    package init(_ field: String, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    package var description: String { "the \(field) \(reason)" }
}

/// The systems with native pushes.
package enum PushPlatform: String, Sendable, CaseIterable {
    case ios, ipados, watchos, tvos, android

    /// Reads a platform in any case.
    /// - Throws: `PushFieldError` for other texts.
    package init(typed text: String) throws(PushFieldError) {
        guard let platform = Self(rawValue: text.lowercased()) else {
            throw PushFieldError("platform", "is not ios, ipados, watchos, tvos or android")
        }
        self = platform
    }

    /// The name on servers that know no Apple system but `ios`.
    package var family: String { self == .android ? "android" : "ios" }

    /// The service that its devices use by default.
    package var usualService: PushService { self == .android ? .fcm : .apns }
}

/// The service that delivers a push to the device.
package enum PushService: String, Sendable, CaseIterable {
    case apns, fcm

    /// Its usual spelling.
    package var name: String { self == .apns ? "APNs" : "FCM" }
}

/// The APNs environment of a token.
package enum PushTokenType: String, Sendable, CaseIterable {
    case production, sandbox
}

/// A token that identifies a device to a service; its holder can push to the device.
package struct PushToken: Hashable, Sendable {
    package let text: Redacted<String>

    /// Checks the form of a token.
    /// - Throws: `PushFieldError`, which never shows the token.
    package init(_ text: String, for service: PushService) throws(PushFieldError) {
        switch service {
        case .apns: try Self.checkHex(text, "push token")
        case .fcm:
            guard (32...4096).contains(text.utf8.count) else {
                throw PushFieldError("push token", "does not have the 32 to 4096 characters of FCM")
            }
            guard text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "_:-".utf8.contains($0) }) else {
                throw PushFieldError(
                    "push token", "has characters that no FCM token has (letters, digits, _ : -)")
            }
        }
        self.init(stored: text)
    }

    init(stored text: String) {
        // The hex digits of APNs are case-insensitive.
        self.text = Redacted(text, masking: [text, text.lowercased(), text.uppercased()])
    }

    static func checkHex(_ text: String, _ field: String) throws(PushFieldError) {
        guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw PushFieldError(field, "has characters other than the hex digits of APNs")
        }
        guard (64...200).contains(text.utf8.count) else {
            throw PushFieldError(field, "does not have the 64 to 200 hex digits of APNs")
        }
    }
}

/// The id of a device, which servers require to be a UUID (RFC 9562, section 4).
package enum DeviceIDText {
    /// Checks an id and returns it in lower case.
    /// - Throws: `PushFieldError` for other texts.
    package static func read(_ text: String) throws(PushFieldError) -> String {
        guard text.isUUID else {
            throw PushFieldError(
                "device id", "is not a UUID such as 550e8400-e29b-41d4-a716-446655440000")
        }
        return text.lowercased()
    }
}

/// A short text that describes a device.
package enum PushText {
    /// Checks that a text has 1 to `limit` characters and no control character.
    /// - Throws: `PushFieldError` for other texts.
    package static func read(
        _ text: String, _ field: String, atMost limit: Int
    ) throws(PushFieldError) -> String {
        guard (1...limit).contains(text.unicodeScalars.count) else {
            throw PushFieldError(field, "does not have 1 to \(limit) characters")
        }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw PushFieldError(field, "has a control character in it")
        }
        return text
    }
}
