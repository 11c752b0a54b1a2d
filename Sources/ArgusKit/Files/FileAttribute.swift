internal import CProcess

/// A short text that is kept with an open file and goes where it goes (xattr(7)).
///
/// Not every file system keeps one: what is noted can be missing later, and nothing may depend on
/// it.
enum FileAttribute {
    private static let sizeLimit = 64 << 10

    /// The note of that name; nil where there is none.
    static func read(_ name: String, of descriptor: Int32) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: sizeLimit) { buffer, count in
            count = max(0, fgetxattr(descriptor, name, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Keeps a note under a name, in place of an earlier one; nil removes it.
    static func write(_ note: String?, as name: String, of descriptor: Int32) {
        guard var note else {
            fremovexattr(descriptor, name)
            return
        }
        _ = note.withUTF8 { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0) }
    }
}
