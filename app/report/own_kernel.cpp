#include "report/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/grid_timeline.h"
#include "analysis/round_cycles.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "measure/statistics.h"
#include "model/quantity.h"
#include "narration/measured_sentences.h"
#include "narration/outcome.h"
#include "narration/text_maps.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"
#include "report/measured.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

std::string spreadText(const measure::Summary& summary) {
  return fmt::format("{:.2f} us (median of {}; quartiles {:.2f} and {:.2f})", summary.median,
                     figure(summary.count), summary.lowerQuartile, summary.upperQuartile);
}

void writeSpread(JsonWriter& json, std::string_view name, const measure::Summary& summary) {
  json.object(name, [&] {
    json.member("median", summary.median);
    json.member("low", summary.lowerQuartile);
    json.member("high", summary.upperQuartile);
  });
}

}  // namespace

std::string calledAs(const KernelCall& call) {
  std::string text = call.name;
  const std::string arguments = call.templateArguments.value_or("");
  if (!arguments.empty()) text += "<" + arguments + ">";
  text += "<<<" + model::text(call.grid) + ", " + model::text(call.block);
  if (call.sharedBytes.value_or(0) > 0) text += ", " + std::to_string(*call.sharedBytes);
  return text + ">>> of " + printable(call.file);
}

void writeKernelCall(JsonWriter& json, const KernelCall& call) {
  const auto shape = [](const model::Dim3& size) {
    return std::array{size.x, std::uint64_t(size.y), std::uint64_t(size.z)};
  };
  json.object("kernel", [&] {
    json.member("file", call.file);
    json.member("name", call.name.empty() ? std::nullopt : std::optional(call.name));
    json.member("template", call.templateArguments);
    json.member("grid", shape(call.grid));
    json.member("block", shape(call.block));
    json.member("shared", call.sharedBytes);
  });
}

std::string kernelTimeText(const KernelTimes& times) {
  const measure::Summary whole = measure::summarize(times.whole), empty = measure::summarize(times.empty);
  std::string text = paragraph(calledAs(times.call) + ", timed on " + printable(times.executor.device));
  text += "kernel         " + spreadText(whole) + "\n";
  text += "empty kernel   " + spreadText(empty) + "\n";
  return text + paragraph((times.launches == 1
                               ? std::string("A time is from an event before the launch to one behind it; ")
                               : "A time is from an event before the first of " + figure(times.launches) +
                                     " launches to one behind the last; ") +
                          "the empty kernel has the same grid and block and does nothing. The arrays are set "
                          "back before each "
                          "run, outside the time, so that they lie in L2 where they fit.");
}

void writeKernelTimes(JsonWriter& json, const KernelTimes& times) {
  json.member("launches", times.launches);
  json.member("samples", times.whole.size());
  writeSpread(json, "us", measure::summarize(times.whole));
  writeSpread(json, "empty_us", measure::summarize(times.empty));
}

void writeKernelTimeJson(std::ostream& out, const KernelTimes& times) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeKernelCall(json, times.call);
    writeEngine(json, times.executor);
    writeKernelTimes(json, times);
  });
  json.endLine();
}

std::string kernelTimelineText(const KernelTimeline& timeline) {
  const model::TimelineRecord& record = timeline.record;
  const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
  std::string text = paragraph(fmt::format(
      "{}, marked on {}, {} SMs: the run with the median time of {}. Its launches take {:.2f} us "
      "with a mark of each block, and {:.2f} us without. Times are since the first block's start.",
      calledAs(timeline.call), printable(record.executor.device), figure(record.multiprocessors),
      figure(record.runs), record.markedMicroseconds, record.cleanMicroseconds));
  if (const std::string cost = narration::markingCost(record); !cost.empty()) text += paragraph(cost);
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
    text += paragraph(narration::launchTimes(record, grid, launch));
  return text + "\n" + narration::timelineMap(grid);
}

void writeKernelTimelineJson(std::ostream& out, const KernelTimeline& timeline) {
  const model::TimelineRecord& record = timeline.record;
  const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeKernelCall(json, timeline.call);
    writeEngine(json, record.executor);
    writeMarking(json, record, grid);
    writeGridTimeline(json, record, grid);
  });
  json.endLine();
}

