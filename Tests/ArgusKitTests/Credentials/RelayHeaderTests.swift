import ArgusKit
import Testing

@Suite("header fields for a relay")
struct RelayHeaderTests {
    @Test(
        "what argus sends itself, and what is no header field, is refused",
        arguments: [
            "Authorization: x", "x-api-key: y", "Host: a", "no colon", "bad name: x", "X-A:",
            "X-A: caf\u{E9}", "",
        ])
    func refused(text: String) {
        #expect(text.isEmpty == (RelayHeaderText.parse(text)?.isEmpty == true))
        if !text.isEmpty { #expect(RelayHeaderText.parse(text) == nil) }
    }

    @Test("several fields are several lines")
    func several() {
        let fields = RelayHeaderText.parse("CF-Access-Client-Id: a.access\nX-Two:b\n")
        #expect(fields?.map(\.name) == ["CF-Access-Client-Id", "X-Two"])
    }
}
