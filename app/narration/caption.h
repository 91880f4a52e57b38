// The caption of a round: what happens and why, in at most two sentences. The first says who works; the
// second what it cost and why, or what is left of the values, and where integers wrap. A person's own kernel
// has a sentence more for each act that no map shows (model::OtherAct). The window's caption line and the
// command line's text are these sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

struct Caption {
  std::vector<std::string> sentences;  // at least one; the first opens with the round's title and a colon
  std::string text() const;            // joined by spaces
};

Caption captionOf(const RoundAt& at);

// Which panels show what the caption of a round speaks of.

// By their ids (views/shared/panel.h), beside the Shared memory panel, which every caption is about.
struct CaptionSubject {
  std::string_view main{};                 // what costs most: one of `panels`; empty: nothing does
  std::vector<std::string_view> panels{};  // each of them shows something of it
};
CaptionSubject subjectOf(const RoundAt& at);

}  // namespace stridescope::narration