namespace {

using engine::access::KernelCheck;
using engine::access::KernelOutput;

constexpr std::size_t kMembersShown = 16;

std::string heading(const KernelStep& step) {
  const model::Trace& trace = step.run.trace;
  std::string text = paragraph(calledAs(callOf(step))) + paragraph(printable(narration::recordedBy(trace)));
  if (const std::string why = narration::whyNotBySource(trace); !why.empty())
    text += paragraph(printable(why));
  return text;
}

std::string outputLine(const KernelOutput& output) {
  std::string text = output.name + ":";
  const std::size_t shown = std::min(output.members.size(), kMembersShown);
  for (std::size_t i = 0; i < shown; ++i) text += " " + output.members[i];
  if (shown < output.members.size()) text += fmt::format(" ... ({} in all)", figure(output.members.size()));
  return paragraph(text);
}

std::string outcome(const KernelStep& step) {
  std::string text;
  if (!step.kernel.hasEnded) {
    for (const model::LaunchTrace& launch :
         step.run.trace.launches)  // what stopped it, beside where the trace is cut
      for (const model::Problem& problem : launch.recorded().problems)
        if (problem.kind == model::ProblemKind::Limit) text += paragraph(problem.text);
    text += paragraph("The run did not end, so its arrays are of no use.");
  }
  if (step.kernel.hasEnded)
    for (const KernelOutput& output : step.kernel.outputs) text += outputLine(output);
  if (const auto& mismatch = step.kernel.mismatch)
    text += paragraph(fmt::format("wrong: {} is {}, and {} is expected", mismatch->place, mismatch->got,
                                  mismatch->expected));
  else if (step.kernel.check == KernelCheck::Right)
    text += paragraph("right: as " + printable(step.kernel.expectation));
  else if (step.kernel.hasEnded)
    text +=
        paragraph("not checked: nothing is expected of the arrays. A launch file's \"expect\" says what is.");
  return text;
}

// Blocks beside a launch's first have rounds of their own, which are not told here.
void writeOtherActs(JsonWriter& json, const lab::Run& run) {
  struct Told {
    const model::OtherAct* act;
    std::size_t launch;
    std::uint64_t block;
    std::optional<std::size_t> round;
  };
  std::vector<Told> all;
  for (std::size_t i = 0; i < run.trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = run.trace.launches[i];
    for (const model::BlockTrace& block : launch.blocks) {
      const std::size_t first = all.size();
      for (const model::OtherAct& act : block.others) all.push_back({&act, i, block.block, std::nullopt});
      if (&block != &launch.recorded()) continue;
      const auto& rounds = run.analysis.launches[i].rounds;
      for (std::size_t r = 0; r < rounds.size(); ++r)
        for (const std::uint32_t act : rounds[r].others) all[first + act].round = r;
    }
  }
  if (all.empty()) return;
  json.objects("other_acts", all, [&](const Told& told) {
    const model::OtherAct& act = *told.act;
    json.member("launch", told.launch);
    json.member("block", told.block);
    json.member("round", told.round);
    json.member("kind", act.kind);
    json.member("line", act.line);
    json.member("cluster_rank", act.clusterRank >= 0 ? std::optional(act.clusterRank) : std::nullopt);
    json.member("threads", act.threads);
    json.member("times", act.times);
    json.member("bytes", act.bytes);
    json.member("sentence", act.sentence);
  });
}

// What a trace tells of the first launch by itself. The recorder of accesses names a template's function with
// its arguments.
KernelCall callOf(const model::Trace& trace) {
  KernelCall call{.file = trace.experiment.variant, .name = {}};
  const auto& functions = trace.kernel.functions;
  const auto kernel = std::ranges::find_if(functions, &model::KernelFunction::isKernel);
  if (kernel != functions.end()) {
    const std::size_t open = kernel->name.find('<');
    call.name = kernel->name.substr(0, open);
    if (open != std::string::npos && kernel->name.ends_with('>'))
      call.templateArguments = kernel->name.substr(open + 1, kernel->name.size() - open - 2);
  }
  if (trace.launches.empty()) return call;
  call.grid = trace.launches.front().gridShape();
  call.block = trace.launches.front().blockShape();
  return call;
}

void writeRecorder(JsonWriter& json, const model::Trace& trace) {
  writeEngine(json, trace.executor);
  json.member("recorder", model::nameOf(model::recorderOf(trace)));
  if (const std::string& reason = trace.recorderReason; !reason.empty())
    json.member("recorder_reason", reason);
}

void writeCheck(JsonWriter& json, KernelCheck check, const model::Trace& trace) {
  json.member("check", engine::access::nameOf(check));
  json.member("check_note", trace.checkNote);
}

}  // namespace

