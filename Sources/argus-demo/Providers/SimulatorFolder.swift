import Crypto
import Glibc

/// The push tokens that Apple and Google have given out: of a fixed form, the same at each start.
struct SimulatorTokens {
    let apns: [SimulatorOptions.Environment: [String]]
    let fcm: [String]

    init(count: Int) {
        func digests(_ kind: String) -> [[UInt8]] {
            (0..<count).map { Array(SHA256.hash(data: Array("\(kind) \($0)".utf8))) }
        }
        apns = Dictionary(
            uniqueKeysWithValues: SimulatorOptions.Environment.allCases.map {
                ($0, digests($0.rawValue).map(Hexadecimal.encode))
            })
        fcm = digests("fcm").map { digest in
            let sender = Base64URL.encode(Array(digest.prefix(16)))
            return "\(sender):APA91b\(Base64URL.encode(digest + digest + digest))"
        }
    }
}

/// The folder with all that a sender needs to know of the services.
struct SimulatorFolder {
    let simulator: PushSimulator
    let issued: SimulatorTokens

    /// Writes the files, for their owner only.
    ///
    /// - Throws: The error of writing them.
    func write() throws(SystemFailure) {
        let path = simulator.folder
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemFailure("cannot make \(path)")
        }
        try put(simulator.certificate.certificate, "certificate.pem")
        for key in simulator.apns.keys.keys {
            try put(key.file, "AuthKey_\(key.id).p8")
        }
        let tokenURL = simulator.origin(.fcm) + "/token"
        for account in simulator.fcm.oauth.accounts {
            let name =
                account.project == PushSimulator.project ? "service-account" : account.project
            try put(account.file(tokenURL: tokenURL).description() + "\n", "\(name).json")
        }
        try put(tokens, "tokens.ndjson")
        try put(subscriptions(.webPush), "subscriptions.ndjson")
        try put(subscriptions(.plainWebPush), "plain-subscriptions.ndjson")
        try put(receivers, "receivers.ndjson")
        try put(lines(simulator.variables.map { "\($0.name)=\($0.value)" }), "environment")
    }

    private func file(_ name: String) -> String { "\(simulator.folder)/\(name)" }

    private func put(_ text: String, _ name: String) throws(SystemFailure) {
        try PrivateFile.write(text, to: file(name))
    }

    private func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// Records for `push tokens import`, one a line: Apple's, Google's and the browsers'.
    private var tokens: String {
        var records: [JSON] = []
        func add(_ service: String, _ platform: String, _ index: Int, _ address: JSON) {
            let device: JSON = [
                "device_id": .text("\(service)-\(index + 1)"),
                "device_name": .text("\(service) \(index + 1)"), "platform": .text(platform),
                "service": .text(service),
            ]
            records.append(device.merging(address))
        }
        let environment = simulator.options.environment
        for (index, token) in (issued.apns[environment] ?? []).enumerated() {
            add(
                "apns", "ios", index,
                [
                    "token": .text(token), "token_type": .text(environment.rawValue),
                    "bundle_id": .text(PushSimulator.bundleID),
                ])
        }
        for (index, token) in issued.fcm.enumerated() {
            add("fcm", "android", index, ["token": .text(token)])
        }
        for (index, receiver) in simulator.webPush.receivers.enumerated() {
            add(
                "webpush", "web", index,
                [
                    "endpoint": .text(endpoint(receiver, .plainWebPush)),
                    "p256dh": .text(receiver.p256dh), "auth": .text(receiver.auth),
                ])
        }
        return lines(records.map { $0.description() })
    }

    private func endpoint(_ receiver: WebPushReceiver, _ listener: SimulatorListener) -> String {
        "\(simulator.origin(listener))/push/\(receiver.id)"
    }

    private func subscriptions(_ listener: SimulatorListener) -> String {
        lines(
            simulator.webPush.receivers.map {
                $0.subscription(endpoint: endpoint($0, listener)).description()
            })
    }

    /// The browsers' private keys, for those who want to decrypt by themselves.
    private var receivers: String {
        lines(
            simulator.webPush.receivers.map { receiver in
                let record: JSON = [
                    "id": .text(receiver.id), "auth": .text(receiver.auth),
                    "private_key": .text(Base64URL.encode(Array(receiver.key.rawRepresentation))),
                ]
                return record.description()
            })
    }
}
