import ArgusTestSupport
import Testing

@testable import argus_demo

/// A home that is ready to deliver pushes, and push services that receive them.
struct NotifySendFixture {
    let home: TemporaryHome
    let services: PushServices

    init(faults: [String] = [], _ options: [String] = []) throws {
        home = try TemporaryHome()
        services = try PushServices(in: home, faults: faults, options)
        let ran = try home.argus("config", "set", "push.vapid_subject", "mailto:owner@example.org")
        guard ran.status == 0 else { throw NotReady(reason: ran.complaint) }
    }

    /// The options that name the first receiver of a service; `webpush` uses plain http, `https` not.
    func receiver(_ service: String, number: Int = 0) -> [String] {
        switch service {
        case "apns":
            return ["--apns-token", services.tokens(of: "apns")[number]["token"]?.string ?? ""]
        case "fcm":
            return ["--fcm-token", services.tokens(of: "fcm")[number]["token"]?.string ?? ""]
        default:
            let name = service == "https" ? "subscriptions" : "plain-subscriptions"
            let subscription = services.records(of: "\(name).ndjson")[number]
            func text(_ value: JSON?) -> String { value?.string ?? "" }
            return [
                "--endpoint", text(subscription["endpoint"]),
                "--p256dh", text(subscription["keys"]?["p256dh"]),
                "--auth", text(subscription["keys"]?["auth"]),
            ]
        }
    }

    /// Runs `argus notify send` to a receiver of a service.
    func send(
        _ service: String, _ more: String..., variables: [String: String] = [:]
    ) throws -> ProgramResult {
        try send(to: receiver(service), more, variables: variables)
    }

    /// Runs `argus notify send`.
    func send(
        to receiver: [String], _ more: [String] = [], variables: [String: String] = [:]
    ) throws -> ProgramResult {
        try home.argus(
            ["notify", "send", "--json", "--cacert", services.certificate]
                + receiver + more,
            variables: services.environment.merging(variables) { $1 })
    }

    /// What one service has received, oldest first.
    func received(_ service: String) -> [JSON] {
        services.received.filter { $0["provider"]?.string == service }
    }
}
