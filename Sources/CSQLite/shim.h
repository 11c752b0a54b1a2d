/// The part of SQLite that an archive needs; its functions are found with dlsym(3) at the first use.
///
/// Declared here and not included: the functions have been the same since SQLite 3.14, and no header
/// of it is needed to build. A database and a statement are opaque; a destructor is passed as a
/// pointer, of which SQLite defines -1 as "copy these bytes" (SQLITE_TRANSIENT).
#pragma once

/// Has SQLite keep no count of its memory, for which each allocation waits for a lock; Swift cannot
/// call functions with a variable number of arguments. It does nothing once SQLite is in use.
static inline void argus_sqlite3_count_no_memory(void *sqlite3_config) {
    const int SQLITE_CONFIG_MEMSTATUS = 9;
    ((int (*)(int, ...))sqlite3_config)(SQLITE_CONFIG_MEMSTATUS, 0);
}

typedef int (*argus_sqlite3_libversion_number)(void);
typedef const char *(*argus_sqlite3_errstr)(int code);

typedef int (*argus_sqlite3_open_v2)(
    const char *path, void **database, int flags, const char *vfs);
typedef int (*argus_sqlite3_close_v2)(void *database);
typedef const char *(*argus_sqlite3_errmsg)(void *database);
typedef int (*argus_sqlite3_extended_result_codes)(void *database, int on);
typedef int (*argus_sqlite3_busy_timeout)(void *database, int milliseconds);
typedef int (*argus_sqlite3_changes)(void *database);
typedef long long (*argus_sqlite3_last_insert_rowid)(void *database);
typedef int (*argus_sqlite3_get_autocommit)(void *database);

typedef int (*argus_sqlite3_prepare_v2)(
    void *database, const char *text, int length, void **statement, const char **tail);
typedef int (*argus_sqlite3_step)(void *statement);
typedef int (*argus_sqlite3_reset)(void *statement);
typedef int (*argus_sqlite3_clear_bindings)(void *statement);
typedef int (*argus_sqlite3_finalize)(void *statement);

typedef int (*argus_sqlite3_bind_null)(void *statement, int index);
typedef int (*argus_sqlite3_bind_int64)(void *statement, int index, long long value);
typedef int (*argus_sqlite3_bind_text)(
    void *statement, int index, const char *text, int length, void *destructor);

typedef int (*argus_sqlite3_column_type)(void *statement, int column);
typedef long long (*argus_sqlite3_column_int64)(void *statement, int column);
typedef const void *(*argus_sqlite3_column_blob)(void *statement, int column);
typedef int (*argus_sqlite3_column_bytes)(void *statement, int column);
