import ArgusCore
import CZip

/// Writes a ZIP file, stored and not compressed, whose bytes depend on the contents alone.
final class ZipWriter {
    private let library: ZipLibrary
    private let output: ZipSource
    private var sources: [ZipSource] = []
    private var archive: UnsafeMutableRawPointer?

    /// Begins a ZIP file in an empty spool.
    /// - Throws: `CaseFileError`.
    init(into file: SpoolFile) throws(CaseFileError) {
        library = try ZipLibrary.shared.get()
        output = ZipSource(writing: file)
        archive = try library.opening(output, ZipCode.truncate)
    }

    deinit { archive.map(library.discard) }

    /// Adds a file with a name that is safe on every system.
    /// - Throws: `CaseFileError`.
    func add(_ name: String, _ content: ZipSource) throws(CaseFileError) {
        guard let archive else { return }
        sources.append(content)
        let source = try content.make(library)
        let number = library.add(archive, name, source, ZipCode.utf8)
        guard number >= 0 else {
            library.freeSource(source)
            throw failure()
        }
        let index = UInt64(number)
        guard library.setCompression(archive, index, ZipCode.store, 0) == 0,
            library.setTime(archive, index, 0, ZipCode.firstDate, 0) == 0,
            library.setAttributes(archive, index, 0, ZipCode.unix, ZipCode.fileMode) == 0
        else { throw failure() }
    }

    /// Writes the file.
    /// - Throws: `CaseFileError`, also for a source that cannot be read.
    func finish() throws(CaseFileError) {
        guard let archive else { return }
        guard library.close(archive) == 0 else { throw failure() }
        self.archive = nil
    }

    /// The failure of the last call.
    private func failure() -> CaseFileError {
        let cause = ([output] + sources).lazy.compactMap(\.failure).first
        return cause.map(CaseFileError.file) ?? .zip(library.words(of: archive))
    }
}

/// The files in a ZIP file that somebody else may have made.
final class ZipReader {
    /// A file in it.
    struct Entry {
        fileprivate var index: UInt64
        /// The name as it is stored, of which nothing is trusted.
        var name: String
        var size: Int
    }

    private let library: ZipLibrary
    private let source: ZipSource
    private let archive: UnsafeMutableRawPointer
    /// The files in their order, of which two may have one name.
    let entries: [Entry]
    /// True without a comment, which may hide anything, and without links among the files.
    let isPlain: Bool

    /// The most files that one may have.
    private static let mostEntries = 1_000_000

    /// Reads the directory.
    /// - Throws: `CaseFileError`; `.zip` for what is no sound ZIP file.
    init(_ source: ZipSource) throws(CaseFileError) {
        let library = try ZipLibrary.shared.get()
        let archive = try library.opening(source, ZipCode.readOnly)
        (self.library, self.source, self.archive) = (library, source, archive)
        let count = library.count(archive, 0)
        guard count <= Self.mostEntries else {
            (entries, isPlain) = ([], false)
            throw .zip("it has more than \(Self.mostEntries) files")
        }
        var entries: [Entry] = []
        var length: CInt = 0
        _ = library.comment(archive, &length, 0)
        var isPlain = length <= 0
        for index in 0..<UInt64(max(count, 0)) {
            var status = argus_zip_stat()
            guard library.status(archive, index, ZipCode.asStored, &status) == 0,
                status.valid & ZipCode.validName != 0, let name = status.name
            else { continue }
            var (system, attributes): (UInt8, UInt32) = (0, 0)
            _ = library.attributes(archive, index, 0, &system, &attributes)
            if system == ZipCode.unix, attributes & ZipCode.typeMask == ZipCode.link {
                isPlain = false
            }
            entries.append(
                Entry(index: index, name: String(cString: name), size: Int(clamping: status.size)))
        }
        (self.entries, self.isPlain) = (entries, isPlain)
    }

