package import ArgusCore

extension StoredBytes {
    /// All bytes.
    package func whole() throws -> [UInt8] { try read(from: 0, count: count) }
}
