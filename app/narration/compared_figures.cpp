#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "model/experiment_fields.h"
#include "narration/compared.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using analysis::BothSides;
using analysis::ComparedFigure;
using analysis::ComparedSide;
using analysis::FigureOf;
using analysis::FigureUnit;
using analysis::OriginKind;
using analysis::Side;

constexpr const char* kNotKnown = "–";
constexpr std::size_t kMaxCustom = 12;  // characters of a person's own operator

std::string valueText(const std::optional<double>& value, FigureUnit unit) {
  return value ? figureText(*value, unit) : kNotKnown;
}

std::string factorOf(const ComparedFigure& figure) {
  const bool isMeasured = figure.facts.of != FigureOf::Round && figure.facts.of != FigureOf::Run;
  if (isMeasured && (!figure.value.left || !figure.value.right)) return "not known";
  if (figure.otherElements) return "another n";
  if (const auto factor = figure.factor()) return timesText(*factor);
  const auto better = figure.better();
  return better && figure.value[*better] == 0.0 ? "all gone" : "";
}

// "Branches" as "branches"; "L2 hit rate" stays.
std::string withinAList(std::string_view title) {
  std::string text(title);
  const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && isSmall(text[1]))
    text[0] = char(text[0] - 'A' + 'a');
  return text;
}

ComparedRow rowOf(const ComparedFigure& figure) {
  const auto text = [&](Side side) { return valueText(figure.value[side], figure.facts.unit); };
  return {.title = withinAList(figure.facts.title),
          .value = {text(Side::Left), text(Side::Right)},
          .better = figure.better(),
          .factor = factorOf(figure),
          .detail = figure.facts.detail};
}

// ---- What was asked for.

void addIfOther(std::vector<ComparedRow>& rows, std::string_view title, const std::string& left,
                const std::string& right) {
  if (left != right) rows.push_back({.title = std::string(title), .value = {left, right}});
}

std::string executorText(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Recorded ? "recorded on " + executor.device : executor.device;
}

ComparedBlock experimentBlock(const model::Trace& left, const model::Trace& right) {
  ComparedBlock block{.heading = "the experiment", .rows = {}};
  addIfOther(block.rows, "what executes", executorText(left.executor), executorText(right.executor));
  const auto isHost = [](const model::Trace& trace) {
    return trace.executor.kind == model::EngineKind::Host;
  };
  const bool onHost = isHost(left) && isHost(right);
  for (const model::ExperimentField& field : model::experimentFields())
    if (field.value != nullptr && (onHost || !field.isOfHost))
      addIfOther(block.rows, field.title, field.value(left.experiment, kMaxCustom),
                 field.value(right.experiment, kMaxCustom));
  return block;
}

// ---- The figures.

std::string subjectOf(const ComparedFigure& figure, const ComparedSide& left, const ComparedSide& right) {
  switch (figure.facts.of) {
    case FigureOf::Round:
      return "this round";
    case FigureOf::Run:
      return "all rounds";
    case FigureOf::Cycles:
      return "cycles of one block";
    case FigureOf::Counters: {
      const auto blocks = [](const ComparedSide& side) {
        return side.counters == nullptr ? std::uint64_t{0} : side.counters->grid;
      };
      const std::uint64_t grid = std::max(blocks(left), blocks(right));
      const bool same = blocks(left) == blocks(right) || blocks(left) == 0 || blocks(right) == 0;
      return same ? "counters, " + count(grid, "block") : "counters, one launch";
    }
    case FigureOf::Cost: {
      const std::uint64_t a = left.trace->experiment.elements, b = right.trace->experiment.elements;
      return a == b ? sizeText(a) + " elements" : "the reduction";
    }
    case FigureOf::Time:
      break;
  }
  const std::uint64_t ofLeft = left.timedElements, ofRight = right.timedElements;
  if (ofLeft > 0 && ofRight > 0 && ofLeft != ofRight)
    return sizeText(ofLeft) + " and " + sizeText(ofRight) + " elements";
  return sizeText(std::max(ofLeft, ofRight)) + " elements";
}

