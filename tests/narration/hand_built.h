// Rounds put together by hand, so that what is said about them is tested without the analysis.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// Where a thread reads or writes, and which value.
struct Touch {
  unsigned thread = 0;
  std::uint64_t element = 0;
  std::uint64_t bits = 0;
};

class HandBuilt {
 public:
  explicit HandBuilt(unsigned threads);

  // Opens a round; lanes are active where `active` says so, else inactive or in an idle warp.
  void round(analysis::RoundEnd end, std::optional<std::uint64_t> stride,
             const std::function<bool(unsigned)>& active);

  // Lanes of the last round that have returned.
  void finish(const std::function<bool(unsigned)>& finished);

  // A request of the last round, at a new site with this text. `banks` is what each warp's operation paid.
  int access(model::EventKind kind, bool shared, const std::string& text, const std::vector<Touch>& touches,
             const analysis::BankUse& banks = {});
  int access(model::EventKind kind, bool shared, const std::string& text, const std::vector<Touch>& touches,
             const std::function<analysis::BankUse(unsigned warp)>& banksOfWarp);

  // data[a(t)] and data[b(t)] are read and data[a(t)] written by threads 0 .. count - 1, all for these
  // wavefronts.
  void combine(unsigned count, const std::function<std::uint64_t(unsigned)>& a,
               const std::function<std::uint64_t(unsigned)>& b, const analysis::BankUse& banks);

  RoundAt at(std::size_t index) const { return {trace, trace.launches[0], analysis, flow, index}; }
  RoundAt last() const { return at(analysis.rounds.size() - 1); }

  model::Trace trace;  // shared array data[threads], buffers in and out, all int
  analysis::LaunchAnalysis analysis;
  std::vector<analysis::RoundFlow> flow;

 private:
  model::LaunchTrace& launch() { return trace.launches[0]; }
};

// threads 0 .. count - 1, thread t at element(t), with the value t.
std::vector<Touch> touches(unsigned count, const std::function<std::uint64_t(unsigned)>& element);

inline std::function<bool(unsigned)> below(unsigned count) {
  return [count](unsigned thread) { return thread < count; };
}

}  // namespace stridescope::narration
