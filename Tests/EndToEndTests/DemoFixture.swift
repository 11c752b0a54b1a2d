@testable import argus_demo

/// The demo without its sockets: requests in, answers out, at a time of the test's choosing.
final class DemoFixture {
    let service: Service
    var now: Moment

    /// What came back.
    struct Reply {
        var status: Int
        var headers: [(name: String, value: String)]
        var bytes: [UInt8]

        var json: JSON { (try? JSONReader.read(bytes)) ?? .null }

        var detail: String? { json["detail"]?.string }

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    init(
        _ api: Generation = .current, events: Int = 240, cameras: Int = 6, limits: Bool = true,
        now: Moment = Moment(seconds: 1_795_200_000), change: (inout Settings) -> Void = { _ in }
    ) throws {
        var options = try Options()
        options.settings.api = api
        options.settings.events = events
        options.settings.cameras = cameras
        options.settings.limitsRates = limits
        change(&options.settings)
        service = try Service(options, now: now)
        self.now = now
    }

    /// Sends a request and lets a second pass, as two logins need.
    func ask(
        _ method: Method, _ target: String, _ body: JSON? = nil, token: String? = nil,
        headers: [(String, String)] = []
    ) -> Reply {
        var fields = headers.map { (name: $0.0, value: $0.1) }
        if let token { fields.append(("authorization", "Bearer \(token)")) }
        if body != nil { fields.append(("content-type", "application/json")) }
        let request = Request(
            method: method, target: target, headers: fields, body: body?.bytes() ?? [], now: now)
        let answer = service.answer(request)
        now = now + 1
        return Reply(
            status: answer.status, headers: answer.headers,
            bytes: answer.content)
    }

    /// Signs in and returns the answer.
    func login(_ username: String = "demo", password: String = "argus-demo-1") -> Reply {
        ask(
            .POST, "/api/v1/auth/login",
            ["username": .text(username), "password": .text(password)])
    }

    /// A fresh access token without a login.
    func token(_ username: String = "demo") -> String {
        let now = now
        return service.withState { state in
            state.accounts[username: username].map { state.accessToken(for: $0, now: now) } ?? ""
        }
    }

    /// The camera of that name.
    func camera(_ name: String) -> String {
        service.withState { state in
            state.cameras.first { $0.name == name }?.id.text ?? ""
        }
    }

    /// The newest event for which a condition holds.
    func event(where condition: (Event) -> Bool) -> Event? {
        service.withState { $0.events.rows.last(where: condition) }
    }
}
