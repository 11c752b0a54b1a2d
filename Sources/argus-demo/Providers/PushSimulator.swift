import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The push services of Apple, Google and browsers, on ports of this machine; loopback only.
///
/// Strict on purpose: what these refuse, the real ones refuse as well.
final class PushSimulator: Sendable {
    let options: SimulatorOptions
    let folder: String
    let certificate: SelfSignedCertificate
    let apns: SimulatedAPNs
    let fcm: SimulatedFCM
    let webPush: SimulatedWebPush
    private let log: SimulatorLog
    private let faults: NIOLockedValueBox<SimulatorFaults>
    private let connections = NIOLockedValueBox(0)
    private let ports = NIOLockedValueBox<[SimulatorListener: Int]>([:])
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    static let bundleID = "com.example.argus"
    static let project = "argus-demo"

    /// Makes the keys, opens the ports and writes the folder.
    ///
    /// - Throws: The error of a file, a key or a socket.
    init(_ options: SimulatorOptions, folder: String) throws(SystemFailure) {
        self.options = options
        self.folder = folder
        log = try SimulatorLog(path: options.logPath)
        faults = NIOLockedValueBox(SimulatorFaults(options.faults))
        let accounts: [ServiceAccount]
        do {
            certificate = try SelfSignedCertificate(now: .now)
            accounts = try [Self.project, "another-project"].map { try ServiceAccount(project: $0) }
        } catch {
            throw SystemFailure(words: "cannot make keys: \(error)")
        }
        let keys = [
            APNsKey(id: "DEMOKEY001", team: "DEMOTEAM01"),
            APNsKey(id: "FOREIGNKEY", team: "FOREIGNTEA"),
        ]
        let issued = SimulatorTokens(count: options.tokens)
        apns = SimulatedAPNs(
            keys: APNsKeys(keys: keys, team: "DEMOTEAM01"), bundleID: Self.bundleID,
            tokens: Set(issued.apns[options.environment] ?? []))
        fcm = SimulatedFCM(
            oauth: SimulatedOAuth(accounts), project: Self.project, tokens: Set(issued.fcm))
        webPush = SimulatedWebPush((0..<options.tokens).map { _ in WebPushReceiver() })
        try listen()
        try SimulatorFolder(simulator: self, issued: issued).write()
    }

    private func listen() throws(SystemFailure) {
        let loop = group
        for listener in SimulatorListener.allCases {
            let port = options.port.map { $0 + listener.rawValue } ?? 0
            do {
                let bootstrap = try listener.bootstrap(self, loop)
                let channel = try bootstrap.bind(host: "127.0.0.1", port: port).wait()
                ports.withLockedValue { $0[listener] = channel.localAddress?.port ?? port }
            } catch {
                guard let code = (error as? IOError)?.errnoCode else {
                    throw SystemFailure(words: "cannot listen on 127.0.0.1:\(port): \(error)")
                }
                throw SystemFailure("cannot listen on 127.0.0.1:\(port)", code: code)
            }
        }
    }

    /// The variables that lead argus to the services, and to the keys.
    var variables: [(name: String, value: String)] {
        let key = apns.keys.keys.first { $0.team == apns.keys.team }?.id ?? ""
        return [
            ("APNS_KEY_FILE", "\(folder)/AuthKey_\(key).p8"), ("APNS_KEY_ID", key),
            ("APNS_TEAM_ID", apns.keys.team), ("APNS_BUNDLE_ID", Self.bundleID),
            ("APNS_USE_SANDBOX", options.environment == .sandbox ? "true" : "false"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "\(folder)/service-account.json"),
            ("FCM_PROJECT_ID", Self.project),
            ("ARGUS_APNS_URL", origin(.apns)), ("ARGUS_FCM_URL", origin(.fcm)),
            ("ARGUS_DEMO_CACERT", "\(folder)/certificate.pem"),
        ]
    }

    /// The addresses for programs.
    var json: JSON {
        [
            "folder": .text(folder), "apns": .text(origin(.apns)), "fcm": .text(origin(.fcm)),
            "webpush": .text(origin(.webPush)), "plain_fcm": .text(origin(.plainFCM)),
            "plain_webpush": .text(origin(.plainWebPush)),
            "environment": .object(
                variables.map { JSON.Member(name: $0.name, value: .text($0.value)) }),
        ]
    }

