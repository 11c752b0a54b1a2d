/// libcurl's types and constants; its functions are found with dlsym(3) at the first request.
#pragma once

#include <curl/curl.h>
