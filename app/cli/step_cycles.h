// What `step --cycles` adds: what each round cost in cycles of the SM's clock.
#pragma once

#include <string>

#include "analysis/round_cycles.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/json_writer.h"
#include "engine/engine.h"
#include "lab/known/recorded.h"
#include "lab/measured.h"

namespace stridescope::cli {

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
