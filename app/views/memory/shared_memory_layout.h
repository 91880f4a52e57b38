// Where everything of the Shared memory panel stands: columns, cells and rows in pixels, from the trace
// alone. Pure: no ImGui, so that the geometry is tested without a window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/data_flow.h"
#include "session/replay.h"
#include "views/shared/map_bytes.h"

namespace stridescope::views {

// How the current round's operands are drawn.
enum class BandShape : std::uint8_t {
  Adjacent,  // both operands of a thread lie within its result's cell: interleaved addressing
  Columns,   // one column a working thread, operand B under A: everything else
};

struct Span {
  float from = 0, to = 0;  // pixels from the map's left edge
  float middle() const { return (from + to) / 2; }
  float width() const { return to - from; }
};

struct BandColumn {
  const analysis::ThreadWork* work = nullptr;  // from the replay's current round
  Span a, b, result;
  // Values as printed; empty without such an operand. In a merge they have the list's number: "8 L3"; an
  // exhausted list has "none". A list's number alone is "L3".
  std::string aText, bText, resultText;
  std::string index;  // A's element's or, where no thread has an operand, the result's; else empty
  // "out[0] = 7" where the result stands elsewhere than the operand whose number is above; else resultText.
  std::string placedText;
  unsigned more = 0;  // operands beside A and B
  // The result stays in a register; if the thread has none, resultText is what it gives to the exchange that
  // follows.
  bool inRegister = false;

  bool hasResult() const { return work->result || inRegister; }
};

struct Band {
  BandShape shape = BandShape::Columns;
  std::size_t allColumns = 0;   // working threads of the round
  std::size_t firstColumn = 0;  // the first of those in view
  std::vector<BandColumn> columns;
  bool hasA = false, hasB = false, hasResult = false;
  bool valuesFit = false;  // every value in view fits its cell
  bool placesFit = false;  // so does every placedText
  bool everything() const { return columns.size() == allColumns; }
};

// Memory after a round: the live elements, each `span` elements wide.
struct MemoryRow {
  unsigned round = 0;
  std::uint64_t span = 1;
  std::vector<std::uint64_t> live;  // ascending
};

struct BandLayoutInput {
  float width = 0;                                     // the map's, pixels
  float minimumCell = 0;                               // a cell narrower than this never carries a value
  std::function<float(const std::string&)> textWidth;  // a value's, pixels
  std::optional<unsigned> heldThread;                  // kept in view
  std::optional<std::size_t> columnsInView;  // the person's zoom; nullopt: as many as fit their values
  std::optional<std::size_t> firstColumn;    // the person's pan
};

// The stage of the shown launch. Requires replay.run().
inline MemoryStage stageOf(const session::Replay& replay) {
  return MemoryStage(replay.launch(), replay.launchAnalysis());
}

// Requires replay.run().
Band layOutBand(const session::Replay& replay, const BandLayoutInput& input);

// Whether the thread's disc is an outline: what it does is not used, or it only looks on while others have
// results.
bool isOutlined(const Band& band, const BandColumn& column);

// Live elements and their spans after each round of the launch, one entry per round. A launch may have
// thousands of rounds: only those of the kRowsAround before and after the current one are found, the rest
// stay empty.
inline constexpr unsigned kRowsAround = 24;
std::vector<MemoryRow> memoryRows(const MemoryStage& stage, const std::vector<analysis::RoundFlow>& flow,
                                  unsigned current);

// Whether the band's threads work on the stage: they may bring values from elsewhere into registers.
bool touchesStage(const Band& band, const MemoryStage& stage);

// Whether the columns in view have their operands A one after another.
bool isContiguous(const Band& band);

// The stage's elements that a band in view covers, [first, last): one range in the interleaved shape, the
// range of A in columns.
struct ElementRange {
  std::uint64_t first = 0, last = 0;
};
ElementRange elementsInView(const Band& band, const MemoryStage& stage);

}  // namespace stridescope::views
