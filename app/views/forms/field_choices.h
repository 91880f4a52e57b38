// What the fields of the experiment offer: once for the bar's lists, once for the command palette.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/command.h"
#include "session/parts.h"

namespace stridescope::views {

struct FieldChoice {
  std::string text;  // "float", "2 blocks"
  session::Command command;
  bool chosen = false;
  std::string why = {};  // it cannot be had now, as a sentence: the variant's reason, or the open recording's
  std::string note = {};  // what stands beside it: "512"
  std::string also = {};  // other words that it is known by
};

// A field that has choices. They come in the order in which they are listed; none for a variant that is not
// known.
struct OfferedField {
  std::string_view key;  // model/experiment_fields.h
  std::vector<FieldChoice> (*choices)(const session::Parts& parts);
};
std::span<const OfferedField> offeredFields();
// The choices of the one with that key. Requires that it is offered.
std::vector<FieldChoice> choicesOf(std::string_view key, const session::Parts& parts);

// Why n cannot be so many; empty: it can.
std::string whyNotElements(const session::Parts& parts, std::uint64_t n);
// Why there is no other order of the same data, of the same schedule or of the blocks; empty: there is.
std::string whyNotNextDataSeed(const session::Parts& parts);
std::string whyNotNextScheduleSeed(const session::Parts& parts);
std::string whyNotNextBlockOrderSeed(const session::Parts& parts);

// "+ sum", "min"; "custom".
std::string operatorLabel(model::Operator op);
// "4,096 (one block)", "512 (2 blocks)", "65,536".
std::string elementsLabel(const session::Parts& parts);
// Only the CPU executor's threads and blocks can be told when to run.
bool isScheduledHere(const session::Replay& replay);

}  // namespace stridescope::views
