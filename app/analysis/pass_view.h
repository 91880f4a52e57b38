// One pass of a round, told as if it were a round of its own: what maps and sentences show while the playhead
// stands in it.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/passes.h"

namespace stridescope::analysis {

struct PassView {
  std::uint32_t pass = 0;
  // A round made of the pass's accesses, with those before or behind its loop, and of the branches and
  // exchanges among them. The snapshot is shared memory after the pass: replayed from the round's stores,
  // pass after pass, and after the last one the round's own.
  Round round;
  RoundFlow flow;
  Snapshot before;  // shared memory before the pass
};

// Rounds of more passes than this are not walked back to find which elements are still needed after a pass:
// all that the round leaves needed are.
inline constexpr std::uint32_t kMaxPassesWalked = 64;
// Passes are kept as long as they are not of more threads than this, all together.
inline constexpr std::uint32_t kMaxThreadsCached = 1u << 15;

// Gives nullopt for a round of one pass: the round itself is what there is to show.
class PassViewer {
 public:
  // All must outlive the viewer. `flow` has one entry for each of the launch's rounds.
  PassViewer(const model::Trace& trace, const model::LaunchTrace& launch, const LaunchAnalysis& analysis,
             const std::vector<RoundFlow>& flow);

  // Requires that the round exists; a pass beyond the last is the last.
  std::optional<PassView> view(std::uint32_t round, std::uint32_t pass);

 private:
  const Pass& read(std::uint32_t round, std::uint32_t pass);
  // The last store of the passes before to each element of shared memory, by the element's place in it.
  struct LastStore {
    std::uint32_t thread = 0;
    std::optional<std::uint64_t> over;  // what was there before
  };
  using LastStores = std::unordered_map<std::size_t, LastStore>;

  LastStores fillRound(std::uint32_t index, PassView& view) const;
  void findStaleOperands(PassView& view, const LastStores& stores) const;
  std::vector<Operand> readBehindTheLastPass(std::uint32_t round) const;
  RoundFlow flowOf(std::uint32_t round, std::uint32_t pass);

  const model::LaunchTrace& launch_;
  const LaunchAnalysis& analysis_;
  const std::vector<RoundFlow>& flow_;
  PassReader reader_;
  // Passes of one round that stand side by side: reading one costs about as much as reading them all.
  std::uint32_t cachedRound_ = ~0u, cachedFirst_ = 0;
  std::vector<Pass> cached_;
};

// The passes in which a trace itself tells that threads race.

struct PassPlace {
  std::uint32_t round = 0, pass = 0;
  friend bool operator==(const PassPlace&, const PassPlace&) = default;
};

// The passes in which a thread read what the passes before had not left there (Operand::left), in order. Only
// rounds in which threads race in shared memory are looked at. A round of more than kMaxPassesWalked passes,
// or with more than kMaxThreadsCached threads in all its passes together, is passed over. The arguments are
// what PassViewer requires.
std::vector<PassPlace> findStalePasses(const model::Trace& trace, const model::LaunchTrace& launch,
                                       const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow);

}  // namespace stridescope::analysis
