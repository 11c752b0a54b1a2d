import Crypto
import Glibc

/// The push tokens that Apple and Google have given out: of a fixed form, the same at each start.
struct SimulatorTokens {
    let apns: [String]
    let fcm: [String]

    init(_ options: SimulatorOptions) {
        func digests(_ kind: String) -> [[UInt8]] {
            (0..<options.tokens).map { Array(SHA256.hash(data: Array("\(kind) \($0)".utf8))) }
        }
        apns = digests(options.environment.rawValue).map(Hexadecimal.encode)
        fcm = digests("fcm").map { digest in
            let sender = Base64URL.encode(digest.prefix(16))
            return "\(sender):APA91b\(Base64URL.encode(digest + digest + digest))"
        }
    }
}

extension PushSimulator {
    /// Writes all that a sender needs to know of the services, for their owner only.
    func writeFolder(_ issued: SimulatorTokens) throws(SystemFailure) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw SystemFailure("cannot make \(folder)")
        }
        try put(certificate.certificate, "certificate.pem")
        for key in apns.keys.keys { try put(key.file, "AuthKey_\(key.id).p8") }
        for account in fcm.oauth.accounts {
            let name = account.project == Self.project ? "service-account" : account.project
            try put([account.file(tokenURL: origin(.fcm) + "/token")], "\(name).json")
        }
        try put(tokens(issued), "tokens.ndjson")
        try put(subscriptions(.webPush), "subscriptions.ndjson")
        try put(subscriptions(.plainWebPush), "plain-subscriptions.ndjson")
        try put(receivers, "receivers.ndjson")
        try put(variables.map { "\($0.name)=\($0.value)\n" }.joined(), "environment")
    }

    private func put(_ text: String, _ name: String) throws(SystemFailure) {
        try PrivateFile.write(text, to: "\(folder)/\(name)")
    }

    private func put(_ lines: [JSON], _ name: String) throws(SystemFailure) {
        try put(lines.map { $0.description() + "\n" }.joined(), name)
    }

    /// Records for `push tokens import`: Apple's, Google's and the browsers'.
    private func tokens(_ issued: SimulatorTokens) -> [JSON] {
        func records(_ service: String, _ platform: String, _ addresses: [JSON]) -> [JSON] {
            addresses.enumerated().map { index, address in
                let device: JSON = [
                    "device_id": .text("\(service)-\(index + 1)"),
                    "device_name": .text("\(service) \(index + 1)"), "platform": .text(platform),
                    "service": .text(service),
                ]
                return device.merging(address)
            }
        }
        let apns = issued.apns.map { token -> JSON in
            [
                "token": .text(token), "token_type": .text(options.environment.rawValue),
                "bundle_id": .text(Self.bundleID),
            ]
        }
        let browsers = webPush.receivers.map { receiver -> JSON in
            [
                "endpoint": .text(endpoint(of: receiver, .plainWebPush)),
                "p256dh": .text(receiver.p256dh), "auth": .text(receiver.auth),
            ]
        }
        return records("apns", "ios", apns)
            + records("fcm", "android", issued.fcm.map { ["token": .text($0)] })
            + records("webpush", "web", browsers)
    }

    private func endpoint(of receiver: WebPushReceiver, _ listener: SimulatorListener) -> String {
        "\(origin(listener))/push/\(receiver.id)"
    }

    /// The browsers' subscriptions as they print them.
    private func subscriptions(_ listener: SimulatorListener) -> [JSON] {
        webPush.receivers.map { receiver in
            [
                "endpoint": .text(endpoint(of: receiver, listener)), "expirationTime": nil,
                "keys": ["p256dh": .text(receiver.p256dh), "auth": .text(receiver.auth)],
            ]
        }
    }

    /// The browsers' private keys, for those who want to decrypt by themselves.
    private var receivers: [JSON] {
        webPush.receivers.map { receiver in
            [
                "id": .text(receiver.id), "auth": .text(receiver.auth),
                "private_key": .text(Base64URL.encode(receiver.key.rawRepresentation)),
            ]
        }
    }
}
