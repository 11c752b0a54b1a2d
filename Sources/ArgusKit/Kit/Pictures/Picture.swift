/// A picture in memory, three bytes a pixel: red, green and blue.
package struct Picture: Sendable, Equatable {
    /// A colour of a pixel.
    package struct Color: Sendable, Equatable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8

        package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }
    }

    package let width: Int
    package let height: Int
    /// The rows from the top.
    package private(set) var pixels: [UInt8]

    /// Makes a picture of one colour.
    package init(width: Int, height: Int, _ color: Color) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            for pixel in 0..<width * height {
                buffer[pixel * 3] = color.red
                buffer[pixel * 3 + 1] = color.green
                buffer[pixel * 3 + 2] = color.blue
            }
            count = width * height * 3
        }
    }

    /// Takes pixels, of which there are `width` times `height`.
    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height * 3)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Fills a rectangle, clipped to the picture.
    package mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
        let columns = max(x, 0)..<max(max(x, 0), min(x + width, self.width))
        for row in max(y, 0)..<max(max(y, 0), min(y + height, self.height)) {
            for column in columns {
                let index = (row * self.width + column) * 3
                pixels[index] = color.red
                pixels[index + 1] = color.green
                pixels[index + 2] = color.blue
            }
        }
    }

    /// Draws another picture with its upper left corner at a point, clipped to this one.
    package mutating func draw(_ other: Picture, x: Int, y: Int) {
        let columns = max(0, -x)..<max(max(0, -x), min(other.width, width - x))
        guard !columns.isEmpty else { return }
        for row in max(0, -y)..<max(max(0, -y), min(other.height, height - y)) {
            let source = (row * other.width + columns.lowerBound) * 3
            let target = ((y + row) * width + x + columns.lowerBound) * 3
            let count = columns.count * 3
            pixels.replaceSubrange(
                target..<target + count, with: other.pixels[source..<source + count])
        }
    }

    /// The picture at the largest size that fits a box, with the same ratio of its sides.
    ///
    /// A pixel gets the mean of those that it stands for.
    package func fitted(to boxWidth: Int, _ boxHeight: Int) -> Picture {
        let isWide = width * boxHeight >= height * boxWidth
        return scaled(
            to: isWide ? boxWidth : max(1, width * boxHeight / height),
            isWide ? max(1, height * boxWidth / width) : boxHeight)
    }

    private func scaled(to newWidth: Int, _ newHeight: Int) -> Picture {
        guard newWidth != width || newHeight != height else { return self }
        let columns = (0..<newWidth).map { place in
            let start = place * width / newWidth
            return start..<max(start + 1, (place + 1) * width / newWidth)
        }
        let scaled = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight * 3) {
            buffer, count in
            pixels.withUnsafeBufferPointer { pixels in
                var target = 0
                for row in 0..<newHeight {
                    let start = row * height / newHeight
                    let rows = start..<max(start + 1, (row + 1) * height / newHeight)
                    for columns in columns {
                        var (red, green, blue) = (0, 0, 0)
                        for y in rows {
                            var source = (y * width + columns.lowerBound) * 3
                            for _ in columns {
                                red += Int(pixels[source])
                                green += Int(pixels[source + 1])
                                blue += Int(pixels[source + 2])
                                source += 3
                            }
                        }
                        let sum = rows.count * columns.count
                        buffer[target] = UInt8(red / sum)
                        buffer[target + 1] = UInt8(green / sum)
                        buffer[target + 2] = UInt8(blue / sum)
                        target += 3
                    }
                }
            }
            count = newWidth * newHeight * 3
        }
        return Picture(width: newWidth, height: newHeight, pixels: scaled)
    }

    /// Draws a text in the font of `PictureFont`, clipped to the picture; what it lacks is left out.
    package mutating func write(_ text: String, x: Int, y: Int, _ color: Color) {
        var x = x
        for character in text {
            guard let rows = PictureFont.rows(of: character) else { continue }
            for (row, bits) in rows.enumerated() where bits != 0 {
                for column in 0..<PictureFont.width where bits & 0x80 >> column != 0 {
                    fill(x: x + column, y: y + row, width: 1, height: 1, color)
                }
            }
            x += PictureFont.width
        }
    }
}
