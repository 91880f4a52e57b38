#include "measure/gpu/group_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::gpu {
namespace {

constexpr unsigned kReadingBlocksPerMultiprocessor = 2;
// The arrays of two GPUs begin so many elements apart in the data, so that none is another one's copy.
constexpr std::uint64_t kArrayShift = 1009;

constexpr const char* kCompareText = R"(
// The place of the first word that is another one than expected; the expected words repeat.
__global__ void compare(const unsigned* words, const unsigned* expected,
                        unsigned long long count, unsigned long long period,
                        unsigned long long* first) {
  const unsigned long long step = 1ull * blockDim.x * gridDim.x;
  for (unsigned long long i = 1ull * blockDim.x * blockIdx.x + threadIdx.x; i < count; i += step)
    if (words[i] != expected[i % period]) atomicMin(first, i);
}
)";

// What all GPUs' arrays come to, element by element.
std::vector<std::uint8_t> expectedArrays(model::ElementType type, model::Operator op, unsigned gpus,
                                         std::uint64_t count) {
  std::vector<std::uint8_t> all = timingData(type, op, count);
  for (unsigned gpu = 1; gpu < gpus; ++gpu) {
    const std::vector<std::uint8_t> other = timingData(type, op, count, gpu * kArrayShift);
    model::withType(type, [&](auto zero) {
      using T = decltype(zero);
      withOperator<T>(op, [&](auto combine) {
        for (std::uint64_t at = 0; at < all.size(); at += sizeof(T)) {
          T mine, theirs;
          std::memcpy(&mine, all.data() + at, sizeof(T));
          std::memcpy(&theirs, other.data() + at, sizeof(T));
          mine = combine(mine, theirs);
          std::memcpy(all.data() + at, &mine, sizeof(T));
        }
      });
    });
  }
  return all;
}

}  // namespace

Result<std::unique_ptr<GroupInput>> GroupInput::make(GpuGroup& group, const model::TimingCase& timingCase,
                                                     bool sums, bool arrays) {
  std::unique_ptr<GroupInput> input(new GroupInput(group, timingCase));
  input->expected_ = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
  if (sums) STRIDESCOPE_TRY(input->fillSums());
  if (arrays) STRIDESCOPE_TRY(input->fillArrays());
  if (arrays) STRIDESCOPE_TRY(input->prepareComparing());
  if (!timingCase.warmL2) STRIDESCOPE_TRY(input->prepareEmptying());
  return input;
}

// As kernels::planRun() cuts the elements.
GroupInput::Part GroupInput::partOf(unsigned gpu) const {
  const std::uint64_t n = case_.elements, gpus = group_.size();
  const std::uint64_t size = n / gpus + (n % gpus != 0);
  const std::uint64_t from = std::min(gpu * size, n);
  return {from, std::min(from + size, n) - from};
}

Result<void> GroupInput::fillSums() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    const Part part = gpu == 0 ? Part{0, case_.elements} : partOf(gpu);
    auto buffer = filled(gpu, part.from, part.count);
    if (!buffer) return tl::unexpected(buffer.error());
    sums_.push_back(*std::move(buffer));
  }
  return {};
}

Result<void> GroupInput::fillArrays() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    auto buffer = filled(gpu, gpu * kArrayShift, case_.elements);
    if (!buffer) return tl::unexpected(buffer.error());
    arrays_.push_back(*std::move(buffer));
  }
  return {};
}

