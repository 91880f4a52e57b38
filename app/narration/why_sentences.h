// The time of a reduction in words: the prices of its steps, what bounds it, with formulas, and what differs
// from the variant before.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "analysis/reduction_cost.h"
#include "model/several_gpus.h"
#include "narration/measured_sentences.h"

namespace stridescope::narration {

// "Recorded on NVIDIA H100 80GB HBM3: n = 2^24, 256 threads per block. 89.0 µs for the whole reduction, the
// median of 21 runs, the input not in L2." Live ones are "Measured on ...".
std::string costedRun(MeasuredFrom from, const analysis::ReductionCost& reduction);

// The facts of the GPU that the formulas use: "Peak read bandwidth 3136 GB/s, memory latency 357 ns, an empty
// launch 7.10 µs, 132 SMs at 1980 MHz: measured when the GPU was opened." What is not known is left out.
std::string gpuLimits(const model::GpuLimits& limits);

// Where the launches of the reduction took less with empty kernels, measured beside it, than the empty launch
// of the limits: both times, and that the latter is no lower bound. Empty: they did not, or are not known.
std::string emptyLaunchSentence(const model::CostRecord& cost);

// "stride 8", "load", "the grid that does nothing": the step's name in a list.
std::string stepTitle(const analysis::PricedStep& step);
std::string stepTitle(const analysis::StepDifference& step);  // further launches as one

// "strides 4 to 128", "the load and stride 1": the steps in which two reductions differ most.
std::string stepsPhrase(const std::vector<analysis::StepDifference>& steps);
// The same: those that cost most.
std::string costliestPhrase(const analysis::StepPrices& prices);

// The prices as a table, with their intervals, the sum, and what ending the kernel costs.
std::string pricesText(const analysis::StepPrices& prices);

// Why the prices' record has no steps with names.
std::string noStepNames();

// A bound and its formula.
struct BoundText {
  std::string title;    // "reading the input once"
  std::string time;     // "21.4 µs"
  std::string formula;  // how it is computed, with its numbers and where they come from: sentences
};
BoundText boundText(const analysis::Bound& bound, const analysis::ReductionCost& reduction);

// Which steps cost most, what a grid that does nothing takes, and how the time compares with reading the
// input once. `pricedSizes`: for which n the variant's steps have prices; they are told where this has none.
std::string whySentence(const analysis::ReductionCost& reduction,
                        const std::vector<std::uint64_t>& pricedSizes = {});

// The whole reduction's time before and after, with digits in which two times that are told apart differ.
std::array<std::string, 2> timesOf(const analysis::RungChange& change);

// A row of what changed.
struct ChangeText {
  analysis::ChangedFigure figure{};
  std::string title, before, after;
  std::string factor;  // "0.50", "-" where there was nothing before
};
std::vector<ChangeText> changeTexts(const analysis::RungChange& change);

// A row of two waterfalls beside each other: microseconds, "-" where a side has no such step.
struct StepRow {
  std::string title, before, after;
  std::string change;  // "+1.20", "-9.31"
  bool isLargest = false;
};
std::vector<StepRow> stepRows(const analysis::RungChange& change);

// "55 % of the time: 162.0 µs before, 89.0 µs after. The steps differ most in strides 4 to 128: 61.2 µs
// less." A step is named only where the interval of its difference excludes 0.
std::string changeSentence(const analysis::RungChange& change);

// ", 256 threads per block", where the variant before has blocks of another size; else empty.
std::string otherBlocks(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction);

// "Up to n = 2^22.9 a grid that does nothing takes at least half as long, and from n = 2^23.1 on reading the
// input once at the peak bandwidth does." Empty: neither is known.
std::string boundsSentence(const analysis::SizeBounds& bounds);

// "2 GPUs take less time than one from n = 2^21.4 on (message over NVLink)." Empty: it is not known. `what`
// is what they do.
std::string payoffSentence(const analysis::GroupPayoff& payoff, unsigned gpus, const std::string& what);

// "links: copies 391 GB/s, loads 366 GB/s, a message 0.74 µs"; least and most where they differ by 5 % or
// more. Empty: none was measured.
std::string linksText(std::span<const model::GpuLink> links);

// What differs from one to the other, as lines of text: the sentence, the figures, and the steps' prices
// where they are known of both.
std::string changeText(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction);

// The whole explanation as lines of text: prices, bounds and formulas; and, where `before` is given, what
// differs.
std::string whyText(MeasuredFrom from, const analysis::ReductionCost& reduction,
                    const analysis::ReductionCost* before,
                    const std::vector<std::uint64_t>& pricedSizes = {});

// What stands in where nothing was measured at this n.
std::string noCosts(const std::vector<std::uint64_t>& pricedSizes = {});

}  // namespace stridescope::narration
