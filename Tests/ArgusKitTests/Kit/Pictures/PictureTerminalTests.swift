import Testing

@testable import ArgusCore
@testable import ArgusKit

@Suite("PictureTerminal")
struct PictureTerminalTests {
    private static let colored = Terminal(
        isOutputTerminal: true, width: 80, height: 24, style: Style(isOn: true), hasSigns: true)

    private func terminal(
        _ variables: [String: String], _ terminal: Terminal = colored, hasSixels: Bool = false
    ) throws -> PictureTerminal {
        try PictureTerminal(terminal, environment: variables) { asksForSixels in
            TerminalGraphics(
                cellWidth: 10, cellHeight: 20, hasSixels: asksForSixels && hasSixels)
        }
    }

    @Test(
        "known terminals show pictures by their protocol, others by their answer, the rest as characters",
        arguments: [
            (["TERM": "xterm-kitty"], false, .kitty), (["TERM": "foot"], false, .sixels),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], false, .iterm2),
            (["TERM": "xterm-256color"], true, .sixels),
            (["TERM": "xterm-256color"], false, .symbols),
            (["TERM": "unheard-of"], false, .symbols),
            (["TERM": "tmux-256color", "LC_TERMINAL": "iTerm2", "TMUX": "x"], false, .symbols),
            (["TERM": "tmux-256color", "LC_TERMINAL": "iTerm2", "TMUX": "x"], true, .sixels),
            (["TERM": "screen", "STY": "1"], false, .symbols), ([:], false, .symbols),
        ] as [([String: String], Bool, PictureTerminal.Manner)])
    func manners(variables: [String: String], hasSixels: Bool, manner: PictureTerminal.Manner)
        throws
    {
        #expect(try terminal(variables, hasSixels: hasSixels).manner == manner)
    }

    @Test("without colours a picture is made of characters alone, of ASCII where there is no more")
    func plain() throws {
        var plain = Self.colored
        plain.style = .plain
        plain.hasSigns = false
        let drawn = try terminal(["TERM": "xterm-kitty"], plain)
        #expect(drawn.manner == .symbols)
        var picture = Picture(width: 64, height: 64, .init(0, 0, 0))
        picture.fill(x: 0, y: 0, width: 32, height: 64, .init(255, 255, 255))
        let text = String(decoding: drawn.block(picture, within: 20, 10), as: UTF8.self)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(!text.contains(/\u{1B}\[[0-9;]*m/))
    }

    @Test("a picture fills the width or the height, and keeps the ratio of its sides")
    func sizes() throws {
        let drawn = try terminal(["TERM": "xterm-256color"])
        let wide = Picture(width: 160, height: 90, .init(0, 0, 0))
        #expect(drawn.size(of: wide, in: 80, 12) == (43, 12))
        #expect(drawn.size(of: wide, in: 20, 12) == (20, 6))
        let line = Picture(width: 1000, height: 1, .init(0, 0, 0))
        #expect(drawn.size(of: line, in: 80, 12) == (80, 1))
        let pole = Picture(width: 1, height: 1000, .init(0, 0, 0))
        #expect(drawn.size(of: pole, in: 80, 12) == (1, 12))
    }

    @Test(
        "a block makes room, draws, and goes to the line below",
        arguments: [
            ("xterm-kitty", "\u{1B}_G"), ("foot", "\u{1B}P0;1;0q"), ("xterm-256color", "\u{1B}["),
        ])
    func blocks(name: String, start: String) throws {
        let drawn = try terminal(["TERM": name])
        let picture = Picture(width: 64, height: 36, .init(120, 20, 200))
        let text = String(decoding: drawn.block(picture, within: 32, 9), as: UTF8.self)
        #expect(text.hasPrefix("\n\n\n\n\n\n\n\n\n\n\u{1B}[10A\r\u{1B}7\u{1B}8" + start))
        #expect(text.hasSuffix("\u{1B}8\u{1B}[9B\r"))
    }

    @Test("a picture beside another one begins each of its rows at its column")
    func columns() throws {
        let drawn = try terminal(["TERM": "xterm-256color"])
        let picture = Picture(width: 64, height: 36, .init(120, 20, 200))
        let block = drawn.block([(picture, 1), (picture, 40)], each: 32, 9)
        let text = String(decoding: block, as: UTF8.self)
        #expect(text.components("\u{1B}8\u{1B}[40G") == 1)
        #expect(text.components("\u{1B}[B\u{1B}[40G") == 8)
        #expect(text.components("\u{1B}[B\u{1B}[1G") == 8)
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(_ part: String) -> Int { split(separator: part).count - 1 }
}
