// The cells that a question may be about: what they hold before a round and after it, and which thread's work
// makes the difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"
#include "teaching/question.h"

namespace stridescope::teaching {

// In order: if the round passes values by shuffles, its registers that are known, else what still stands in
// memory before the round (analysis/element_flags.h). There are none before the first round of a launch.
std::vector<Cell> cellsBefore(const narration::RoundAt& at);

// nullopt: unknown.
std::optional<std::uint64_t> heldBefore(const narration::RoundAt& at, const Cell& cell);
std::optional<std::uint64_t> heldAfter(const narration::RoundAt& at, const Cell& cell);

// The work whose result the cell's new value is; nullptr: nobody writes it, or it is a register.
const analysis::ThreadWork* workOn(const narration::RoundAt& at, const Cell& cell);

// What the new value follows from, or why the old one stays; empty of a register, and where nobody writes it.
std::vector<analysis::Operand> operandsOf(const narration::RoundAt& at, const Cell& cell);

// What the cell holds afterwards is known, and it follows from what memory or registers held before.
bool isPredictable(const narration::RoundAt& at, const Cell& cell);

// The value as the window prints it.
std::string printed(const narration::RoundAt& at, const Cell& cell, std::uint64_t bits);
model::ElementType typeOf(const narration::RoundAt& at, const Cell& cell);

// What the threads bring into a round that passes values by shuffles.

// For each thread what its register holds before the round, as the rounds before tell it, so that nothing
// tells which threads take part; nullopt: they do not. Empty of a round without shuffles, and where what the
// threads put in does not follow from the rounds before.
std::vector<std::optional<std::uint64_t>> registersBefore(const narration::RoundAt& at);

}  // namespace stridescope::teaching
