import ArgusCore

/// The reason why pictures cannot be decoded or shown: a library that is absent.
package struct PicturesUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, which names the Debian package.
    package var description: String
}

/// The reason why a picture cannot be decoded, as the end of a sentence about it.
package struct UnreadablePicture: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
}

/// The decoder and the compressor of libturbojpeg, opened at the first use (turbojpeg.h of
/// libjpeg-turbo 2).
package struct JPEGLibrary: Sendable {
    private typealias Handle = UnsafeMutableRawPointer

    /// The largest picture to decode, in pixels; larger ones could take all memory.
    package static let mostPixels = 40_000_000

    /// `TJPF_RGB` and `TJPF_GRAY`.
    private enum Format: Int32 {
        case rgb = 0
        case gray = 6

        var bytes: Int { self == .rgb ? 3 : 1 }
    }

    /// `TJFLAG_LIMITSCANS`: a progressive picture of thousands of scans would take hours.
    private static let limitsScans: Int32 = 32768
    /// `TJSAMP_420`.
    private static let halfColors: Int32 = 2

    private let makeDecoder: @convention(c) () -> Handle?
    private let makeEncoder: @convention(c) () -> Handle?
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
    private let encode:
        @convention(c) (
            Handle, UnsafePointer<UInt8>, Int32, Int32, Int32, Int32,
            UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>, Int32,
            Int32, Int32
        ) -> Int32
    private let free: @convention(c) (UnsafeMutablePointer<UInt8>?) -> Void
    /// 0 after a warning, such as of bytes between two parts of a picture.
    private let errorCode: @convention(c) (Handle) -> Int32

    /// - Throws: `PicturesUnavailable` if the library is absent.
    package init() throws(PicturesUnavailable) {
        let library = try SharedLibrary<PicturesUnavailable>(
            "libturbojpeg.so.0", of: "libturbojpeg0", failing: PicturesUnavailable.init)
        makeDecoder = try library.function("tjInitDecompress")
        makeEncoder = try library.function("tjInitCompress")
        destroy = try library.function("tjDestroy")
        readHeader = try library.function("tjDecompressHeader3")
        decode = try library.function("tjDecompress2")
        encode = try library.function("tjCompress2")
        free = try library.function("tjFree")
        errorCode = try library.function("tjGetErrorCode")
    }

    /// Decodes a JPEG, by eighths of its size as small as fills a box of `width` times `height` pixels.
    /// - Throws: `UnreadablePicture`, also for one that is cut short or too large.
    package func picture(
        _ bytes: [UInt8], filling width: Int, _ height: Int
    ) throws(UnreadablePicture) -> Picture {
        let kind = try rethrowing(ImageKind.ofComplete(bytes)) { (fault: ImageKind.Fault) in
            UnreadablePicture(description: fault.description)
        }
        guard kind == .jpeg else {
            throw UnreadablePicture(description: "is a PNG, and argus shows JPEG only")
        }
        let image = try decoded(bytes, .rgb, acceptsWarnings: true) { size in
            [1, 2, 4].first {
                (size.width * $0 + 7) / 8 >= width && (size.height * $0 + 7) / 8 >= height
            } ?? 8
        }
        return Picture(width: image.width, height: image.height, pixels: image.pixels)
    }

    /// The range of brightness in a picture, 0 to 255, without its darkest and brightest twentieth;
    /// nil for what is no picture that can be read.
    func brightness(of picture: [UInt8]) -> ClosedRange<Int>? {
        // An eighth of each side is enough, and much faster.
        let image = try? decoded(picture, .gray, acceptsWarnings: false) { _ in 1 }
        guard var pixels = image?.pixels else { return nil }
        pixels.sort()
        return Int(pixels[pixels.count / 20])...Int(pixels[pixels.count - 1 - pixels.count / 20])
    }

    /// The picture as a baseline JPEG of a quality from 1 to 100.
    /// - Throws: `UnreadablePicture` if the library fails, as it does without memory.
    package func jpeg(
        of picture: Picture, quality: Int = 85
    ) throws(UnreadablePicture) -> [UInt8] {
        guard let encoder = makeEncoder() else { throw Self.noMemory }
        defer { _ = destroy(encoder) }
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        // The library allocates the output and must free it, even after a failure.
        defer { free(output) }
        let result = encode(
            encoder, picture.pixels, Int32(picture.width), 0, Int32(picture.height),
            Format.rgb.rawValue, &output, &count, Self.halfColors, Int32(quality), 0)
        guard result == 0, let output else { throw Self.noMemory }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }

    private static let noMemory = UnreadablePicture(description: "takes more memory than there is")

    /// Decodes a JPEG at as many eighths of its size as `eighths` wants.
    private func decoded(
        _ bytes: [UInt8], _ format: Format, acceptsWarnings: Bool,
        _ eighths: ((width: Int, height: Int)) -> Int
    ) throws(UnreadablePicture) -> (width: Int, height: Int, pixels: [UInt8]) {
        guard let decoder = makeDecoder() else { throw Self.noMemory }
        defer { _ = destroy(decoder) }
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let count = UInt(bytes.count)
        guard readHeader(decoder, bytes, count, &width, &height, &sampling, &colors) == 0,
            width > 0, height > 0
        else { throw UnreadablePicture(description: "is no JPEG that argus can read") }
        let size = (width: Int(width), height: Int(height))
        guard size.width * size.height <= Self.mostPixels else {
            throw UnreadablePicture(
                description: "has \(size.width) × \(size.height) pixels, which is too many")
        }
        let part = eighths(size)
        // Rounded up, as `TJSCALED` does.
        let (columns, rows) = ((size.width * part + 7) / 8, (size.height * part + 7) / 8)
        var pixels = [UInt8](repeating: 0, count: columns * rows * format.bytes)
        let result = decode(
            decoder, bytes, count, &pixels, Int32(columns), 0, Int32(rows), format.rawValue,
            Self.limitsScans)
        guard result == 0 || acceptsWarnings && errorCode(decoder) == 0 else {
            throw UnreadablePicture(description: "is no JPEG that argus can read")
        }
        return (columns, rows, pixels)
    }
}
