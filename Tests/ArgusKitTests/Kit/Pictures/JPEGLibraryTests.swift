import Testing

@testable import ArgusCore
@testable import ArgusKit

@Suite("JPEGLibrary")
struct JPEGLibraryTests {
    private let library: JPEGLibrary

    init() throws {
        library = try JPEGLibrary()
    }

    /// A JPEG of 128 × 72 pixels.
    private var sample: [UInt8] { Base64.decodeDataURI(Drill.picture) ?? [] }

    @Test("a picture is decoded by eighths, as small as fills the box")
    func sizes() throws {
        for (box, size) in [((16, 9), (16, 9)), ((17, 9), (32, 18)), ((128, 72), (128, 72))] {
            let picture = try library.picture(sample, filling: box.0, box.1)
            #expect((picture.width, picture.height) == size)
        }
        let picture = try library.picture(sample, filling: 5000, 5000)
        #expect((picture.width, picture.height) == (128, 72))
    }

    @Test("what was compressed is decoded to nearly the same colours")
    func roundTrip() throws {
        var picture = Picture(width: 64, height: 48, .init(200, 40, 40))
        picture.fill(x: 32, y: 0, width: 32, height: 48, .init(20, 30, 160))
        let jpeg = try library.jpeg(of: picture)
        #expect(try ImageKind.ofComplete(jpeg) == .jpeg)
        let decoded = try library.picture(jpeg, filling: 64, 48)
        for (place, color) in [(10, [200, 40, 40]), (50, [20, 30, 160])] {
            let pixel = decoded.pixels[(20 * 64 + place) * 3..<(20 * 64 + place) * 3 + 3]
            #expect(zip(pixel, color).allSatisfy { abs(Int($0) - $1) < 12 }, "\(pixel)")
        }
    }

    @Test("a header of 65,000 × 65,000 pixels costs no memory")
    func bomb() throws {
        var bytes = sample
        let frame = try #require(
            bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        for (offset, byte) in [(5, 0xFD), (6, 0xE8), (7, 0xFD), (8, 0xE8)] as [(Int, UInt8)] {
            bytes[frame + offset] = byte
        }
        #expect(reason(bytes) == "has 65000 × 65000 pixels, which is too many")
        #expect(library.brightness(of: bytes) == nil)
    }

    @Test("what is no whole JPEG is refused with a reason")
    func refusals() {
        #expect(reason(Array("<svg onload='alert(1)'/>".utf8)) == "is neither a JPEG nor a PNG")
        #expect(reason([]) == "is neither a JPEG nor a PNG")
        #expect(reason(Array(sample.dropLast(200))) == "is a JPEG cut short")
        #expect(reason(Array(sample.prefix(40))) == "is a JPEG cut short")
        let empty: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2, 0x11, 0xFF, 0xD9,
        ]
        #expect(reason(empty) == "is no JPEG that argus can read")
    }

    private func reason(_ bytes: [UInt8]) -> String? {
        do throws(UnreadablePicture) {
            _ = try library.picture(bytes, filling: 100, 100)
            return nil
        } catch {
            return error.description
        }
    }
}