KernelCall callOf(const KernelStep& step) {
  const model::Kernel& kernel = *step.run.trace.experiment.kernel.get();
  const model::FixedLaunch& launch = *kernel.launch.fixed;
  return {.file = step.file,
          .name = kernel.function,
          .templateArguments = step.kernel.templateArguments,
          .grid = launch.grid,
          .block = launch.block,
          .sharedBytes = launch.sharedBytes};
}

void writeRecordedKernel(JsonWriter& json, const lab::Run& run) {
  const model::Trace& trace = run.trace;
  writeKernelCall(json, callOf(trace));
  writeRecorder(json, trace);
  writeCheck(json, engine::access::checkOf(trace), trace);
  json.member("ok", trace.ok);
  if (trace.verdictIsRecorded) json.member("verdict_from", "recording");
  writeOtherActs(json, run);
}

lab::RunCycles cyclesOf(const KernelStep& step) {
  lab::RunCycles cycles;
  cycles.live = true;
  for (std::size_t k = 0; k < step.kernel.clocks.size() && k < step.run.analysis.launches.size(); ++k) {
    const engine::access::ClockedLaunch& clocked = step.kernel.clocks[k];
    const model::LaunchTrace& launch = step.run.trace.launches[k];
    const analysis::LaunchAnalysis& analysed = step.run.analysis.launches[k];
    analysis::RoundCycles rounds = analysis::roundCycles(analysed, clocked.firstWarp);
    for (std::uint32_t warp = 0; warp < clocked.warps.size(); ++warp)
      rounds.warps.push_back(analysis::roundsOfWarp(analysed, warp, clocked.warps[warp]));
    const bool isAlone = launch.grid == 1;
    (isAlone ? cycles.launches.emplace_back().alone : cycles.launches.emplace_back().inGrid) =
        std::move(rounds);
    cycles.clocks.push_back({.variant = step.file,
                             .threads = launch.block,
                             .kernelHash = model::hashOf(step.run.trace.kernelText),
                             .company = isAlone ? model::ClockedGrid::Alone : model::ClockedGrid::Full,
                             .elements = launch.elements,
                             .grid = launch.grid,
                             .block = launch.recorded().block,
                             .executor = step.run.trace.executor,
                             .cleanMicroseconds = step.kernel.cleanMicroseconds,
                             .clockedMicroseconds = step.kernel.clockedMicroseconds,
                             .firstWarp = clocked.firstWarp,
                             .warps = clocked.warps});
  }
  return cycles;
}

std::string kernelStepText(const KernelStep& step, const std::optional<RoundRange>& rounds) {
  std::string text = heading(step);
  for (const std::string& note : step.kernel.notes) text += paragraph(printable(note));
  if (step.cycles)
    text +=
        paragraph(fmt::format("clocked in {} further runs, in which the first lane of each warp reads the "
                              "clock at barriers: {:.2f} us, and "
                              "{:.2f} us without (medians of all launches together)",
                              figure(step.cycles->clocks.front().firstWarp.size()),
                              step.kernel.clockedMicroseconds, step.kernel.cleanMicroseconds));
  text += whatHappened(step.run, rounds, step.cycles ? &*step.cycles : nullptr);
  if (!step.kernel.printed.empty())
    text += "\nprinted by the kernel:\n" + printable(step.kernel.printed, Lines::Many) + "\n";
  return text + outcome(step);
}

