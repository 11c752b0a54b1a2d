/// libavahi-client's types and constants; its functions are found with dlsym(3) at the first browse.
#pragma once

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/error.h>
#include <avahi-common/thread-watch.h>
