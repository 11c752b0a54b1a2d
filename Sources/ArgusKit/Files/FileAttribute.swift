internal import CProcess

/// A short text attached to an open file, which moves with it (xattr(7)).
///
/// Not every file system supports attributes, so nothing may depend on one.
enum FileAttribute {
    private static let sizeLimit = 64 << 10

    /// The attribute with this name; nil if there is none.
    static func read(_ name: String, of descriptor: Int32) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: sizeLimit) { buffer, count in
            count = max(0, fgetxattr(descriptor, name, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Sets or replaces an attribute; nil removes it.
    static func write(_ note: String?, as name: String, of descriptor: Int32) {
        guard var note else {
            fremovexattr(descriptor, name)
            return
        }
        _ = note.withUTF8 { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0) }
    }
}
