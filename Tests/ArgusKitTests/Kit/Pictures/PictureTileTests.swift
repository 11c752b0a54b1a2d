import Testing

@testable import ArgusCore
@testable import ArgusKit

@Suite("PictureTile and ContactSheet")
struct PictureTileTests {
    private func tile(_ name: String, _ state: PictureTile.State = .online) -> PictureTile {
        PictureTile(
            id: "83e8482b-3da8-42c3-a4f1-6806e221aaa0", name: name,
            time: Timestamp(seconds: 1_795_262_400), state: state,
            picture: state == .online ? Picture(width: 64, height: 36, .init(9, 9, 9)) : nil,
            reason: state == .online ? nil : "camera is not running")
    }

    @Test("a name of another script is the beginning of the id")
    func names() {
        for name in ["前庭", "حديقة", "🚪", "", "\u{202E}\u{202E}"] {
            #expect(tile(name).drawableName == "83e8482b", "\(name)")
        }
        #expect(tile("Küche 🍳").drawableName == "Küche")
    }

    @Test("any name and any size is drawn inside its tile", arguments: [1, 16, 240, 480])
    func sizes(width: Int) {
        let names = [
            String(repeating: "W", count: 60), String(repeating: "前", count: 4000), "a\u{1B}[2Jb",
            "e" + String(repeating: "\u{301}", count: 500),
        ]
        for name in names {
            for state in [PictureTile.State.online, .offline, .disabled, .failed] {
                let drawn = tile(name, state).drawn(width, width, in: .utc)
                #expect(drawn.width == width && drawn.height == width + PictureTile.barHeight)
            }
        }
    }

    @Test(
        "a sheet has about as many columns as rows, or as many as wanted",
        arguments: [
            (1, nil, 640), (2, nil, 640), (4, nil, 640), (9, nil, 640), (16, nil, 480),
            (40, nil, 272), (16, 2, 640), (3, 9, 640), (16, 32, 240),
        ] as [(Int, Int?, Int)])
    func sheets(count: Int, columns: Int?, width: Int) {
        let sheet = ContactSheet(of: count, columns: columns)
        #expect(sheet.tileWidth == width)
        let drawn = sheet.drawn(Array(repeating: tile("x"), count: count), in: .utc)
        #expect(drawn.pixels.count == drawn.width * drawn.height * 3)
        #expect(sheet.drawn([], in: .utc).width == drawn.width)
    }

    @Test("the mark of a tile has the colour of its state")
    func marks() {
        func mark(_ state: PictureTile.State) -> [UInt8] {
            let drawn = tile("x", state).drawn(160, 90, in: .utc)
            let index = ((90 + 9) * 160 + 10) * 3
            return Array(drawn.pixels[index..<index + 3])
        }
        #expect(mark(.online) == [63, 185, 80])
        #expect(mark(.failed) == [248, 81, 73])
        #expect(mark(.disabled) == [110, 118, 129])
    }
}
