// Which subjects there are, and what they are called.
#include <algorithm>
#include <array>

#include "kernels/catalog.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope {
namespace {

struct Peer {
  SubjectKind kind;
  std::string_view id, label;
};
constexpr std::array<Peer, 5> kPeers{{
    {SubjectKind::GpuPeer, "cub", "CUB DeviceReduce"},
    {SubjectKind::GpuPeer, "thrust", "thrust::reduce, to host"},
    {SubjectKind::CpuPeer, "cpu_loop", "CPU, plain loop"},
    {SubjectKind::CpuPeer, "cpu_reduce_par", "CPU, std::reduce par"},
    {SubjectKind::CpuPeer, "cpu_openmp", "CPU, OpenMP"},
}};

}  // namespace

TimingDeviceKind deviceOf(SubjectKind kind) {
  return kind == SubjectKind::CpuPeer ? TimingDeviceKind::Cpu : TimingDeviceKind::Gpu;
}

std::string labelOf(const TimingSubject& subject) {
  for (const Peer& peer : kPeers)
    if (peer.kind == subject.kind && peer.id == subject.id) return std::string(peer.label);
  const Variant* variant = findVariant(subject.id);
  return variant ? std::string(variant->title) : subject.id;
}

std::vector<TimingSubject> variantSubjects(ElementType type, Operator op) {
  std::vector<TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  for (const Variant& variant : catalog())
    if (!variant.isWrong() && variant.offers(type, op))
      subjects.push_back({SubjectKind::Variant, std::string(variant.id)});
  return subjects;
}

// CUB and Thrust are compiled for + in every type, and for min and max in int and float.
std::vector<TimingSubject> peerSubjects(ElementType type, Operator op) {
  std::vector<TimingSubject> subjects;
  if (!isTimed(type, op)) return subjects;
  const bool extreme = op == Operator::Min || op == Operator::Max;
  const bool onGpu =
      op == Operator::Add || (extreme && (type == ElementType::Int || type == ElementType::Float));
  for (const Peer& peer : kPeers)
    if (onGpu || peer.kind == SubjectKind::CpuPeer) subjects.push_back({peer.kind, std::string(peer.id)});
  return subjects;
}

}  // namespace stridescope
