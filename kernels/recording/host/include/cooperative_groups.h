// What #include <cooperative_groups.h> in a kernel's text finds on the host.
#pragma once

#include "recording/host/groups.h"
