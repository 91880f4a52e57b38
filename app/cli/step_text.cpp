#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/step_report.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "narration/caption.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

// "-" where the number is not known.
std::string known(bool isKnown, unsigned number) { return isKnown ? std::to_string(number) : "-"; }

std::string_view kindName(model::EventKind kind) {
  return kind == model::EventKind::Load ? "load" : kind == model::EventKind::Store ? "store" : "atomic";
}

const std::vector<report::Column>& requestColumns() {
  static const std::vector<report::Column> columns{
      {.heading = "site", .width = 7, .gap = 0},
      {.heading = "kind", .isText = true, .width = 6, .gap = 2},
      {.heading = "space", .isText = true, .width = 6},
      {.heading = "requests", .width = 8},
      {.heading = "wavefronts", .width = 10},
      {.heading = "ideal", .width = 5},
      {.heading = "conflicts", .width = 9},
      {.heading = "way", .width = 4},
      {.heading = "sectors", .width = 7},
      {.heading = "ideal", .width = 5},
      {.heading = "text", .isText = true, .gap = 2},
  };
  return columns;
}

std::string requestsTable(const narration::RoundAt& at) {
  if (at.round().requests.empty()) return {};
  std::string text = report::headLine(requestColumns()) + "\n";
  for (const analysis::Request& request : at.round().requests) {
    const bool banks = request.hasWavefronts();
    const model::Site site =
        request.site < at.trace.sites.size() ? at.trace.sites[request.site] : model::Site{};
    const std::string row = report::textLine(
        requestColumns(),
        {fmt::format("{}:{}", site.line, site.column), std::string(kindName(request.kind)),
         request.shared ? "shared" : "global", std::to_string(request.requests),
         known(banks, request.wavefronts), known(banks, request.ideal), known(banks, request.conflicts()),
         known(banks, request.way), known(!request.shared, request.sectors),
         known(!request.shared, request.idealSectors), inOneLine(site.text)});
    text += std::string(narration::firstCharacters(row, narration::kTextColumns)) + "\n";
  }
  return text;
}

std::string figuresLine(const narration::RoundAt& at) {
  std::string text;
  for (const narration::Figure& entry : narration::figuresOf(at)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", entry.label, figure(entry.value));
    if (entry.of != 0) text += " of " + figure(entry.of);
  }
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

std::string mapsOf(const narration::RoundAt& at, narration::InStep place, bool inDetail) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (map.inStep == place) text += (inDetail || map.brief == nullptr ? map.text : map.brief)(at);
  return text;
}

std::string roundText(const narration::RoundAt& at, bool inDetail, const analysis::LaunchCycles* cycles) {
  std::string text = fmt::format("\nround {} ({}), ends with {}\n", at.index, narration::tickOf(at),
                                 analysis::nameOf(at.round().endsWith));
  text += narration::wrapped(narration::captionOf(at).text(), narration::kTextColumns) + "\n";
  if (cycles != nullptr) text += roundCyclesLine(*cycles, at.index);
  text += mapsOf(at, narration::InStep::EachRound, inDetail);
  text += requestsTable(at);
  if (inDetail) text += figuresLine(at) + mapsOf(at, narration::InStep::ChosenRound, inDetail);
  return text;
}

// " (4 x 2 x 1)" for a shape of more rows than one, else empty.
std::string rowsOf(const model::Dim3& shape) {
  return shape.isOneRow() ? "" : " (" + model::text(shape) + ")";
}

std::string launchHeading(const model::LaunchTrace& launch, std::size_t index) {
  return fmt::format("\nlaunch {}: {}{} of {}{}, {} in; block {} inspected\n", index,
                     narration::count(launch.grid, "block"), rowsOf(launch.gridShape()),
                     narration::count(launch.block, "thread"), rowsOf(launch.blockShape()),
                     narration::count(launch.elements, "element"), figure(launch.recorded().block));
}

std::string wholeLaunch(const narration::RoundAt& at) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (const std::string drawn = map.inStep == narration::InStep::Launch ? map.text(at) : ""; !drawn.empty())
      text += fmt::format("\n{}\n{}", map.heading, drawn);
  return text;
}

std::string totalsLine(const analysis::Totals& totals) {
  const std::string text = fmt::format("totals in shared memory: loads {}, {}; stores {}, {}",
                                       narration::count(totals.loadWavefronts, "wavefront"),
                                       narration::count(totals.loadConflicts, "conflict"),
                                       narration::count(totals.storeWavefronts, "wavefront"),
                                       narration::count(totals.storeConflicts, "conflict"));
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

}  // namespace

std::string headingOf(const model::Trace& trace) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  std::string text;
  if (kernel)
    text +=
        narration::wrapped(fmt::format("{}. {}", kernel->title, kernel->changed), narration::kTextColumns) +
        "\n";
  return text + narration::wrapped(engine::summaryOf(trace.experiment), narration::kTextColumns) + "\n" +
         narration::wrapped("engine: " + narration::executorInWords(trace.executor),
                            narration::kTextColumns) +
         "\n";
}