bool writeKernelStepJson(std::ostream& out, const KernelStep& step, const std::optional<RoundRange>& rounds,
                         MemoryBudget& budget) {
  JsonWriter json(out);
  bool isWhole = true;
  json.object([&] {
    json.member("format", kStepJsonFormat);
    writeKernelCall(json, callOf(step));
    writeRecorder(json, step.run.trace);
    json.object("outputs", [&] {
      if (step.kernel.hasEnded)
        for (const KernelOutput& output : step.kernel.outputs) json.member(output.name, output.members);
    });
    if (!step.kernel.printed.empty()) json.member("printed", step.kernel.printed);
    writeCheck(json, step.kernel.check, step.run.trace);
    if (const auto& mismatch = step.kernel.mismatch) {
      json.object("mismatch", [&] {
        json.member("output", mismatch->output);
        json.member("element", mismatch->element);
        json.member("got", mismatch->got);
        json.member("expected", mismatch->expected);
      });
    } else {
      json.member("mismatch", nullptr);
    }
    json.member("ok", step.kernel.hasEnded && step.kernel.check != KernelCheck::Wrong);
    writeOtherActs(json, step.run);
    isWhole = writeWhatHappened(json, step.run, rounds, budget, step.cycles ? &*step.cycles : nullptr);
  });
  json.endLine();
  return isWhole;
}

analysis::ReductionCost costOf(const KernelWhy& why) {
  const KernelCall& call = why.times.call;
  const model::TimelineRecord& record = why.timeline.record;
  const measure::Summary whole = measure::summarize(why.times.whole);
  analysis::ReductionCost reduction;
  model::CostRecord& cost = reduction.cost;
  cost.experiment.variant = call.file;
  cost.experiment.threads = unsigned(call.block.count());
  cost.executor = why.times.executor;
  cost.limits.multiprocessors = record.multiprocessors;
  cost.runs = unsigned(why.times.whole.size());
  cost.microseconds = whole.median;
  cost.lowerQuartile = whole.lowerQuartile;
  cost.upperQuartile = whole.upperQuartile;
  cost.emptyMicroseconds = measure::summarize(why.times.empty).median;
  for (const model::LaunchTimeline& launch : record.launches)
    cost.launches.push_back(
        {.grid = launch.blocks.size(), .block = launch.block, .residentBlocks = launch.residentBlocks});
  if (const analysis::GridTimeline grid = analysis::gridTimelineOf(record); !grid.launches.empty())
    reduction.firstLaunch = grid.launches.front();
  if (why.counted) reduction.counters = why.counted->record;
  return reduction;
}

std::string kernelWhyText(const KernelWhy& why, const KernelWhy* before) {
  std::string text = kernelTimeText(why.times) + "\n" + kernelTimelineText(why.timeline);
  if (why.counted) text += "\n" + countersText({&*why.counted, 1});
  if (before != nullptr) text += "\n" + narration::changeText(costOf(*before), costOf(why));
  return text;
}

namespace {

void writeSide(JsonWriter& json, const KernelWhy& why) {
  const model::TimelineRecord& record = why.timeline.record;
  writeKernelCall(json, why.times.call);
  writeEngine(json, why.times.executor);
  json.member("microseconds", measure::summarize(why.times.whole).median);
  json.object("time", [&] { writeKernelTimes(json, why.times); });
  json.object("timeline", [&] {
    const analysis::GridTimeline grid = analysis::gridTimelineOf(record);
    writeMarking(json, record, grid);
    writeGridTimeline(json, record, grid);
  });
  if (why.counted)
    json.object("counters", [&] { writeCountedLaunches(json, *why.counted); });
  else
    json.member("counters", nullptr);
}

}  // namespace

void writeKernelWhyJson(std::ostream& out, const KernelWhy& why, const KernelWhy* before) {
  JsonWriter json(out);
  json.object([&] {
    json.member("format", 1);
    writeSide(json, why);
    if (before == nullptr) return;
    json.object("other", [&] { writeSide(json, *before); });
    writeChange(json, costOf(*before), costOf(why));
  });
  json.endLine();
}

}  // namespace stridescope::report
