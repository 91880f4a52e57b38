// What a cubin says of itself: where in the text its instructions are from, its functions and variables, its
// shared arrays. Read by elfutils' libelf and libdw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/access/kernel_types.h"

namespace stridescope::engine::access::gpu {

struct CodeLine {
  std::uint64_t offset = 0;  // bytes from the function's start: the first instruction that is from there
  std::string file;          // as the compiler was told, without folders
  int line = 0;              // 1-based
};

struct CubinFunction {
  std::string symbol;           // "_Z3sumPKfPfi"
  std::uint64_t bytes = 0;      // with what it calls and is not inlined
  std::vector<CodeLine> lines;  // by offset

  // The line of the instruction at that offset; of one from another file, the last before it that is from
  // `file`. 0: there is none.
  int lineOf(std::uint64_t offset, std::string_view file) const;
};

struct CubinVariable {
  std::string symbol;    // "_ZZ3sumPKfPfiE4tile"
  std::string kernel;    // the symbol of the kernel whose window it lies in; empty: of each, it is dynamic
  std::string function;  // "sum", of a kernel's own; may be empty
  std::string name;      // "tile"
  std::uint64_t offset = 0;  // in the block's window of shared memory
  std::uint64_t bytes = 0;   // 0: dynamic
};

struct Cubin {
  std::vector<CubinFunction> functions;
  std::vector<CubinVariable> shared;  // with debug information only (NVRTC's --device-debug)
  // Each kernel with static shared memory has one. It says where that memory ends in the block's window.
  struct SharedSection {
    std::string kernel;  // its symbol
    std::uint64_t end = 0;
  };
  std::vector<SharedSection> sections;

  std::optional<std::uint64_t> sharedEndOf(std::string_view kernel) const;
};

// The types of the parameters of each of the kernels, by their symbols. Requires debug information; without
// it a kernel has none.
std::vector<KernelTypes> parametersIn(std::string image, const std::vector<std::string>& kernels);

// Requires --generate-line-info for lines. Fails where it is no ELF file that can be read.
Result<Cubin> readCubin(std::string image);

}  // namespace stridescope::engine::access::gpu
