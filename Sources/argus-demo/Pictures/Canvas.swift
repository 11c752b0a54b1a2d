import CTurboJPEG

/// An RGB picture being drawn.
struct Canvas: Sendable {
    typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

    static let white: Color = (255, 255, 255)
    static let black: Color = (0, 0, 0)

    let width: Int
    let height: Int
    /// Rows from the top, three bytes a pixel.
    private(set) var pixels: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: 0, count: width * height * 3)
    }

    /// Fills the pixels of a rectangle that are inside a shape, clipped to the picture.
    mutating func fill(
        x: Int, y: Int, width: Int, height: Int, _ color: Color,
        where isInside: (Int, Int) -> Bool = { _, _ in true }
    ) {
        let columns = max(x, 0)..<max(max(x, 0), min(x + width, self.width))
        for row in max(y, 0)..<max(max(y, 0), min(y + height, self.height)) {
            for column in columns where isInside(column, row) {
                let index = (row * self.width + column) * 3
                pixels[index] = color.red
                pixels[index + 1] = color.green
                pixels[index + 2] = color.blue
            }
        }
    }

    mutating func fillEllipse(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
        fill(x: x, y: y, width: width, height: height, color) { column, row in
            let across = (2 * (column - x) - width) * height
            let down = (2 * (row - y) - height) * width
            return across * across + down * down <= width * width * height * height
        }
    }

    /// Adds sensor noise, for JPEGs of realistic size.
    mutating func addNoise(_ strength: UInt64, _ generator: inout SeededGenerator) {
        for index in pixels.indices {
            let noise = Int(generator.next() % (2 * strength + 1)) - Int(strength)
            pixels[index] = UInt8(clamping: Int(pixels[index]) + noise)
        }
    }

    /// The picture at half the size: every second pixel of every second row.
    func halved() -> Canvas {
        var half = Canvas(width: width / 2, height: height / 2)
        for row in 0..<half.height {
            for column in 0..<half.width {
                let from = (row * 2 * width + column * 2) * 3
                let to = (row * half.width + column) * 3
                for part in 0..<3 { half.pixels[to + part] = pixels[from + part] }
            }
        }
        return half
    }

    /// Draws capitals, digits and punctuation; anything else becomes `?`.
    mutating func write(_ text: String, x: Int, y: Int, scale: Int, _ color: Color) {
        for (place, character) in text.uppercased().unicodeScalars.enumerated() {
            for (column, bits) in Font.columns(of: character).enumerated() {
                for row in 0..<8 where bits & 1 << row != 0 {
                    fill(
                        x: x + (place * 6 + column) * scale, y: y + row * scale, width: scale,
                        height: scale, color)
                }
            }
        }
    }
}

extension Canvas {
    /// The picture as a baseline JPEG of a quality from 1 to 100; empty if memory is short.
    func jpeg(quality: Int) -> [UInt8] {
        guard let compressor = tjInitCompress() else { return [] }
        defer { tjDestroy(compressor) }
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        // The library allocates the output and must free it, even after a failure.
        defer { tjFree(output) }
        let status = pixels.withUnsafeBufferPointer { pixels in
            tjCompress2(
                compressor, pixels.baseAddress, Int32(width), 0, Int32(height),
                Int32(TJPF_RGB.rawValue), &output, &count, Int32(TJSAMP_420.rawValue),
                Int32(quality), 0)
        }
        guard status == 0, let output else { return [] }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
