import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusTransport

@Suite("what is made of an answer on the network")
struct DiscoveredServerTests {
    private func server(_ txt: [TXTEntry], port: UInt16 = 8000) -> DiscoveredServer {
        DiscoveredServer(
            name: "home", host: "home.local", interface: "eth0", address: "fe80::1%eth0",
            port: port, txt: txt)
    }

    @Test("the first value of a key in any case counts, and unknown keys are kept")
    func values() {
        let found = server([
            TXTEntry("Version", "1.2"), TXTEntry("version", "2"), TXTEntry("colour", nil),
        ])
        #expect(found.version == "1.2")
        #expect(found.value("colour") == nil)
        #expect(found.txt.count == 3)
    }

    @Test("api_port says where the API is; nonsense does not")
    func ports() {
        #expect(server([TXTEntry("api_port", "8443")]).origin.port == 8443)
        #expect(server([TXTEntry("api_port", "0")]).origin.port == 8000)
        #expect(server([TXTEntry("api_port", "99999")]).origin.port == 8000)
    }

    @Test(
        "https is meant unless the server says no",
        arguments: [("true", true), ("1", true), ("", true), ("False", false), ("0", false)])
    func schemes(word: String, isSecure: Bool) {
        #expect(server([TXTEntry("ssl", word)]).usesTLS == isSecure)
        #expect(server([]).usesTLS)
    }

    @Test("an address that is valid on a link only keeps its interface in the URL")
    func zones() {
        #expect(server([]).origin.description == "https://[fe80::1%25eth0]:8000")
    }

    @Test("only addresses of the interface's own network are on the link")
    func links() {
        let link = LocalLink.current()
        #expect(link.reaches("127.0.0.1", on: "lo"))
        #expect(!link.reaches("127.0.0.1", on: "eth0"))
        #expect(!link.reaches("192.0.2.1", on: "lo"))
        #expect(!link.reaches("home.local", on: "lo"))
        #expect(!link.reaches("8.8.8.8", on: "lo"))
    }

    @Test("a service file escapes what XML would read")
    func serviceFile() {
        let text = ServiceFile.text(name: "A & B <c>", port: 8443, usesTLS: true, version: "1")
        #expect(text.contains("<name replace-wildcards=\"yes\">A &amp; B &lt;c&gt;</name>"))
        #expect(text.contains("<port>8443</port>"))
        #expect(text.contains("<txt-record>ssl=true</txt-record>"))
    }
}
