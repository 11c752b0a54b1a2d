package import ArgusCore
import Glibc

/// The file of a ledger: records of 16 bytes, appended as changes happen.
///
/// A record has one byte for its kind and checksum, five for the seconds since 1970 and ten for a key,
/// all big-endian. A record that a kill or a full disk cut short is dropped, so that its event is
/// handed over again.
package struct LedgerFile: Sendable {
    /// The bytes of an entry.
    package static let recordSize = 16
    /// The size in bytes from which a file with mostly outdated changes is rewritten.
    private static let smallestToCompact = 64 << 10
    private static let sizeLimit = 1 << 30

    private let path: String
    /// True if several processes append to the file, which then only grows.
    private let isShared: Bool

    package init(_ path: String, isShared: Bool = false) {
        (self.path, self.isShared) = (path, isShared)
    }

    /// Reads the ledger; an empty one if there is no file.
    /// - Throws: `FileSystemError` if the file cannot be read or others may have written it.
    package func read() throws(FileSystemError) -> EventLedger {
        var ledger = EventLedger()
        guard let bytes = try FileContents.bytes(ifAny: path, trust: .state, limit: Self.sizeLimit)
        else { return ledger }
        for start in stride(from: 0, through: bytes.count - Self.recordSize, by: Self.recordSize) {
            let record = bytes[start..<start + Self.recordSize]
            if let entry = EventLedger.Entry(record: record) { ledger.apply(entry) }
        }
        return ledger
    }

    /// Appends changes that `ledger` already has, and rewrites the file once most of it is
    /// outdated.
    /// - Throws: `FileSystemError`; the changes are then not kept.
    package func append(
        _ entries: [EventLedger.Entry], to ledger: EventLedger
    ) throws(FileSystemError) {
        let file = try OwnedDescriptor.appending(to: path, for: .write)
        let size = Int(try file.status(of: path).st_size)
        if !isShared, size > Self.smallestToCompact, size > 2 * Self.recordSize * (ledger.count + 2)
        {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Self.recordSize * (ledger.count + 3))
            ledger.forEachEntry { bytes += $0.record }
            return try AtomicFile.write(bytes, to: path, for: .state, replacing: true)
        }
        // A record that a full disk cut off would shift those after it.
        let excess = size % Self.recordSize
        if !isShared, excess > 0, ftruncate(file.rawValue, off_t(size - excess)) != 0 {
            throw .current(.write, path)
        }
        // Another process may be appending: the rest of the record is filled up instead.
        let filler = isShared && excess > 0 ? Self.recordSize - excess : 0
        let bytes = [UInt8](repeating: 0, count: filler) + entries.flatMap(\.record)
        try writeAll(bytes, to: file.rawValue, named: path)
    }
}

extension EventLedger.Entry {
    fileprivate var record: [UInt8] {
        let none = EventLedger.Key(high: 0, low: 0)
        let (kind, time, key): (UInt8, Timestamp, EventLedger.Key) =
            switch self {
            case .event(let key, let time): (1, time, key)
            case .pass(let time): (2, time, none)
            case .deepPass(let time): (0, time, none)
            case .horizon(let time): (3, time, none)
            }
        let seconds = UInt64(clamping: time.seconds)
        let bytes =
            withUnsafeBytes(of: seconds.bigEndian) { Array($0.suffix(5)) }
            + withUnsafeBytes(of: key.high.bigEndian) { Array($0) }
            + withUnsafeBytes(of: key.low.bigEndian) { Array($0) }
        return [kind << 6 | Self.check(bytes[...])] + bytes
    }

    /// Decodes a record of 16 bytes; nil if its checksum is wrong.
    fileprivate init?(record: ArraySlice<UInt8>) {
        let (first, rest) = (record[record.startIndex], record.dropFirst())
        guard first & 63 == Self.check(rest) else { return nil }
        let seconds = rest.prefix(5).reduce(0) { $0 << 8 | Int64($1) }
        let time = Timestamp(seconds: seconds)
        let high = rest.dropFirst(5).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let low = rest.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        switch first >> 6 {
        case 1: self = .event(.init(high: high, low: low), capturedAt: time)
        case 2: self = .pass(time)
        case 3: self = .horizon(time)
        default: self = .deepPass(time)
        }
    }

    /// Six bits of FNV-1a, to distinguish a record from the zeros that a crash may leave.
    private static func check(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        let hash = bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return UInt8(truncatingIfNeeded: hash >> 13) & 63
    }
}
