package import ArgusKit

extension StoredBytes {
    /// All bytes, however many they are.
    package func whole() throws -> [UInt8] { try read(from: 0, count: count) }
}
