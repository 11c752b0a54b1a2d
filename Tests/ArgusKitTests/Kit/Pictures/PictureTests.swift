import Testing

@testable import ArgusKit

@Suite("Picture")
struct PictureTests {
    private static let (black, white) = (Picture.Color(0, 0, 0), Picture.Color(255, 255, 255))

    @Test("a picture keeps the ratio of its sides in any box")
    func fitting() {
        let picture = Picture(width: 160, height: 90, Self.white)
        for (box, size) in [
            ((80, 80), (80, 45)), ((400, 90), (160, 90)), ((320, 400), (320, 180)),
            ((1, 1), (1, 1)),
        ] {
            let fitted = picture.fitted(to: box.0, box.1)
            #expect((fitted.width, fitted.height) == size)
            #expect(fitted.pixels.allSatisfy { $0 == 255 })
        }
    }

    @Test("a smaller picture has the means of the pixels")
    func means() {
        var picture = Picture(width: 2, height: 2, Self.black)
        picture.fill(x: 0, y: 0, width: 1, height: 2, Self.white)
        #expect(picture.fitted(to: 1, 1).pixels == [127, 127, 127])
    }

    @Test("drawing is clipped on all sides")
    func clipping() {
        var picture = Picture(width: 4, height: 4, Self.black)
        let other = Picture(width: 3, height: 3, Self.white)
        for (x, y) in [(-2, -2), (3, 3), (-5, 0), (9, 9), (0, -3)] {
            picture.draw(other, x: x, y: y)
        }
        picture.fill(x: -3, y: 2, width: 4, height: 1, Self.white)
        let lit = (0..<16).filter { picture.pixels[$0 * 3] == 255 }
        #expect(lit == [0, 8, 15])
        picture.write("Wide", x: -3, y: -3, Self.white)
        picture.write("Wide", x: 2, y: 2, Self.white)
    }

    @Test("a text has the pixels of the font")
    func text() {
        var picture = Picture(width: 8, height: 13, Self.black)
        picture.write("L", x: 0, y: 0, Self.white)
        let rows = (0..<13).map { row in
            String((0..<8).map { picture.pixels[(row * 8 + $0) * 3] == 255 ? "#" : "." })
        }
        #expect(rows[2...10].allSatisfy { $0.hasPrefix(".#") })
        #expect(rows[10] == ".######.")
        #expect(rows[11] == "........")
    }

    @Test(
        "a name is drawn as far as the font has it, or not at all",
        arguments: [
            ("Front Door", "Front Door"), ("Küche", "Küche"), ("Ku\u{308}che", "Küche"),
            ("Garten 🌳", "Garten"), ("🚪", nil), ("前庭", nil), ("Hof 前庭", nil),
            ("حديقة", nil), ("a\u{1B}[31mb\n\u{202E}c", "a[31mb c"), ("", nil), ("  ", nil),
            ("Oma’s – Tür…", "Oma's - Tür…"), ("٣", nil),
        ] as [(String, String?)])
    func names(name: String, drawn: String?) {
        #expect(PictureFont.drawable(name) == drawn)
    }

    @Test("a long name ends in …")
    func longName() {
        let name = String(repeating: "x", count: 60)
        #expect(PictureFont.truncate(name, to: 80) == "xxxxxxxxx…")
        #expect(PictureFont.truncate("abc", to: 24) == "abc")
        #expect(PictureFont.truncate("abc", to: 7) == "")
    }
}
