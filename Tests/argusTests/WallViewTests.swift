import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusKit
@testable import argus

@Suite("WallView")
struct WallViewTests {
    private func view(columns: Int? = nil) throws -> WallView {
        let test = try TestSystem.onScreen(width: 120)
        test.terminal.hasSigns = true
        test.graphics = TerminalGraphics(cellWidth: 10, cellHeight: 20)
        let context = Context(globals: GlobalOptions(), system: test.system)
        return WallView(
            on: try PictureScreen(in: context), columns: columns, Style(isOn: false), in: .utc)
    }

    @Test("the pictures are as large as fits, and two lines stay free")
    func grids() throws {
        let view = try view()
        for (count, width, height) in [(1, 80, 24), (7, 110, 48), (16, 200, 60), (40, 80, 24)] {
            let grid = view.grid(of: count, width: width, height: height)
            #expect(grid.across * (grid.columns + 1) - 1 <= width)
            let lines = (count + grid.across - 1) / grid.across
            if count < 40 { #expect(lines * (grid.rows + 1) <= height - 2) }
        }
        #expect(view.grid(of: 16, width: 200, height: 60).across == 4)
        #expect(try self.view(columns: 2).grid(of: 16, width: 200, height: 60).across == 2)
        #expect(try self.view(columns: 9).grid(of: 3, width: 80, height: 24).across == 3)
    }

    @Test("names and reasons of a server are text, cut to their tiles")
    func hostileTexts() throws {
        let view = try view()
        let names = ["Ga\u{1B}[2Jrage", String(repeating: "前", count: 60), "\u{202E}door", "🚪"]
        let tiles = names.map {
            PictureTile(id: "x", name: $0, state: .failed, reason: "\u{1B}]0;title\u{7} " + $0)
        }
        let grid = view.grid(of: tiles.count, width: 80, height: 24)
        let text = String(decoding: view.drawing(of: tiles, grid), as: UTF8.self)
        #expect(!text.contains("\u{1B}[2J") && !text.contains("\u{1B}]0"))
        #expect(text.contains("Ga\\x1b[2Jrage"))
        #expect(!text.contains("\u{202E}"))
        for line in text.split(separator: "\n") where line.contains("●") {
            // Before a caption the cursor comes back from the reasons above.
            let caption = line.split(separator: "\u{1B}8").last ?? line
            #expect(DisplayWidth.of(String(caption)) <= 80, "\(caption)")
        }
    }
}
