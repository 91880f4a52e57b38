// Says in a sentence why a person's file that includes it is not compiled.
#pragma once

#error "Formats of 8 bits (cuda_fp8.h) cannot be stepped on the CPU."
