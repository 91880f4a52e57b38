// A kernel's text as the text pass has read it, before it looks for what to record.
#pragma once

#include <string_view>

#include "instrument/constructs.h"
#include "instrument/declarations.h"
#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

struct Reading {
  Source source;
  Directives directives;
  TypeNames types;
  Declarations declarations;
  Groups groups;
  Statements statements;
  Signature signature;
};

// Refuses what cannot be recorded, but for accesses and shared arrays, which are looked at later. The text
// must outlive what is returned.
Accepted<Reading> readText(std::string_view kernelText, Preamble preamble);

}  // namespace stridescope::instrument
