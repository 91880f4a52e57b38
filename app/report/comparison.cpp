#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "narration/compared.h"
#include "narration/outcome.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/runs.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

using analysis::ComparedFigure;
using analysis::LockedRound;
using analysis::Side;

std::vector<ComparedFigure> figuresOf(const Comparison& comparison, const LockedRound& locked) {
  return analysis::compareRounds(comparison.runs.left.side(locked.launch, locked.round.left),
                                 comparison.runs.right.side(locked.launch, locked.round.right));
}

// The rounds of both sides, for sentences; nullopt: the side has none.
struct RoundsOfBoth {
  RoundsOfBoth(const Comparison& comparison, const LockedRound& locked) {
    if (locked.round.left) left.emplace(comparison.runs.left.run().at(locked.launch, *locked.round.left));
    if (locked.round.right) right.emplace(comparison.runs.right.run().at(locked.launch, *locked.round.right));
  }
  narration::ComparedRounds both() const { return {left ? &*left : nullptr, right ? &*right : nullptr}; }

  std::optional<narration::RoundAt> left, right;
};

// ---- The text.

std::string cell(const std::vector<ComparedFigure>& figures, std::string_view name) {
  const auto found =
      std::ranges::find_if(figures, [&](const ComparedFigure& each) { return each.facts.name == name; });
  if (found == figures.end()) return "–";
  const auto text = [&](Side side) {
    return found->value[side] ? narration::figureText(*found->value[side], found->facts.unit) : "–";
  };
  return found->differs() ? text(Side::Left) + " | " + text(Side::Right) : text(Side::Left);
}

const std::vector<Column>& roundColumns() {
  static const std::vector<Column> columns{
      {.heading = "round", .isText = true, .width = 11, .gap = 2},
      {.isText = true, .width = 17},  // the round's name
      {.heading = "threads", .isText = true, .width = 13},
      {.heading = "warps", .isText = true, .width = 11},
      {.heading = "ways", .isText = true, .width = 9},
      {.heading = "wavefronts", .isText = true, .width = 14},
      {.heading = "cycles", .isText = true, .width = 13},
  };
  return columns;
}

std::string roundsTable(const Comparison& comparison) {
  std::string text = fmt::format("\nrounds, locked by {}; left | right where they differ\n",
                                 analysis::nameOf(comparison.by));
  const auto add = [&](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  const auto locked = comparison.locked();
  const bool launches = !locked.empty() && locked.back().launch > 0;
  add(headLine(roundColumns()));
  for (const LockedRound& each : locked) {
    const RoundsOfBoth at(comparison, each);
    const auto figures = figuresOf(comparison, each);
    const auto number = [](const std::optional<unsigned>& round) {
      return round ? figure(*round) : std::string("–");
    };
    std::string rounds = number(each.round.left);
    if (each.round.left != each.round.right) rounds += " | " + number(each.round.right);
    add(textLine(roundColumns(),
                 {(launches ? std::to_string(each.launch) + ": " : "") + rounds, narration::tickOf(at.both()),
                  cell(figures, "active_threads"), cell(figures, "working_warps"),
                  cell(figures, "highest_way"), cell(figures, "wavefronts"), cell(figures, "round_cycles")}));
  }
  return text;
}

std::string roundText(const Comparison& comparison, const LockedRound& locked) {
  const RoundsOfBoth at(comparison, locked);
  std::string text = "\n" + paragraph(narration::comparedCaption(at.both(), comparison.by).text());
  for (const Side side : analysis::kSides) {
    const narration::RoundAt* const shown = at.both()[side];
    if (shown == nullptr) continue;
    text += paragraph(fmt::format("{}: {}", analysis::nameOf(side), narration::captionOf(*shown).text()));
    for (const std::string& trouble : narration::troubleIn(*shown))
      text += paragraph(fmt::format("{}: {}", analysis::nameOf(side), trouble));
  }
  return text + narration::comparedText(
                    narration::comparedTable(comparison.runs.left.side(locked.launch, locked.round.left),
                                             comparison.runs.right.side(locked.launch, locked.round.right)));
}

std::string sourceText(const Comparison& comparison) {
  const analysis::SourceDifference difference =
      analysis::sourceDifference(comparison.runs.left.run().trace, comparison.runs.right.run().trace);
  if (!difference.differs()) return "\nthe kernels' texts are the same, but for comments\n";
  std::string text = fmt::format(
      "\nsource: {} of the left kernel and {} of the right one differ (<, >), comments left out\n",
      narration::count(difference.countOf(Side::Left), "line"), figure(difference.countOf(Side::Right)));
  std::string left, right;  // the lines that differ one after another
  const auto flush = [&] {
    text += left + right;
    left.clear(), right.clear();
  };
  for (const analysis::LinePair& pair : difference.pairs) {
    if (pair.same) {
      flush();
      continue;
    }
    if (const analysis::CodeLine* const line = difference.lineOf(pair, Side::Left))
      left += fmt::format("< {:>4}  {}\n", line->number, line->text);
    if (const analysis::CodeLine* const line = difference.lineOf(pair, Side::Right))
      right += fmt::format("> {:>4}  {}\n", line->number, line->text);
  }
  flush();
  return text;
}

// ---- The JSON.

void writeOrigin(JsonWriter& json, std::string_view name, const std::optional<double>& value,
                 const analysis::FigureOrigin& origin) {
  if (!value) return json.member(name, nullptr);
  json.object(name, [&] {
    json.member("kind", analysis::nameOf(origin.kind));
    if (origin.kind != analysis::OriginKind::Modelled) json.member("device", origin.device);
  });
}

// Whole numbers as such.
void writeAmount(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  if (value && *value >= 0 && *value < 9e15 && *value == double(std::uint64_t(*value)))
    json.member(name, std::uint64_t(*value));
  else
    json.member(name, value);
}

void writeFigure(JsonWriter& json, const ComparedFigure& figure) {
  json.member("name", figure.facts.name);
  json.member("unit", analysis::nameOf(figure.facts.unit));
  writeAmount(json, "left", figure.value.left);
  writeAmount(json, "right", figure.value.right);
  if (figure.facts.of != analysis::FigureOf::Round && figure.facts.of != analysis::FigureOf::Run) {
    writeOrigin(json, "left_origin", figure.value.left, figure.origin.left);
    writeOrigin(json, "right_origin", figure.value.right, figure.origin.right);
  }
  const auto better = figure.better();
  json.member("better", better ? std::optional(analysis::nameOf(*better)) : std::nullopt);
  writeAmount(json, "factor", figure.factor());
}

void writeFigures(JsonWriter& json, const std::vector<ComparedFigure>& figures) {
  json.objects("figures", figures, [&](const ComparedFigure& figure) { writeFigure(json, figure); });
}

void writeRound(JsonWriter& json, const Comparison& comparison, const LockedRound& locked) {
  json.object([&] {
    json.member("launch", locked.launch);
    for (const Side side : analysis::kSides) {
      const std::optional<unsigned>& number = locked.round[side];
      if (!number) {
        json.member(analysis::nameOf(side), nullptr);
        continue;
      }
      const analysis::Round& round =
          comparison.runs[side].run().analysis.launches[locked.launch].rounds[*number];
      json.object(analysis::nameOf(side), [&] {
        json.member("round", *number);
        json.member("kind", analysis::nameOf(round.kind));
        json.member("stride", round.stride);
      });
    }
    writeFigures(json, figuresOf(comparison, locked));
  });
}

void writeSource(JsonWriter& json, const analysis::SourceDifference& difference) {
  json.list("source", difference.pairs, [&](const analysis::LinePair& pair) {
    if (pair.same) return;
    json.object([&] {
      for (const Side side : analysis::kSides) {
        const analysis::CodeLine* const line = difference.lineOf(pair, side);
        if (line == nullptr)
          json.member(analysis::nameOf(side), nullptr);
        else
          json.object(analysis::nameOf(side), [&] {
            json.member("line", line->number);
            json.member("text", line->text);
          });
      }
    });
  });
}

}  // namespace

