// How long a recording takes to write and to read, and how large it is. Fields are milliseconds and bytes a
// file.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <bit>
#include <filesystem>
#include <string>

#include "archive/recording_file.h"

namespace stridescope::bench {
namespace {

// A block of 1024 threads with that many events in all, and 12 copies of its 4 KiB of shared memory.
model::Trace traceWith(std::uint64_t eventCount) {
  constexpr unsigned kThreads = 1024;
  model::Trace trace;
  trace.experiment.variant = "bench";
  trace.experiment.threads = kThreads;
  trace.kernelText = "data[tid] = combine(data[tid], data[tid + s]);\n";
  for (int id = 0; id < 12; ++id)
    trace.sites.push_back({id, model::SiteKind::Update, 1, 1 + id, 4, id, {}, "data[tid]"});
  model::LaunchTrace& launch = trace.launches.emplace_back();
  launch.block = kThreads;
  model::BlockTrace& block = launch.recorded();
  block.shared = {{"data", 4, kThreads * 4}};
  block.first.push_back(0);
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    const std::uint64_t end = eventCount * (thread + 1) / kThreads;
    for (std::uint64_t i = block.events.size(); i < end; ++i)
      block.events.push_back(
          {recording::eventHead((thread + i) % kThreads * 4, unsigned(i % 12),
                                i % 3 == 0 ? model::EventKind::Store : model::EventKind::Load,
                                recording::kSharedSpace, 2),
           thread * 37 + i});
    block.first.push_back(std::uint32_t(end));
  }
  for (unsigned barrier = 0; barrier < 12; ++barrier) block.barrierCopies.emplace_back(kThreads * 4);
  return trace;
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "bench-XXXXXX").native();
    path_ = ::mkdtemp(name.data()) ? name : "";
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path file() const { return path_ / "bench.stride"; }

 private:
  std::filesystem::path path_;
};

void writesARecording(benchmark::State& state) {
  const Folder folder;
  const model::Trace trace = traceWith(std::uint64_t(state.range(0)));
  for (auto _ : state)
    if (!archive::writeRecording(folder.file(), std::span(&trace, 1), true))
      state.SkipWithError("not written");
  std::error_code missing;
  state.counters["bytes"] = double(std::filesystem::file_size(folder.file(), missing));
}

void readsARecording(benchmark::State& state) {
  const Folder folder;
  const model::Trace trace = traceWith(std::uint64_t(state.range(0)));
  if (!archive::writeRecording(folder.file(), std::span(&trace, 1), true)) state.SkipWithError("not written");
  for (auto _ : state) {
    Result<model::Trace> read = archive::readTrace(folder.file(), 1);
    if (!read) state.SkipWithError("not read");
    benchmark::DoNotOptimize(read);
  }
}

void readsItsIndex(benchmark::State& state) {
  const Folder folder;
  const model::Trace trace = traceWith(std::uint64_t(state.range(0)));
  if (!archive::writeRecording(folder.file(), std::span(&trace, 1), true)) state.SkipWithError("not written");
  for (auto _ : state)
    if (!archive::readIndex(folder.file())) state.SkipWithError("not read");
}

BENCHMARK(writesARecording)->Arg(40'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(readsARecording)->Arg(40'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(readsItsIndex)->Arg(40'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace stridescope::bench
