// The maps as bytes: what each panel hands to the grid painter, and what tests read before they look at
// pictures. Pure functions of the analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/lanes.h"
#include "analysis/pass_view.h"
#include "analysis/requests.h"
#include "model/array_names.h"
#include "narration/round_at.h"

namespace stridescope::views {

struct MapBytes {
  int columns = 0, rows = 0;
  std::vector<std::uint8_t> cells = {};  // row by row
  std::uint8_t at(int column, int row) const {
    return cells[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
  }
};

unsigned warpsOf(const model::LaunchTrace& launch);
unsigned lanesOf(const model::LaunchTrace& launch, unsigned warp);  // 32, or fewer in the last warp

// The bytes of active lanes whose results are not used: they follow on those of the LaneStates.
inline constexpr std::uint8_t kUnusedLane = 4, kIdentityLane = 5;

// Warps x lanes: a LaneState as a byte, or one of the above; lanes that the last warp does not have are 255.
MapBytes laneBytes(const model::LaunchTrace& launch, const analysis::Round& round,
                   const analysis::RoundFlow& flow);

// The rounds between the load and the last write: those whose operands lie at a distance. [first, last)
struct RoundRange {
  unsigned first = 0, last = 0;
  unsigned count() const { return last - first; }
};
RoundRange strideRounds(const analysis::LaunchAnalysis& analysis);
// The rounds that a map by rounds shows: those of strideRounds(), or all if there are none.
RoundRange mappedRounds(const analysis::LaunchAnalysis& analysis);
// The part that holds `current` of a range that is longer than `most`; the part stays while the playhead
// steps within it.
RoundRange partOf(RoundRange all, unsigned current, unsigned most);

// What is added to the number of used lanes where more lanes take part: all others of the warp, or some.
inline constexpr std::uint8_t kMoreTakePart = 33, kMoreOfSomeTakePart = 2 * kMoreTakePart;

// One pass of a round that stands for it in a map by rounds: the one that the playhead shows.
struct ShownPass {
  unsigned round = 0;
  const analysis::PassView* pass = nullptr;  // nullptr: no pass is shown
};

// Warps x rounds of the range: the number of active lanes, 0 to 32; where the results of only some of them
// are used, the number of those plus kMoreTakePart or kMoreOfSomeTakePart. `flow` has one entry per round of
// the launch.
MapBytes usedLaneBytes(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
                       const std::vector<analysis::RoundFlow>& flow, RoundRange range, ShownPass shown = {});

// Rounds of the range x 32 banks: the most distinct words that the bank must serve for one group of lanes of
// any request (Request::bankWords), 0 to 32.
MapBytes bankBytes(const analysis::LaunchAnalysis& analysis, RoundRange range, ShownPass shown = {});

// Rounds of the range x warps: the most 32-byte sectors of device memory that a request of the warp touches,
// 0 to 32.
MapBytes sectorBytes(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
                     RoundRange range);

// A request as a punch card: one row an active lane, ordered by wavefront, then lane. In shared memory a
// column is one of the 32 banks; in global memory it is a 32-byte sector that the request touches.
struct PunchCard {
  // Shared: the word (or, in global memory, the sector) is also asked for by another lane.
  enum Cell : std::uint8_t { Empty, Asked, Shared };
  MapBytes bytes;                   // rows x 32 banks of Cell
  std::vector<unsigned> lane;       // each row's
  std::vector<unsigned> wavefront;  // each row's, from 0
  std::vector<unsigned> offLanes;   // lanes of the warp that take no part
  analysis::BankUse use;
};
// An atomic's wavefronts are not modelled: `wavefront` and `use` stay empty, and rows go by lane.
PunchCard punchCard(const model::LaunchTrace& launch, const analysis::WarpOperation& operation);

// The same for an access to global memory; `wavefront` and `use` stay empty.
PunchCard sectorCard(const model::LaunchTrace& launch, const analysis::WarpOperation& operation);

// The array that a launch's rounds work in, which the Shared memory panel shows: the first shared array, or
// another one by its number; in a launch without shared memory the buffer that the block works in in place.
// Pure.

class MemoryStage {
 public:
  MemoryStage(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis,
              std::uint32_t array = 0);

  bool exists() const { return array_ != nullptr; }
  bool inDevice() const { return window_.has_value(); }
  // Requires that it exists.
  const model::Array& array() const { return *array_; }

  // Elements of the stage count from 0; in the array they begin here, where the block's own part does.
  std::uint64_t first() const { return first_; }
  std::uint64_t elements() const { return elements_; }
  std::string nameOf(std::uint64_t element) const {  // "data[80]", as the kernel indexes it
    return model::elementName(array(), first_ + element, model::Digits::Plain);
  }

  bool holds(const analysis::Operand& operand) const {
    return operand.placed && holds(operand.shared, operand.array);
  }
  bool holds(const model::Event& event) const;
  bool holds(const std::optional<analysis::Operand>& operand) const { return operand && holds(*operand); }
  // Requires an operand that it holds.
  std::uint64_t placeOf(const analysis::Operand& operand) const { return operand.element - first_; }

  // Which elements are still needed after the round.
  const std::vector<bool>& liveAfter(const analysis::RoundFlow& flow) const;
  // The bits of every element; nullopt: unknown. `at` is of the stage's launch. Device memory is known after
  // whole rounds alone.
  using Words = std::vector<std::optional<std::uint64_t>>;
  Words wordsAfter(std::size_t round) const;
  Words wordsAfter(const narration::RoundAt& at) const;                  // its pass, if it tells of one
  std::optional<Words> wordsBefore(const narration::RoundAt& at) const;  // nullopt: nothing came before

 private:
  Words wordsOf(const analysis::Snapshot& snapshot) const;
  bool holds(bool shared, std::uint32_t array) const {
    return exists() && shared != inDevice() && array == arrayNumber_;
  }

  const analysis::LaunchAnalysis& analysis_;
  const model::Array* array_ = nullptr;
  std::uint32_t arrayNumber_ = 0;      // index into LaunchTrace::shared or ::buffers
  std::optional<std::size_t> window_;  // a window of the launch's device memory
  std::uint64_t first_ = 0, elements_ = 0;
  std::size_t begin_ = 0;  // of a shared array in snapshots
};

}  // namespace stridescope::views
