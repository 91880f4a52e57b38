#include "measure/gpu/variant_buffers.h"

#include <algorithm>
#include <cstring>

#include "base/numbers.h"
#include "engine/record_run.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::gpu {

Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment) {
  auto buffer = runner.allocate(engine::bytesOf(planned));
  if (!buffer) return buffer;
  const auto filled = engine::fillBuffer(
      planned, (*buffer)->address(), experiment,
      [&](std::uint64_t to, std::span<const std::uint8_t> bytes) { return runner.upload(to, bytes); });
  if (!filled) return tl::unexpected(filled.error());
  return buffer;
}

Result<VariantMemory> variantMemory(CleanRunner& runner, const kernels::RunPlan& plan,
                                    const model::Experiment& experiment) {
  VariantMemory memory;
  const bool inPlace = kernels::kernelOf(experiment)->takes(model::ParameterRole::InPlace);
  for (const kernels::PlannedBuffer& planned : plan.buffers) {
    auto buffer = filledBuffer(runner, planned, experiment);
    if (!buffer) return tl::unexpected(buffer.error());
    memory.addresses.push_back((*buffer)->address());
    memory.buffers.push_back(std::move(*buffer));
    const bool changes = planned.start == kernels::BufferStart::Identity ||
                         planned.start == kernels::BufferStart::Zero ||
                         (planned.start == kernels::BufferStart::Input && inPlace);
    if (!changes) continue;
    auto fresh = filledBuffer(runner, planned, experiment);
    if (!fresh) return tl::unexpected(fresh.error());
    auto& steps = planned.start == kernels::BufferStart::Identity ? memory.resets : memory.before;
    steps.emplace_back(TimedCopy{memory.addresses.back(), (*fresh)->address(), engine::bytesOf(planned)});
    memory.buffers.push_back(std::move(*fresh));
  }
  return memory;
}

std::vector<TimedLaunch> emptyLaunches(const kernels::RunPlan& plan, CleanKernel& empty) {
  std::vector<TimedLaunch> launches;
  for (const kernels::LaunchShape& launch : plan.launches)
    launches.push_back(
        {.kernel = &empty, .grid = launch.grid, .block = launch.block, .sharedBytes = launch.sharedBytes});
  return launches;
}

TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses) {
  TimedLaunch timed{.kernel = &kernel,
                    .grid = launch.grid,
                    .block = launch.block,
                    .sharedBytes = launch.sharedBytes,
                    .arguments = {}};
  for (const engine::KernelArgument& argument : engine::argumentsOf(plan, launch, addresses))
    timed.arguments.push_back(argument.value);
  return timed;
}

namespace {

constexpr std::uint64_t kAlignment = 512;          // every copy's, as if it were an allocation of its own
constexpr std::uint64_t kL2sToFill = 8;            // between two uses of one copy
constexpr double kShareOfFree = 0.85;              // the rest is for partial results, and for others
constexpr std::uint64_t kDefaultL2 = 64ull << 20;  // where the driver does not tell

std::string gibibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10) >> 30;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

}  // namespace

Result<void> InputPool::fill(const model::TimingCase& timingCase, std::uint64_t room) {
  const std::uint64_t width = model::bytesOf(timingCase.type);
  const auto most = budget();
  if (!most) return tl::unexpected(most.error());
  if (room > *most / width)
    return usageError(
        sizeText(timingCase.elements) + " elements of " + std::string(model::nameOf(timingCase.type)) +
        " do not fit into the GPU's free memory (" + gibibytes(*most) + "): it is timed up to fewer.");
  STRIDESCOPE_TRY(reserveCopies(room * width, *most, timingCase.warmL2));
  STRIDESCOPE_TRY(fillFirst(timingCase, room));
  STRIDESCOPE_TRY(repeat(first(), stride_, copies_ * stride_));
  return runner_.wait();
}

Result<void> InputPool::fillFrom(std::uint64_t from, std::uint64_t bytes) {
  const auto most = budget();
  if (!most) return tl::unexpected(most.error());
  STRIDESCOPE_TRY(reserveCopies(bytes, *most, false));
  STRIDESCOPE_TRY(runner_.copy({.to = first(), .from = from, .bytes = bytes}));
  STRIDESCOPE_TRY(repeat(first(), stride_, copies_ * stride_));
  return runner_.wait();
}

Result<std::uint64_t> InputPool::budget() const {
  const auto facts = runner_.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  return std::uint64_t(kShareOfFree * double(facts->freeBytes + (buffer_ ? buffer_->bytes() : 0)));
}

Result<void> InputPool::reserveCopies(std::uint64_t bytes, std::uint64_t budget, bool once) {
  const auto facts = runner_.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  stride_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t l2 = facts->l2Bytes > 0 ? facts->l2Bytes : kDefaultL2;
  const std::uint64_t wanted = once ? 1 : std::max<std::uint64_t>(2, kL2sToFill * l2 / stride_ + 1);
  copies_ = std::clamp<std::uint64_t>(budget / stride_, 1, wanted);
  turn_ = 0;
  return reserve(copies_ * stride_);
}

Result<void> InputPool::reserve(std::uint64_t bytes) {
  if (buffer_ && buffer_->bytes() >= bytes && buffer_->bytes() <= 2 * bytes) return {};
  buffer_.reset();
  auto made = runner_.allocate(bytes);
  if (!made) return tl::unexpected(made.error());
  buffer_ = std::move(*made);
  return {};
}

// What stands at `at` for `have` bytes, again and again up to `want` bytes: twice as much with every copy.
Result<void> InputPool::repeat(std::uint64_t at, std::uint64_t have, std::uint64_t want) {
  while (have > 0 && have < want) {
    const std::uint64_t more = std::min(have, want - have);
    if (auto copied = runner_.copy({.to = at + have, .from = at, .bytes = more}); !copied) return copied;
    have += more;
  }
  return {};
}

Result<void> InputPool::fillFirst(const model::TimingCase& timingCase, std::uint64_t room) {
  const std::uint64_t width = model::bytesOf(timingCase.type);
  const auto period = timingData(timingCase.type, timingCase.op, std::min(timingCase.elements, kDataPeriod));
  if (!period.empty())
    if (auto sent = runner_.upload(first(), period); !sent) return sent;
  if (auto repeated = repeat(first(), period.size(), timingCase.elements * width); !repeated) return repeated;
  std::vector<std::uint8_t> padding((room - timingCase.elements) * width);
  const std::uint64_t identity = model::identityBits(timingCase.type, timingCase.op);
  for (std::size_t at = 0; at < padding.size(); at += width)
    std::memcpy(padding.data() + at, &identity, width);
  if (padding.empty()) return {};
  return runner_.upload(first() + timingCase.elements * width, padding);
}

}  // namespace stridescope::measure::gpu
