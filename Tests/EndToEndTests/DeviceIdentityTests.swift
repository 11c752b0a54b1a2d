import Glibc
import Testing

@testable import argus_demo

/// Which device servers are told of: one for each user and machine, whatever becomes of its files.
@Suite("the identity of a device", .waitsForPrograms)
struct DeviceIdentityTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        (home, server) = (try TemporaryHome(), try DemoServer())
    }

    /// The device ids in a trace, with the number of requests that carried none.
    private func ids(_ ran: ProgramResult) -> Set<String> {
        Set(ran.complaint.matches(of: /(?i)x-device-id: (\S+)/).map { String($0.1) })
    }

    private func login(as binary: String = "argus") throws -> Set<String> {
        try home.write(DemoServer.password, to: "password")
        let ran = try home.bash(
            "\(binary) login \(server.url) -u demo --password-file password --trace - && "
                + "\(binary) events list -n 1 --trace - >/dev/null")
        #expect(ran.status == 0, "\(ran.complaint)")
        return ids(ran)
    }

    @Test("it is a lower-case UUID that outlives signing out, removing, and installing anew")
    func stable() throws {
        let first = try login()
        let id = try #require(first.first)
        #expect(first.count == 1)
        #expect(id.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil, "\(id)")
        #expect(try home.argus("logout").status == 0)
        #expect(try login() == first)
        #expect(try home.argus("server", "remove", "127.0.0.1").status == 0)
        #expect(try login() == first)
        let moved = try home.bash(
            "rm -rf .local .cache .config; mkdir other; cp \"$(command -v argus)\" other/")
        #expect(moved.status == 0)
        #expect(try login(as: "other/argus") == first)
        for file in try home.files() where !file.hasPrefix("other/") {
            #expect(home.text(of: file)?.contains(id) != true, "\(file)")
        }
    }

    @Test("another user of the machine is another device")
    func otherUser() throws {
        let first = try login()
        let root = geteuid() == 0 ? "" : "sudo -E "
        let token = String(try home.argus("token").text.dropLast())
        try home.write(token, to: "token", mode: 0o600)
        // The same program, with another user's number: the file with the token is passed as stdin.
        let ran = try home.bash(
            """
            cp "$(command -v argus)" /tmp/argus-$$ && chmod 755 /tmp/argus-$$
            ARGUS_TOKEN=$(cat token) ARGUS_SERVER=\(server.url) HOME= \\
              \(root)setpriv --reuid 54321 --regid 54321 --clear-groups \\
              env -C / /tmp/argus-$$ whoami --trace - >/dev/null; status=$?
            rm /tmp/argus-$$; exit $status
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ids(ran).count == 1)
        #expect(ids(ran).isDisjoint(with: first))
    }

    @Test("requests to the proved server name the device, and no other server hears of it")
    func headers() throws {
        let other = try DemoServer()
        let redirecting = try DemoServer(faults: [
            "route=/api/v1/events,status=302,header=Location:\(other.url)/api/v1/events"
        ])
        try home.signIn(to: redirecting, "--name", "home")
        try home.argus("events", "list", "-s", "home")
        try home.argus("cameras", "list", "-s", "home")
        let fields = ["x-device-id", "x-device-platform", "x-device-model", "x-app-version"]
        func names(_ request: JSON) -> [String] {
            request["headers"]?.list.compactMap { $0.string?.lowercased() } ?? []
        }
        #expect(redirecting.requests.count > 3)
        for request in redirecting.requests {
            // It goes beside the list of cameras.
            let isSecondary = request["target"]?.string == "/api/v1/cameras/health"
            #expect(
                fields.allSatisfy { names(request).contains($0) != isSecondary }, "\(request)")
        }
        #expect(other.requests.count >= 1)
        for request in other.requests {
            let reported = names(request)
            #expect(
                !reported.contains { $0.hasPrefix("x-") || $0 == "authorization" }, "\(request)")
        }
    }
}
