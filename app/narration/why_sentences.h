// What the time of a reduction is made of, in words: its parts with their formulas, and what changed from the
// variant before.
#pragma once

#include <string>
#include <vector>

#include "analysis/time_parts.h"
#include "narration/measured_sentences.h"

namespace stridescope::narration {

// "Recorded on NVIDIA H100 80GB HBM3: n = 2^24, 256 threads per block. 89.0 µs from the first launch to the
// last, the median of 21 runs, the input not in L2." Live ones are "Measured on ...".
std::string costedRun(MeasuredFrom from, const model::CostRecord& cost);

// The facts of the GPU that the formulas use: "Peak read bandwidth 3136 GB/s, memory latency 357 ns, an empty
// launch 7.10 µs, 132 SMs at 1980 MHz: measured." What is not known is left out.
std::string gpuLimits(const model::GpuLimits& limits);

// A part of the time, or a limit.
struct PartText {
  std::string title;    // "launching"
  std::string time;     // "51.1 µs"
  std::string share;    // its share of the total: "57 %"
  std::string formula;  // how it is computed, with its numbers and where they come from: sentences
};
PartText launchingText(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts);
PartText memoryText(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts);
PartText restText(const analysis::TimeParts& parts);  // titled "overlap" where it is negative
PartText limitText(const analysis::Limit& limit, const analysis::ReductionCost& reduction,
                   const analysis::TimeParts& parts);

// What takes most of the time, and what binds the rest: two sentences, and a third where the parts do not
// explain the time.
std::string whySentence(const analysis::ReductionCost& reduction, const analysis::TimeParts& parts);

// A row of what changed.
struct ChangeText {
  analysis::ChangedFigure figure{};
  std::string title, before, after;
  std::string factor;  // "0.50", "-" where there was nothing before
};
std::vector<ChangeText> changeTexts(const analysis::RungChange& change);

// "Half the instructions, and 55 % of the time: instructions were the limit."
std::string changeSentence(const analysis::RungChange& change);

// "Launching takes most of the time up to n = 2^22.9, and memory from n = 2^23.1 on." Empty: neither is
// known.
// ", 256 threads per block", where the variant before has blocks of another size; else empty.
std::string otherBlocks(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction);

std::string boundsSentence(const analysis::SizeBounds& bounds);

// The whole explanation as lines of text: parts, limits and formulas; and, where `before` is given, what
// changed.
std::string whyText(MeasuredFrom from, const analysis::ReductionCost& reduction,
                    const analysis::ReductionCost* before);

// What stands in where nothing was measured.
std::string noCosts();

}  // namespace stridescope::narration
