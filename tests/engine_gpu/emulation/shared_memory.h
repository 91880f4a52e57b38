// In place of recording/gpu.h's two macros, after it: shared arrays in the emulated block's memory.
#pragma once

#undef RECORDING_SHARED_STATIC
#define RECORDING_SHARED_STATIC(number, name, type, extent)                     \
  using emulated_type_of_##name = type extent;                                  \
  emulated_type_of_##name& name = *static_cast<emulated_type_of_##name*>(       \
      emulated::thread->block->array(number, sizeof(emulated_type_of_##name))); \
  recording::announceShared(number, name, sizeof(name), sizeof(type))

#undef RECORDING_SHARED_DYNAMIC
#define RECORDING_SHARED_DYNAMIC(number, name, type)                           \
  type* const name = reinterpret_cast<type*>(emulated::thread->block->shared); \
  recording::announceShared(number, name, recording::dynamicSharedBytes(), sizeof(type))
