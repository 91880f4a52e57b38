#include "engine/worker/call_watch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/plain_text.h"

namespace stridescope::engine::worker {
namespace {

bool isOpen(std::uint64_t turn) { return turn % 2 == 1; }

// As NVIDIA's manual has it: "cuMemAlloc" for cuMemAlloc_v2.
std::string nameIn(const CallSlot& slot) {
  const auto end = std::find(slot.name.begin(), slot.name.end() - 1, '\0');
  std::string name = printable(std::string(slot.name.begin(), end));
  if (const std::size_t version = name.rfind("_v");
      version != std::string::npos && version + 2 < name.size() &&
      std::all_of(name.begin() + std::ptrdiff_t(version) + 2, name.end(),
                  [](unsigned char c) { return std::isdigit(c) != 0; }))
    name.resize(version);
  return name;
}

}  // namespace

std::unique_ptr<CallWatch> CallWatch::make() {
  Descriptor descriptor(::memfd_create("worker-calls", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor.number() < 0 || ::ftruncate(descriptor.number(), sizeof(CallBoard)) != 0) return nullptr;
  ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
  void* const page =
      ::mmap(nullptr, sizeof(CallBoard), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number(), 0);
  if (page == MAP_FAILED) return nullptr;
  return std::unique_ptr<CallWatch>(new CallWatch(std::move(descriptor), static_cast<CallBoard*>(page)));
}

CallWatch::~CallWatch() { ::munmap(board_, sizeof(CallBoard)); }

// The worker writes it: it is not believed.
std::size_t CallWatch::used() const { return std::min<std::size_t>(board_->used.load(), CallBoard::kSlots); }

std::optional<OpenCall> CallWatch::overdue(std::chrono::milliseconds limit) {
  constexpr std::uint32_t kMaxPatience = 1000;  // no overflow, whatever the worker writes
  const auto now = std::chrono::steady_clock::now();
  seen_.resize(std::max(seen_.size(), used()));
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const CallSlot& slot = board_->slots[i];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn != seen_[i].turn) seen_[i] = {turn, now};
    if (!isOpen(turn)) continue;
    const auto allowed = limit * std::min(slot.patience.load(), kMaxPatience);
    if (now - seen_[i].since <= allowed) continue;
    return OpenCall{nameIn(slot), allowed};
  }
  return std::nullopt;
}

std::string CallWatch::current() const {
  for (std::size_t i = 0; i < used(); ++i)
    if (isOpen(board_->slots[i].turn.load(std::memory_order_acquire))) return nameIn(board_->slots[i]);
  return {};
}

}  // namespace stridescope::engine::worker