// Memory of the GPU with so many elements of the data, which repeat.
Result<std::unique_ptr<GpuBuffer>> GroupInput::filled(unsigned gpu, std::uint64_t from, std::uint64_t count) {
  CleanRunner& runner = group_.gpu(gpu);
  const std::uint64_t width = model::bytesOf(case_.type), bytes = count * width;
  auto buffer = runner.allocate(bytes);
  if (!buffer) {
    Error error = buffer.error();
    if (error.kind == ErrorKind::Limit) error.kind = ErrorKind::Usage;  // fewer elements fit
    return tl::unexpected(error);
  }
  const auto period = timingData(case_.type, case_.op, std::min(count, kDataPeriod), from);
  if (!period.empty()) STRIDESCOPE_TRY(runner.upload(**buffer, period));
  for (std::uint64_t have = period.size(); have > 0 && have < bytes;) {
    const std::uint64_t more = std::min(have, bytes - have), to = (*buffer)->address();
    STRIDESCOPE_TRY(runner.copy({.to = to + have, .from = to, .bytes = more}));
    have += more;
  }
  STRIDESCOPE_TRY(runner.wait());
  return buffer;
}

Result<void> GroupInput::prepareComparing() {
  const std::uint64_t count = std::min(case_.elements, kDataPeriod);
  const auto expected = expectedArrays(case_.type, case_.op, group_.size(), count);
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    CleanRunner& runner = group_.gpu(gpu);
    const auto facts = runner.memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    Comparing comparing;
    comparing.blocks = std::max(1u, kReadingBlocksPerMultiprocessor * facts->multiprocessors);
    auto words = runner.allocate(std::max<std::uint64_t>(expected.size(), kWordBytes));
    if (!words) return tl::unexpected(words.error());
    comparing.expected = *std::move(words);
    if (!expected.empty()) STRIDESCOPE_TRY(runner.upload(*comparing.expected, expected));
    auto first = runner.allocate(kWordBytes);
    if (!first) return tl::unexpected(first.error());
    comparing.first = *std::move(first);
    auto kernel = runner.load("compare", "", kCompareText);
    if (!kernel) return tl::unexpected(kernel.error());
    comparing.kernel = *std::move(kernel);
    comparing_.push_back(std::move(comparing));
  }
  return {};
}

Result<std::unique_ptr<TimedRun>> GroupInput::comparison(unsigned gpu, std::uint64_t address) const {
  const Comparing& comparing = comparing_[gpu];
  const std::uint64_t perElement = model::bytesOf(case_.type) / sizeof(std::uint32_t);
  const std::uint64_t words = case_.elements * perElement,
                      period = std::max<std::uint64_t>(1, std::min(case_.elements, kDataPeriod) * perElement),
                      first = comparing.first->address();
  return group_.gpu(gpu).timed(
      {.name = "the comparison of arrays",
       .before = {TimedFill{first, sizeof(std::uint64_t), 0xff}},
       .steps = {TimedLaunch{.kernel = comparing.kernel.get(),
                             .grid = comparing.blocks,
                             .block = kPassThreads,
                             .arguments = {address, comparing.expected->address(), words, period, first}}},
       .resultAddress = first,
       .resultBytes = sizeof(std::uint64_t)});
}

Result<void> GroupInput::prepareEmptying() {
  for (unsigned gpu = 0; gpu < group_.size(); ++gpu) {
    CleanRunner& runner = group_.gpu(gpu);
    const auto facts = runner.memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    Emptying emptying;
    if (facts->l2Bytes > 0) {
      auto memory = runner.allocate(kL2sToEmpty * facts->l2Bytes / kPassUnit * kPassUnit);
      if (!memory) return tl::unexpected(memory.error());
      emptying.memory = *std::move(memory);
    }
    auto passes = MemoryPasses::load(runner);
    if (!passes) return tl::unexpected(passes.error());
    emptying.passes = *std::move(passes);
    emptying.blocks = kReadingBlocksPerMultiprocessor * facts->multiprocessors;
    emptying_.push_back(std::move(emptying));
  }
  return {};
}

std::vector<TimedStep> GroupInput::emptying(unsigned gpu) const {
  if (emptying_.empty() || !emptying_[gpu].memory) return {};
  const Emptying& emptying = emptying_[gpu];
  const std::uint64_t from = emptying.memory->address();
  return {emptying.passes.reading(from, emptying.memory->bytes(), from, emptying.blocks)};
}

}  // namespace stridescope::measure::gpu
