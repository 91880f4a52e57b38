// A measurement of a run's experiment: recorded at once, and on the GPU that ran it a moment later.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stridescope::session {

// Immutable.
template <class Record>
struct RunRecord {
  std::optional<Record> record{};
  bool live = false;  // measured for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
};

// The newest of those of the kernel whose text has this hash.
template <class Record>
std::optional<Record> newestOf(std::vector<Record> records, const std::string& kernelHash) {
  std::optional<Record> newest;
  for (Record& each : records)
    if (each.kernelHash == kernelHash && (!newest || newest->executor.recordedOn <= each.executor.recordedOn))
      newest = std::move(each);
  return newest;
}

}  // namespace stridescope::session
