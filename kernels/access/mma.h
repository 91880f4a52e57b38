// Says in a sentence why a person's file that includes it is not compiled.
#pragma once

#error "Tensor core fragments (mma.h) cannot be stepped on the CPU."
