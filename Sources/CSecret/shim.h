/// The part of libsecret, GIO and GLib that keeps a secret; its functions are found with dlsym(3) at
/// the first use.
///
/// Declared here and not included: the few functions have been the same since libsecret 0.18 and GLib
/// 2.26, and no header of them is needed to build. Objects are opaque; variadic functions, which
/// Swift cannot call, are left out.
#pragma once

#include <stddef.h>

typedef struct argus_gerror {
    unsigned int domain;
    int code;
    char *message;
} argus_gerror;

typedef struct argus_glist {
    void *data;
    struct argus_glist *next;
    struct argus_glist *previous;
} argus_glist;

typedef void *(*argus_g_cancellable_new)(void);
typedef void (*argus_g_cancellable_cancel)(void *cancellable);
typedef void (*argus_g_object_unref)(void *object);
typedef void (*argus_g_error_free)(argus_gerror *error);
typedef void (*argus_g_list_free)(argus_glist *list);

typedef void *(*argus_g_hash_table_new)(void *hash, void *equal);
typedef int (*argus_g_hash_table_insert)(void *table, void *key, void *value);
typedef void (*argus_g_hash_table_unref)(void *table);

typedef void *(*argus_g_variant_new_string)(const char *text);
typedef void *(*argus_g_variant_new_tuple)(void *const *children, size_t count);
typedef void *(*argus_g_variant_get_child_value)(void *variant, size_t index);
typedef int (*argus_g_variant_get_boolean)(void *variant);
typedef void (*argus_g_variant_unref)(void *variant);

typedef void *(*argus_g_bus_get_sync)(int type, void *cancellable, argus_gerror **error);
typedef void (*argus_g_dbus_connection_set_exit_on_close)(void *connection, int exits);
typedef void *(*argus_g_dbus_connection_call_sync)(
    void *connection, const char *name, const char *path, const char *interface,
    const char *method, void *parameters, const void *reply_type, int flags, int milliseconds,
    void *cancellable, argus_gerror **error);

typedef void *(*argus_secret_service_get_sync)(
    int flags, void *cancellable, argus_gerror **error);
typedef argus_glist *(*argus_secret_service_search_sync)(
    void *service, const void *schema, void *attributes, int flags, void *cancellable,
    argus_gerror **error);
typedef int (*argus_secret_service_store_sync)(
    void *service, const void *schema, void *attributes, const char *collection,
    const char *label, void *value, void *cancellable, argus_gerror **error);
typedef int (*argus_secret_service_clear_sync)(
    void *service, const void *schema, void *attributes, void *cancellable,
    argus_gerror **error);
typedef void *(*argus_secret_collection_for_alias_sync)(
    void *service, const char *alias, int flags, void *cancellable, argus_gerror **error);
typedef int (*argus_secret_collection_get_locked)(void *collection);
typedef int (*argus_secret_item_get_locked)(void *item);
typedef void *(*argus_secret_item_get_secret)(void *item);
typedef void *(*argus_secret_value_new)(
    const char *secret, ptrdiff_t length, const char *content_type);
typedef const char *(*argus_secret_value_get)(void *value, size_t *length);
typedef void (*argus_secret_value_unref)(void *value);
