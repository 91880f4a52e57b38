// Shared memory as the stores of a trace make it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/shared_layout.h"

namespace stridescope::analysis {

class Replay {
 public:
  explicit Replay(const model::LaunchTrace& launch);
  Replay(const model::LaunchTrace& launch, const Snapshot& start);  // `start`: a snapshot of this launch

  // Applies the operation if it writes to shared memory. What an atomic leaves depends on the order of
  // threads and is not in the trace: its bytes become unknown until they are stored again.
  void apply(const WarpOperation& operation);

  // Takes over what was really there: all of shared memory (other sizes are ignored), or one copied word.
  void adopt(const std::vector<std::uint8_t>& barrierCopy);
  void adopt(const model::Event& copiedWord);

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  const std::vector<bool>& known() const { return known_; }          // bytes() is right there
  const std::vector<bool>& everWritten() const { return written_; }  // by a store or an atomic

 private:
  void write(const model::Event& event, model::EventKind kind);

  const model::LaunchTrace& launch_;
  SharedLayout layout_;
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> known_, written_;
};

}  // namespace stridescope::analysis
