// Which subjects there are, and what they are called.
#include <algorithm>
#include <array>

#include "kernels/catalog.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct Peer {
  model::SubjectKind kind;
  std::string_view id, label;
};
constexpr std::array<Peer, 5> kPeers{{
    {model::SubjectKind::GpuPeer, "cub", "CUB DeviceReduce"},
    {model::SubjectKind::GpuPeer, "thrust", "thrust::reduce, to host"},
    {model::SubjectKind::CpuPeer, "cpu_loop", "CPU, plain loop"},
    {model::SubjectKind::CpuPeer, "cpu_reduce_par", "CPU, std::reduce par"},
    {model::SubjectKind::CpuPeer, "cpu_openmp", "CPU, OpenMP"},
}};

}  // namespace

TimingDeviceKind deviceOf(model::SubjectKind kind) {
  return kind == model::SubjectKind::CpuPeer ? TimingDeviceKind::Cpu : TimingDeviceKind::Gpu;
}

std::string labelOf(const model::TimingSubject& subject) {
  for (const Peer& peer : kPeers)
    if (peer.kind == subject.kind && peer.id == subject.id) return std::string(peer.label);
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
std::vector<model::TimingSubject> peerSubjects(model::ElementType type, model::Operator op) {
  std::vector<model::TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  const bool extreme = op == model::Operator::Min || op == model::Operator::Max;
  const bool onGpu = op == model::Operator::Add ||
                     (extreme && (type == model::ElementType::Int || type == model::ElementType::Float));
  for (const Peer& peer : kPeers)
    if (onGpu || peer.kind == model::SubjectKind::CpuPeer)
      subjects.push_back({peer.kind, std::string(peer.id)});
  return subjects;
}

}  // namespace stridescope::measure
