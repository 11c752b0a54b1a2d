import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusKit

@Suite("pages")
struct HTMLTests {
    private func markup(_ html: HTML) -> String { String(decoding: html.utf8, as: UTF8.self) }

    @Test("text stays text, in elements, in attributes, and where it is interpolated")
    func escapes() {
        let hostile = "</p><script>alert('1')</script> \" & <img onerror=x>"
        let escaped =
            "&lt;/p&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot; &amp; "
            + "&lt;img onerror=x&gt;"
        #expect(markup(HTML(.p, "by \(hostile)")) == "<p>by \(escaped)</p>")
        #expect(markup(.isolated(hostile)) == "<bdi>\(escaped)</bdi>")
        #expect(
            markup(HTML(.section, class: .event, id: hostile))
                == "<section class=\"event\" id=\"\(escaped)\"></section>")
        #expect(
            markup(.picture(.file("media/a.jpg"), alt: hostile))
                == "<img src=\"./media/a.jpg\" alt=\"\(escaped)\">")
    }

    @Test("controls and overrides of direction become visible, letters and lines stay")
    func controls() {
        #expect(markup("a\u{0}\u{1b}\u{202e}b") == "a\\x00\\x1b\\u{202e}b")
        #expect(markup("Tür\nשלום 前庭 👨‍👩‍👧 C:\\x") == "Tür\nשלום 前庭 👨‍👩‍👧 C:\\x")
        #expect(markup(.text(String(repeating: "w", count: 4000))).utf8.count == 4000)
    }

    @Test(
        "no address leads out of the folder, or elsewhere",
        arguments: [
            ("../../etc/passwd", "./etc/passwd"), ("/etc/passwd", "./etc/passwd"),
            ("javascript:alert(1)", "./javascript%3Aalert%281%29"),
            ("//evil.example/x", "./evil.example/x"),
            ("media/a b\"'<>?#%41.jpg", "./media/a%20b%22%27%3C%3E%3F%23%2541.jpg"),
            ("media\\..\\x", "./media%5C..%5Cx"),
        ])
    func addresses(path: String, url: String) {
        #expect(markup(.link(toFile: path, "x")) == "<a href=\"\(url)\">x</a>")
        #expect(markup(.picture(.file(path), alt: "")) == "<img src=\"\(url)\" alt=\"\">")
        #expect(markup(.video(file: path, label: "")).hasPrefix("<video src=\"\(url)\" controls"))
        #expect(markup(.link(toID: "a\"b", "x")) == "<a href=\"#a%22b\">x</a>")
        #expect(
            markup(.picture(.attachment("a\"@b"), alt: "")) == "<img src=\"cid:a%22%40b\" alt=\"\">"
        )
    }

    @Test("a picture may be in the page, a time is one for programs too, tables have headings")
    func elements() {
        #expect(
            markup(.picture(.inline([1, 2, 3, 4], .png), alt: "x", class: .large))
                == "<img class=\"large\" src=\"data:image/png;base64,AQIDBA==\" alt=\"x\">")
        let time = Timestamp(seconds: 1_795_212_000)
        #expect(
            markup(.time(time, "today"))
                == "<time datetime=\"2026-11-20T22:00:00Z\">today</time>")
        #expect(
            markup(.table(headings: ["a"], rows: [["<"], [HTML(.em, "b")]]))
                == "<table><thead><tr><th scope=\"col\">a</th></tr></thead>"
                + "<tbody><tr><td>&lt;</td></tr><tr><td><em>b</em></td></tr></tbody></table>")
    }

    @Test("the policy of a page allows its own style sheet, and no script and no network")
    func policy() throws {
        for page in [
            HTMLPage(selfContained: "</title><script>", ["x"]),
            HTMLPage(besideFiles: "</title><script>", ["x"]),
        ] {
            let text = String(decoding: page.utf8, as: UTF8.self)
            #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
            #expect(!text.contains("<script"))
            #expect(!text.contains("http:") && !text.contains("https:"))
            let policy = try #require(text.split(separator: "content=\"").dropFirst().first)
            #expect(policy.hasPrefix("default-src 'none'; img-src data: "))
            #expect(policy.contains("style-src '\(PageStyle.hash)'; base-uri 'none'; form-action"))
            #expect(text.contains("<style>\(PageStyle.text)</style>"))
            #expect(!PageStyle.text.contains("<") && !PageStyle.text.contains("url("))
        }
    }
}
