#include "engine/access/gpu/log_memory.h"

#include <algorithm>
#include <cstring>

namespace stridescope::engine::access::gpu {
namespace {

constexpr std::uint64_t kEntries = 1ull << 21;
constexpr std::uint64_t kCopiesBytes = 64ull << 20;
constexpr std::uint64_t kMostCopies = 4096;

std::uint64_t copyBytes(const RecordedLaunch& recorded) { return patched::kCopyHead + recorded.windowBytes; }

}  // namespace

std::uint32_t LogMemory::copyCapacity(const RecordedLaunch& recorded) {
  const std::uint64_t all = copyBytes(recorded) * recorded.blocks();
  return recorded.keepsCopies ? std::uint32_t(std::min(kMostCopies, kCopiesBytes / all)) : 0;
}

Result<void> LogMemory::prepare(const RecordedLaunch& recorded, const DeviceArrays& arrays) {
  const AccessLaunch& launch = recorded.launch;
  patched::Log log;
  log.block[0] = patched::U32(launch.inspected % launch.grid.x);
  log.block[1] = patched::U32(launch.inspected / launch.grid.x % launch.grid.y);
  log.block[2] = patched::U32(launch.inspected / launch.grid.x / launch.grid.y);
  log.recordsAll = launch.recordsAll ? 1 : 0;
  log.threads = patched::U32(launch.block.count());
  log.capacity = kEntries;
  log.sharedBegin = patched::U32(recorded.windowBegin);
  log.sharedBytes = patched::U32(recorded.windowBytes);
  log.copyCapacity = copyCapacity(recorded);
  log.told = recorded.told;
  STRIDESCOPE_TRY(entries_.reserve(kEntries * sizeof(patched::Entry)));
  STRIDESCOPE_TRY(copies_.reserve(recorded.blocks() * log.copyCapacity * copyBytes(recorded)));
  const std::vector<patched::BlockState> states(recorded.blocks());
  STRIDESCOPE_TRY(states_.reserve(states.size() * sizeof(patched::BlockState)));
  STRIDESCOPE_TRY(
      copyToGpu(device_, states_.address(), states.data(), states.size() * sizeof(patched::BlockState)));
  log.entries = reinterpret_cast<patched::Entry*>(entries_.address());
  log.copied = reinterpret_cast<patched::U8*>(copies_.address());
  log.states = reinterpret_cast<patched::BlockState*>(states_.address());
  const auto& ranges = arrays.ranges();
  log.arena = {arrays.whole().base, arrays.whole().bytes};
  log.ranges = patched::U32(std::min<std::size_t>(ranges.size(), patched::kMaxRanges));
  for (std::size_t b = 0; b < log.ranges; ++b) log.range[b] = {ranges[b].base, ranges[b].bytes};
  STRIDESCOPE_TRY(log_.reserve(sizeof(log)));
  return copyToGpu(device_, log_.address(), &log, sizeof(log));
}

Result<WrittenLog> LogMemory::fetch(const RecordedLaunch& recorded) {
  patched::Log log;
  STRIDESCOPE_TRY(copyFromGpu(device_, &log, log_.address(), sizeof(log)));
  // What a kernel that runs wild wrote there must not lead this program astray.
  const std::uint64_t used = std::min<std::uint64_t>(log.used, kEntries);
  std::vector<patched::Entry> entries(used);
  STRIDESCOPE_TRY(copyFromGpu(device_, entries.data(), entries_.address(), used * sizeof(patched::Entry)));
  std::vector<patched::BlockState> states(recorded.blocks());
  STRIDESCOPE_TRY(
      copyFromGpu(device_, states.data(), states_.address(), states.size() * sizeof(patched::BlockState)));

  WrittenLog written{.blocks = std::vector<WrittenBlock>(states.size()),
                     .dropped = log.used - used,
                     .faults = log.faults,
                     .fault = log.fault};
  std::ranges::copy(log.missed, written.missed.begin());
  const std::uint64_t capacity = copyCapacity(recorded), bytes = copyBytes(recorded);
  for (std::size_t b = 0; b < states.size(); ++b) {
    WrittenBlock& block = written.blocks[b];
    block.block = recorded.launch.recordsAll ? b : recorded.launch.inspected;
    const std::uint64_t copies = std::min<std::uint64_t>(states[b].copies, capacity);
    std::vector<std::uint8_t> all(copies * bytes);
    STRIDESCOPE_TRY(copyFromGpu(device_, all.data(), copies_.address() + b * capacity * bytes, all.size()));
    for (std::uint64_t c = 0; c < copies; ++c) {
      const auto head = all.begin() + std::ptrdiff_t(c * bytes);
      std::memcpy(&block.copiedAt.emplace_back(), &*head, sizeof(std::uint32_t));
      block.copies.emplace_back(head + patched::kCopyHead, head + std::ptrdiff_t(bytes));
    }
  }
  for (const patched::Entry& entry : entries)
    if (entry.block < written.blocks.size()) written.blocks[entry.block].entries.push_back(entry);
  for (WrittenBlock& block : written.blocks)
    meetAtWholeBarriers(block, unsigned(recorded.launch.block.count()));
  return written;
}

}  // namespace stridescope::engine::access::gpu
