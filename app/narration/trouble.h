// What went wrong in a launch, as sentences: races, problems, a trace that was cut.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/stale_passes.h"
#include "narration/round_at.h"

namespace stridescope::narration {

// "Race in stride 8: thread 8 read 5 from data[16] (line 9), then thread 16 wrote 21 to it in stride 16 (line
// 9), and no barrier stands between." The order is that in which the accesses happened, or it says that this
// is unknown. Then the fix. `at` names the launch; its index is not looked at.
std::string raceSentence(const RoundAt& at, const analysis::Race& race);

// "This trace was cut at 64 MB after stride 4. The rounds after it were not recorded." For a merge it says in
// which element, and how to see more. Empty if the trace was not cut.
std::string cutSentence(const RoundAt& at);

// Where it happened, as an index into LaunchAnalysis::rounds: the first round in which it shows, the last one
// if none does.
std::size_t roundOf(const RoundAt& at, const model::Problem& problem);

// Whether the round, or the pass, tells of it. A race is told in the pass of its second access, a problem in
// the passes in which it shows.
bool showsIn(const RoundAt& at, const analysis::Race& race);
bool showsIn(const RoundAt& at, const model::Problem& problem);

// The pass of its round in which it shows first.
std::uint32_t passOf(const RoundAt& at, const model::Problem& problem);

// The value that the thread read or wrote there; nullopt if the trace has no such access.
std::optional<std::uint64_t> valueOf(const RoundAt& at, const analysis::Race::Access& access);

// "wrote"
std::string_view pastOf(model::EventKind kind);

// "Pass 4 of 8, stride 16: 16 of 16 threads read a value that is not what the pass before left: thread 0 read
// 16 from data[16], where pass 3 left 288." Of a race, with its fix. Also counts the threads whose operands
// tell no order. Empty if all operands are what it left, in a known order.
std::string staleSentence(const RoundAt& at);

// What went wrong in the shown round alone, in the same order; the cut belongs to the last round.
std::vector<std::string> troubleIn(const RoundAt& at);

// If nothing went wrong in the pass, says where its round first went wrong: "A race shows in pass 4." Else
// empty. `stale`: the launch's passes that read what races left (analysis/stale_passes.h).
std::string troubleInAnotherPass(const RoundAt& at, std::span<const analysis::PassPlace> stale = {});

// All that went wrong in one launch: races (the first six; the rest are counted), then problems with their
// line, then the cut.
std::vector<std::string> troubleOf(const RoundAt& at);

}  // namespace stridescope::narration
