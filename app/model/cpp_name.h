// Names of what a program's text declares, as they come with a file or a message.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::model {

inline constexpr std::size_t kMaxNameBytes = 512;

// The one check of the names of arrays, functions and variables that were read from elsewhere. A name is one
// of C++ as a compiler or a demangler prints it: sum, reduce<float, 256u>, ns::Sum::operator()(float),
// data[3], (anonymous namespace)::f, main::{lambda(int)#1}, size[abi:cxx11]; letters may be any of Unicode.
// It has at most kMaxNameBytes bytes and no control character, nor one that changes the direction of text.
// What is wrong with it, as a clause that follows what the name is of ("is longer than 512 bytes"), or
// nothing.
std::optional<std::string> faultOfName(std::string_view name);

}  // namespace stridescope::model
