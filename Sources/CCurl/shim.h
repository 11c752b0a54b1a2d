/// libcurl's types and constants; its functions are found with dlsym(3) at the first request.
///
/// Nothing here links libcurl. A `*_function` typedef is the type of one C function, so that a
/// symbol becomes callable from Swift with its real signature. The variadic functions, which Swift
/// cannot call, have one shim for each type of argument; a shim takes the function as `dlsym`
/// returned it.
#pragma once

/// Handles become distinct opaque types instead of `void`.
#define CURL_STRICTER
/// Options that old libraries need carry no warning.
#define CURL_DISABLE_DEPRECATION
/// libcurl's own argument checks are macros for C callers.
#define CURL_DISABLE_TYPECHECK

#include <curl/curl.h>

typedef __typeof__(curl_global_init) *argus_global_init_function;
typedef __typeof__(curl_version_info) *argus_version_info_function;
typedef __typeof__(curl_slist_append) *argus_slist_append_function;
typedef __typeof__(curl_slist_free_all) *argus_slist_free_all_function;
typedef __typeof__(curl_easy_init) *argus_easy_init_function;
typedef __typeof__(curl_easy_cleanup) *argus_easy_cleanup_function;
typedef __typeof__(curl_easy_strerror) *argus_easy_strerror_function;
typedef __typeof__(curl_easy_recv) *argus_easy_recv_function;
typedef __typeof__(curl_easy_send) *argus_easy_send_function;
typedef __typeof__(curl_multi_init) *argus_multi_init_function;
typedef __typeof__(curl_multi_cleanup) *argus_multi_cleanup_function;
typedef __typeof__(curl_multi_add_handle) *argus_multi_add_handle_function;
typedef __typeof__(curl_multi_remove_handle) *argus_multi_remove_handle_function;
typedef __typeof__(curl_multi_perform) *argus_multi_perform_function;
typedef __typeof__(curl_multi_info_read) *argus_multi_info_read_function;
typedef __typeof__(curl_multi_poll) *argus_multi_poll_function;
typedef __typeof__(curl_multi_wakeup) *argus_multi_wakeup_function;

/// curl_easy_setopt(3) for one type of argument.
#define ARGUS_SETOPT(name, type)                                                                   \
    static inline CURLcode argus_easy_setopt_##name(                                               \
        void *_Nonnull function, CURL *_Nonnull handle, CURLoption option, type value) {           \
        return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);                   \
    }

ARGUS_SETOPT(long, long)
ARGUS_SETOPT(offset, curl_off_t)
/// libcurl copies a string, and keeps a pointer.
ARGUS_SETOPT(string, const char *_Nonnull)
ARGUS_SETOPT(pointer, void *_Nullable)
ARGUS_SETOPT(callback, curl_write_callback _Nonnull)
ARGUS_SETOPT(socket_callback, curl_sockopt_callback _Nonnull)
ARGUS_SETOPT(open_callback, curl_opensocket_callback _Nonnull)
ARGUS_SETOPT(departure_callback, curl_prereq_callback _Nonnull)

/// curl_multi_setopt(3) for a number.
static inline CURLMcode argus_multi_setopt_long(
    void *_Nonnull function, CURLM *_Nonnull handle, CURLMoption option, long value) {
    return ((__typeof__(&curl_multi_setopt))function)(handle, option, value);
}

/// curl_easy_getinfo(3) for one type of value; strings and certificates belong to the handle.
#define ARGUS_GETINFO(name, type)                                                                  \
    static inline CURLcode argus_easy_getinfo_##name(                                              \
        void *_Nonnull function, CURL *_Nonnull handle, CURLINFO info, type value) {               \
        return ((__typeof__(&curl_easy_getinfo))function)(handle, info, value);                    \
    }

ARGUS_GETINFO(long, long *_Nonnull)
ARGUS_GETINFO(offset, curl_off_t *_Nonnull)
ARGUS_GETINFO(string, const char *_Nullable *_Nonnull)
ARGUS_GETINFO(certificates, struct curl_certinfo *_Nullable *_Nonnull)
ARGUS_GETINFO(socket, curl_socket_t *_Nonnull)
