import ArgusCore

/// The decoder of libturbojpeg, opened at its first use (turbojpeg.h of libjpeg-turbo 2).
struct JPEGLibrary {
    /// The reason why the library cannot be used.
    struct Unavailable: Error {
        var reason: String
    }

    private typealias Handle = UnsafeMutableRawPointer

    /// The largest picture to decode, in pixels; larger ones could take all memory.
    private static let mostPixels = 40_000_000
    /// The constant `TJPF_GRAY`.
    private static let gray: Int32 = 6

    private let makeDecoder: @convention(c) () -> Handle?
    private let destroy: @convention(c) (Handle) -> Int32
    private let readHeader:
        @convention(c) (
            Handle, UnsafePointer<UInt8>, UInt, UnsafeMutablePointer<Int32>,
            UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
        ) -> Int32
    private let decode:
        @convention(c) (
            Handle, UnsafePointer<UInt8>, UInt, UnsafeMutablePointer<UInt8>, Int32, Int32, Int32,
            Int32, Int32
        ) -> Int32

    /// - Throws: `Unavailable` if the library is absent.
    init() throws(Unavailable) {
        let library = try SharedLibrary<Unavailable>(
            "libturbojpeg.so.0", of: "libturbojpeg0", failing: Unavailable.init)
        makeDecoder = try library.function("tjInitDecompress")
        destroy = try library.function("tjDestroy")
        readHeader = try library.function("tjDecompressHeader3")
        decode = try library.function("tjDecompress2")
    }

    /// The range of brightness in a picture, 0 to 255, without its darkest and brightest twentieth;
    /// nil for what is no picture that can be read.
    func brightness(of picture: [UInt8]) -> ClosedRange<Int>? {
        guard let decoder = makeDecoder() else { return nil }
        defer { _ = destroy(decoder) }
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let size = UInt(picture.count)
        guard readHeader(decoder, picture, size, &width, &height, &sampling, &colors) == 0,
            width > 0, height > 0, Int(width) * Int(height) <= Self.mostPixels
        else { return nil }
        // An eighth of each side is enough (`TJSCALED`), and much faster.
        let (columns, rows) = ((Int(width) + 7) / 8, (Int(height) + 7) / 8)
        var pixels = [UInt8](repeating: 0, count: columns * rows)
        let result = decode(
            decoder, picture, size, &pixels, Int32(columns), 0, Int32(rows), Self.gray, 0)
        guard result == 0 else { return nil }
        pixels.sort()
        return Int(pixels[pixels.count / 20])...Int(pixels[pixels.count - 1 - pixels.count / 20])
    }
}
