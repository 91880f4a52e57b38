#include "measure/cpu/cpu_device.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <latch>
#include <new>
#include <string_view>
#include <thread>

#include "base/numbers.h"
#include "base/result.h"
#include "measure/timing_data.h"
#include "model/experiment.h"
#include "model/quantity.h"

#ifdef STRIDESCOPE_HAS_TBB
#include <execution>
#include <numeric>
#endif
#ifdef STRIDESCOPE_HAS_OPENMP
#include <omp.h>

#endif

namespace stridescope::measure::cpu {
namespace {

constexpr std::string_view kWithoutOpenMp = "This program was built without OpenMP.";

#ifdef STRIDESCOPE_HAS_TBB

std::uint64_t reduceInParallel(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return std::reduce(std::execution::par, values, values + count, decltype(combine)::kIdentity, combine);
  });
}

CpuBaseline::Run reducePar() { return reduceInParallel; }
#else
CpuBaseline::Run reducePar() { return nullptr; }
#endif

#ifdef STRIDESCOPE_HAS_OPENMP

// As the initial value Clang takes a call, and no variable but OpenMP's own.
template <class Combine>
constexpr auto identityOf() {
  return Combine::kIdentity;
}

// One thread, several elements with each instruction, in floating types too, whose order it changes.
template <class T, class Combine>
T reduceByVectors(const T* values, std::uint64_t n, Combine) {
  T result = Combine::kIdentity;
#pragma omp declare reduction(combined:T                              \
                              : omp_out = Combine()(omp_out, omp_in)) \
    initializer(omp_priv = identityOf <Combine>())
#pragma omp simd reduction(combined : result)
  for (std::uint64_t i = 0; i < n; ++i) result = Combine()(result, values[i]);
  return result;
}

// All threads, and vectors within each.
template <class T, class Combine>
T reduceAll(const T* values, std::uint64_t n, Combine) {
  T result = Combine::kIdentity;
#pragma omp declare reduction(combined:T                              \
                              : omp_out = Combine()(omp_out, omp_in)) \
    initializer(omp_priv = identityOf <Combine>())
#pragma omp parallel for simd reduction(combined : result)
  for (std::uint64_t i = 0; i < n; ++i) result = Combine()(result, values[i]);
  return result;
}

std::uint64_t vectorLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return reduceByVectors(values, count, combine);
  });
}

std::uint64_t reduceWithOpenMp(model::ElementType type, model::Operator op, const void* elements,
                               std::uint64_t n) {
  return reducedBits(type, op, elements, n, [](const auto* values, std::uint64_t count, auto combine) {
    return reduceAll(values, count, combine);
  });
}

CpuBaseline::Run vectors() { return vectorLoop; }
CpuBaseline::Run openMp() { return reduceWithOpenMp; }
#else
CpuBaseline::Run vectors() { return nullptr; }
CpuBaseline::Run openMp() { return nullptr; }
#endif

using Clock = std::chrono::steady_clock;

// OpenMP's threads wait for more work awake for some milliseconds (libgomp's GOMP_SPINCOUNT) and would take
// the cores from whoever is timed next.
constexpr std::chrono::milliseconds kUntilAsleep{15};

constexpr std::string_view kNoThreads =
    "The system starts no more threads: out of memory, or at a limit (ulimit -v, ulimit -u).";

// oneTBB and OpenMP end the program where the system gives them no threads: each takes one a core, and keeps
// them.
bool canStartThreads() {
  std::latch asked(1);
  std::vector<std::jthread> threads;
  const auto started = withoutExceptions("starting threads", [&] {
    for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([&asked] { asked.wait(); });
  });
  asked.count_down();
  return started.has_value();
}

class CpuDevice final : public TimingDevice {
 public:
  CpuDevice() {
    facts_.kind = TimingDeviceKind::Cpu;
    facts_.executor.kind = model::EngineKind::Host;
    facts_.executor.device = cpuName();
    facts_.executor.compiler = "g++ " __VERSION__;
    facts_.executor.recordedOn = model::utcNow();
  }

