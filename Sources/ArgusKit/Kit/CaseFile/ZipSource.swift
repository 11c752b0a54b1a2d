import ArgusCore
import CZip
import Glibc

/// Bytes of a file that libzip reads, or a file that it writes, by its callback (zip_source_function(3)).
///
/// libzip uses it on the thread that calls libzip.
final class ZipSource {
    private let length: () -> Int
    private let read: (_ offset: Int, _ count: Int) throws(FileSystemError) -> [UInt8]
    private let output: SpoolFile?
    private var position = 0
    private var writePosition = 0
    /// The failure of a read or a write, which libzip does not describe as well.
    private(set) var failure: FileSystemError?

    /// The bytes of an array.
    init(_ bytes: [UInt8]) {
        length = { bytes.count }
        read = { offset, count in
            Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
        output = nil
    }

    /// Bytes of a spool.
    init(_ part: SpooledBytes) {
        length = { part.count }
        read = { (offset, count) throws(FileSystemError) in
            try part.read(from: offset, count: count)
        }
        output = nil
    }

    /// An open file.
    init(reading file: SharedDescriptor, named path: String, size: Int) {
        length = { size }
        read = { (offset, count) throws(FileSystemError) in
            try readPart(of: file.descriptor.rawValue, named: path, from: offset, count: count)
        }
        output = nil
    }

    /// A whole spool.
    init(reading file: SpoolFile) {
        length = { file.size }
        read = { (offset, count) throws(FileSystemError) in
            try file.read(from: offset, count: count)
        }
        output = nil
    }

    /// An empty file to write to.
    init(writing file: SpoolFile) {
        length = { file.size }
        read = { (offset, count) throws(FileSystemError) in
            try file.read(from: offset, count: count)
        }
        output = file
    }

    private static let commands: [Int] = [
        ARGUS_ZIP_OPEN, ARGUS_ZIP_READ, ARGUS_ZIP_CLOSE, ARGUS_ZIP_STAT, ARGUS_ZIP_ERROR,
        ARGUS_ZIP_FREE, ARGUS_ZIP_SEEK, ARGUS_ZIP_TELL, ARGUS_ZIP_SUPPORTS,
    ]
    private static let writeCommands: [Int] = [
        ARGUS_ZIP_BEGIN_WRITE, ARGUS_ZIP_COMMIT_WRITE, ARGUS_ZIP_ROLLBACK_WRITE, ARGUS_ZIP_WRITE,
        ARGUS_ZIP_SEEK_WRITE, ARGUS_ZIP_TELL_WRITE, ARGUS_ZIP_REMOVE,
    ]

    /// Does what libzip asks for, and returns its result; -1 is a failure.
    fileprivate func perform(
        _ command: Int, _ data: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int64 {
        switch command {
        case ARGUS_ZIP_OPEN:
            position = 0
            return 0
        case ARGUS_ZIP_READ:
            return attempt { () throws(FileSystemError) in
                let bytes = try read(position, min(count, max(0, length() - position)))
                bytes.withUnsafeBytes { bytes in
                    if let start = bytes.baseAddress {
                        data?.copyMemory(from: start, byteCount: bytes.count)
                    }
                }
                position += bytes.count
                return Int64(bytes.count)
            }
        case ARGUS_ZIP_CLOSE, ARGUS_ZIP_BEGIN_WRITE, ARGUS_ZIP_COMMIT_WRITE,
            ARGUS_ZIP_ROLLBACK_WRITE, ARGUS_ZIP_REMOVE:
            return 0
        case ARGUS_ZIP_STAT:
            guard let data, count >= MemoryLayout<argus_zip_stat>.size else { return -1 }
            var status = argus_zip_stat()
            status.valid = ZipCode.validSize
            status.size = UInt64(length())
            data.storeBytes(of: status, as: argus_zip_stat.self)
            return Int64(MemoryLayout<argus_zip_stat>.size)
        case ARGUS_ZIP_ERROR:
            guard let data, count >= 8 else { return -1 }
            data.storeBytes(of: ZipCode.readError, as: Int32.self)
            data.storeBytes(of: EIO, toByteOffset: 4, as: Int32.self)
            return 8
        case ARGUS_ZIP_SEEK: return seek(&position, data, count)
        case ARGUS_ZIP_TELL: return Int64(position)
        case ARGUS_ZIP_WRITE:
            guard let output, let data else { return -1 }
            return attempt { () throws(FileSystemError) in
                try output.write(
                    UnsafeRawBufferPointer(start: data, count: count), at: writePosition)
                writePosition += count
                return Int64(count)
            }
        case ARGUS_ZIP_SEEK_WRITE: return seek(&writePosition, data, count)
        case ARGUS_ZIP_TELL_WRITE: return Int64(writePosition)
        case ARGUS_ZIP_SUPPORTS:
            let known = Self.commands + (output == nil ? [] : Self.writeCommands)
            return known.reduce(0) { $0 | Int64(1) << Int64($1) }
        default: return -1
        }
    }

    private func attempt(_ work: () throws(FileSystemError) -> Int64) -> Int64 {
        do throws(FileSystemError) {
            return try work()
        } catch {
            failure = failure ?? error
            return -1
        }
    }

    private func seek(_ place: inout Int, _ data: UnsafeMutableRawPointer?, _ count: Int) -> Int64 {
        guard let data, count >= MemoryLayout<argus_zip_seek>.size else { return -1 }
        let wanted = data.load(as: argus_zip_seek.self)
        let start =
            switch wanted.origin {
            case SEEK_SET: 0
            case SEEK_CUR: place
            default: length()
            }
        let (target, overflows) = start.addingReportingOverflow(Int(wanted.offset))
        guard !overflows, target >= 0, target <= length() else { return -1 }
        place = target
        return 0
    }

    /// Makes libzip's object, which keeps this one until libzip frees it.
    func make(_ library: ZipLibrary) throws(CaseFileError) -> UnsafeMutableRawPointer {
        let owned = Unmanaged.passRetained(self)
        guard let source = library.makeSource(answerZip, owned.toOpaque(), nil) else {
            owned.release()
            throw .zip("out of memory")
        }
        return source
    }
}

/// Called by libzip.
private func answerZip(
    _ user: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?, _ count: UInt64,
    _ command: Int32
) -> Int64 {
    guard let user else { return -1 }
    let source = Unmanaged<ZipSource>.fromOpaque(user)
    if command == Int32(ARGUS_ZIP_FREE) {
        source.release()
        return 0
    }
    return source.takeUnretainedValue().perform(Int(command), data, Int(clamping: count))
}
