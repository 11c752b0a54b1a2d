import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

@Suite("the Avahi browser in one long process", .waitsForPrograms)
struct BrowserLeakTests {
    private static func field(_ name: String, of file: String) -> Int {
        let text = String(decoding: fileBytes(file) ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }

    private static var descriptors: Int {
        (0..<4096).count { fcntl($0, F_GETFD) != -1 }
    }

    @Test(
        "100 browses find the server each time and leave neither threads, memory nor descriptors behind"
    )
    func leaks() async throws {
        let home = try TemporaryHome()
        let bus = home.file("bus")
        // libdbus reads it when it connects; no other test of this process speaks D-Bus.
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(bus)", 1)
        defer { unsetenv("DBUS_SYSTEM_BUS_ADDRESS") }
        let script = """
            BUS=\(bus); bus; neighbours; advertise a Here 8001; settled Here; echo ready; sleep infinity
            """
        let program = try LocalNetwork.launch(script, in: home, deadline: 900).start()
        try program.wait(for: "ready")
        let browser = AvahiBrowser()
        let threadsBefore = Self.field("Threads", of: "/proc/self/status")
        let filesBefore = Self.descriptors
        var memory = 0
        for number in 1...100 {
            var found: DiscoveredServer?
            try await browser.browse(.servers, for: .seconds(60)) { server in
                found = server
                return false
            }
            #expect(found?.name == "Here")
            if number == 20 { memory = Self.field("VmRSS", of: "/proc/self/status") }
        }
        let growth = Self.field("VmRSS", of: "/proc/self/status") - memory
        #expect(growth < 12_288, "80 browses took \(growth) KiB")
        // Other tests run beside this one; a descriptor or thread left by each browse would still stand out.
        let files = Self.descriptors - filesBefore
        #expect(files < 60, "\(files) descriptors more than before")
        let threads = Self.field("Threads", of: "/proc/self/status") - threadsBefore
        #expect(threads < 60, "\(threads) threads more than before")
    }
}
