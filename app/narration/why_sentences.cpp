#include "narration/why_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>

#include "base/numbers.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using analysis::BoundKind;
using analysis::ChangedFigure;
using analysis::PricedKind;

std::string indented(const std::string& sentences) {
  constexpr std::size_t kIndent = 4;
  std::string text;
  for (const char c : wrapped(sentences, kTextColumns - kIndent)) {
    if (text.empty() || text.back() == '\n') text.append(kIndent, ' ');
    text += c;
  }
  return text + "\n";
}

// What a step of the kind is called within a sentence, with its article.
std::string stepNoun(PricedKind kind, unsigned launch) {
  switch (kind) {
    case PricedKind::Copy:
      return "the copy that sets the total back";
    case PricedKind::Empty:
      return "the grid that does nothing";
    case PricedKind::Load:
      return "the load";
    case PricedKind::Combine:
      return "the combining";
    case PricedKind::Write:
      return "the write";
    case PricedKind::Launch:
      return "launch " + figure(launch);
    case PricedKind::Cpu:
      return "the CPU's part";
    case PricedKind::Stride:
      break;
  }
  return "a stride";
}

// Those of the strides that the one reaches by factors of 2, itself among them, ascending.
std::vector<std::uint64_t> rangeAround(std::uint64_t stride, const std::vector<std::uint64_t>& strides) {
  const auto has = [&](std::uint64_t other) { return std::ranges::find(strides, other) != strides.end(); };
  std::vector<std::uint64_t> range{stride};
  while (range.front() > 0 && range.front() % 2 == 0 && has(range.front() / 2))
    range.insert(range.begin(), range.front() / 2);
  while (2 * range.back() > range.back() && has(2 * range.back())) range.push_back(2 * range.back());
  return range;
}

// "strides 4 to 128", "strides 64 to 1", "strides 1, 2 and 16": three and more that lie a factor of 2 apart
// are one range, downwards where all its steps come so. Each part stands where its first step does.
std::string stridesPhrase(const std::vector<std::uint64_t>& strides) {
  constexpr std::size_t kMinRange = 3;
  std::vector<std::string> parts;
  std::set<std::uint64_t> told;
  for (const std::uint64_t stride : strides) {
    if (told.contains(stride)) continue;
    const std::vector<std::uint64_t> range = rangeAround(stride, strides);
    told.insert(range.begin(), range.end());
    std::vector<std::uint64_t> inOrder;
    std::ranges::copy_if(strides, std::back_inserter(inOrder),
                         [&](std::uint64_t each) { return std::ranges::find(range, each) != range.end(); });
    if (range.size() < kMinRange)
      for (const std::uint64_t each : inOrder) parts.push_back(figure(each));
    else if (std::ranges::is_sorted(inOrder, std::greater<>()))
      parts.push_back(figure(range.back()) + " to " + figure(range.front()));
    else
      parts.push_back(figure(range.front()) + " to " + figure(range.back()));
  }
  return (strides.size() == 1 ? "stride " : "strides ") + listed(parts);
}

// "the load and strides 4 to 128": steps of one kind and stride are named once.
template <class Step>
std::string phraseOf(const std::vector<Step>& steps) {
  std::vector<std::string> nouns;
  std::vector<std::uint64_t> strides;
  for (const Step& step : steps) {
    if (step.kind == PricedKind::Stride) {
      if (std::ranges::find(strides, *step.stride) == strides.end()) strides.push_back(*step.stride);
      continue;
    }
    std::string noun;
    if (step.withMore)
      noun = "the load with the combining";
    else if constexpr (requires { step.launch; })
      noun = stepNoun(step.kind, step.launch);
    else
      noun = step.kind == PricedKind::Launch ? "the further launches" : stepNoun(step.kind, 0);
    if (std::ranges::find(nouns, noun) == nouns.end()) nouns.push_back(noun);
  }
  if (!strides.empty()) nouns.push_back(stridesPhrase(strides));
  return listed(nouns);
}

const char* const kShapeHolds =
    " Ending the kernel costs more than 15 % of its time here, so the shape of the steps holds, not their "
    "sum.";

