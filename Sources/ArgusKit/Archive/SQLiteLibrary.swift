import CSQLite
import Glibc

/// The functions of SQLite, loaded at the first use of an archive.
///
/// Unchecked because C function types are not Sendable: every property is the address of code.
final class SQLiteLibrary: @unchecked Sendable {
    /// 3.37, the first with STRICT tables.
    private static let oldestVersion = 3_037_000

    let describe: argus_sqlite3_errstr
    let open: argus_sqlite3_open_v2
    let close: argus_sqlite3_close_v2
    let message: argus_sqlite3_errmsg
    let setExtendedCodes: argus_sqlite3_extended_result_codes
    let setBusyTimeout: argus_sqlite3_busy_timeout
    let changes: argus_sqlite3_changes
    let lastNumber: argus_sqlite3_last_insert_rowid
    let isOutsideTransaction: argus_sqlite3_get_autocommit

    let prepare: argus_sqlite3_prepare_v2
    let step: argus_sqlite3_step
    let reset: argus_sqlite3_reset
    let clear: argus_sqlite3_clear_bindings
    let finalize: argus_sqlite3_finalize

    let bindNull: argus_sqlite3_bind_null
    let bindInteger: argus_sqlite3_bind_int64
    let bindText: argus_sqlite3_bind_text

    let type: argus_sqlite3_column_type
    let integer: argus_sqlite3_column_int64
    let bytes: argus_sqlite3_column_blob
    let count: argus_sqlite3_column_bytes

    /// The library of this process, opened once.
    static let shared = Result { () throws(ArchiveError) in
        try SQLiteLibrary(opening: "libsqlite3.so.0")
    }

    /// Opens a shared library and looks up every function.
    /// - Throws: `.libraryMissing`.
    init(opening name: String) throws(ArchiveError) {
        guard let image = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else {
            throw .libraryMissing(dlerror().map { String(cString: $0) } ?? "cannot open \(name)")
        }
        func function<Signature>(_ name: String) throws(ArchiveError) -> Signature {
            guard let address = dlsym(image, "sqlite3_" + name) else {
                throw .libraryMissing("it lacks sqlite3_\(name)")
            }
            return unsafeBitCast(address, to: Signature.self)
        }
        let version: argus_sqlite3_libversion_number = try function("libversion_number")
        guard Int(version()) >= Self.oldestVersion else {
            throw .libraryMissing("version 3.37 or later is needed")
        }
        describe = try function("errstr")
        open = try function("open_v2")
        close = try function("close_v2")
        message = try function("errmsg")
        setExtendedCodes = try function("extended_result_codes")
        setBusyTimeout = try function("busy_timeout")
        changes = try function("changes")
        lastNumber = try function("last_insert_rowid")
        isOutsideTransaction = try function("get_autocommit")
        prepare = try function("prepare_v2")
        step = try function("step")
        reset = try function("reset")
        clear = try function("clear_bindings")
        finalize = try function("finalize")
        bindNull = try function("bind_null")
        bindInteger = try function("bind_int64")
        bindText = try function("bind_text")
        type = try function("column_type")
        integer = try function("column_int64")
        bytes = try function("column_blob")
        count = try function("column_bytes")
    }
}

/// The numbers of sqlite3.h, which are part of its interface for ever.
enum SQLiteCode {
    static let ok: Int32 = 0
    static let busy: Int32 = 5
    static let locked: Int32 = 6
    static let readOnly: Int32 = 8
    static let io: Int32 = 10
    static let corrupt: Int32 = 11
    static let full: Int32 = 13
    static let cannotOpen: Int32 = 14
    static let notDatabase: Int32 = 26
    static let row: Int32 = 100
    static let done: Int32 = 101

    static let openReadOnly: Int32 = 0x1
    static let openReadWrite: Int32 = 0x2
    static let openCreate: Int32 = 0x4
    static let openURI: Int32 = 0x40
    /// No locks between threads, of which a connection has one at a time.
    static let openNoMutex: Int32 = 0x8000

    static let integer: Int32 = 1
    static let null: Int32 = 5
}
