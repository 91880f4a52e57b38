// The caption of two rounds that are shown side by side: who works on both sides, and what differs, the most
// telling first.
#pragma once

#include <string>

#include "analysis/compared_sides.h"
#include "narration/caption.h"
#include "narration/measured_sentences.h"

namespace stridescope::narration {

// nullptr: the side has no such round. One side has one.
using ComparedRounds = analysis::BothSides<const RoundAt*>;

// "Round 4", "Stride 8", "Load"; opening a sentence.
std::string titleOf(const ComparedRounds& at, analysis::LockedBy by);

// For a tick of the transport: "8 | 16", "load", "8 | –".
std::string tickOf(const ComparedRounds& at);

// One sentence on who works, one on what differs; at the end of both runs one on their results.
Caption comparedCaption(const ComparedRounds& at, analysis::LockedBy by);

// "Recorded: 322 cycles on the left and 157 on the right." Medians with one block alone; empty where one of
// them is not known. Both are from there, and of one GPU.
std::string comparedCycles(MeasuredFrom from, const analysis::Cycles* left, const analysis::Cycles* right);

}  // namespace stridescope::narration
