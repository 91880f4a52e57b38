// Says in a sentence why a person's file that includes it is not compiled.
#pragma once

#error "Asynchronous copies (cooperative_groups/memcpy_async.h) cannot be stepped on the CPU."
