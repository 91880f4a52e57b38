// Says in a sentence why a person's file that includes it is not compiled.
#pragma once

#error "cuRAND (curand_kernel.h) cannot be stepped on the CPU."
