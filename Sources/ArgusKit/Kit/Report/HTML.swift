package import ArgusCore

/// A piece of a page, made of typed elements; text and attribute values enter it escaped only.
///
///     HTML(.p, class: .quiet, "Seen by ", .isolated(camera.name))
package struct HTML: Sendable, Equatable {
    private(set) var utf8: [UInt8]

    /// The elements that pages use; none of them runs anything or loads from elsewhere.
    package enum Tag: String, Sendable, CaseIterable {
        case article, aside, bdi, caption, code, dd, div, dl, dt, em, figcaption, figure, footer
        case h1, h2, h3, header, li, main, nav, ol, p, pre, section, small, span, strong
        case table, tbody, td, tfoot, th, thead, tr, ul
    }

    /// The file of a picture or of a video.
    package enum Source: Sendable {
        /// A picture inside the page.
        case inline([UInt8], ImageKind)
        /// A file below the folder of the page, such as `media/door.jpg`.
        case file(String)
        /// A part of the same mail, by its Content-ID without the angle brackets (RFC 2392).
        case attachment(String)
    }

    /// Nothing.
    package static let empty = HTML(utf8: [])

    private init(utf8: [UInt8]) { self.utf8 = utf8 }

    /// Text, of which controls and invisible characters become visible; lines and tabs stay.
    package static func text(_ text: some StringProtocol) -> HTML {
        HTML(utf8: escaped(text))
    }

    /// Text of others, whose direction does not reorder the text beside it.
    package static func isolated(_ text: some StringProtocol) -> HTML {
        HTML(.bdi, .text(text))
    }

    /// The pieces one after the other.
    package static func group(_ pieces: [HTML]) -> HTML {
        HTML(utf8: pieces.flatMap(\.utf8))
    }

    /// An element with its children.
    package init(
        _ tag: Tag, class style: PageStyle.Class? = nil, id: String? = nil, _ children: HTML...
    ) {
        self.init(tag, class: style, id: id, children)
    }

    /// An element with its children.
    package init(
        _ tag: Tag, class style: PageStyle.Class? = nil, id: String? = nil, _ children: [HTML]
    ) {
        self.init(
            element: tag.rawValue, [("class", style?.rawValue), ("id", id)], children: children)
    }

    /// A point in time for programs, shown as a text.
    package static func time(_ time: Timestamp, _ text: String) -> HTML {
        HTML(
            element: "time", [("datetime", time.utcText.prefix(19) + "Z")], children: [.text(text)])
    }

    /// A link to the element of the page that has an id.
    package static func link(toID id: String, _ children: HTML...) -> HTML {
        HTML(
            element: "a", [("href", "#" + PercentEncoding.encode(id))], children: children)
    }

    /// A link to a file below the folder of the page.
    package static func link(toFile path: String, _ children: HTML...) -> HTML {
        HTML(element: "a", [("href", relativeURL(path))], children: children)
    }

    /// A picture, with a text for those who cannot see it.
    package static func picture(
        _ source: Source, alt: String, class style: PageStyle.Class? = nil
    ) -> HTML {
        HTML(
            element: "img", [("class", style?.rawValue), ("src", url(source)), ("alt", alt)],
            children: nil)
    }

    /// A video below the folder of the page, which plays on demand.
    package static func video(file path: String, label: String) -> HTML {
        HTML(
            element: "video",
            [
                ("src", relativeURL(path)), ("controls", ""), ("preload", "none"),
                ("aria-label", label),
            ], children: [])
    }

    /// A table with a heading for each column; the cells of a row are its columns.
    package static func table(
        class style: PageStyle.Class? = nil, headings: [HTML], rows: [[HTML]]
    ) -> HTML {
        let head = headings.map { HTML(element: "th", [("scope", "col")], children: [$0]) }
        return HTML(
            .table, class: style, HTML(.thead, HTML(.tr, head)),
            HTML(.tbody, rows.map { row in HTML(.tr, row.map { HTML(.td, $0) }) }))
    }

    /// An element; children of nil are those of an element that has no end.
    private init(
        element name: String, _ attributes: [(name: String, value: String?)], children: [HTML]?
    ) {
        utf8 = Array("<\(name)".utf8)
        for (name, value) in attributes {
            guard let value else { continue }
            utf8 += Array(" \(name)=\"".utf8)
            utf8 += Self.escaped(value)
            utf8.append(UInt8(ascii: "\""))
        }
        utf8.append(UInt8(ascii: ">"))
        guard let children else { return }
        for child in children { utf8 += child.utf8 }
        utf8 += Array("</\(name)>".utf8)
    }

    /// The text with all that HTML gives a meaning, in an element or in quotes, as references.
    private static func escaped(_ text: some StringProtocol) -> [UInt8] {
        var filter = TerminalFilter()
        let visible = filter.filter(text.utf8) + filter.finish()
        var escaped: [UInt8] = []
        escaped.reserveCapacity(visible.count)
        for byte in visible {
            switch byte {
            case UInt8(ascii: "&"): escaped += Array("&amp;".utf8)
            case UInt8(ascii: "<"): escaped += Array("&lt;".utf8)
            case UInt8(ascii: ">"): escaped += Array("&gt;".utf8)
            case UInt8(ascii: "\""): escaped += Array("&quot;".utf8)
            case UInt8(ascii: "'"): escaped += Array("&#39;".utf8)
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    private static func url(_ source: Source) -> String {
        switch source {
        case .inline(let bytes, let kind):
            "data:image/\(kind.rawValue);base64,\(Base64.encode(bytes))"
        case .file(let path): relativeURL(path)
        case .attachment(let id): "cid:" + PercentEncoding.encode(id)
        }
    }

    /// The address of a file below the folder of the page; no path leads out of it.
    private static func relativeURL(_ path: String) -> String {
        let segments = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
        return "./" + segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
    }
}

extension HTML: ExpressibleByStringInterpolation {
    /// Text; also that which is interpolated is escaped.
    package init(stringLiteral text: String) { self = .text(text) }
}
