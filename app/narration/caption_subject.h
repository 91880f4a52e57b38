// Which panels show what the caption of a round speaks of.
#pragma once

#include <string_view>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// By their ids (views/shared/panel.h), beside the Shared memory panel, which every caption is about.
struct CaptionSubject {
  std::string_view main{};                 // what costs most: one of `panels`; empty: nothing does
  std::vector<std::string_view> panels{};  // each of them shows something of it
};
CaptionSubject subjectOf(const RoundAt& at);

}  // namespace stridescope::narration
