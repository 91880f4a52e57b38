// Runs kernels that the text pass has instrumented: a block, with any parameters.
#pragma once

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "hand_kernels.h"
#include "instrument/instrument.h"

// What the texts of texts/ are compiled behind, in a namespace of the test's own.
#define ADDING_PREAMBLE(type) \
  using T = type;             \
  constexpr T identity = 0;   \
  T combine(T a, T b) { return a + b; }

namespace stridescope::engine {

// A kernel of texts/, as the text pass gives it.
inline auto instrumentText(const std::string& name) {
  std::ifstream file(std::string(STRIDESCOPE_KERNEL_TEXTS) + "/" + name + ".cu");
  return instrument::instrument(std::string(std::istreambuf_iterator<char>(file), {}));
}
inline std::vector<recording::Site> sitesOfText(const std::string& name) {
  const auto result = instrumentText(name);
  return result ? result->sites : std::vector<recording::Site>{};
}

// A kernel's arguments: buffers (vectors) and values, in the order of its parameters.
class Arguments {
 public:
  template <class... Each>
  explicit Arguments(Each&... each) {
    (add(each), ...);
    for (std::uint64_t& value : values_) pointers_.push_back(&value);
  }
  void bind(recording::HostLaunch& launch) {
    launch.arguments = pointers_.data();
    launch.buffers = ranges_;
    launch.bufferNames.assign({"first", "second", "third", "fourth"});
  }

 private:
  template <class T>
  void add(std::vector<T>& buffer) {
    ranges_.push_back({reinterpret_cast<std::uintptr_t>(buffer.data()), buffer.size() * sizeof(T)});
    values_.push_back(ranges_.back().base);
  }
  void add(const unsigned& value) { values_.push_back(value); }

  std::vector<std::uint64_t> values_;
  std::vector<void*> pointers_;
  std::vector<recording::MemoryRange> ranges_;
};

// Runs the blocks of a launch in order; the last one is recorded.
template <auto kernel>
HandRun runText(Arguments& arguments, recording::HostLaunch launch) {
  launch.kernel = recording::KernelCall<kernel>::call;
  arguments.bind(launch);
  recording::BlockRunner runner;
  HandRun run;
  if (const std::string hindrance = runner.begin(launch); !hindrance.empty()) {
    run.outcome = recording::BlockOutcome::Stopped;
    run.problems.push_back({model::ProblemKind::Limit, hindrance, -1, 0});
    return run;
  }
  const unsigned blocks = launch.grid.x * launch.grid.y * launch.grid.z;
  for (unsigned block = 0; block < blocks; ++block) run.outcome = runner.run(block, block + 1 == blocks);
  run.record = runner.takeRecord();
  run.problems = runner.problems();
  return run;
}

inline recording::HostLaunch launchOf(dim3 grid, dim3 block) {
  recording::HostLaunch launch;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

}  // namespace stridescope::engine
