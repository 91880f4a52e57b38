// What a person's text declares at namespace scope and in its classes, as far as telling the device's from
// the host's and finding kernels needs it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernel_tokens.h"

namespace stridescope::engine::access {

enum class DeclarationKind : unsigned char { Function, Class, Other };

// Tokens of the text by number.
struct Declaration {
  DeclarationKind kind{};
  std::size_t begin = 0, end = 0;  // the last one: a bracket or a semicolon
  std::size_t list = 0;            // a function's parameters: their opening bracket
  std::size_t body = 0;            // the opening bracket; of Other: none
  std::string name{}, scope{};     // "k", "ns::"
  bool isKernel = false;
  bool isDevices = false;  // it, or something in it, is said to be the device's
  bool isTemplate = false;
  bool isSpecialization = false;  // template <> void f<int>()
  int owner = -1;                 // the class that it is in, by its place among the declarations
};

std::vector<Declaration> declarationsOf(const KernelTokens& tokens);

// The macros whose text has one of CUDA's words for device code, and those words.
std::set<std::string, std::less<>> deviceWordsOf(const KernelTokens& tokens);

}  // namespace stridescope::engine::access
