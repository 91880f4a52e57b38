#include "views/chrome/twins.h"

#include <algorithm>
#include <bit>

#include "analysis/bank_conflicts.h"
#include "views/maps/map_bytes.h"
#include "views/memory/memory_stage.h"

namespace stridescope {
namespace {

// The stage's elements that an event touches: [first, last).
struct Elements {
  std::uint64_t first = 0, last = 0;
};

Elements elementsOf(const MemoryStage& stage, const Event& event) {
  if (!stage.holds(event)) return {};
  const std::uint64_t width = std::max(1u, stage.array().elementBytes);
  return {event.offset() / width - stage.first(),
          (event.offset() + event.width() + width - 1) / width - stage.first()};
}

std::uint32_t banksOf(std::uint64_t offset, unsigned width) {
  std::uint32_t banks = 0;
  for (std::uint64_t word = offset / kBankBytes; word * kBankBytes < offset + width; ++word)
    banks |= 1u << (word % kBankCount);
  return banks;
}

}  // namespace

Twins::Twins(const Session& session) {
  const auto hover = session.hover();
  if (!hover || !session.run()) return;
  addItself(session, *hover);
  if (hover->kind == HoverKind::Round) return;
  const MemoryStage stage(session.launch(), session.launchAnalysis());
  for (const WarpOperation& operation : session.round().operations)
    addOperation(session.launch(), stage, operation, *hover);
}

bool Twins::anyElement(std::uint64_t from, std::uint64_t to) const {
  const auto found = elements_.lower_bound(from);
  return found != elements_.end() && *found < to;
}

std::vector<unsigned> Twins::threads() const {
  std::vector<unsigned> found;
  for (unsigned thread = 0; thread < threads_.size(); ++thread)
    if (threads_[thread]) found.push_back(thread);
  return found;
}

std::optional<unsigned> Twins::lowestThread() const {
  const auto found = std::ranges::find(threads_, true);
  if (found == threads_.end()) return std::nullopt;
  return unsigned(found - threads_.begin());
}

void Twins::add(std::vector<bool>& set, std::uint64_t index) {
  if (index >= set.size()) set.resize(std::size_t(index) + 1);
  set[std::size_t(index)] = true;
}

void Twins::addThread(unsigned thread) {
  add(threads_, thread);
  add(warps_, thread / kWarpSize);
}

// What is pointed at is lit though nothing of the round touches it.
void Twins::addItself(const Session& session, const Hover& hover) {
  const LaunchTrace& launch = session.launch();
  switch (hover.kind) {
    case HoverKind::Thread:
      if (hover.index < launch.block) addThread(unsigned(hover.index));
      break;
    case HoverKind::Warp:
      if (hover.index >= warpsOf(launch)) break;
      for (unsigned lane = 0; lane < lanesOf(launch, unsigned(hover.index)); ++lane)
        addThread(unsigned(hover.index) * kWarpSize + lane);
      break;
    case HoverKind::Element:
      elements_.insert(hover.index);
      if (!launch.shared.empty())
        banks_ |=
            banksOf(hover.index * launch.shared.front().elementBytes, launch.shared.front().elementBytes);
      break;
    case HoverKind::Bank:
      banks_ |= 1u << (hover.index % kBankCount);
      break;
    case HoverKind::Site:
      add(sites_, hover.index);
      break;
    case HoverKind::Round:
      if (hover.launch == session.playhead().launch) round_ = unsigned(hover.index);
      break;
  }
}

void Twins::addOperation(const LaunchTrace& launch, const MemoryStage& stage, const WarpOperation& operation,
                         const Hover& hover) {
  if (hover.kind == HoverKind::Site && hover.index != operation.site) return;
  if (hover.kind == HoverKind::Warp && hover.index != operation.warp) return;
  if (hover.kind == HoverKind::Thread && hover.index / kWarpSize != operation.warp) return;
  for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = unsigned(std::countr_zero(lanes)), thread = operation.warp * kWarpSize + lane;
    const Event& event = launch.events[operation.event[lane]];
    const bool access = operation.kind == EventKind::Load || operation.kind == EventKind::Store ||
                        operation.kind == EventKind::Atomic;
    const Elements elements = access ? elementsOf(stage, event) : Elements{};
    const std::uint32_t banks = access && event.inShared() ? banksOf(event.offset(), event.width()) : 0;
    if (hover.kind == HoverKind::Thread && hover.index != thread) continue;
    if (hover.kind == HoverKind::Element && (hover.index < elements.first || hover.index >= elements.last))
      continue;
    if (hover.kind == HoverKind::Bank && (banks >> hover.index & 1) == 0) continue;
    addThread(thread);
    add(sites_, operation.site);
    for (std::uint64_t element = elements.first; element < elements.last; ++element)
      elements_.insert(element);
    if (hover.kind != HoverKind::Bank) banks_ |= banks;
  }
}

}  // namespace stridescope
