// The shared arrays of a launch: what the compiled text's debug information says of those that it declares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "access/hooks.h"
#include "access_worker.h"
#include "debug_info.h"
#include "kernel_library.h"
#include "model/trace.h"

namespace stridescope::engine::access {

// "reduce" of "reduce<int, 128>".
std::string_view withoutArguments(std::string_view function);

// The kernel's own shared arrays, those of the functions that it may call, and those of the file.
std::vector<SharedVariable> sharedOf(const KernelLibrary& library, const DebugInfo& info,
                                     const AccessLaunch& launch);

// The elements of dynamic shared memory are those that the text gives its name in the kernel; where it is
// cast before it is accessed, and all pointers among the kernel's variables are of one type, those; else
// words.
SharedVariable dynamicOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch);

// What a recording call tells of the array that it declares.
struct DeclaredElements {
  std::uint64_t bytes = 0;  // of the array
  unsigned elementBytes = 4;
  ::accesses::ElementKind kind{};
};
// The array of that name ("tile", or "function::tile") in a text with recording calls.
SharedVariable declaredArray(const DebugInfo& info, const AccessLaunch& launch, const std::string& name,
                             const DeclaredElements& declared);

// As a trace has it, of so many bytes: with its shape where these are all of it.
model::Array arrayOf(const SharedVariable& variable, std::uint64_t bytes);

SharedLayout layoutOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch);

}  // namespace stridescope::engine::access
