import ArgusTestSupport
import ArgusTransport
import Glibc
import Testing

@testable import argus_demo

@Suite("the Avahi browser in one long process", .waitsForPrograms)
struct BrowserLeakTests {
    private static func status(_ name: String) -> Int {
        let text = String(decoding: fileBytes("/proc/self/status") ?? [], as: UTF8.self)
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
        // In a process of its own, whose memory no other test uses.
        await #expect(processExitsWith: .success) {
            let home = try TemporaryHome()
            let bus = home.file("bus")
            // libdbus reads it when it connects.
            setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(bus)", 1)
            let script = """
                BUS=\(bus); bus; neighbours; advertise a Here 8001; settled Here; echo ready; sleep infinity
                """
            let program = try LocalNetwork.launch(script, in: home, deadline: 900).start()
            try program.wait(for: "ready")
            let browser = AvahiBrowser()
            var (threads, files, memory) = (0, 0, 0)
            for number in 1...100 {
                var found: DiscoveredServer?
                try await browser.browse(.servers, for: .seconds(60)) { server in
                    found = server
                    return false
                }
                #expect(found?.name == "Here")
                if number == 20 {
                    threads = Self.status("Threads")
                    files = Self.descriptors
                    memory = Self.status("VmRSS")
                }
            }
            memory = Self.status("VmRSS") - memory
            #expect(memory < 2048, "80 browses took \(memory) KiB")
            // The last browse may not have closed its own yet; one left by each would still stand out.
            files = Self.descriptors - files
            #expect(files < 20, "\(files) descriptors more than before")
            threads = Self.status("Threads") - threads
            #expect(threads < 20, "\(threads) threads more than before")
        }
    }
}
