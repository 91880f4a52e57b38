// CUDA's declaration specifiers (CUDA C++ Programming Guide, C++ Language Extensions), for a C++ compiler.
// They stand anywhere among the other specifiers, so each is an attribute or nothing where it can be.
#pragma once

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __nv_pure__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)

// One copy a block: the program runs a block on one OS thread. __thread, not thread_local: it takes no
// initialiser that must run, as CUDA demands, and is reached without a wrapper function.
#define __shared__ static __thread
// The block's constants and the grid's variables are the library's own variables.
#define __constant__ __attribute__((visibility("hidden")))
#define __managed__

// Without `inline`, which the text may have said already.
#define __forceinline__ __attribute__((unused))
// Nothing is inlined at -O0; and libstdc++ writes __attribute__((__noinline__)).
#define __noinline__
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __builtin_align__(...) __attribute__((aligned(__VA_ARGS__)))

#define __assume(condition) ((void)0)
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif
