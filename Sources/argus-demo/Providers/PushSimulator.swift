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
    private let log: LineLog?
    private let faults: NIOLockedValueBox<[SimulatorFault]>
    private let connections = NIOLockedValueBox(0)
    private let ports = NIOLockedValueBox<[SimulatorListener: Int]>([:])
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    static let bundleID = "com.example.argus"
    static let project = "argus-demo"

    /// Makes the keys, opens the ports and writes the folder.
    init(_ options: SimulatorOptions, folder: String) throws(SystemFailure) {
        (self.options, self.folder) = (options, folder)
        log = try LineLog(path: options.logPath)
        faults = NIOLockedValueBox(options.faults)
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
        let issued = SimulatorTokens(options)
        apns = SimulatedAPNs(
            keys: APNsKeys(keys: keys, team: "DEMOTEAM01"), bundleID: Self.bundleID,
            tokens: Set(issued.apns))
        fcm = SimulatedFCM(
            oauth: SimulatedOAuth(accounts), project: Self.project, tokens: Set(issued.fcm))
        webPush = SimulatedWebPush((0..<options.tokens).map { _ in WebPushReceiver() })
        try listen()
        try writeFolder(issued)
    }

    private func listen() throws(SystemFailure) {
        for listener in SimulatorListener.allCases {
            do {
                let bootstrap = try listener.bootstrap(self, group)
                let channel = try bootstrap.bind(host: "127.0.0.1", port: 0).wait()
                ports.withLockedValue { $0[listener] = channel.localAddress?.port }
            } catch {
                guard let code = (error as? IOError)?.errnoCode else {
                    throw SystemFailure(words: "cannot listen on 127.0.0.1: \(error)")
                }
                throw SystemFailure("cannot listen on 127.0.0.1", code: code)
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

    func line(_ listener: SimulatorListener, _ channel: any Channel) -> SimulatorLine {
        let number = connections.withLockedValue { count in
            count += 1
            return count
        }
        return SimulatorLine(number: number, listener: listener, channel: channel)
    }

    /// Answers a request, with the fault that applies to it.
    func reply(to request: Request, _ line: SimulatorLine, stream: Int?) -> Reply {
        var request = SimulatorRequest(
            service: kind(line.listener, request.path), request: request, line: line,
            stream: stream)
        request.request.now = request.now + options.clockOffset
        var answer: Answer
        do throws(SimulatorRefusal) {
            answer = try self.answer(&request)
        } catch {
            (answer, request.record.reason) = (error.answer, error.reason)
        }
        let token = request.record.token ?? ""
        // Each matching fault counts the request, and the first that applies strikes.
        let fault = faults.withLockedValue { faults in
            faults.indices.filter { index in
                faults[index].matches(request, token: token) && faults[index].base.strikes()
            }.first.map { faults[$0] }
        }
        if let refusal = fault.flatMap({ refusal(of: request, by: $0) }) {
            (answer, request.record.reason) = (refusal.answer, refusal.reason)
        }
        let delivery = fault?.delivery ?? .whole
        if delivery == .whole { line.serve(stream) }
        if fault?.goesAway == true { line.goAway(from: stream) }
        answer = fault?.base.change(answer) ?? answer
        let status = delivery == .whole ? answer.status : nil
        log?.write(request.logLine(status: status, fault: fault?.name))
        return Reply(
            answer: answer, delayMilliseconds: fault?.base.delayMilliseconds ?? 0,
            delivery: delivery)
    }

    private func kind(_ listener: SimulatorListener, _ path: String) -> PushServiceKind {
        switch listener {
        case .apns: .apns
        case .webPush, .plainWebPush: .webpush
        case .fcm, .plainFCM: path == "/token" ? .oauth : .fcm
        }
    }

    private func answer(_ request: inout SimulatorRequest) throws(SimulatorRefusal) -> Answer {
        let origin = origin(request.line.listener)
        return switch request.service {
        case .apns: try apns.answer(&request)
        case .fcm: try fcm.answer(&request)
        case .oauth: try fcm.oauth.answer(&request, at: origin + "/token")
        case .webpush: try webPush.answer(&request, at: origin)
        }
    }

    /// The refusal that a fault asks for by its reason.
    private func refusal(
        of request: SimulatorRequest, by fault: SimulatorFault
    ) -> SimulatorRefusal? {
        guard let name = fault.reason else { return nil }
        switch request.service {
        case .apns:
            guard let reason = APNsReason.allCases.first(where: { $0.name == name }) else {
                return nil
            }
            if reason.status == 403 { request.line.forget(request.record.webToken) }
            return apns.refusal(of: request, reason, age: fault.age)
        case .fcm: return FCMError(rawValue: name)?.refusal()
        case .oauth: return OAuthError(rawValue: name)?.refusal("Injected fault")
        case .webpush: return nil
        }
    }
}

extension SimulatorFault {
    /// The delivery of the answer; a request that meets GOAWAY gets none.
    fileprivate var delivery: Fault.Delivery { goesAway ? .silent : base.delivery }

    /// The name in the log; nil for one that only delays.
    fileprivate var name: String? {
        if goesAway { return "goaway" }
        // Only reset, silent and endless, which are called so.
        if base.delivery != .whole { return "\(base.delivery)" }
        return reason ?? base.status.map { "status \($0)" }
    }
}

struct SimulatorOptions: Sendable {
    /// The folder for keys, tokens and addresses; nil without the services.
    var folder: String?
    /// The file for a line per notification received.
    var logPath: String?
    var faults: [SimulatorFault] = []
    /// The number of addresses that each service has given out.
    var tokens = 5
    /// The seconds by which the services' clocks are ahead.
    var clockOffset: Int64 = 0
    var environment = Environment.production

    enum Environment: String, Sendable, CaseIterable {
        case production, sandbox
    }

    /// Refuses an option without `--providers`.
    func check() throws(UsageError) {
        guard folder == nil else { return }
        if logPath != nil { throw UsageError("--provider-log needs --providers") }
        if !faults.isEmpty { throw UsageError("--provider-fault needs --providers") }
    }
}
