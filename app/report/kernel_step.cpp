#include "report/kernel_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/round_cycles.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "model/measured_origin.h"
#include "narration/outcome.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/kernel_measured.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

using engine::access::KernelCheck;
using engine::access::KernelOutput;

constexpr std::size_t kMembersShown = 16;

const model::FixedLaunch& launchOf(const KernelStep& step) {
  return *step.run.trace.experiment.kernel.get()->launch.fixed;
}

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
    text += paragraph(fmt::format("wrong: {}[{}] is {}, and {} is expected", mismatch->output,
                                  figure(mismatch->element), mismatch->got, mismatch->expected));
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

}  // namespace

KernelCall callOf(const KernelStep& step) {
  const model::FixedLaunch& launch = launchOf(step);
  return {.file = step.file,
          .name = step.run.trace.experiment.kernel.get()->function,
          .templateArguments = step.kernel.templateArguments,
          .grid = launch.grid,
          .block = launch.block,
          .sharedBytes = launch.sharedBytes};
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
    json.member("recorder", model::nameOf(model::recorderOf(step.run.trace)));
    if (const std::string& reason = step.run.trace.recorderReason; !reason.empty())
      json.member("recorder_reason", reason);
    json.object("outputs", [&] {
      if (step.kernel.hasEnded)
        for (const KernelOutput& output : step.kernel.outputs) json.member(output.name, output.members);
    });
    json.member("check", engine::access::nameOf(step.kernel.check));
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

}  // namespace stridescope::report