std::string originText(const analysis::FigureOrigin& origin) {
  std::string text(analysis::nameOf(origin.kind));
  return origin.kind == OriginKind::Modelled ? text : text + " on " + printable(origin.device);
}

// "recorded on NVIDIA H100"; for two origins "left measured on NVIDIA H200, right recorded on NVIDIA H100".
std::string originOf(const ComparedFigure& figure) {
  const auto &left = figure.origin.left, &right = figure.origin.right;
  if (!figure.value.right) return originText(left);
  if (!figure.value.left || left == right) return originText(right);
  return "left " + originText(left) + ", right " + originText(right);
}

std::string headingOf(const ComparedFigure& figure, const ComparedSide& left, const ComparedSide& right) {
  return subjectOf(figure, left, right) + ", " + originOf(figure);
}

// The time, which all else is about; then modelled figures, measured ones, and recorded ones.
int rankOf(const ComparedFigure& figure) {
  if (figure.facts.of == FigureOf::Time) return -1;
  if (figure.facts.of == FigureOf::Round) return 0;
  if (figure.facts.of == FigureOf::Run) return 1;
  const auto isRecorded = [&](Side side) {
    return figure.value[side].has_value() && figure.origin[side].kind == OriginKind::Recorded;
  };
  return isRecorded(Side::Left) || isRecorded(Side::Right) ? 3 : 2;
}

