// What lanes passed to each other, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// The bits of a value that was passed, printed: elements of the experiment's type by their width, else as a
// plain number.
std::string exchangedText(const RoundAt& at, const analysis::LaneExchange& exchange, std::uint64_t bits);

// What the thread's register holds after the round: "496"; "?" if the trace does not tell. Requires that the
// thread takes part in an exchange of the round.
std::string registerText(const RoundAt& at, std::uint32_t thread);

// "register + register of lane 16 = 5 + 12 = 17 (replayed)", "5, one of 32, gives 496"; empty if the thread
// passes nothing in this round.
std::string exchangeFormula(const RoundAt& at, std::uint32_t thread);

}  // namespace stridescope::narration
