// A person's text with recording calls: what the text pass (app/instrument) makes of it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "engine/access/kernel_run.h"
#include "instrument/instrument.h"
#include "kernel_text.h"
#include "settled_text.h"

namespace stridescope::engine::access {

struct RecordedText {
  instrument::Instrumented pass;  // its sites are placed in the person's file
  SettledText settled;            // what it was made of
  // Its shared arrays by number; "function::name" where two have one name.
  std::vector<std::string> sharedNames;
};

// The column, 1-based, in the person's file of what stands at that place in the text with recording calls. 0:
// it cannot be told from what the calls are made of.
int columnBefore(const KernelText& text, const RecordedText& recorded, int line, int column);

// Why it has none: a sentence, with line and column of the person's file.
struct NotRecorded {
  std::string place;  // "line 5, column 12"; empty: nowhere in particular
  std::string reason;
  std::string sentence() const;
};

// `kernels`: those that are launched.
tl::expected<RecordedText, NotRecorded> recordedTextOf(const KernelText& text, const NamedKernels& kernels);

}  // namespace stridescope::engine::access
