// Which subjects there are, and what they are called.
#include <algorithm>
#include <array>

#include "kernels/catalog.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct Baseline {
  model::SubjectKind kind;
  std::string_view id, label;
};
constexpr std::array<Baseline, 5> kBaselines{{
    {model::SubjectKind::GpuBaseline, "cub", "CUB DeviceReduce"},
    {model::SubjectKind::GpuBaseline, "thrust", "thrust::reduce, to host"},
    {model::SubjectKind::CpuBaseline, "cpu_loop", "CPU, plain loop"},
    {model::SubjectKind::CpuBaseline, "cpu_reduce_par", "CPU, std::reduce par"},
    {model::SubjectKind::CpuBaseline, "cpu_openmp", "CPU, OpenMP"},
}};

}  // namespace

TimingDeviceKind deviceOf(model::SubjectKind kind) {
  return kind == model::SubjectKind::CpuBaseline ? TimingDeviceKind::Cpu : TimingDeviceKind::Gpu;
}

std::string labelOf(const model::TimingSubject& subject) {
  for (const Baseline& baseline : kBaselines)
    if (baseline.kind == subject.kind && baseline.id == subject.id) return std::string(baseline.label);
  const kernels::Variant* variant = kernels::findVariant(subject.id);
  return variant ? std::string(variant->title) : subject.id;
}

std::vector<model::TimingSubject> variantSubjects(model::ElementType type, model::Operator op) {
  std::vector<model::TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  for (const kernels::Variant& variant : kernels::catalog())
    if (!variant.isWrong() && variant.offers(type, op))
      subjects.push_back({model::SubjectKind::Variant, std::string(variant.id)});
  return subjects;
}

// CUB and Thrust are compiled for + in every type, and for min and max in int and float.
std::vector<model::TimingSubject> baselineSubjects(model::ElementType type, model::Operator op) {
  std::vector<model::TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  const bool extreme = op == model::Operator::Min || op == model::Operator::Max;
  const bool onGpu = op == model::Operator::Add ||
                     (extreme && (type == model::ElementType::Int || type == model::ElementType::Float));
  for (const Baseline& baseline : kBaselines)
    if (onGpu || baseline.kind == model::SubjectKind::CpuBaseline)
      subjects.push_back({baseline.kind, std::string(baseline.id)});
  return subjects;
}

}  // namespace stridescope::measure
