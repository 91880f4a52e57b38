#include "measure/gpu/clocked_block.h"

#include <algorithm>
#include <cstring>

#include "engine/engine_limits.h"
#include "engine/experiment_check.h"
#include "engine/run_data.h"
#include "kernels/catalog.h"
#include "measure/gpu/variant_buffers.h"
#include "measure/statistics.h"
#include "model/trace.h"

namespace stridescope::measure::gpu {
namespace {

constexpr const char* kControl = "clocking_control";  // clocking/clock.h

// What is launched, and which of its blocks is clocked.
struct ClockedLaunch {
  model::Experiment experiment;
  kernels::RunPlan plan;
  const kernels::LaunchShape& launch() const { return plan.launches.front(); }
  unsigned warps() const { return unsigned(model::warpsOf(launch().block.count())); }
};

Result<ClockedLaunch> planned(model::Experiment experiment, model::ClockedGrid company,
                              const model::Executor& gpu) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return usageError("There is no variant '" + experiment.variant + "'.");
  if (kernel->isWrong())
    return usageError(
        experiment.variant +
        " has no cycles: it demonstrates a common bug, and its rounds are not the same in each run.");
  if (kernel->merges())
    return usageError(experiment.variant +
                      " has no cycles: a merge has rounds for each of its elements, more than are clocked.");
  experiment.launch = 0;
  experiment.block = 0;
  experiment.given = {};
  if (experiment.data == model::DataPattern::Given) experiment.data = kernels::defaultData(experiment);
  experiment.elements = company == model::ClockedGrid::Full
                            ? model::kFullGridElements
                            : std::uint64_t(experiment.threads) * kernel->launch.elementsPerThread;
  auto checked = engine::checkedExperiment(std::move(experiment), true);
  if (!checked) return tl::unexpected(checked.error());
  if (std::string refusal = engine::refusalOf(gpu, *checked); !refusal.empty())
    return usageError(std::move(refusal));
  ClockedLaunch clocked{*checked, kernels::planRun(*kernel, *checked)};
  const bool single = clocked.launch().grid.count() == 1;
  if (single != (company == model::ClockedGrid::Alone))
    return usageError(experiment.variant +
                      (single ? " has one block however many elements there are, so that it "
                                "cannot be clocked in a full grid."
                              : " takes several blocks, so that none can be clocked alone."));
  clocked.experiment.block = clocked.launch().grid.count() / 2;
  clocked.plan = kernels::planRun(*kernel, clocked.experiment);
  return clocked;
}

class BlockClock {
 public:
  BlockClock(CleanRunner& runner, ClockedLaunch clocked) : runner_(runner), clocked_(std::move(clocked)) {}

  Result<void> prepare() {
    auto clean = runner_.load(clocked_.experiment);
    if (!clean) return tl::unexpected(clean.error());
    auto marking = runner_.loadClocked(clocked_.experiment);
    if (!marking) return tl::unexpected(marking.error());
    cleanKernel_ = std::move(*clean);
    markingKernel_ = std::move(*marking);
    auto memory = variantMemory(runner_, clocked_.plan, clocked_.experiment);
    if (!memory) return tl::unexpected(memory.error());
    memory_ = std::move(*memory);
    auto marks = runner_.allocate(marksBytes());
    if (!marks) return tl::unexpected(marks.error());
    marks_ = std::move(*marks);
    STRIDESCOPE_TRY(uploadControl());
    for (auto [kernel, run] :
         {std::pair(cleanKernel_.get(), &cleanRun_), {markingKernel_.get(), &markingRun_}}) {
      auto made = runner_.timed(planOf(*kernel));
      if (!made) return tl::unexpected(made.error());
      *run = std::move(*made);
    }
    return {};
  }

  Result<void> runBoth(bool kept) {
    const auto clean = cleanRun_->run(0);
    if (!clean) return tl::unexpected(clean.error());
    const auto marked = markingRun_->run(0);
    if (!marked) return tl::unexpected(marked.error());
    if (!kept) return {};
    auto warps = marksOf(marked->result);
    if (!warps) return tl::unexpected(warps.error());
    cleanTimes_.push_back(float(clean->microseconds));
    markedTimes_.push_back(float(marked->microseconds));
    runs_.push_back(std::move(*warps));
    return {};
  }