analysis::ComparedSide ComparedRun::side(unsigned launch, std::optional<unsigned> round) const {
  analysis::ComparedSide side{.trace = &run().trace, .analysis = &run().analysis, .launch = launch};
  if (round) {
    side.shown = &run().analysis.launches[launch].rounds[*round];
    side.flow = &run().flow[launch][*round];
    side.round = *round;
  }
  lab::addMeasured(known.measured, side);
  if (time) {
    side.microseconds = time->microseconds;
    side.timeInterval =
        analysis::medianInterval(time->microseconds, time->lowerQuartile, time->upperQuartile, time->samples);
    side.timedElements = time->elements;
    side.timeFrom = {time->live ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded,
                     time->device};
  }
  return side;
}

std::string compareText(const Comparison& comparison) {
  std::string text;
  for (const Side side : analysis::kSides)
    text += fmt::format("{}: {}", analysis::nameOf(side), headingOf(comparison.runs[side].run().trace));
  if (!comparison.rounds) {
    text += roundsTable(comparison);
    text += narration::comparedText(narration::comparedTable(comparison.runs.left.side(0, std::nullopt),
                                                             comparison.runs.right.side(0, std::nullopt)));
    text += sourceText(comparison);
  } else {
    for (const LockedRound& locked : comparison.locked())
      if (comparison.shows(locked)) text += roundText(comparison, locked);
  }
  text += "\n";
  for (const Side side : analysis::kSides)
    text += fmt::format("{}: {}", analysis::nameOf(side), resultLine(comparison.runs[side].run().trace));
  return text;
}

void writeCompareJson(std::ostream& out, const Comparison& comparison) {
  const lab::Run &left = comparison.runs.left.run(), &right = comparison.runs.right.run();
  JsonWriter json(out);
  json.object([&] {
    json.member("format", kCompareJsonFormat);
    json.member("locked_by", analysis::nameOf(comparison.by));
    for (const Side side : analysis::kSides)
      json.object(analysis::nameOf(side), [&] {
        const lab::Run& run = comparison.runs[side].run();
        writeOutcome(json, run.trace);
        writeTotals(json, run.analysis.totals);
      });
    json.list("rounds", comparison.locked(), [&](const LockedRound& locked) {
      if (comparison.shows(locked)) writeRound(json, comparison, locked);
    });
    // The first launch's; a round's figures stand with the rounds.
    writeFigures(json, analysis::compareRuns(comparison.runs.left.side(0, std::nullopt),
                                             comparison.runs.right.side(0, std::nullopt)));
    writeSource(json, analysis::sourceDifference(left.trace, right.trace));
  });
  json.endLine();
}

}  // namespace stridescope::report