const ComparedFigure* find(const std::vector<ComparedFigure>& figures, std::string_view name) {
  const auto found =
      std::ranges::find_if(figures, [&](const ComparedFigure& figure) { return figure.facts.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

// "wavefronts, 3 requests", where both make as many.
void tellRequests(const std::vector<ComparedFigure>& figures, const ComparedFigure& figure,
                  ComparedRow& row) {
  const ComparedFigure* const requests = find(figures, "shared_requests");
  if (figure.facts.name != "wavefronts" || requests == nullptr || requests->differs()) return;
  row.title += ", " + count(std::uint64_t(requests->value.left.value_or(0)), "request");
}

// Each step of both reductions, where they have as many elements on one GPU. A step is better where the
// interval of the difference excludes 0.
ComparedBlock pricesBlock(const ComparedSide& left, const ComparedSide& right) {
  ComparedBlock block;
  if (left.prices == nullptr || right.prices == nullptr || left.costFrom != right.costFrom ||
      left.trace->experiment.elements != right.trace->experiment.elements)
    return block;
  block.heading = "price of each step, " + sizeText(left.trace->experiment.elements) + " elements, " +
                  originText(left.costFrom);
  const auto steps = analysis::stepDifferences(left.prices->steps, right.prices->steps);
  const double longest =
      std::max(left.prices->record.wholeMicroseconds, right.prices->record.wholeMicroseconds);
  double leftBegin = 0, rightBegin = 0;
  for (const analysis::StepDifference& step : steps) {
    const auto amount = [](const std::optional<double>& time) {
      return time ? decimalText(*time, 2) + " µs" : kNotKnown;
    };
    ComparedRow row{.title = stepTitle(step), .value = {amount(step.before), amount(step.after)}};
    if (step.kind != analysis::PricedKind::Empty && step.isCertain() && step.before && step.after) {
      row.better = step.change < 0 ? Side::Right : Side::Left;
      row.factor = decimalText(std::abs(step.change), 2) + " µs";
    }
    // Noise may make a step's price negative: its bar then lies before where it begins.
    const auto bar = [&](double& begin, const std::optional<double>& time) {
      const double end = begin + time.value_or(0);
      const auto share = [&](double at) { return float(std::clamp(at / std::max(longest, 1e-9), 0.0, 1.0)); };
      const float from = share(std::min(begin, end)), to = share(std::max(begin, end));
      begin = end;
      return WaterfallBar{from, to - from};
    };
    row.waterfall = {bar(leftBegin, step.before), bar(rightBegin, step.after)};
    block.rows.push_back(std::move(row));
  }
  return block;
}

// At the foot no heading says so.
void tellOfWhat(const ComparedFigure& figure, ComparedRow& row) {
  if (figure.facts.name.starts_with("all_")) row.title += ", all rounds";
  if (figure.facts.of == FigureOf::Cycles) row.title = "cycles, " + row.title;
  if (figure.facts.of == FigureOf::Counters) row.title += ", counted";
}

}  // namespace

std::string figureText(double value, FigureUnit unit) {
  switch (unit) {
    case FigureUnit::PerElement:
      return decimalText(value, 3);
    case FigureUnit::Microseconds:
      return microsecondsText(value) + " µs";
    case FigureUnit::Percent:
      return counterAmount(value, model::CounterUnit::Percent);
    case FigureUnit::Warps:
      return counterAmount(value, model::CounterUnit::Warps);
    case FigureUnit::Count:
    case FigureUnit::Cycles:
    case FigureUnit::Bytes:
      break;
  }
  return roundedFigure(value);
}

std::string timesText(double factor) {
  const double whole = std::round(factor);
  return (std::abs(factor - whole) < 1e-9 ? roundedFigure(whole) : factorText(factor)) + "×";
}

ComparedTable comparedTable(const ComparedSide& left, const ComparedSide& right) {
  ComparedTable table;
  if (ComparedBlock experiment = experimentBlock(*left.trace, *right.trace); !experiment.rows.empty())
    table.differing.push_back(std::move(experiment));
  std::vector<ComparedFigure> figures = analysis::compareRuns(left, right);
  std::ranges::stable_sort(figures, {}, [&](const ComparedFigure& figure) {
    return std::tuple(rankOf(figure), figure.facts.of, figure.facts.detail);
  });
  std::size_t beforeCounters = 0;  // where the prices of steps stand
  for (const ComparedFigure& figure : figures) {
    ComparedRow row = rowOf(figure);
    tellRequests(figures, figure, row);
    if (!figure.differs()) {
      tellOfWhat(figure, row);
      table.same.push_back(std::move(row));
      continue;
    }
    std::string heading = headingOf(figure, left, right);
    if (table.differing.empty() || table.differing.back().heading != heading)
      table.differing.push_back({.heading = std::move(heading), .rows = {}});
    table.differing.back().rows.push_back(std::move(row));
    if (figure.facts.of != FigureOf::Counters) beforeCounters = table.differing.size();
  }
  if (ComparedBlock prices = pricesBlock(left, right); !prices.rows.empty())
    table.differing.insert(table.differing.begin() + std::ptrdiff_t(beforeCounters), std::move(prices));
  return table;
}

std::string comparedText(const ComparedTable& table) {
  constexpr std::size_t kTitleColumns = 40, kValueColumns = 14;
  const auto padded = [](const std::string& text, std::size_t columns, bool right) {
    const std::string missing(columns - std::min(columns, charactersIn(text)), ' ');
    return right ? missing + text : text + missing;
  };
  const auto line = [&](const ComparedRow& row, const std::string& rest) {
    const auto& [left, right] = row.value;
    if (std::max(charactersIn(left), charactersIn(right)) > kValueColumns)
      return wrapped("  " + row.title + ": " + left + " | " + right, kTextColumns) + "\n";
    return "  " + padded(row.title, kTitleColumns, false) + padded(left, kValueColumns, true) + " " +
           padded(right, kValueColumns, true) + (rest.empty() ? "" : "   " + rest) + "\n";
  };
  std::string text;
  for (const ComparedBlock& block : table.differing) {
    text += "\n" + wrapped(block.heading, kTextColumns) + "\n";
    for (const ComparedRow& row : block.rows) {
      std::string rest = row.factor;
      if (row.better)
        rest += (rest.empty() ? "" : ", ") + std::string(analysis::nameOf(*row.better)) + " is better";
      text += line(row, rest);
    }
  }
  if (table.same.empty()) return text;
  text += "\nthe same on both sides\n";
  for (const ComparedRow& row : table.same) text += line(row, "");
  return text;
}

}  // namespace stridescope::narration