std::string costliestSentence(const analysis::StepPrices& prices) {
  const std::vector<analysis::PricedStep> most = analysis::costliestSteps(prices.steps);
  const std::string whole = timeText(prices.record.wholeMicroseconds);
  if (most.empty()) return "No step costs more than the spread of its price.";
  // Where a stride comes twice, the round tells which is meant.
  const auto isOneOfSeveral = [&](const analysis::PricedStep& step) {
    return step.kind == PricedKind::Stride &&
           std::ranges::count(prices.steps, step.stride, &analysis::PricedStep::stride) > 1;
  };
  std::string rounds;
  for (const analysis::PricedStep& step : most)
    if (isOneOfSeveral(step) && step.round)
      rounds += (rounds.empty() ? " (stride " : ", stride ") + figure(*step.stride) + " of round " +
                figure(*step.round);
  if (!rounds.empty()) rounds += ")";
  const auto [least, greatest] = std::ranges::minmax_element(most, {}, &analysis::PricedStep::microseconds);
  if (most.size() == 1)
    return capitalized(phraseOf(most)) + rounds + " costs most: " + timeText(most.front().microseconds) +
           " of " + whole + ".";
  return capitalized(phraseOf(most)) + rounds + " cost most, " + timeText(least->microseconds) + " to " +
         timeText(greatest->microseconds) + " each of " + whole + ": too alike to be told apart.";
}

// The same reduction was timed without prices, too: where two measurements of it do not differ so by
// themselves.
std::string measuredApart(const analysis::ReductionCost& reduction) {
  const model::PeelRecord& priced = reduction.prices->record;
  const bool overlap =
      analysis::overlap({priced.cleanLow, priced.cleanHigh}, analysis::medianInterval(reduction.cost));
  const double apart = std::abs(priced.cleanMicroseconds - reduction.cost.microseconds);
  if (overlap || apart <= analysis::kBetweenMeasurements) return {};
  const auto [then, told] = timesText(priced.cleanMicroseconds, reduction.cost.microseconds);
  return " Its steps were priced apart from its time: then it took " + then + ", not " + told + ".";
}

// "3.4 % less time", "55 % of the time", "1.20 times the time"
std::string ratioText(double ratio) {
  constexpr double kNear = 0.1;
  if (std::abs(ratio - 1) < kNear)
    return percentText(std::abs(ratio - 1)) + (ratio < 1 ? " less" : " more") + " time";
  return ratio < 1 ? percentText(ratio) + " of the time" : factorText(ratio) + " times the time";
}

std::string lessOrMore(double change) {
  return timeText(std::abs(change)) + (change < 0 ? " less" : " more");
}

std::string differMost(const std::vector<analysis::StepDifference>& steps) {
  return phraseOf(steps) + ": " + lessOrMore(analysis::changeOf(steps)) + (steps.size() > 1 ? " in all" : "");
}

// `missed`: what the steps take more than the times say, microseconds.
std::string missedSentence(const analysis::RungChange& change, double missed) {
  constexpr double kMuch = 0.15, kExplains = 0.5;
  if (std::abs(missed) <= std::max(kMuch * std::abs(change.saved), analysis::kBetweenMeasurements)) return {};
  const auto* const time = change.find(ChangedFigure::Time);
  const double ending = change.endingAfter * time->after - change.endingBefore * time->before;
  if (ending * missed <= 0 || std::abs(ending) < kExplains * std::abs(missed))
    return " Prices and times are measured apart, and differ by " + timeText(std::abs(missed)) + " here.";
  const auto cost = [](double share) {
    return (share < 0 ? "saves " : "costs ") + percentText(std::abs(share)) + " of its time";
  };
  return " Ending the kernel behind its steps " + cost(change.endingBefore) + " before and " +
         cost(change.endingAfter) + " after.";
}

std::string largestSentence(const analysis::RungChange& change) {
  if (change.steps.empty()) return " It is not known here in which steps.";
  const double all = analysis::changeOf(change.steps);
  if (!change.agrees())
    return " It is not known here in which steps: their prices, measured apart, come to " + lessOrMore(all) +
           ".";
  std::string text;
  if (change.grid) text = " A grid that does nothing takes " + lessOrMore(*change.grid) + ".";
  const std::string who = change.grid ? " The other steps differ most in " : " The steps differ most in ";
  if (!change.largest.empty()) {
    text += who + differMost(change.largest);
    if (!change.against.empty()) text += "; and in " + differMost(change.against);
    text += ".";
  } else if (!change.against.empty()) {
    text += who + differMost(change.against) + ".";
  } else {
    text += change.grid
                ? " No other step's price differs by more than its spread, or than two measurements do."
                : " No step's price differs by more than its spread, or than two measurements do.";
  }
  text += " All steps together take " + lessOrMore(all) + ".";
  return text + (change.stepsAddUp ? missedSentence(change, all + change.saved) : kShapeHolds);
}

