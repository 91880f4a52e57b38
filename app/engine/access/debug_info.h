// What a compiled text's debug information (DWARF) says: where in the text an instruction is from, which
// variables there are, and what parameters functions have. Read by elfutils' libdw.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kernel_types.h"

namespace stridescope::engine::access {

struct TextPlace {
  std::uint64_t address = 0;  // from the library's start: the first instruction that is from there
  std::string file;           // as the compiler was told, without folders
  int line = 0, column = 0;   // 1-based; column 0: unknown
};

// A `__shared__` variable: static thread_local storage of the library.
struct SharedVariable {
  std::string name;          // as in the text
  std::string function;      // the one that it stands in; empty: none
  std::uint64_t offset = 0;  // in the library's thread-local storage
  std::uint64_t bytes = 0;
  ParameterType element;               // what its elements are
  std::vector<std::uint64_t> extents;  // "[8][33]" as 8, 33; empty: one element
};

// The code of one function.
struct FunctionCode {
  std::string name;                       // "sum<float>"
  std::uint64_t begin = 0, end = 0;       // addresses
  int line = 0;                           // where it is declared
  std::vector<ParameterType> parameters;  // of one that returns nothing
};

// A variable of the library's own, as a `__device__` one.
struct ModuleVariable {
  std::string name;
  std::uint64_t address = 0, bytes = 0;  // from the library's start
};

struct DebugInfo {
  bool isOfClang = false;
  std::vector<TextPlace> places;  // by address
  std::vector<SharedVariable> shared;
  // Local variables that are pointers or references, with what they point to: the names of dynamic shared
  // memory are among them, and those of all shared memory where the text has recording calls.
  std::vector<SharedVariable> pointers;
  std::vector<FunctionCode> functions;  // by address
  // Where in the thread-local storage the compiler notes that a variable was initialized: 8 bytes each.
  std::vector<std::uint64_t> guards;
  std::vector<ModuleVariable> variables;  // by address
  // Where the library's variables lie: its sections of them, by address and bytes.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dataSections;

  // The last place at or before the address; null: there is none.
  const TextPlace* placeOf(std::uint64_t address) const;
  const FunctionCode* functionOf(std::uint64_t address) const;  // null: it is in none
};

// Fails where the file has no debug information that can be read.
Result<DebugInfo> readDebugInfo(const std::string& library);

}  // namespace stridescope::engine::access
