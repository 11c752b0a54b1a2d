import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("ServiceNotifier")
struct ServiceNotifierTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("messages reach a path and an abstract address", arguments: [false, true])
    func messages(isAbstract: Bool) throws {
        let path = folder.file("notify")
        let manager = try ServiceManager((isAbstract ? "@" : "") + path)
        let notifier = try #require(
            ServiceNotifier(Environment(["NOTIFY_SOCKET": manager.address])))
        try notifier.send(.ready, .status("live; 2 events"))
        try notifier.send(.alive)
        try notifier.send(.stopping)
        #expect(
            manager.waiting
                == [["READY=1", "STATUS=live; 2 events"], ["WATCHDOG=1"], ["STOPPING=1"]])
    }

    @Test("a text from the network is one line")
    func injection() throws {
        let manager = try ServiceManager(folder.file("notify"))
        let notifier = try #require(
            ServiceNotifier(Environment(["NOTIFY_SOCKET": manager.address])))
        try notifier.send(.status("a\nMAINPID=1\u{1B}[2J"))
        #expect(manager.waiting == [["STATUS=a\\nMAINPID=1\\x1b[2J"]])
    }

    @Test("without a local socket there is no manager")
    func absent() {
        #expect(ServiceNotifier(Environment([:])) == nil)
        let long = "/" + String(repeating: "a", count: 107)
        for address in ["", "vsock:2:1234", "notify", long] {
            #expect(ServiceNotifier(Environment(["NOTIFY_SOCKET": address])) == nil)
        }
        #expect(ServiceNotifier(Environment(["NOTIFY_SOCKET": String(long.dropLast())])) != nil)
    }

    @Test("a manager that is gone is an error")
    func gone() throws {
        let notifier = try #require(
            ServiceNotifier(Environment(["NOTIFY_SOCKET": folder.file("nothing")])))
        #expect(throws: Errno(rawValue: ENOENT)) { try notifier.send(.ready) }
    }

    @Test("the watchdog is for the process that it names, if it names one")
    func watchdog() {
        func limit(_ variables: [String: String]) -> Duration? {
            ServiceNotifier(Environment(variables.merging(["NOTIFY_SOCKET": "/run/n"]) { $1 }))?
                .watchdogLimit
        }
        #expect(limit([:]) == nil)
        #expect(limit(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(
            limit(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
        #expect(limit(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
        for wrong in ["0", "-1", "30s", ""] { #expect(limit(["WATCHDOG_USEC": wrong]) == nil) }
    }
}
