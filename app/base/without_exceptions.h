// Failures as values, whatever is thrown on the way: every thread's work and every worker's answer runs in
// withoutExceptions(), so that what runs out of memory ends with a sentence and the program lives on.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.h"

namespace stridescope {

// `doing`, in both: what ran out of memory, as it follows "while": "recording sequential".
Error outOfMemory(std::string_view doing);

// In a catch block: the error for what was thrown. Throws nothing itself.
Error errorOfException(std::string_view doing) noexcept;

// Runs a function that returns a Result, or nothing; what it throws becomes an error.
template <class Function>
auto withoutExceptions(std::string_view doing, Function&& function) {
  using Returned = std::invoke_result_t<Function&>;
  using Ended = std::conditional_t<std::is_void_v<Returned>, Result<void>, Returned>;
  try {
    if constexpr (std::is_void_v<Returned>) {
      function();
      return Ended();
    } else {
      return Ended(function());
    }
  } catch (...) {
    return Ended(tl::unexpected(errorOfException(doing)));
  }
}

}  // namespace stridescope
