/// libjpeg-turbo's compressor, for the pictures of the embedded server.
#pragma once

#include <turbojpeg.h>