    /// The address of a service, without a path.
    func origin(_ listener: SimulatorListener) -> String {
        let port = ports.withLockedValue { $0[listener] ?? 0 }
        return "\(listener.isSecure ? "https" : "http")://127.0.0.1:\(port)"
    }

    /// Remembers a new connection.
    func line(_ listener: SimulatorListener) -> SimulatorLine {
        let number = connections.withLockedValue { count in
            count += 1
            return count
        }
        return SimulatorLine(number: number, listener: listener)
    }

    /// Answers a request, with the fault that applies to it.
    func reply(
        method: String, target: String, headers: [(name: String, value: String)], body: [UInt8],
        _ line: SimulatorLine, stream: Int?
    ) -> SimulatorReply {
        let path = String(target.split(separator: "?", maxSplits: 1).first ?? "")
        let request = SimulatorRequest(
            service: kind(line.listener, path), method: method, path: path, headers: headers,
            body: body, line: line, stream: stream, now: .now + options.clockOffset)
        var reply = answer(request)
        let token = reply.record.token ?? ""
        let fault = faults.withLockedValue { $0.strike(request, token: token) }
        if let fault { apply(fault, to: request, &reply) }
        if reply.delivery == .whole, let stream {
            line.withState { $0.lastStream = max($0.lastStream, stream) }
        }
        log.write(
            request, reply.record, status: reply.delivery == .whole ? reply.answer.status : nil,
            fault: fault.map(\.name) ?? nil)
        return reply
    }

    private func kind(_ listener: SimulatorListener, _ path: String) -> PushServiceKind {
        switch listener {
        case .apns: .apns
        case .webPush, .plainWebPush: .webpush
        case .fcm, .plainFCM: path == "/token" ? .oauth : .fcm
        }
    }

    private func answer(_ request: SimulatorRequest) -> SimulatorReply {
        let origin = origin(request.line.listener)
        switch request.service {
        case .apns: return apns.reply(to: request)
        case .fcm: return fcm.reply(to: request)
        case .oauth: return fcm.oauth.reply(to: request, at: origin + "/token")
        case .webpush: return webPush.reply(to: request, at: origin)
        }
    }

    private func apply(
        _ fault: SimulatorFault, to request: SimulatorRequest, _ reply: inout SimulatorReply
    ) {
        if let reason = fault.reason {
            reply.record.reason = reason
            if let reason = APNsReason(rawValue: reason), request.service == .apns {
                if reason.status == 403 { request.line.forget(reply.record.webToken) }
                reply = apns.refuse(request, reply.record, reason, age: fault.age)
            } else if let error = FCMError(rawValue: reason), request.service == .fcm {
                reply.answer = error.answer()
            } else if let error = OAuthError(rawValue: reason) {
                reply.answer = error.answer("Injected fault")
            }
        }
        fault.base.change(&reply.answer, service: request.service)
        reply.delayMilliseconds = fault.base.delayMilliseconds
        switch fault.base.delivery {
        case .reset: reply.delivery = .reset
        case .silent: reply.delivery = .silent
        case .endless: reply.delivery = .endless
        default: if fault.goesAway { reply.delivery = .goAway }
        }
    }
}

extension Fault {
    /// Replaces what the fault names of a push service's answer.
    fileprivate func change(_ answer: inout SimulatorAnswer, service: PushServiceKind) {
        if let status {
            answer.status = status
            answer.body = JSON.object([]).bytes()
            if service == .webpush {
                answer = SimulatedWebPush.answer(status, "Injected fault")
            }
        }
        if let body { answer.body = Array(body.utf8) }
        if let contentType {
            answer.headers.removeAll { $0.name == "content-type" }
            answer.headers.append(("content-type", contentType))
        }
        for header in headers {
            answer.headers.removeAll { $0.name == header.name }
            answer.headers.append((header.name, header.value))
        }
    }
}

extension SimulatorFault {
    /// The name in the log; nil for one that only delays.
    fileprivate var name: String? {
        if goesAway { return "goaway" }
        switch base.delivery {
        case .reset: return "reset"
        case .silent: return "silent"
        case .endless: return "endless"
        default: return reason ?? base.status.map { "status \($0)" }
        }
    }
}
