// A person's text with recording calls: what the text pass (app/instrument) makes of it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "engine/access/kernel_run.h"
#include "instrument/instrument.h"
#include "kernel_text.h"

namespace stridescope::engine::access {

struct RecordedText {
  instrument::Instrumented pass;  // its sites are placed in the person's file
  // Its shared arrays by number; "function::name" where two have one name.
  std::vector<std::string> sharedNames;
};

// Why it has none: a sentence, with line and column of the person's file.
struct NotRecorded {
  std::string place;  // "line 5, column 12"; empty: nowhere in particular
  std::string reason;
  std::string sentence() const;
};

tl::expected<RecordedText, NotRecorded> recordedTextOf(const KernelText& text);

}  // namespace stridescope::engine::access