  const TimingDeviceFacts& facts() const override { return facts_; }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl&) override {
    if (auto filled = inputs_.fill(timingCase); !filled) return tl::unexpected(filled.error());
    case_ = timingCase;
    ready_.clear();
    const bool threads = canStartThreads();
    std::vector<PreparedSubject> prepared;
    for (const model::TimingSubject& subject : subjects) {
      CpuBaseline found{"", nullptr, "There is no such way of reducing on the CPU."};
      for (const CpuBaseline& baseline : cpuBaselines())
        if (baseline.id == subject.id) found = baseline;
      if (found.threads != CpuThreads::One && !threads) found = {found.id, nullptr, kNoThreads};
      if (found.run && found.threads == CpuThreads::OpenMp) pinOpenMpThreads();
      ready_.push_back(found);
      prepared.push_back({.threads = 0, .unavailable = std::string(found.run ? "" : found.missing)});
    }
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    if (job.cancel) return cancelled();
    const CpuBaseline& baseline = ready_[subject];
    const void* input = inputs_.next();
    const PinnedThread pinned(baseline.threads != CpuThreads::Tbb);
    const auto begin = Clock::now();
    const std::uint64_t bits = baseline.run(case_.type, case_.op, input, case_.elements);
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    if (baseline.threads == CpuThreads::OpenMp) std::this_thread::sleep_for(kUntilAsleep);
    return Timed{took.count(), bits};
  }

  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    if (!inputs_.mayBeCached()) return std::vector<std::string>();
    return std::vector<std::string>{"The CPU's inputs may partly lie in its cache of " +
                                    std::to_string(lastLevelCacheBytes() >> 20) + " MiB: at most " +
                                    std::to_string(kMaxCpuInputBytes >> 20) + " MiB are read in turn."};
  }

 private:
  TimingDeviceFacts facts_;
  model::TimingCase case_;
  CpuInputs inputs_;
  std::vector<CpuBaseline> ready_;
};

}  // namespace

std::vector<CpuBaseline> cpuBaselines() {
  return {{"cpu_loop", plainLoop, "", CpuThreads::One},
          {"cpu_vector_loop", vectors(), kWithoutOpenMp, CpuThreads::One},
          {"cpu_reduce_par", reducePar(), "This program was built without oneTBB.", CpuThreads::Tbb},
          {"cpu_openmp", openMp(), kWithoutOpenMp, CpuThreads::OpenMp}};
}

void pinOpenMpThreads() {
#ifdef STRIDESCOPE_HAS_OPENMP
  const cpu_set_t usable = usableCores();
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &usable)) cores.push_back(core);
  if (cores.empty()) return;
#pragma omp parallel
  {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores[std::size_t(omp_get_thread_num()) % cores.size()], &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  ::sched_setaffinity(0, sizeof usable, &usable);
#endif
}

Result<std::unique_ptr<TimingDevice>> makeCpuTimingDevice() { return std::make_unique<CpuDevice>(); }

