/// libcurl's types and constants; its functions are found with dlsym(3) at the first request.
///
/// Nothing here links libcurl. A `*_function` typedef is the type of one C function, so that a
/// symbol becomes callable from Swift with its real signature. The variadic functions, which Swift
/// cannot call, have one shim for each kind of argument; a shim takes the function as `dlsym`
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
typedef __typeof__(curl_multi_init) *argus_multi_init_function;
typedef __typeof__(curl_multi_cleanup) *argus_multi_cleanup_function;
typedef __typeof__(curl_multi_add_handle) *argus_multi_add_handle_function;
typedef __typeof__(curl_multi_remove_handle) *argus_multi_remove_handle_function;
typedef __typeof__(curl_multi_perform) *argus_multi_perform_function;
typedef __typeof__(curl_multi_info_read) *argus_multi_info_read_function;
typedef __typeof__(curl_multi_poll) *argus_multi_poll_function;
typedef __typeof__(curl_multi_wakeup) *argus_multi_wakeup_function;

/// curl_easy_setopt(3) for options that take a `long`.
static inline CURLcode argus_easy_setopt_long(
    void *_Nonnull function, CURL *_Nonnull handle, CURLoption option, long value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);
}

/// curl_easy_setopt(3) for options that take a `curl_off_t`.
static inline CURLcode argus_easy_setopt_offset(
    void *_Nonnull function, CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);
}

/// curl_easy_setopt(3) for options that take a string, which libcurl copies.
static inline CURLcode argus_easy_setopt_string(
    void *_Nonnull function, CURL *_Nonnull handle, CURLoption option,
    const char *_Nonnull value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);
}

/// curl_easy_setopt(3) for options that take a pointer, which libcurl keeps.
static inline CURLcode argus_easy_setopt_pointer(
    void *_Nonnull function, CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);
}

/// curl_easy_setopt(3) for the callbacks that receive header lines and body bytes.
static inline CURLcode argus_easy_setopt_callback(
    void *_Nonnull function, CURL *_Nonnull handle, CURLoption option,
    curl_write_callback _Nonnull value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, option, value);
}

/// curl_easy_setopt(3) for the callback that may set a new socket up.
static inline CURLcode argus_easy_setopt_socket_callback(
    void *_Nonnull function, CURL *_Nonnull handle, curl_sockopt_callback _Nonnull value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, CURLOPT_SOCKOPTFUNCTION, value);
}

/// curl_easy_setopt(3) for the callback that is told when a request leaves.
static inline CURLcode argus_easy_setopt_departure_callback(
    void *_Nonnull function, CURL *_Nonnull handle, curl_prereq_callback _Nonnull value) {
    return ((__typeof__(&curl_easy_setopt))function)(handle, CURLOPT_PREREQFUNCTION, value);
}

/// curl_easy_getinfo(3) for facts that are a `long`.
static inline CURLcode argus_easy_getinfo_long(
    void *_Nonnull function, CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return ((__typeof__(&curl_easy_getinfo))function)(handle, info, value);
}

/// curl_easy_getinfo(3) for facts that are a `curl_off_t`.
static inline CURLcode argus_easy_getinfo_offset(
    void *_Nonnull function, CURL *_Nonnull handle, CURLINFO info, curl_off_t *_Nonnull value) {
    return ((__typeof__(&curl_easy_getinfo))function)(handle, info, value);
}

/// curl_easy_getinfo(3) for the certificates of the server, which belong to the handle.
static inline CURLcode argus_easy_getinfo_certificates(
    void *_Nonnull function, CURL *_Nonnull handle,
    struct curl_certinfo *_Nullable *_Nonnull value) {
    return ((__typeof__(&curl_easy_getinfo))function)(handle, CURLINFO_CERTINFO, value);
}

/// curl_easy_getinfo(3) for facts that are a string, which belongs to the handle.
static inline CURLcode argus_easy_getinfo_string(
    void *_Nonnull function, CURL *_Nonnull handle, CURLINFO info,
    const char *_Nullable *_Nonnull value) {
    return ((__typeof__(&curl_easy_getinfo))function)(handle, info, value);
}
