import CTurboJPEG

/// Compresses pictures with libjpeg-turbo.
enum JPEG {
    /// The picture as a baseline JPEG of a quality from 1 to 100; empty if memory is short.
    static func encode(_ canvas: Canvas, quality: Int) -> [UInt8] {
        guard let compressor = tjInitCompress() else { return [] }
        defer { tjDestroy(compressor) }
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        // The library allocates the output and must free it, even after a failure.
        defer { tjFree(output) }
        let status = canvas.pixels.withUnsafeBufferPointer { pixels in
            tjCompress2(
                compressor, pixels.baseAddress, Int32(canvas.width), 0, Int32(canvas.height),
                Int32(TJPF_RGB.rawValue), &output, &count, Int32(TJSAMP_420.rawValue),
                Int32(quality), 0)
        }
        guard status == 0, let output else { return [] }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
