import ArgusCore
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

    static let shared = Result { () throws(ArchiveError) in try SQLiteLibrary() }

    private init() throws(ArchiveError) {
        let library = try SharedLibrary(
            "libsqlite3.so.0", of: "libsqlite3-0", failing: ArchiveError.libraryMissing)
        let version: argus_sqlite3_libversion_number = try library.function(
            "sqlite3_libversion_number")
        guard Int(version()) >= Self.oldestVersion else {
            throw .libraryMissing("version 3.37 or later is needed")
        }
        argus_sqlite3_count_no_memory(try library.symbol("sqlite3_config"))
        describe = try library.function("sqlite3_errstr")
        open = try library.function("sqlite3_open_v2")
        close = try library.function("sqlite3_close_v2")
        message = try library.function("sqlite3_errmsg")
        setExtendedCodes = try library.function("sqlite3_extended_result_codes")
        setBusyTimeout = try library.function("sqlite3_busy_timeout")
        changes = try library.function("sqlite3_changes")
        lastNumber = try library.function("sqlite3_last_insert_rowid")
        isOutsideTransaction = try library.function("sqlite3_get_autocommit")
        prepare = try library.function("sqlite3_prepare_v2")
        step = try library.function("sqlite3_step")
        reset = try library.function("sqlite3_reset")
        clear = try library.function("sqlite3_clear_bindings")
        finalize = try library.function("sqlite3_finalize")
        bindNull = try library.function("sqlite3_bind_null")
        bindInteger = try library.function("sqlite3_bind_int64")
        bindText = try library.function("sqlite3_bind_text")
        type = try library.function("sqlite3_column_type")
        integer = try library.function("sqlite3_column_int64")
        bytes = try library.function("sqlite3_column_blob")
        count = try library.function("sqlite3_column_bytes")
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
