/// libavahi-client's types and constants; its functions are found with dlsym(3) at the first browse.
///
/// Nothing here links libavahi. A `*_function` typedef is the type of one C function, so that a
/// symbol becomes callable from Swift with its real signature.
#pragma once

/// Stands for avahi-common/watch.h, which would take `struct pollfd` away from glibc's module.
#define foowatchhfoo
typedef struct AvahiPoll AvahiPoll;

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>

/// Written out from avahi-common/simple-watch.h, for the same reason.
typedef struct AvahiSimplePoll AvahiSimplePoll;
typedef AvahiSimplePoll *(*argus_simple_poll_new_function)(void);
typedef void (*argus_simple_poll_free_function)(AvahiSimplePoll *);
typedef const AvahiPoll *(*argus_simple_poll_get_function)(AvahiSimplePoll *);
typedef int (*argus_simple_poll_iterate_function)(AvahiSimplePoll *, int);
typedef void (*argus_simple_poll_wakeup_function)(AvahiSimplePoll *);

/// Written out from avahi-common/thread-watch.h, as above.
typedef struct AvahiThreadedPoll AvahiThreadedPoll;
typedef AvahiThreadedPoll *(*argus_threaded_poll_new_function)(void);
typedef const AvahiPoll *(*argus_threaded_poll_get_function)(AvahiThreadedPoll *);
typedef int (*argus_threaded_poll_start_function)(AvahiThreadedPoll *);

typedef __typeof__(avahi_strerror) *argus_avahi_strerror_function;
typedef __typeof__(avahi_string_list_get_next) *argus_string_list_get_next_function;
typedef __typeof__(avahi_string_list_get_text) *argus_string_list_get_text_function;
typedef __typeof__(avahi_string_list_get_size) *argus_string_list_get_size_function;
typedef __typeof__(avahi_client_new) *argus_client_new_function;
typedef __typeof__(avahi_client_free) *argus_client_free_function;
typedef __typeof__(avahi_client_errno) *argus_client_errno_function;
typedef __typeof__(avahi_service_browser_new) *argus_service_browser_new_function;
typedef __typeof__(avahi_service_resolver_new) *argus_service_resolver_new_function;
typedef __typeof__(avahi_service_resolver_free) *argus_service_resolver_free_function;
typedef __typeof__(avahi_record_browser_new) *argus_record_browser_new_function;

typedef __typeof__(avahi_entry_group_new) *argus_entry_group_new_function;
typedef __typeof__(avahi_entry_group_add_service_strlst) *argus_entry_group_add_function;
typedef __typeof__(avahi_entry_group_commit) *argus_entry_group_commit_function;
typedef __typeof__(avahi_string_list_add) *argus_string_list_add_function;