std::string resultLine(const model::Trace& trace) {
  std::string text = narration::wrapped(narration::resultAndExpected(trace), narration::kTextColumns) + "\n";
  if (const std::string note = narration::noteOf(trace); !note.empty())
    text += narration::wrapped(note, narration::kTextColumns) + "\n";
  return text;
}

std::string stepText(const lab::Run& run, const std::optional<RoundRange>& rounds,
                     const lab::RunCycles* cycles) {
  const model::Trace& trace = run.trace;
  const analysis::Analysis& analysis = run.analysis;
  std::string text = headingOf(trace);
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    const std::vector<analysis::RoundFlow>& flow = run.flow[i];
    text += launchHeading(launch, i);
    for (std::size_t index = 0; index < flow.size(); ++index)
      if (!rounds || rounds->contains(index))
        text += roundText({trace, launch, analysis.launches[i], flow, index}, rounds.has_value(),
                          cycles == nullptr ? nullptr : &cycles->launches[i]);
    const narration::RoundAt whole{trace, launch, analysis.launches[i], flow, 0};
    if (!rounds && !flow.empty()) text += wholeLaunch(whole);
    for (const std::string& sentence : narration::troubleOf(whole))
      text += fmt::format("\n{}\n", narration::wrapped(sentence, narration::kTextColumns));
  }
  text += "\n" + totalsLine(analysis.totals);
  if (cycles != nullptr) text += clockedText(*cycles);
  return text + resultLine(trace);
}

// stridescope step

namespace {

// The rounds that were asked for, if there is any such round.
Result<std::optional<RoundRange>> existingRounds(const std::optional<std::string>& given,
                                                 const analysis::Analysis& analysis) {
  if (!given) return std::optional<RoundRange>();
  return parseRounds(*given).and_then([&](RoundRange range) -> Result<std::optional<RoundRange>> {
    const std::size_t most = analysis::mostRounds(analysis);
    if (range.first < most) return std::optional(range);
    return usageError(
        most == 0 ? fmt::format("--round {} is not there: nothing was recorded.", *given)
                  : fmt::format("--round {} is not there: the rounds are 0 to {}.", *given, most - 1));
  });
}

class StepCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "step";
    options.about = "Runs one reduction and tells what each of its rounds did";
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options_.declare(options);
    options.value("--round", rounds_, "Show only these rounds, such as 4 or 2-5, and more of each", "ROUND");
    options.flag("--cycles", cycles_, "What each round cost in cycles of the SM's clock; on a GPU");
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "Examples:\n"
        "  stridescope step interleaved_contiguous\n"
        "  stridescope step sequential --type int64 --op max --threads 64 --data random --seed 7\n"
        "  stridescope step unrolled_last_warp -n 2^20 --round 4 --engine host\n"
        "  stridescope step sequential --combine 'a > b ? a : b' --identity=-2147483648\n"
        "  stridescope step sequential --engine lecture.stride --json";
  }

  ExitCode run(const Context& context) override {
    const auto experimentRequest = readExperimentRequest(variant_, options_);
    if (!experimentRequest) return tell(context, experimentRequest.error());
    allowTypedCode(*experimentRequest, *context.services.trust);
    if (rounds_)
      if (const auto range = parseRounds(*rounds_); !range) return tell(context, range.error());
    if (const auto fault = engineNameFault(options_.engine)) return tell(context, *fault);
    // What cannot run at all is said before an engine is started; a recording may hold what the catalogue
    // no longer has.
    const bool recorded = isRecordingName(options_.engine);
    if (!recorded)
      if (const auto experiment = completed(*experimentRequest); !experiment)
        return tell(context, experiment.error());

    const auto engine = openEngine(context, options_.engine);
    if (!engine) return tell(context, engine.error());
    LongWork work(context.terminal);
    auto trace = engine->traceOf(*experimentRequest, work.job);
    work.line.clear();
    if (!trace) return tell(context, trace.error());
    for (const std::string& warning : model::warningsOf(trace->trial))
      context.streams.error << "warning: " << warning << "\n";
    const lab::Run run = lab::runOf(*std::move(trace));
    const auto rounds = existingRounds(rounds_, run.analysis);
    if (!rounds) return tell(context, rounds.error());
    std::optional<lab::RunCycles> cycles;
    if (cycles_) {
      cycles = findCycles(context, *engine, options_.engine, run, work.job);
      work.line.clear();
      for (const std::string& note : cycles->notes) context.streams.error << printable(note) << "\n";
    }
    const lab::RunCycles* const shown = cycles ? &*cycles : nullptr;
    MemoryBudget text;  // apart from the analysis: what is printed is not kept
    bool whole = true;
    if (json_)
      whole = writeStepJson(context.streams.out, run, *rounds, text, shown);
    else
      context.streams.out << stepText(run, *rounds, shown);
    return exitCodeOf(run.trace, !whole || metLimit(run.analysis));
  }

 private:
  std::string variant_;
  ExperimentOptions options_;
  std::optional<std::string> rounds_;
  bool cycles_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeStepCommand() { return std::make_unique<StepCommand>(); }

}  // namespace stridescope::cli
