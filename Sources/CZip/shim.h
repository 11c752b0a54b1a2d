/// The part of libzip that case files need; its functions are found with dlsym(3) at the first use.
///
/// Declared here and not included: the functions have been the same since libzip 1.2 (libzip.so.4
/// and .5), and no header of it is needed to build. An archive, a source and an open file are opaque.
#pragma once

#include <stdint.h>
#include <time.h>

typedef struct argus_zip_error {
    int code;
    int system_code;
    char *text;
} argus_zip_error;

typedef struct argus_zip_stat {
    uint64_t valid;
    const char *name;
    uint64_t index;
    uint64_t size;
    uint64_t compressed_size;
    time_t time;
    uint32_t crc;
    uint16_t compression;
    uint16_t encryption;
    uint32_t flags;
} argus_zip_stat;

typedef struct argus_zip_seek {
    int64_t offset;
    int origin;
} argus_zip_seek;

/// What libzip asks of a source: the numbers of `zip_source_cmd`.
enum {
    ARGUS_ZIP_OPEN = 0,
    ARGUS_ZIP_READ = 1,
    ARGUS_ZIP_CLOSE = 2,
    ARGUS_ZIP_STAT = 3,
    ARGUS_ZIP_ERROR = 4,
    ARGUS_ZIP_FREE = 5,
    ARGUS_ZIP_SEEK = 6,
    ARGUS_ZIP_TELL = 7,
    ARGUS_ZIP_BEGIN_WRITE = 8,
    ARGUS_ZIP_COMMIT_WRITE = 9,
    ARGUS_ZIP_ROLLBACK_WRITE = 10,
    ARGUS_ZIP_WRITE = 11,
    ARGUS_ZIP_SEEK_WRITE = 12,
    ARGUS_ZIP_TELL_WRITE = 13,
    ARGUS_ZIP_SUPPORTS = 14,
    ARGUS_ZIP_REMOVE = 15,
};

typedef int64_t (*argus_zip_callback)(void *user, void *data, uint64_t length, int command);

typedef void *(*argus_zip_source_function_create)(
    argus_zip_callback callback, void *user, argus_zip_error *error);
typedef void (*argus_zip_source_free)(void *source);
typedef void *(*argus_zip_open_from_source)(void *source, int flags, argus_zip_error *error);
typedef int (*argus_zip_close)(void *archive);
typedef void (*argus_zip_discard)(void *archive);

typedef void (*argus_zip_error_init)(argus_zip_error *error);
typedef const char *(*argus_zip_error_strerror)(argus_zip_error *error);
typedef void (*argus_zip_error_fini)(argus_zip_error *error);
typedef const char *(*argus_zip_strerror)(void *archive);

typedef int64_t (*argus_zip_file_add)(
    void *archive, const char *name, void *source, uint32_t flags);
typedef int (*argus_zip_set_file_compression)(
    void *archive, uint64_t index, int32_t method, uint32_t level);
typedef int (*argus_zip_file_set_dostime)(
    void *archive, uint64_t index, uint16_t time, uint16_t date, uint32_t flags);
typedef int (*argus_zip_file_set_external_attributes)(
    void *archive, uint64_t index, uint32_t flags, uint8_t system, uint32_t attributes);

typedef int64_t (*argus_zip_get_num_entries)(void *archive, uint32_t flags);
typedef const char *(*argus_zip_get_archive_comment)(void *archive, int *length, uint32_t flags);
typedef int (*argus_zip_file_get_external_attributes)(
    void *archive, uint64_t index, uint32_t flags, uint8_t *system, uint32_t *attributes);
typedef int (*argus_zip_stat_index)(
    void *archive, uint64_t index, uint32_t flags, argus_zip_stat *status);
typedef void *(*argus_zip_fopen_index)(void *archive, uint64_t index, uint32_t flags);
typedef int64_t (*argus_zip_fread)(void *file, void *bytes, uint64_t count);
typedef const char *(*argus_zip_file_strerror)(void *file);
typedef int (*argus_zip_fclose)(void *file);
