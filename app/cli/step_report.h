// What `step` prints of a run.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "analysis/analysis.h"
#include "analysis/round_cycles.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/json_writer.h"
#include "cli/options.h"
#include "engine/engine.h"
#include "lab/known/recorded.h"
#include "lab/measured.h"
#include "model/trace.h"

namespace stridescope::cli {

// With `rounds` only these, each with the punch cards of its requests and the marked source as well.
std::string stepText(const lab::Run& run, const std::optional<RoundRange>& rounds,
                     const lab::RunCycles* cycles = nullptr);

// The variant, what is asked for, and who executes it; and at the end what came of it.
std::string headingOf(const model::Trace& trace);
std::string resultLine(const model::Trace& trace);

// The JSON of `step`, format 1.

inline constexpr int kStepJsonFormat = 1;

// Writes one line, as it comes to it. Element values are strings, so that 64-bit ones survive. `rounds`
// leaves out the rounds outside it, for all launches; totals, races and problems are those of the whole run.
// After the round with which the text outgrows the budget no more follow, and a problem of the kind "limit"
// says so. With `cycles` each round says what it cost. False: rounds were left out for the budget.
bool writeStepJson(std::ostream& out, const lab::Run& run, const std::optional<RoundRange>& rounds,
                   MemoryBudget& budget, const lab::RunCycles* cycles = nullptr);

// Over all rounds and launches: {"shared_load_wavefronts":95,...}.
void writeTotals(JsonWriter& json, const analysis::Totals& totals);

// What `step --cycles` adds: what each round cost in cycles of the SM's clock.

// On a GPU the block is clocked now, alone and in a full grid; else they are taken from the recording that is
// stepped through, or from one that comes with the program. `engineName`: as --engine has it.
lab::RunCycles findCycles(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                          const lab::Run& run, engine::JobControl& job);

// What recordings have measured: that which is stepped through, and those that come with the program.
lab::Recorded recordedOf(const Context& context, const ChosenEngine& engine);

// The cycles that are recorded alone, whatever the engine is.
lab::RunCycles recordedCycles(const lab::Recorded& recorded, const ChosenEngine& engine, const lab::Run& run);

// {"median":124,"low":123,"high":125,"in_grid":{…}|null}; null where nothing is known of the round.
void writeRoundCycles(JsonWriter& json, const analysis::LaunchCycles& cycles, std::size_t round);
// What was clocked, and what the marks cost: a list of one object a record.
void writeClocked(JsonWriter& json, const lab::RunCycles& cycles);

// "cycles: 158 (quartiles 155 and 160) alone, 206 (quartiles 203 and 209) in a full grid"; empty: nothing is
// known.
std::string roundCyclesLine(const analysis::LaunchCycles& cycles, std::size_t round);
// What was clocked, where, and what the marks cost, as lines.
std::string clockedText(const lab::RunCycles& cycles);

}  // namespace stridescope::cli