  model::ClockRecord record(model::ClockedGrid company, const model::Executor& gpu) {
    const model::Experiment& experiment = clocked_.experiment;
    model::ClockRecord record{.variant = experiment.variant,
                              .type = experiment.type,
                              .op = experiment.op,
                              .custom = experiment.custom,
                              .threads = experiment.threads,
                              .kernelHash = model::hashOf(kernels::kernelText(experiment)),
                              .company = company,
                              .elements = clocked_.launch().elements,
                              .grid = clocked_.launch().grid.count(),
                              .block = clocked_.launch().inspected,
                              .executor = gpu,
                              .cleanMicroseconds = summarize(cleanTimes_).median,
                              .clockedMicroseconds = summarize(markedTimes_).median};
    for (const Warps& run : runs_) record.firstWarp.push_back(fromItsFirst({run.front()}).front());
    const auto middle = runs_.begin() + std::ptrdiff_t(runs_.size() / 2);
    std::ranges::nth_element(runs_, middle, {}, cyclesOf);
    record.warps = fromItsFirst(std::move(*middle));
    return record;
  }

 private:
  using Warps = std::vector<model::WarpMarks>;

  std::uint64_t marksBytes() const {
    return std::uint64_t(clocked_.warps()) * kMarksOfAWarp * sizeof(model::Mark);
  }

  Result<void> uploadControl() {
    const auto address = markingKernel_->variable(kControl, sizeof(clocking::Control));
    if (!address) return tl::unexpected(address.error());
    const clocking::Control control{
        .marks = reinterpret_cast<model::Mark*>(std::uintptr_t(marks_->address())),
        .inspectedBlock = clocked_.launch().inspected,
        .limit = kMarksOfAWarp};
    std::vector<std::uint8_t> bytes(sizeof control);
    std::memcpy(bytes.data(), &control, sizeof control);
    return runner_.upload(*address, bytes);
  }

  TimedPlan planOf(CleanKernel& kernel) const {
    TimedPlan plan{.name = clocked_.experiment.variant, .before = memory_.before};
    plan.before.emplace_back(TimedFill{marks_->address(), marksBytes(), 0});
    plan.steps.emplace_back(launchOn(clocked_.plan, clocked_.launch(), kernel, memory_.addresses));
    plan.resultAddress = marks_->address();
    plan.resultBytes = marksBytes();
    return plan;
  }

  Result<Warps> marksOf(std::span<const std::uint8_t> bytes) const {
    Warps warps(clocked_.warps());
    for (std::size_t w = 0; w < warps.size(); ++w) {
      warps[w].resize(kMarksOfAWarp);
      std::memcpy(warps[w].data(), bytes.data() + w * kMarksOfAWarp * sizeof(model::Mark),
                  kMarksOfAWarp * sizeof(model::Mark));
      const auto end = std::ranges::find(warps[w], model::MarkKind::End, &model::Mark::kind);
      if (end == warps[w].end())
        return unavailable("A warp of " + clocked_.experiment.variant + " left no end of its marks.");
      warps[w].erase(end + 1, warps[w].end());
      if (warps[w].size() == kMarksOfAWarp)
        return usageError(clocked_.experiment.variant +
                          " passes more barriers and shuffles than are clocked.");
    }
    return warps;
  }

  // The clock counted from the first mark.
  static Warps fromItsFirst(Warps warps) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const model::WarpMarks& marks : warps) first = std::min<std::uint64_t>(first, marks.front().clock);
    for (model::WarpMarks& marks : warps)
      for (model::Mark& mark : marks) mark.clock -= first;
    return warps;
  }

  // The cycles from the first warp that begins to the last that ends.
  static std::uint64_t cyclesOf(const Warps& warps) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (const model::WarpMarks& marks : warps) {
      begin = std::min<std::uint64_t>(begin, marks.front().clock);
      end = std::max<std::uint64_t>(end, marks.back().clock);
    }
    return end - begin;
  }

  CleanRunner& runner_;
  const ClockedLaunch clocked_;
  VariantMemory memory_;
  std::unique_ptr<GpuBuffer> marks_;
  std::unique_ptr<CleanKernel> cleanKernel_, markingKernel_;
  std::unique_ptr<TimedRun> cleanRun_, markingRun_;  // after what they use, so that they end before it
  std::vector<float> cleanTimes_, markedTimes_;
  std::vector<Warps> runs_;
};

}  // namespace

Result<model::ClockRecord> clockBlock(CleanRunner& runner, const model::Experiment& experiment,
                                      model::ClockedGrid company, const model::Executor& gpu,
                                      engine::JobControl& job) {
  auto launch = planned(experiment, company, gpu);
  if (!launch) return tl::unexpected(launch.error());
  BlockClock clock(runner, std::move(*launch));
  STRIDESCOPE_TRY(clock.prepare());
  for (unsigned run = 0; run < kClockedWarmUps + kClockedRuns; ++run) {
    if (job.cancel) return cancelled();
    STRIDESCOPE_TRY(clock.runBoth(run >= kClockedWarmUps));
  }
  return clock.record(company, gpu);
}

}  // namespace stridescope::measure::gpu