// What the time of a reduction has besides its launches, as far as its steps tell.
std::string alsoTimed(const analysis::ReductionCost& reduction) {
  std::string text;
  if (reduction.prices)
    for (const model::PeelStep& step : reduction.prices->record.steps) {
      if (step.part == model::PeeledPart::Copy) text += ", with " + stepNoun(PricedKind::Copy, 0);
      if (step.part == model::PeeledPart::Cpu) text += ", with " + stepNoun(PricedKind::Cpu, 0);
    }
  return text;
}

}  // namespace

std::string costedRun(MeasuredFrom from, const analysis::ReductionCost& reduction) {
  const model::CostRecord& cost = reduction.cost;
  const std::string who = from == MeasuredFrom::Recording ? "Recorded on " : "Measured on ";
  return who + cost.executor.device + ": n = " + sizeText(cost.experiment.elements) + ", " +
         count(cost.experiment.threads, "thread") + " per block. " + timeText(cost.microseconds) +
         " for the whole reduction" + alsoTimed(reduction) + ", the median of " + count(cost.runs, "run") +
         ", the input not in L2.";
}

std::string stepTitle(const analysis::PricedStep& step) {
  if (step.kind == PricedKind::Stride) return "stride " + figure(step.stride.value_or(0));
  if (step.withMore) return "load with combining";
  std::string noun = stepNoun(step.kind, step.launch);
  return noun.starts_with("the ") ? noun.substr(4) : noun;
}

std::string stepTitle(const analysis::StepDifference& step) {
  if (step.kind == PricedKind::Launch) return "further launches";
  return stepTitle(analysis::PricedStep{.kind = step.kind, .stride = step.stride, .withMore = step.withMore});
}

std::string stepsPhrase(const std::vector<analysis::StepDifference>& steps) { return phraseOf(steps); }

std::string costliestPhrase(const analysis::StepPrices& prices) {
  return phraseOf(analysis::costliestSteps(prices.steps));
}

std::string noStepNames() {
  return "Its steps have no names here: the CPU executor's run, which tells them, was cut short, or passes "
         "other barriers and shuffles than the GPU's.";
}

