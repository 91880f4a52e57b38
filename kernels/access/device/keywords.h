// CUDA's words as macros: the declaration specifiers, and what a kernel that is stepped on the CPU cannot
// use.
#pragma once

#include "core.h"

// CUDA's declaration specifiers (CUDA C++ Programming Guide, C++ Language Extensions), for a C++ compiler.
// They stand anywhere among the other specifiers, so each is an attribute or nothing where it can be.

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

// What a kernel that is stepped on the CPU cannot use: each use is a compile error that says so in a
// sentence.

namespace accesses {

// What such a function gives: anything, so that the sentence is the only error.
struct Unsupported {
  template <class T>
  operator T() const;
};

}  // namespace accesses

#define ACCESS_UNSUPPORTED(name, sentence)              \
  template <class... Given>                             \
  accesses::Unsupported name(Given...) {                \
    static_assert(accesses::never<Given...>, sentence); \
    return {};                                          \
  }
#define ACCESS_UNSUPPORTED_TYPED(name, sentence) \
  template <class T, class... Given>             \
  accesses::Unsupported name(Given...) {         \
    static_assert(accesses::never<T>, sentence); \
    return {};                                   \
  }

// ---- Shuffles and votes without a mask, which CUDA has removed.

ACCESS_UNSUPPORTED(__shfl, "__shfl() without a mask is no longer CUDA: use __shfl_sync().")
ACCESS_UNSUPPORTED(__shfl_up, "__shfl_up() without a mask is no longer CUDA: use __shfl_up_sync().")
ACCESS_UNSUPPORTED(__shfl_down, "__shfl_down() without a mask is no longer CUDA: use __shfl_down_sync().")
ACCESS_UNSUPPORTED(__shfl_xor, "__shfl_xor() without a mask is no longer CUDA: use __shfl_xor_sync().")
ACCESS_UNSUPPORTED(__ballot, "__ballot() without a mask is no longer CUDA: use __ballot_sync().")
ACCESS_UNSUPPORTED(__any, "__any() without a mask is no longer CUDA: use __any_sync().")
ACCESS_UNSUPPORTED(__all, "__all() without a mask is no longer CUDA: use __all_sync().")

// ---- Addresses as numbers of one memory space: only inline PTX has a use for them.

#define ACCESS_SPACE(name) \
  ACCESS_UNSUPPORTED(name, #name "() asks for a GPU's address space, which the CPU does not have.")
ACCESS_SPACE(__cvta_generic_to_shared)
ACCESS_SPACE(__cvta_generic_to_global)
ACCESS_SPACE(__cvta_generic_to_local)
ACCESS_SPACE(__cvta_generic_to_constant)
ACCESS_SPACE(__cvta_shared_to_generic)
ACCESS_SPACE(__cvta_global_to_generic)
ACCESS_SPACE(__cvta_local_to_generic)
ACCESS_SPACE(__cvta_constant_to_generic)
ACCESS_SPACE(__isShared)
ACCESS_SPACE(__isGlobal)
ACCESS_SPACE(__isLocal)
ACCESS_SPACE(__isConstant)
#undef ACCESS_SPACE

// ---- Textures and surfaces.

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define ACCESS_TEXTURE(name) \
  ACCESS_UNSUPPORTED_TYPED(name, "Textures and surfaces cannot be stepped on the CPU: " #name "().")
ACCESS_TEXTURE(tex1Dfetch)
ACCESS_TEXTURE(tex1D)
ACCESS_TEXTURE(tex2D)
ACCESS_TEXTURE(tex3D)
ACCESS_TEXTURE(tex1DLod)
ACCESS_TEXTURE(tex2DLod)
ACCESS_TEXTURE(tex3DLod)
ACCESS_TEXTURE(tex1DLayered)
ACCESS_TEXTURE(tex2DLayered)
ACCESS_TEXTURE(texCubemap)
ACCESS_TEXTURE(tex2Dgather)
ACCESS_TEXTURE(surf1Dread)
ACCESS_TEXTURE(surf2Dread)
ACCESS_TEXTURE(surf3Dread)
#undef ACCESS_TEXTURE
ACCESS_UNSUPPORTED(surf1Dwrite, "Textures and surfaces cannot be stepped on the CPU: surf1Dwrite().")
ACCESS_UNSUPPORTED(surf2Dwrite, "Textures and surfaces cannot be stepped on the CPU: surf2Dwrite().")
ACCESS_UNSUPPORTED(surf3Dwrite, "Textures and surfaces cannot be stepped on the CPU: surf3Dwrite().")

template <class T, int kind = 1, int mode = 0>
struct texture {
  static_assert(accesses::never<T>, "Textures cannot be stepped on the CPU, and CUDA has removed texture<>.");
};

// ---- Launches from the device.

#define ACCESS_LAUNCH(name) \
  ACCESS_UNSUPPORTED(name, "A kernel that launches kernels cannot be stepped on the CPU.")
ACCESS_LAUNCH(cudaLaunchDevice)
ACCESS_LAUNCH(cudaGetParameterBuffer)
#undef ACCESS_LAUNCH

#undef ACCESS_UNSUPPORTED_TYPED
#undef ACCESS_UNSUPPORTED

// ---- Inline PTX. The system's headers write __asm__.

#define asm _Pragma("GCC error \"Inline PTX (asm) cannot be stepped on the CPU.\"") __asm__
