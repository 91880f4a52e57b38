// A preprocessor's lines in a person's text, and what their conditions come to.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel_tokens.h"

namespace stridescope::engine::access {

// "#define N 4" as "define" and "N 4", without comments, its lines joined.
struct Directive {
  std::string name, rest;
  std::size_t begin = 0, end = 0;  // in the text, its last newline not included
};
std::vector<Directive> directivesOf(const KernelTokens& tokens);

// The macro's name and all behind it, of what stands behind #define. A list of parameters follows at once.
std::pair<std::string, std::string> macroOf(const std::string& rest);

// What an expression of #if comes to, by the bodies of macros without parameters. Names that have none are 0,
// and are added to `undefined`. Nothing: it has other signs than numbers, names, defined, arithmetic and
// comparisons, or a macro whose body is no such expression.
std::optional<long long> valueOfCondition(const std::string& expression,
                                          const std::map<std::string, std::string>& macros,
                                          std::set<std::string>& undefined);

}  // namespace stridescope::engine::access
