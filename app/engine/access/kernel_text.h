// A person's .cu text, made ready for a C++ compiler: what belongs to the host is left out, dynamic shared
// memory is declared in C++, and conditions tell which way they go. Everything keeps its line, and
// `edits` knows its column.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "branch_conditions.h"
#include "engine/access/kernel_declaration.h"
#include "text_edits.h"

namespace stridescope::engine::access {

struct KernelText {
  std::string text;
  std::string deviceText;     // for a compiler of CUDA C++: only what belongs to the host is left out
  TextEdits deviceEdits;      // what was changed in that
  std::string deviceTelling;  // the same, with conditions that tell which way they go
  TextEdits edits;            // what was changed in it
  std::vector<KernelDeclaration> kernels;  // the __global__ functions that have a body, in order
  std::vector<std::string> leftOut;        // what is the host's: "main()", "Timer", "#include <x>"
  struct IncludedFile {
    std::string name;
    int line = 0;  // of the directive, 1-based
  };
  std::vector<IncludedFile> includes;  // of each #include "name", in order
  // The first launch from a kernel or a __device__ function: line and column; 0: there is none.
  std::pair<int, int> launchInDevice{0, 0};
  std::string dynamicName;     // dynamic shared memory's first name in the text; empty: none
  std::string dynamicType;     // ... and the type of its elements: "float"
  bool dynamicIsCast = false;  // ... of which none is accessed: the text casts it to another type
  BranchConditions branches;
};

// How the names of variables begin that only keep others apart.
inline constexpr std::string_view kGapName = "access_gap_";

struct KernelTextOptions {
  bool tellsBranches = true;
  unsigned firstBranch = 0;  // the number of its first condition
};

// Usage: what cannot be read (a comment or text without an end, brackets that do not match), with its line.
Result<KernelText> readKernelText(const std::string& fileName, std::string_view text,
                                  const KernelTextOptions& options = {});

}  // namespace stridescope::engine::access
