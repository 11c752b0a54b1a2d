import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("links of ids")
struct LinkTests {
    private static let target = "/api/v1/events?limit=20&per_page=20"

    private func list(
        _ id: String = "8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001", _ words: [String] = [],
        onTerminal: Bool = true, _ change: (TestSystem) -> Void = { _ in }
    ) async throws -> String {
        let test = onTerminal ? try TestSystem.onScreen(width: 100) : try TestSystem()
        change(test)
        try await test.know()
        test.fake.stub(
            .get, Self.target,
            body: """
                {"events":[{"id":"\(id)","camera_name":"Porch",
                 "timestamp":"2026-11-21T10:07:41Z","smart_detection_type":"package",
                 "objects_detected":["package"],"description":"A box."}]}
                """)
        #expect(await test.run(["events", "list"] + words) == .done, "\(test.stderr)")
        return test.stdout
    }

    @Test("on a terminal the short id of an event leads to its page")
    func link() async throws {
        let text = Screen.readable(try await list())
        let page = "https://home.example/events?highlight=8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001"
        #expect(text.contains("‹link \(page)›‹dim›8f85eda1‹/›‹/link›"), "\(text)")
    }

    @Test("not in a pipe, without colours, with ARGUS_NO_LINKS or for chosen fields")
    func off() async throws {
        #expect(!(try await list(onTerminal: false)).contains("\u{1B}]8"))
        #expect(!(try await list("8f85eda1", ["--fields", "id,type"])).contains("\u{1B}]8"))
        let plain = try await list("8f85eda1", ["--color", "never"])
        #expect(!plain.contains("\u{1B}]8"))
        let silent = try await list { $0.environment["ARGUS_NO_LINKS"] = "1" }
        #expect(!silent.contains("\u{1B}]8") && silent.contains("\u{1B}[2m8f85eda1"))
    }

    @Test("an id cannot end the link", arguments: [#"8f85\u001b\\x"#, #"8f85\u0007x y"#, "前庭前庭前庭"])
    func hostile(id: String) async throws {
        let text = try await list(id)
        for part in text.split(separator: "\u{1B}]8;;").dropFirst() {
            let address = part.prefix { $0 != "\u{1B}" }
            #expect(address.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(address)")
        }
    }

    @Test("an address with anything but printable ASCII is no link")
    func addresses() {
        let style = Style(isOn: true)
        for url in ["https://x/\u{1B}\\", "https://x/\u{7}", "https://x/a b", "https://x/\u{9C}"] {
            #expect(style.link("x", to: url) == "x")
        }
        #expect(style.link("x", to: nil) == "x")
        #expect(Style(isOn: true, hasLinks: false).link("x", to: "https://x/") == "x")
    }
}
