// Finds the functions in a kernel's text: enough of C++ for that, and no more.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace stridescope::analysis {

struct NameInText {
  std::string_view name;  // into the text
  std::size_t offset = 0;
};

struct FunctionText {
  std::string_view name;
  std::size_t begin = 0, end = 0;  // offsets of its body's braces, the end one past the closing one
  bool isKernel = false;           // __global__
  std::vector<NameInText> calls;   // every name before an opening parenthesis in its body
};

// In order of the text. Bodies of classes and namespaces are looked into; lambdas belong to the function
// around them.
std::vector<FunctionText> findFunctions(std::string_view text);

}  // namespace stridescope::analysis