namespace {

constexpr std::uint64_t kDefaultCacheBytes = 32ull << 20;

// The text after the colon in the first line that begins with `key`.
std::string firstValue(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

// A number in a file; nothing where there is none ("max").
std::optional<std::uint64_t> numberIn(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

// What the kernel keeps of files, and gives up for anything else.
std::uint64_t fileBytesIn(const std::filesystem::path& statistics) {
  std::ifstream stream(statistics);
  std::uint64_t all = 0, bytes = 0;
  for (std::string name; stream >> name >> bytes;)
    if (name == "active_file" || name == "inactive_file") all += bytes;
  return all;
}

unsigned usableThreads() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return unsigned(CPU_COUNT(&set));
  return unsigned(::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

std::string cpuName() {
  std::string name = firstValue("/proc/cpuinfo", "model name");
  if (name.empty()) name = "CPU";
  const unsigned threads = usableThreads();
  return name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::uint64_t lastLevelCacheBytes() {
  const long bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? std::uint64_t(bytes) : kDefaultCacheBytes;
}

std::optional<std::uint64_t> memoryLeftToGroup(const std::filesystem::path& groups,
                                               const std::filesystem::path& root) {
  constexpr std::string_view kSecondVersion = "0::/";
  std::ifstream lines(groups);
  std::optional<std::uint64_t> least;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kSecondVersion)) continue;
    std::filesystem::path group = root / line.substr(kSecondVersion.size());
    for (;; group = group.parent_path()) {
      const auto most = numberIn(group / "memory.max"), used = numberIn(group / "memory.current");
      if (most && used) {
        const std::uint64_t held = *used - std::min(*used, fileBytesIn(group / "memory.stat"));
        least = std::min(least.value_or(~0ull), *most - std::min(*most, held));
      }
      if (group == root || !group.has_relative_path()) break;
    }
  }
  return least;
}

std::uint64_t availableMemoryBytes() {
  const std::string text = firstValue("/proc/meminfo", "MemAvailable");  // "24031220 kB"
  std::uint64_t kibibytes = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    kibibytes = kibibytes * 10 + std::uint64_t(c - '0');
  }
  return std::min(kibibytes << 10, memoryLeftToGroup().value_or(~0ull));
}

namespace {

constexpr std::uint64_t kCacheLine = 64;
constexpr std::uint64_t kCachesToFill = 2;  // what was used so long ago is in none

std::uint64_t roundedUp(std::uint64_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }

tl::unexpected<Error> tooLarge(const model::TimingCase& timingCase) {
  return usageError(sizeText(timingCase.elements) + " elements of " +
                    std::string(model::nameOf(timingCase.type)) +
                    " do not fit into this machine's free memory: the CPU is timed up to fewer.");
}

}  // namespace

// Memory is kept for the next case unless that needs much less: the system takes long to give fresh pages.
void CpuInputs::reserve(std::uint64_t bytes) {
  if (bytes <= reserved_ && bytes >= reserved_ / 2) return;
  bytes_.reset();
  reserved_ = 0;
  bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
  reserved_ = bytes;
}

Result<void> CpuInputs::fill(const model::TimingCase& timingCase) try {
  const std::uint64_t available = availableMemoryBytes() / 2;  // the other half is other programs'
  if (timingCase.elements > (available + reserved_) / model::bytesOf(timingCase.type))
    return tooLarge(timingCase);
  const std::uint64_t bytes = timingCase.elements * model::bytesOf(timingCase.type);
  stride_ = std::max(roundedUp(bytes), kCacheLine);
  const std::uint64_t cold = kCachesToFill * lastLevelCacheBytes();
  const std::uint64_t room = std::min(kMaxCpuInputBytes, available + reserved_);
  copies_ = timingCase.warmL2 ? 1 : std::max<std::uint64_t>(1, std::min(cold / stride_ + 1, room / stride_));
  warm_ = !timingCase.warmL2 && copies_ * stride_ < cold;
  turn_ = 0;

  const auto period = timingData(timingCase.type, timingCase.op, std::min(timingCase.elements, kDataPeriod));
  reserve(copies_ * stride_);
  for (std::uint64_t copy = 0; copy < copies_; ++copy)
    for (std::uint64_t at = 0; at < bytes; at += period.size())
      std::memcpy(bytes_.get() + copy * stride_ + at, period.data(),
                  std::min<std::uint64_t>(period.size(), bytes - at));
  return {};
} catch (const std::bad_alloc&) {
  return tooLarge(timingCase);
}

const std::uint8_t* CpuInputs::next() { return bytes_.get() + turn_++ % copies_ * stride_; }

}  // namespace stridescope::measure::cpu
