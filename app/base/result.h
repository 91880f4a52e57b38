// Failures are values: a sentence that says what failed, on what, and what to do about it. What is thrown on
// the way becomes one: every thread's work and every worker's answer runs in withoutExceptions(), so that
// what runs out of memory ends with a sentence and the program lives on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <variant>  // std::monostate, the value of a Result that has nothing to give

#include "base/describe.h"

namespace stridescope {

enum class ErrorKind {
  Usage,        // the request makes no sense: exit code 2
  Unavailable,  // an engine, a file or a permission is missing or failed: exit code 3
  Cancelled,    // the person stopped it
  Limit,        // a limit was met during the work (steps, memory, time, output): exit code 4
};

// Where a failure comes from, when that decides what a person can do about it.
enum class ErrorCause : std::uint8_t {
  Other,
  ExistingFile,    // a file that stands there and was not to be replaced
  CombineText,     // the text of a custom operator: it does not compile, or stops the process that runs it
  KernelText,      // the text of a kernel with its preamble does not compile
  UntrustedCode,   // a text that came with a file and that nobody has allowed yet (engine/code_trust.h)
  UnconfinedCode,  // a text that is allowed, on a kernel that cannot confine it
};

struct Error {
  ErrorKind kind = ErrorKind::Unavailable;
  std::string sentence = {};  // for the person: complete, with a full stop
  std::string details = {};   // codes, paths, a compiler's log; may be empty; shown small and copied
  ErrorCause cause = ErrorCause::Other;
};

// What an error says, as another process is told it.
template <class Fields, Described<Error> Value>
constexpr void describe(Fields&& fields, Value& error) {
  fields("kind", error.kind);
  fields("sentence", error.sentence);
  fields("details", error.details);
  fields("cause", error.cause);
}

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> usageError(std::string sentence) {
  return tl::unexpected(Error{ErrorKind::Usage, std::move(sentence)});
}
inline tl::unexpected<Error> unavailable(std::string sentence, std::string details = {}) {
  return tl::unexpected(Error{ErrorKind::Unavailable, std::move(sentence), std::move(details)});
}
inline tl::unexpected<Error> limitMet(std::string sentence, std::string details = {}) {
  return tl::unexpected(Error{ErrorKind::Limit, std::move(sentence), std::move(details)});
}
inline tl::unexpected<Error> cancelled() { return tl::unexpected(Error{ErrorKind::Cancelled, "Cancelled."}); }

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

// Leaves a function that returns a Result if the expression, itself a Result, failed: with its error.
#define STRIDESCOPE_TRY(expression)                           \
  do {                                                        \
    if (auto outcomeOfTry = (expression); !outcomeOfTry)      \
      return tl::unexpected(std::move(outcomeOfTry).error()); \
  } while (false)
