// What a run came to, who ran it, and what went wrong, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pass_view.h"
#include "model/trace.h"
#include "narration/round_at.h"

namespace stridescope::narration {

// What a run came to, set against a plain loop.

// The run was stopped by a problem of this launch: what its last round has left nobody knows.
bool wasStopped(const RoundAt& at);

// "equal", "equal within the bound", "the order decides" (a value that is not finite), "DIFFERENT", "compared
// with nothing", or "no result". Where the verdict is a recording's, and this program could not compute it:
// "the recording says: equal", and so on; the sentences below say so, too.
std::string verdictOf(const model::Trace& trace);

// Whether the round is the last one of the last launch, which leaves the result.
bool endsTheRun(const RoundAt& at);

// "result 32 640, expected 32 640: equal". In a long merge the first 64 values stand for all.
std::string resultAndExpected(const model::Trace& trace);

// The check's note as it is shown; empty if there is none. One that a file has is told as the recording's.
std::string noteOf(const model::Trace& trace);

// "The result is 32640, the same as a plain loop gives." Then the check's note, where floating rounding
// shows.
std::string resultSentence(const model::Trace& trace);

// Who ran a run, in words.

// "CPU executor, g++ 12.2"; "recorded on NVIDIA H100 80GB HBM3, 2026-11-21T10:00:00Z, compute capability 9.0,
// driver 580.159, NVRTC 13.0".
std::string executorInWords(const model::Executor& executor);

// What recorded a person's kernel, and what that shows: "recorded by the source recorder on CPU executor:
// every access that the text has, ...". Then, as a sentence, why it was not the source recorder; empty: it
// was, or another was asked for.
std::string recordedBy(const model::Trace& trace);
std::string whyNotBySource(const model::Trace& trace);

// What went wrong in a launch, as sentences: races, problems, a trace that was cut.

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
// empty. `stale`: the launch's passes that read what races left (analysis/pass_view.h).
std::string troubleInAnotherPass(const RoundAt& at, std::span<const analysis::PassPlace> stale = {});

// All that went wrong in one launch: races (the first six; the rest are counted), then problems with their
// line, then the cut.
std::vector<std::string> troubleOf(const RoundAt& at);

}  // namespace stridescope::narration
