// Leaving a function that returns a Result with the error of another.
#pragma once

#include <utility>

#include "base/result.h"

// Leaves with the error if the expression, itself a Result, failed.
#define STRIDESCOPE_TRY(expression)                           \
  do {                                                        \
    if (auto outcomeOfTry = (expression); !outcomeOfTry)      \
      return tl::unexpected(std::move(outcomeOfTry).error()); \
  } while (false)
