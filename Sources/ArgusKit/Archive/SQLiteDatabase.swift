import ArgusCore
import Glibc

/// A value of a column or a parameter; SQLite has numbers with a fraction too, an archive has none.
enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case text(String)
    /// Text as its bytes, which must be UTF-8.
    case utf8([UInt8])

    init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .null }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    init(_ time: Timestamp?) { self = time.map { .integer($0.microseconds) } ?? .null }
    init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
}

/// A connection to a database, used by one task at a time; its statements are prepared once.
package final class SQLiteDatabase {
    enum Access {
        /// Reading and writing; the file is made if it is absent.
        case writing
        /// Reading, in a folder where SQLite may keep its own files.
        case reading
        /// Reading without locks, from a folder that this process cannot write.
        case immutable
    }

    let path: String
    let library: SQLiteLibrary
    private var handle: UnsafeMutableRawPointer?
    private var statements: [String: SQLiteStatement] = [:]

    init(_ path: String, for access: Access) throws(ArchiveError) {
        self.path = path
        library = try SQLiteLibrary.shared.get()
        let (name, flags) =
            switch access {
            case .writing: (path, SQLiteCode.openReadWrite | SQLiteCode.openCreate)
            case .reading: (path, SQLiteCode.openReadWrite)
            case .immutable:
                (
                    "file:\(PercentEncoding.encode(path))?immutable=1",
                    SQLiteCode.openReadOnly | SQLiteCode.openURI
                )
            }
        errno = 0
        let code = library.open(name, &handle, flags | SQLiteCode.openNoMutex, nil)
        guard code == SQLiteCode.ok else { throw error(code) }
        _ = library.setExtendedCodes(handle, 1)
        setBusyTimeout(milliseconds: 10_000)
    }

    deinit {
        statements = [:]
        _ = library.close(handle)
    }

    /// The prepared statement for a text, from a cache, with its parameters cleared.
    func statement(_ text: String) throws(ArchiveError) -> SQLiteStatement {
        if let known = statements[text] {
            known.reset()
            return known
        }
        let made = try makeStatement(text)
        statements[text] = made
        return made
    }

    /// A statement of its own, for rows that are read while others are.
    func makeStatement(_ text: String) throws(ArchiveError) -> SQLiteStatement {
        var statement: UnsafeMutableRawPointer?
        errno = 0
        let code = library.prepare(handle, text, -1, &statement, nil)
        guard code == SQLiteCode.ok, let statement else { throw error(code) }
        return SQLiteStatement(statement, of: self)
    }

    func run(_ text: String, _ values: SQLiteValue...) throws(ArchiveError) {
        try run(text, values)
    }

    func run(_ text: String, _ values: [SQLiteValue]) throws(ArchiveError) {
        let statement = try statement(text)
        try statement.bind(values)
        try statement.run()
    }

    /// The first value of the first row as a number; nil if there is none.
    func number(_ text: String, _ values: SQLiteValue...) throws(ArchiveError) -> Int? {
        try first(text, values) { $0.int(0) }
    }

    /// The value that `read` makes of the first row; nil if there is none.
    func first<Value>(
        _ text: String, _ values: [SQLiteValue], _ read: (SQLiteStatement) -> Value?
    ) throws(ArchiveError) -> Value? {
        let statement = try statement(text)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    /// The values that `read` makes of the rows, without those that are nil.
    func rows<Value>(
        _ text: String, _ values: [SQLiteValue] = [], _ read: (SQLiteStatement) -> Value?
    ) throws(ArchiveError) -> [Value] {
        var found: [Value] = []
        try forEach(text, values) { row in
            if let value = read(row) { found.append(value) }
        }
        return found
    }

    func forEach(
        _ text: String, _ values: [SQLiteValue] = [],
        _ body: (SQLiteStatement) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let statement = try makeStatement(text)
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    /// Runs several changes as one, which happen together or not at all.
    func transaction<Value>(
        _ body: () throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(ArchiveError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Sets the time for which a statement waits for another process (sqlite3_busy_timeout).
    package func setBusyTimeout(milliseconds: Int32) {
        _ = library.setBusyTimeout(handle, milliseconds)
    }

    var isInTransaction: Bool { library.isOutsideTransaction(handle) == 0 }

    /// Undoes the changes of a transaction, if there is one; after some failures SQLite has done so.
    func rollBack() { if isInTransaction { try? run("ROLLBACK") } }

    /// The rows that the last statement changed.
    var changes: Int { Int(library.changes(handle)) }

    /// The number of the row that was inserted last.
    var lastNumber: Int { Int(library.lastNumber(handle)) }

    func error(_ code: Int32) -> ArchiveError {
        let words =
            handle.flatMap { library.message($0) }.map { String(cString: $0) }
            ?? library.describe(code).map { String(cString: $0) } ?? "error \(code)"
        switch code & 0xFF {
        case SQLiteCode.busy, SQLiteCode.locked:
            return .running(FileRename.folder(of: path), pid: nil)
        case SQLiteCode.readOnly: return .readOnly(path)
        case SQLiteCode.corrupt: return .damaged(path, words)
        case SQLiteCode.notDatabase: return .notDatabase(path)
        case SQLiteCode.full: return .full(path)
        // SQLite reports a full disk as such only for some writes.
        case SQLiteCode.io where errno == ENOSPC || errno == EDQUOT: return .full(path)
        case SQLiteCode.cannotOpen where errno == EROFS || errno == EACCES: return .readOnly(path)
        case SQLiteCode.io where errno != 0:
            return .database(path, "\(words) (\(Errno(rawValue: errno)))")
        default: return .database(path, words)
        }
    }
}

/// A prepared statement; its columns are those of the last step, nil where NULL.
final class SQLiteStatement {
    /// SQLITE_TRANSIENT: SQLite copies the bytes of a parameter.
    private static var copied: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

    private let handle: UnsafeMutableRawPointer
    private let library: SQLiteLibrary
    private unowned let database: SQLiteDatabase

    fileprivate init(_ handle: UnsafeMutableRawPointer, of database: SQLiteDatabase) {
        (self.handle, self.database) = (handle, database)
        library = database.library
    }

    deinit { _ = library.finalize(handle) }

    /// Sets the parameters, which are counted from 1 in SQL, behind `count` that are set already.
    func bind(_ values: [SQLiteValue], after count: Int = 0) throws(ArchiveError) {
        for (index, value) in values.enumerated() {
            let place = Int32(count + index + 1)
            let code =
                switch value {
                case .null: library.bindNull(handle, place)
                case .integer(let number): library.bindInteger(handle, place, number)
                case .text(var text): text.withUTF8 { bind($0, at: place) }
                case .utf8(let bytes): bytes.withUnsafeBufferPointer { bind($0, at: place) }
                }
            guard code == SQLiteCode.ok else { throw database.error(code) }
        }
    }

    /// Runs the statement with parameters, behind which is a long text that is not copied.
    func run(_ values: [SQLiteValue], _ text: ArraySlice<UInt8>) throws(ArchiveError) {
        try bind(values)
        try text.withUnsafeBufferPointer { bytes throws(ArchiveError) in
            let code = bind(bytes, at: Int32(values.count + 1), copying: false)
            guard code == SQLiteCode.ok else { throw database.error(code) }
            try run()
        }
    }

    private func bind(
        _ text: UnsafeBufferPointer<UInt8>, at place: Int32, copying: Bool = true
    ) -> Int32 {
        let start = text.baseAddress.map {
            UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
        }
        return library.bindText(
            handle, place, start, Int32(text.count), copying ? Self.copied : nil)
    }

    /// Goes to the next row; false at the end.
    func step() throws(ArchiveError) -> Bool {
        errno = 0
        switch library.step(handle) {
        case SQLiteCode.row: return true
        case SQLiteCode.done: return false
        case let code:
            let error = database.error(code)
            reset()
            throw error
        }
    }

    /// Runs the statement to its end, and forgets the parameters.
    func run() throws(ArchiveError) {
        while try step() {}
        reset()
    }

    /// Ends the run, and forgets the parameters.
    func reset() {
        _ = library.reset(handle)
        _ = library.clear(handle)
    }

    func isNull(_ column: Int) -> Bool { library.type(handle, Int32(column)) == SQLiteCode.null }

    func int(_ column: Int) -> Int? {
        isNull(column) ? nil : Int(library.integer(handle, Int32(column)))
    }

    /// A size in bytes, 0 without one; a damaged row may have any number, of which many are added.
    func size(_ column: Int) -> Int { min(max(0, int(column) ?? 0), 1 << 40) }

    func time(_ column: Int) -> Timestamp? {
        int(column).map { Timestamp(microseconds: Int64($0)) }
    }

    func text(_ column: Int) -> String? {
        isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
    }

    /// The column's bytes; none if it is NULL.
    func bytes(_ column: Int) -> [UInt8] {
        // The bytes first: asking for their number may convert them.
        guard let start = library.bytes(handle, Int32(column)) else { return [] }
        let count = Int(library.count(handle, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    subscript(column: Int) -> SQLiteValue {
        switch library.type(handle, Int32(column)) {
        case SQLiteCode.integer: .integer(library.integer(handle, Int32(column)))
        case SQLiteCode.null: .null
        case 3: .text(String(decoding: bytes(column), as: UTF8.self))
        // No column of an archive has other types.
        default: .utf8(bytes(column))
        }
    }
}
