// A person's .cu text, made ready for a C++ compiler: what belongs to the host is left out, and dynamic
// shared memory is declared in C++. Everything keeps its line; what stands before it on the line keeps its
// column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::access {

struct KernelDeclaration {
  std::string name;       // "k"
  std::string qualified;  // "ns::k"; the same where it stands in no named namespace
  bool isTemplate = false;
  int line = 1;
  std::vector<std::string> parameters;  // their names, in order; an unnamed one is empty
};

struct KernelText {
  std::string text;
  std::string deviceText;  // for a compiler of CUDA C++: only what belongs to the host is left out
  std::vector<KernelDeclaration> kernels;  // the __global__ functions that have a body, in order
  std::vector<std::string> leftOut;        // the host's functions, by name
  std::vector<std::string> includes;       // "name" of each #include "name", in order
  std::string dynamicName;                 // dynamic shared memory's first name in the text; empty: none
};

// Usage: what cannot be read (a comment or text without an end, brackets that do not match), with its line.
Result<KernelText> readKernelText(const std::string& fileName, std::string_view text);

// The access at that place of the text, as far as it can be told: "tile[threadIdx.y][threadIdx.x]"; else the
// statement. `line` and `column` are 1-based; column 0: unknown.
struct TextPiece {
  int column = 1, length = 0;
  std::string text;
};
TextPiece pieceAt(std::string_view text, int line, int column);

}  // namespace stridescope::engine::access