    /// True if the directory and the files agree, and nothing is before, between or behind them: programs
    /// that read ZIP files in other ways see the same files then.
    /// - Throws: `CaseFileError.file` if the ZIP file cannot be read.
    static func isConsistent(_ source: ZipSource) throws(CaseFileError) -> Bool {
        let library = try ZipLibrary.shared.get()
        do throws(CaseFileError) {
            library.discard(try library.opening(source, ZipCode.readOnly | ZipCode.consistent))
            return true
        } catch .zip {
            return false
        }
    }

    deinit { library.discard(archive) }

    /// The bytes of a file of at most `limit` bytes.
    /// - Throws: `CaseFileError`; `.zip` for a longer one, or for one that is damaged.
    func bytes(of entry: Entry, limit: Int) throws(CaseFileError) -> [UInt8] {
        guard let file = library.openFile(archive, entry.index, 0) else {
            throw .zip("\(entry.name) cannot be read: \(library.words(of: archive))")
        }
        defer { _ = library.closeFile(file) }
        var bytes: [UInt8] = []
        while true {
            let (block, result) = next(of: file, 1 << 18)
            guard result >= 0 else {
                if let failure = source.failure { throw .file(failure) }
                let words = library.describeFile(file).map { String(cString: $0) } ?? "damaged"
                throw .zip("\(entry.name) cannot be read: \(words)")
            }
            guard !block.isEmpty else { return bytes }
            bytes += block
            guard bytes.count <= limit else { throw .zip("\(entry.name) is too long") }
        }
    }

    /// True for a file with this size and SHA-256; one of another size is not read.
    /// - Throws: `CaseFileError.file` if the ZIP file cannot be read.
    func has(_ entry: Entry, of size: Int, _ sha256: String) throws(CaseFileError) -> Bool {
        guard entry.size == size else { return false }
        return try self.sha256(of: entry) == sha256
    }

    /// The SHA-256 of a file in lower-case hexadecimal; nil if it has another size than it says, or
    /// does not pass the check of its ZIP file.
    /// - Throws: `CaseFileError.file` if the ZIP file cannot be read.
    private func sha256(of entry: Entry) throws(CaseFileError) -> String? {
        guard let file = library.openFile(archive, entry.index, 0) else {
            if let failure = source.failure { throw .file(failure) }
            return nil
        }
        defer { _ = library.closeFile(file) }
        var (total, isBroken) = (0, false)
        let hash = try rethrowing(
            try Checksum.sha256 { (_, count) throws(FileSystemError) in
                let (block, result) = next(of: file, count)
                if result < 0 {
                    if let failure = source.failure { throw failure }
                    isBroken = true
                }
                total += block.count
                // A bomb of compressed zeros is longer than it says.
                return total <= entry.size ? block : []
            }, as: CaseFileError.file)
        return isBroken || total != entry.size ? nil : hash
    }

    private func next(
        of file: UnsafeMutableRawPointer, _ count: Int
    ) -> (block: [UInt8], result: Int64) {
        var result: Int64 = 0
        let block = [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
            result = library.read(file, buffer.baseAddress, UInt64(count))
            got = max(0, Int(result))
        }
        return (block, result)
    }
}

extension ZipLibrary {
    /// Opens a ZIP file; the source stays libzip's until it is closed or discarded.
    fileprivate func opening(
        _ content: ZipSource, _ flags: Int32
    ) throws(CaseFileError) -> UnsafeMutableRawPointer {
        let source = try content.make(self)
        var error = argus_zip_error()
        beginError(&error)
        defer { endError(&error) }
        guard let archive = open(source, flags, &error) else {
            let words = describeError(&error).map { String(cString: $0) } ?? "unknown"
            freeSource(source)
            if let failure = content.failure { throw .file(failure) }
            throw .zip(words)
        }
        return archive
    }

    /// The words of libzip for the last failure of an archive.
    fileprivate func words(of archive: UnsafeMutableRawPointer?) -> String {
        archive.flatMap { describe($0) }.map { String(cString: $0) } ?? "unknown"
    }
}