std::string pricesText(const analysis::StepPrices& prices) {
  const model::PeelRecord& record = prices.record;
  constexpr std::string_view kRow = "  {:<32} {:>5} {:>9} {:>20}";
  std::string text = fmt::format(kRow, "step", "round", "µs", "95 %") + "\n";
  const auto row = [&](const std::string& title, const std::optional<unsigned>& round, double time,
                       const std::string& interval) {
    std::string line = fmt::format(kRow, title, round ? figure(*round) : "", decimalText(time, 2), interval);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  for (const analysis::PricedStep& step : prices.steps)
    row(stepTitle(step), step.round, step.microseconds,
        decimalText(step.low, 2) + " to " + decimalText(step.high, 2));
  row("the whole", std::nullopt, record.wholeMicroseconds, "");
  text += wrapped(fmt::format(
                      "Each price is the difference of two times: of the kernel ended behind this step, and "
                      "behind the one before, medians of {} runs. Among them, the reduction as it is took {} "
                      "µs ({} to {}).{}",
                      figure(record.runs), decimalText(record.cleanMicroseconds, 2),
                      decimalText(record.cleanLow, 2), decimalText(record.cleanHigh, 2),
                      model::addsUp(record) ? "" : kShapeHolds),
                  kTextColumns) +
          "\n";
  if (prices.steps.empty()) text += wrapped(noStepNames(), kTextColumns) + "\n";
  return text;
}

std::string whySentence(const analysis::ReductionCost& reduction,
                        const std::vector<std::uint64_t>& pricedSizes) {
  std::string text;
  if (!reduction.prices) {
    text = "The prices of its steps are not known here.";
    if (!pricedSizes.empty()) text += " " + recordedSizes(pricedSizes);
  } else if (reduction.prices->steps.empty()) {
    text = noStepNames();
  } else {
    const auto& steps = reduction.prices->steps;
    text = costliestSentence(*reduction.prices);
    const auto empty = std::ranges::find(steps, PricedKind::Empty, &analysis::PricedStep::kind);
    if (empty != steps.end())
      text += " A grid of as many blocks that does nothing takes " + timeText(empty->microseconds) + ".";
    if (!model::addsUp(reduction.prices->record)) text += kShapeHolds;
    text += measuredApart(reduction);
  }
  const double memory = analysis::boundOf(reduction, BoundKind::Memory);
  // Where it takes hardly any of the time, the comparison tells nothing.
  constexpr double kMaxTimes = 20;
  if (memory > 0 && reduction.cost.microseconds >= memory &&
      reduction.cost.microseconds <= kMaxTimes * memory)
    text += " The reduction takes " + factorText(reduction.cost.microseconds / memory) +
            " times as long as reading its input once at the peak bandwidth.";
  return text;
}

std::array<std::string, 2> timesOf(const analysis::RungChange& change) {
  const analysis::Change& time = *change.find(ChangedFigure::Time);
  if (change.isSameTime()) return {timeText(time.before), timeText(time.after)};
  return timesText(time.before, time.after);
}

std::string changeSentence(const analysis::RungChange& change) {
  const auto [before, after] = timesOf(change);
  const std::string both = before + " before, " + after + " after.";
  if (change.isSameTime()) return "The same time within its spread: " + both;
  return capitalized(ratioText(change.ratio)) + ": " + both + largestSentence(change);
}

std::string otherBlocks(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction) {
  const unsigned threads = before.cost.experiment.threads;
  return threads == reduction.cost.experiment.threads ? "" : ", " + count(threads, "thread") + " per block";
}

std::string changeText(const analysis::ReductionCost& before, const analysis::ReductionCost& reduction) {
  const analysis::RungChange change = analysis::changeFrom(before, reduction);
  std::string text =
      fmt::format("From {}{}:\n", before.cost.experiment.variant, otherBlocks(before, reduction)) +
      wrapped(changeSentence(change), kTextColumns) + "\n";
  for (const ChangeText& row : changeTexts(change))
    text += fmt::format("  {:<32} {:>14} {:>14} {:>7}\n", row.title, row.before, row.after, row.factor);
  if (!change.steps.empty())
    text += "Prices of steps, µs; * marks those that differ most as the time does:\n";
  for (const StepRow& row : stepRows(change))
    text += fmt::format("  {:<32} {:>14} {:>14} {:>7}{}\n", row.title, row.before, row.after, row.change,
                        row.isLargest ? " *" : "");
  return text;
}

std::string whyText(MeasuredFrom from, const analysis::ReductionCost& reduction,
                    const analysis::ReductionCost* before, const std::vector<std::uint64_t>& pricedSizes) {
  const auto paragraph = [](const std::string& sentences) {
    return sentences.empty() ? std::string() : wrapped(sentences, kTextColumns) + "\n";
  };
  std::string text = paragraph(costedRun(from, reduction)) + paragraph(gpuLimits(reduction.cost.limits)) +
                     paragraph(emptyLaunchSentence(reduction.cost)) +
                     paragraph(whySentence(reduction, pricedSizes));
  if (reduction.prices) text += "The price of each step:\n" + pricesText(*reduction.prices);
  const std::vector<analysis::Bound> bounds = analysis::boundsOf(reduction);
  if (!bounds.empty()) text += "Bounds, which overlap: what each would take if nothing else did.\n";
  for (const analysis::Bound& bound : bounds) {
    const BoundText each = boundText(bound, reduction);
    text += fmt::format("  {:<32} {:>10}\n", each.title, each.time) + indented(each.formula);
  }
  return before == nullptr ? text : text + "\n" + changeText(*before, reduction);
}

namespace {

// With its sign, unless so few digits leave nothing of it.
std::string signedText(double change) {
  const std::string size = decimalText(std::abs(change), 2);
  if (size == decimalText(0, 2)) return size;
  return (change > 0 ? "+" : "-") + size;
}

}  // namespace

std::vector<StepRow> stepRows(const analysis::RungChange& change) {
  std::vector<StepRow> rows;
  for (const analysis::StepDifference& step : change.steps) {
    const auto amount = [](const std::optional<double>& time) {
      return time ? decimalText(*time, 2) : std::string("-");
    };
    const bool isLargest = std::ranges::any_of(change.largest, [&](const analysis::StepDifference& each) {
      return each.kind == step.kind && each.stride == step.stride;
    });
    rows.push_back(
        {stepTitle(step), amount(step.before), amount(step.after), signedText(step.change), isLargest});
  }
  return rows;
}

std::string noCosts(const std::vector<std::uint64_t>& pricedSizes) {
  const std::string text =
      "Nothing is recorded of what this kernel's time is made of at this type, operator, block size, and n. "
      "A "
      "GPU that runs it here measures it, and " +
      openedOne("it");
  return pricedSizes.empty() ? text : text + " " + recordedSizes(pricedSizes);
}

}  // namespace stridescope::narration
