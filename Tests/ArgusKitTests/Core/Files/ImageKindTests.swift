import ArgusCore
import Testing

@Suite("ImageKind")
struct ImageKindTests {
    private let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9]
        + [0xFF, 0xC0, 0, 5, 1, 2, 3, 0xFF, 0xFF, 0xDA, 0, 3, 0]
        + [7, 0xFF, 0, 8, 0xFF, 0xD0, 9, 0xFF, 0xD9]
    // One grey pixel.
    private let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
        0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A,
        0x7E, 0x9B, 0x55, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x68,
        0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0x77, 0xCD, 0x72, 0xB6, 0x00, 0x00, 0x00, 0x00, 0x49,
        0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    private func fault(_ bytes: [UInt8]) -> ImageKind.Fault? {
        do throws(ImageKind.Fault) {
            _ = try ImageKind.ofComplete(bytes)
            return nil
        } catch { return error }
    }

    @Test("complete images are recognised by their bytes")
    func recognises() throws {
        #expect(try ImageKind.ofComplete(jpeg) == .jpeg)
        #expect(try ImageKind.ofComplete(png) == .png)
        #expect(try ImageKind.ofComplete(jpeg + [0, 0]) == .jpeg)
        #expect(ImageKind.jpeg.fileExtension == "jpg")
    }

    @Test("an image cut at any byte is refused")
    func refusesCut() {
        for count in jpeg.indices { #expect(fault(Array(jpeg[..<count])) != nil) }
        for count in png.indices { #expect(fault(Array(png[..<count])) != nil) }
        #expect(fault(Array(jpeg.dropLast(2))) == .truncated(.jpeg))
        #expect(fault(Array(png.dropLast(1))) == .truncated(.png))
    }

    @Test("a changed byte of a PNG is noticed")
    func refusesChanged() {
        for index in png.indices {
            var bytes = png
            bytes[index] ^= 1
            #expect(fault(bytes) != nil)
        }
    }

    @Test("other bytes are no image")
    func refusesOthers() {
        #expect(fault([]) == .unknownFormat)
        #expect(fault(Array("<html>".utf8)) == .unknownFormat)
        #expect(fault([0xFF, 0xD8, 0xFF, 0xD9]) == .malformed(.jpeg))
        #expect(fault([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xD9]) == .malformed(.jpeg))
        #expect(fault(Array(jpeg[..<13]) + [0xFF, 0xD9]) == .malformed(.jpeg))
    }
}
