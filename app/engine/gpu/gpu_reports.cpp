#include "engine/gpu/gpu_reports.h"

#include <algorithm>

namespace stridescope::engine::gpu {
namespace {

using recording::GpuReport;
using recording::GpuReportKind;

// " at data[tid + s] (line 12)", or nothing for a site that is not in the table.
std::string placeText(const GpuReport& report, const instrument::Instrumented& instrumented) {
  if (report.site >= instrumented.sites.size()) return {};
  const model::Site& site = instrumented.sites[report.site];
  return " at " + site.text + " (line " + std::to_string(site.line) + ")";
}

model::Problem problemOf(const GpuReport& report, const recording::GpuControl& control,
                         const instrument::Instrumented& instrumented) {
  const std::string thread = "Thread " + std::to_string(report.thread);
  const std::string place = placeText(report, instrumented);
  model::Problem problem{.kind = model::ProblemKind::Limit,
                         .text = {},
                         .site = place.empty() ? -1 : static_cast<int>(report.site),
                         .thread = report.thread};
  switch (report.kind) {
    case GpuReportKind::OutOfBounds:
      problem.kind = model::ProblemKind::OutOfBounds;
      problem.text = thread + " accesses memory outside every array and buffer" + place +
                     ". The access was left out; check the index.";
      break;
    case GpuReportKind::UndefinedShuffle:
      problem.kind = model::ProblemKind::UndefinedShuffle;
      problem.text = thread + " reads lane " + std::to_string(report.value) + ", which does not take part" +
                     place + ": what it receives is undefined.";
      break;
    case GpuReportKind::EventLimit:
      problem.text = thread + " made more than " + std::to_string(control.eventLimit) +
                     " events and was stopped. Check that its loops end, or take fewer elements.";
      problem.site = -1;
      break;
    case GpuReportKind::SnapshotLimit:
      problem.text = "The block passed more than " + std::to_string(control.slotLimit) +
                     " barriers; shared memory was copied at the first ones only.";
      break;
    case GpuReportKind::TimeLimit:
      problem.text = "The launch did not end within " + std::to_string(control.timeLimit / 1'000'000'000) +
                     " s; threads of blocks that are not inspected were stopped" + place +
                     ". Check that its loops end, or take fewer elements.";
      break;
  }
  return problem;
}

}  // namespace

std::vector<model::Problem> problemsOf(const recording::GpuControl& control,
                                       const instrument::Instrumented& instrumented) {
  const std::size_t count = std::min(control.reportCount, recording::kMaxGpuReports);
  std::vector<GpuReport> reports(control.reports, control.reports + count);
  std::ranges::stable_sort(reports, {}, &GpuReport::thread);  // they come in any order

  std::vector<model::Problem> problems;
  for (const GpuReport& report : reports) {
    model::Problem problem = problemOf(report, control, instrumented);
    const bool known = std::ranges::any_of(problems, [&](const model::Problem& other) {
      return other.kind == problem.kind && other.site == problem.site;
    });
    if (!known) problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace stridescope::engine::gpu
