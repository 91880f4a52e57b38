// Failures as values, in functions that return a Result.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "trace/result.h"

// Leaves with the error if the expression, itself a Result, failed.
#define STRIDESCOPE_TRY(expression)                           \
  do {                                                        \
    if (auto outcomeOfTry = (expression); !outcomeOfTry)      \
      return tl::unexpected(std::move(outcomeOfTry).error()); \
  } while (false)

namespace stridescope {

// Runs a function that returns a Result; what it throws (no memory, no threads) becomes an error.
template <class Function>
auto withoutExceptions(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return unavailable("Out of memory. Take fewer elements, or close other programs.");
  } catch (const std::exception& failure) {
    return unavailable("The system refused the GPU engine something it needs. Close other programs.",
                       failure.what());
  }
}

}  // namespace stridescope
