#include "report/kernel_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

using engine::access::KernelCheck;
using engine::access::KernelOutput;

constexpr std::size_t kMembersShown = 16;

const model::FixedLaunch& launchOf(const KernelStep& step) {
  return *step.run.trace.experiment.kernel.get()->launch.fixed;
}

std::string calledAs(const KernelStep& step) {
  const std::string& arguments = step.kernel.templateArguments;
  return step.run.trace.experiment.kernel.get()->function + (arguments.empty() ? "" : "<" + arguments + ">");
}

std::string heading(const KernelStep& step) {
  const model::FixedLaunch& launch = launchOf(step);
  std::string text = calledAs(step) + "<<<" + model::text(launch.grid) + ", " + model::text(launch.block);
  if (launch.sharedBytes > 0) text += ", " + std::to_string(launch.sharedBytes);
  return paragraph(text + ">>> of " + printable(step.file)) +
         paragraph(
             "recorded by the access recorder on the CPU executor: every access that the compiler leaves in "
             "the "
             "text; operands and local variables are not known");
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

}  // namespace

std::string kernelStepText(const KernelStep& step, const std::optional<RoundRange>& rounds) {
  std::string text = heading(step);
  for (const std::string& note : step.kernel.notes) text += paragraph(printable(note));
  text += whatHappened(step.run, rounds);
  if (!step.kernel.printed.empty())
    text += "\nprinted by the kernel:\n" + printable(step.kernel.printed, Lines::Many) + "\n";
  return text + outcome(step);
}

bool writeKernelStepJson(std::ostream& out, const KernelStep& step, const std::optional<RoundRange>& rounds,
                         MemoryBudget& budget) {
  const model::FixedLaunch& launch = launchOf(step);
  const auto shape = [](const model::Dim3& size) {
    return std::array{size.x, std::uint64_t(size.y), std::uint64_t(size.z)};
  };
  JsonWriter json(out);
  bool isWhole = true;
  json.object([&] {
    json.member("format", kStepJsonFormat);
    json.object("kernel", [&] {
      json.member("file", step.file);
      json.member("name", step.run.trace.experiment.kernel.get()->function);
      json.member("template", step.kernel.templateArguments);
      json.member("grid", shape(launch.grid));
      json.member("block", shape(launch.block));
      json.member("shared", step.kernel.sharedBytes);
    });
    json.member("recorder", "access");
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
    isWhole = writeWhatHappened(json, step.run, rounds, budget);
  });
  json.endLine();
  return isWhole;
}

}  // namespace stridescope::report
