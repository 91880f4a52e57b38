#include "cli/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/compared_sides.h"
#include "cli/json_writer.h"
#include "cli/step_report.h"
#include "lab/known/measured_runs.h"
#include "narration/compared.h"
#include "narration/outcome.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

using analysis::ComparedFigure;
using analysis::LockedRound;
using analysis::Side;

const ComparedRun& sideOf(const Comparison& comparison, Side side) {
  return side == Side::Left ? comparison.left : comparison.right;
}

std::vector<ComparedFigure> figuresOf(const Comparison& comparison, const LockedRound& locked) {
  return analysis::compareRounds(comparison.left.side(locked.launch, locked.round.left),
                                 comparison.right.side(locked.launch, locked.round.right));
}

// The rounds of both sides, for sentences; nullopt: the side has none.
struct RoundsOfBoth {
  RoundsOfBoth(const Comparison& comparison, const LockedRound& locked) {
    if (locked.round.left) left.emplace(comparison.left.run().at(locked.launch, *locked.round.left));
    if (locked.round.right) right.emplace(comparison.right.run().at(locked.launch, *locked.round.right));
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

const std::vector<report::Column>& roundColumns() {
  static const std::vector<report::Column> columns{
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
  add(report::headLine(roundColumns()));
  for (const LockedRound& each : locked) {
    const RoundsOfBoth at(comparison, each);
    const auto figures = figuresOf(comparison, each);
    const auto number = [](const std::optional<unsigned>& round) {
      return round ? std::to_string(*round) : std::string("–");
    };
    std::string rounds = number(each.round.left);
    if (each.round.left != each.round.right) rounds += " | " + number(each.round.right);
    add(report::textLine(roundColumns(), {(launches ? std::to_string(each.launch) + ": " : "") + rounds,
                                          narration::tickOf(at.both()), cell(figures, "active_threads"),
                                          cell(figures, "working_warps"), cell(figures, "highest_way"),
                                          cell(figures, "wavefronts"), cell(figures, "round_cycles")}));
  }
  return text;
}

std::string inLines(const std::string& text) {
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

std::string roundText(const Comparison& comparison, const LockedRound& locked) {
  const RoundsOfBoth at(comparison, locked);
  std::string text = "\n" + inLines(narration::comparedCaption(at.both(), comparison.by).text());
  for (const Side side : analysis::kSides) {
    const narration::RoundAt* const shown = at.both()[side];
    if (shown == nullptr) continue;
    text += inLines(fmt::format("{}: {}", analysis::nameOf(side), narration::captionOf(*shown).text()));
    for (const std::string& trouble : narration::troubleIn(*shown))
      text += inLines(fmt::format("{}: {}", analysis::nameOf(side), trouble));
  }
  return text + narration::comparedText(
                    narration::comparedTable(comparison.left.side(locked.launch, locked.round.left),
                                             comparison.right.side(locked.launch, locked.round.right)));
}

std::string sourceText(const Comparison& comparison) {
  const analysis::SourceDifference difference =
      analysis::sourceDifference(comparison.left.run().trace, comparison.right.run().trace);
  if (!difference.differs()) return "\nthe kernels' texts are the same, but for comments\n";
  std::string text = fmt::format(
      "\nsource: {} of the left kernel and {} of the right one differ (<, >), comments left out\n",
      narration::count(difference.countOf(Side::Left), "line"), difference.countOf(Side::Right));
  std::string left, right;  // the lines that differ one after another
  const auto flush = [&] {
    text += left + right;
    left.clear(), right.clear();
  };
  for (const LinePair& pair : difference.pairs) {
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

void writeSide(JsonWriter& json, const lab::Run& run) {
  json.beginObject();
  writeRun(json, run.trace.experiment, run.trace.executor);
  json.member("result", run.trace.result);
  json.member("expected", run.trace.expected);
  json.member("ok", run.trace.ok);
  if (run.trace.verdictIsRecorded) json.member("verdict_from", "recording");
  json.key("totals");
  writeTotals(json, run.analysis.totals);
  json.endObject();
}

void writeOrigin(JsonWriter& json, std::string_view name, const std::optional<double>& value,
                 const analysis::FigureOrigin& origin) {
  json.key(name);
  if (!value) return json.value(nullptr);
  json.beginObject();
  json.member("kind", analysis::nameOf(origin.kind));
  if (origin.kind != analysis::OriginKind::Modelled) json.member("device", origin.device);
  json.endObject();
}

// Whole numbers as such.
void writeAmount(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  if (value && *value >= 0 && *value < 9e15 && *value == double(std::uint64_t(*value)))
    json.value(std::uint64_t(*value));
  else
    json.value(value);
}

void writeFigure(JsonWriter& json, const ComparedFigure& figure) {
  json.beginObject();
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
  json.endObject();
}

void writeRound(JsonWriter& json, const Comparison& comparison, const LockedRound& locked) {
  json.beginObject();
  json.member("launch", locked.launch);
  for (const Side side : analysis::kSides) {
    json.key(analysis::nameOf(side));
    if (!locked.round[side]) {
      json.value(nullptr);
      continue;
    }
    const analysis::Round& round =
        sideOf(comparison, side).run().analysis.launches[locked.launch].rounds[*locked.round[side]];
    json.beginObject();
    json.member("round", *locked.round[side]);
    json.member("kind", analysis::nameOf(round.kind));
    json.member("stride", round.stride);
    json.endObject();
  }
  json.key("figures");
  json.beginArray();
  for (const ComparedFigure& figure : figuresOf(comparison, locked)) writeFigure(json, figure);
  json.endArray();
  json.endObject();
}

// Writes the figures of the first launch; a round's figures stand with the rounds.
void writeFigures(JsonWriter& json, const Comparison& comparison) {
  json.beginArray();
  for (const ComparedFigure& figure :
       analysis::compareRuns(comparison.left.side(0, std::nullopt), comparison.right.side(0, std::nullopt)))
    writeFigure(json, figure);
  json.endArray();
}

void writeSource(JsonWriter& json, const Comparison& comparison) {
  const analysis::SourceDifference difference =
      analysis::sourceDifference(comparison.left.run().trace, comparison.right.run().trace);
  json.beginArray();
  for (const LinePair& pair : difference.pairs) {
    if (pair.same) continue;
    json.beginObject();
    for (const Side side : analysis::kSides) {
      json.key(analysis::nameOf(side));
      const analysis::CodeLine* const line = difference.lineOf(pair, side);
      if (line == nullptr) {
        json.value(nullptr);
        continue;
      }
      json.beginObject();
      json.member("line", line->number);
      json.member("text", line->text);
      json.endObject();
    }
    json.endObject();
  }
  json.endArray();
}

}  // namespace

std::string compareText(const Comparison& comparison) {
  std::string text;
  for (const Side side : analysis::kSides)
    text += fmt::format("{}: {}", analysis::nameOf(side), headingOf(sideOf(comparison, side).run().trace));
  if (!comparison.rounds) {
    text += roundsTable(comparison);
    text += narration::comparedText(narration::comparedTable(comparison.left.side(0, std::nullopt),
                                                             comparison.right.side(0, std::nullopt)));
    text += sourceText(comparison);
  } else {
    for (const LockedRound& locked : comparison.locked())
      if (comparison.shows(locked)) text += roundText(comparison, locked);
  }
  text += "\n";
  for (const Side side : analysis::kSides)
    text += fmt::format("{}: {}", analysis::nameOf(side), resultLine(sideOf(comparison, side).run().trace));
  return text;
}

void writeCompareJson(std::ostream& out, const Comparison& comparison) {
  JsonWriter json(out);
  json.beginObject();
  json.member("format", kCompareJsonFormat);
  json.member("locked_by", analysis::nameOf(comparison.by));
  for (const Side side : analysis::kSides) {
    json.key(analysis::nameOf(side));
    writeSide(json, sideOf(comparison, side).run());
  }
  json.key("rounds");
  json.beginArray();
  for (const LockedRound& locked : comparison.locked())
    if (comparison.shows(locked)) writeRound(json, comparison, locked);
  json.endArray();
  json.key("figures");
  writeFigures(json, comparison);
  json.key("source");
  writeSource(json, comparison);
  json.endObject();
  json.endLine();
}

namespace {

constexpr std::uint64_t kTimedElements = 1 << 24;

analysis::FigureOrigin originOf(bool measured, const std::string& device) {
  return {measured ? analysis::OriginKind::Measured : analysis::OriginKind::Recorded, device};
}

// Measured on the GPU that executed the run; what it cannot measure is noted.
template <class Record>
std::optional<Record> measuredNow(const Context& context, const std::string& engineName,
                                  const model::Experiment& experiment, std::vector<std::string>& notes,
                                  engine::JobControl& job) {
  auto runs = lab::measuredOnGpu<Record>(context.services.sources, engineName, {&experiment, 1}, job);
  if (!runs) {
    notes.push_back(runs.error().sentence);
    return std::nullopt;
  }
  std::ranges::copy(runs->notes, std::back_inserter(notes));
  return runs->records.empty() ? std::nullopt : std::optional(std::move(runs->records.front()));
}

std::string deviceOf(const model::Executor& executor) {
  return executor.kind == model::EngineKind::Host ? std::string() : executor.device;
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
    side.timeFrom = originOf(time->live, time->device);
  }
  side.timedElements = timedElements;
  return side;
}

Result<ComparedRun> comparedRun(const Context& context, const ChosenEngine& engine,
                                const std::string& engineName, const ExperimentRequest& request,
                                bool measures, std::vector<std::string>& notes, engine::JobControl& job) {
  auto trace = engine.traceOf(request, job);
  if (!trace) return tl::unexpected(trace.error());
  for (const std::string& warning : model::warningsOf(trace->trial)) notes.push_back("warning: " + warning);
  ComparedRun compared{.known = {.run = lab::runOf(*std::move(trace))}};
  const lab::Run& run = compared.run();
  lab::RunMeasured& measured = compared.known.measured;
  const bool live = measures && run.trace.executor.kind == model::EngineKind::Gpu;
  const model::Experiment& experiment = run.trace.experiment;
  std::optional<model::CostRecord> cost;
  if (live) {
    measured.cycles = findCycles(context, engine, engineName, run, job);
    std::ranges::copy(measured.cycles.notes, std::back_inserter(notes));
    auto counters = measuredNow<model::CounterRecord>(context, engineName, experiment, notes, job);
    // A record of a run with other launches tells nothing.
    if (counters && counters->launches.size() == run.trace.launches.size())
      measured.counters.record = std::move(counters);
    cost = measuredNow<model::CostRecord>(context, engineName, experiment, notes, job);
  } else {
    const lab::Recorded recorded = recordedOf(context, engine);
    measured.cycles = recordedCycles(recorded, engine, run);
    measured.counters = lab::recordedCounters(run, recorded);
    cost = lab::recordedCost(run, recorded);
  }
  measured.counters.live = measured.costs.live = live;
  if (cost) measured.costs.own = analysis::ReductionCost{.cost = *std::move(cost)};
  if (job.cancel) return cancelled();
  return compared;
}

void findTimes(const Context& context, ComparedRun& left, ComparedRun& right) {
  measure::TimingBoard board({});
  board.showRecorded(context.services.sources.shipped.of<model::TimingRecord>().all());
  const model::Trace &leftTrace = left.run().trace, &rightTrace = right.run().trace;
  const measure::ComparedTimes times =
      measure::comparedTimes(*board.snapshot(), {leftTrace.experiment, deviceOf(leftTrace.executor)},
                             {rightTrace.experiment, deviceOf(rightTrace.executor)}, kTimedElements);
  left.time = times.left, right.time = times.right;
  left.timedElements = right.timedElements = times.elements;
}

}  // namespace stridescope::cli
