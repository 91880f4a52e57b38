#include "measure/timing_board.h"

#include <algorithm>
#include <array>

#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/series_store.h"
#include "measure/timing_data.h"
#include "measure/timing_thread.h"

namespace stridescope::measure {
namespace {

struct Baseline {
  model::SubjectKind kind;
  std::string_view id, label;
  bool isOfLibrary = false;  // CUB or Thrust: compiled into the program, for some types and operators
};
constexpr std::array<Baseline, 7> kBaselines{{
    {model::SubjectKind::GpuBaseline, "cub", "CUB DeviceReduce", true},
    {model::SubjectKind::GpuBaseline, "thrust", "thrust::reduce, to host", true},
    {model::SubjectKind::GpuBaseline, "floor", "reads all, combines nothing"},
    {model::SubjectKind::CpuBaseline, "cpu_loop", "CPU, plain loop"},
    {model::SubjectKind::CpuBaseline, "cpu_vector_loop", "CPU, vector loop"},
    {model::SubjectKind::CpuBaseline, "cpu_reduce_par", "CPU, std::reduce par"},
    {model::SubjectKind::CpuBaseline, "cpu_openmp", "CPU, OpenMP"},
}};

}  // namespace

bool isSettled(const TimingPoint& point) {
  return point.time.medianInterval.high < 2 * point.time.medianInterval.low;
}

double gigabytesPerSecond(const TimingPoint& point) {
  const double bytes = double(point.timingCase.elements) * model::bytesOf(point.timingCase.type);
  return point.time.median > 0 ? bytes / point.time.median / 1e3 : 0;
}

struct TimingBoard::Shared {
  Shared(TimingMakers makers, std::function<void()> wake) : thread(std::move(makers), std::move(wake)) {}
  TimingThread thread;
};

TimingBoard::TimingBoard(TimingMakers makers, std::function<void()> wake)
    : shared_(std::make_shared<Shared>(std::move(makers), std::move(wake))) {}
TimingBoard::~TimingBoard() { shared_->thread.end(); }

void TimingBoard::start(TimingPlan plan) { shared_->thread.start(std::move(plan)); }
void TimingBoard::stop() { shared_->thread.stop(); }
void TimingBoard::pause() { shared_->thread.setPaused(true); }
void TimingBoard::resume() { shared_->thread.setPaused(false); }
void TimingBoard::clear() { shared_->thread.clear(); }
void TimingBoard::showRecorded(const std::vector<model::TimingRecord>& records,
                               const std::vector<model::CostRecord>& costs,
                               const std::vector<model::GroupTimingRecord>& groups,
                               const std::vector<model::LinkRecord>& links) {
  std::vector<TimingSeries> series = recordedSeries(records, costs);
  std::ranges::move(recordedGroups(groups, links), std::back_inserter(series));
  shared_->thread.showRecorded(std::move(series));
}
std::shared_ptr<const TimingSnapshot> TimingBoard::snapshot() const { return shared_->thread.snapshot(); }
std::vector<model::TimingRecord> TimingBoard::records() const { return shared_->thread.records(); }
std::vector<model::GroupTimingRecord> TimingBoard::groupRecords() const {
  return shared_->thread.groupRecords();
}
bool TimingBoard::waitUntilDone(double seconds) const { return shared_->thread.waitUntilDone(seconds); }

TimingBoard::Hold TimingBoard::holdGpu() {
  shared_->thread.hold();
  return Hold([shared = shared_] { shared->thread.release(); });
}

TimingDeviceKind deviceOf(model::SubjectKind kind) {
  if (kind == model::SubjectKind::SeveralGpus) return TimingDeviceKind::SeveralGpus;
  return kind == model::SubjectKind::CpuBaseline ? TimingDeviceKind::Cpu : TimingDeviceKind::Gpu;
}

std::string labelOf(const model::TimingSubject& subject) {
  if (subject == kOneGpu) return "one GPU alone";
  for (const Baseline& baseline : kBaselines)
    if (baseline.kind == subject.kind && baseline.id == subject.id) return std::string(baseline.label);
  return kernels::titleOf(subject.id);
}

std::vector<const kernels::Variant*> timedVariants(model::ElementType type, model::Operator op) {
  std::vector<const kernels::Variant*> variants;
  if (!isTimed(type, op)) return variants;
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly())
    if (!variant.isOfSeveralGpus() && !variant.isWrong() && variant.offers(type, op))
      variants.push_back(&variant);
  // The first of all, which the others are compared with, is the Ladder's.
  std::stable_partition(variants.begin(), variants.end(), [](const kernels::Variant* variant) {
    return variant->family == kernels::Family::Ladder;
  });
  return variants;
}

std::vector<model::TimingSubject> variantSubjects(model::ElementType type, model::Operator op) {
  std::vector<model::TimingSubject> subjects;
  for (const kernels::Variant* variant : timedVariants(type, op))
    subjects.push_back({model::SubjectKind::Variant, variant->id});
  return subjects;
}

std::vector<model::TimingSubject> groupSubjects(model::ElementType type, model::Operator op) {
  if (!isTimed(type, op)) return {};
  std::vector<model::TimingSubject> subjects{kOneGpu};
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly())
    if (variant.isOfSeveralGpus() && !variant.isWrong() && variant.offers(type, op))
      subjects.push_back({model::SubjectKind::SeveralGpus, variant.id});
  std::ranges::stable_partition(subjects,
                                [](const model::TimingSubject& subject) { return !leavesArrays(subject); });
  return subjects;
}

// CUB and Thrust are compiled for + in every type, and for min and max in int and float; the floor is
// compiled when it is timed.
std::vector<model::TimingSubject> baselineSubjects(model::ElementType type, model::Operator op) {
  std::vector<model::TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  const bool extreme = op == model::Operator::Min || op == model::Operator::Max;
  const bool inLibraries =
      op == model::Operator::Add ||
      (extreme && (type == model::ElementType::Int || type == model::ElementType::Float));
  for (const Baseline& baseline : kBaselines)
    if (inLibraries || !baseline.isOfLibrary) subjects.push_back({baseline.kind, std::string(baseline.id)});
  return subjects;
}

}  // namespace stridescope::measure
