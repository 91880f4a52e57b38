#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/exchanges.h"
#include "analysis/lane_use.h"
#include "narration/memory_words.h"
#include "narration/register_words.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

using Words = std::vector<std::optional<std::uint64_t>>;

constexpr std::size_t kMaxValuesInRow = 16;
constexpr std::size_t kLabelWidth = 8;
constexpr std::size_t kLatestOutput = 16;  // elements of a growing output that are listed

// The most cells in a row, a power of two, that keep within the text's width.
std::size_t cellsInRow(std::size_t cellWidth) {
  std::size_t cells = kMaxValuesInRow;
  while (cells > 1 && kLabelWidth + cells * (cellWidth + 1) > kTextColumns) cells /= 2;
  return cells;
}

// The distance of neighbours, if it is one for all of them.
std::optional<std::size_t> spacingOf(const std::vector<std::size_t>& elements) {
  if (elements.size() < 2) return 1;
  const std::size_t spacing = elements[1] - elements[0];
  for (std::size_t i = 2; i < elements.size(); ++i)
    if (elements[i] - elements[i - 1] != spacing) return std::nullopt;
  return spacing;
}

// Some elements of an array as rows of cells under a heading. `first` is the array's index of words[0].
std::string listing(const std::string& name, const Words& words, std::uint64_t first,
                    const std::vector<std::size_t>& shown, const WordPrinter& printer,
                    std::string_view from) {
  if (shown.empty()) return {};
  const auto spacing = spacingOf(shown);
  std::vector<std::string> cells;
  std::size_t width = 1;
  for (const std::size_t place : shown) {
    std::string cell = words[place] ? printer.brief(*words[place]) : "-";
    if (!spacing) cell = fmt::format("{}:{}", first + place, cell);
    width = std::max(width, cell.size());
    cells.push_back(std::move(cell));
  }
  std::string which = count(shown.size(), "element");
  if (spacing && *spacing > 1 && shown.size() > 1) which += fmt::format(", {} apart", *spacing);
  std::string text = fmt::format("{:>7}  after the round, {} ({})\n", name, which, from);
  const std::size_t across = cellsInRow(width);
  for (std::size_t begin = 0; begin < cells.size(); begin += across) {
    text += fmt::format("{:>7} ", fmt::format("[{}]", first + shown[begin]));
    for (std::size_t i = begin; i < std::min(cells.size(), begin + across); ++i)
      text += fmt::format(" {:>{}}", cells[i], width);
    text += "\n";
  }
  return text;
}

// The elements worth a place: still needed after the round, or written in it.
std::vector<std::size_t> shownElements(const RoundAt& at, std::size_t array, std::size_t size) {
  std::vector<bool> shown(size, false);
  const auto& live = at.work().liveAfter;
  for (std::size_t i = 0; array < live.size() && i < std::min(size, live[array].size()); ++i)
    shown[i] = live[array][i];
  for (const analysis::ThreadWork& work : at.work().work)
    if (work.result && work.result->placed && work.result->shared && work.result->array == array &&
        work.result->element < size)
      shown[work.result->element] = true;
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < size; ++i)
    if (shown[i]) elements.push_back(i);
  return elements;
}

std::string sharedListing(const RoundAt& at, std::size_t array) {
  const auto words = snapshotWords(at, array);
  return listing(at.launch.recorded().shared[array].name, words, 0, shownElements(at, array, words.size()),
                 WordPrinter(at.launch.recorded().shared[array]), analysis::nameOf(at.round().snapshot.from));
}

// A buffer that is worked in place shows what is still needed or was written; a growing output shows its
// latest elements.
std::vector<std::size_t> shownInDevice(const RoundAt& at, std::size_t window, const Words& words) {
  const auto& live = at.work().deviceLiveAfter;
  const bool inPlace = at.analysis.deviceMemory.windows[window].readToo;
  std::vector<std::size_t> shown;
  for (std::size_t place = 0; place < words.size(); ++place) {
    const bool needed = window < live.size() && place < live[window].size() && live[window][place];
    if (inPlace ? needed : words[place].has_value()) shown.push_back(place);
  }
  if (!inPlace && shown.size() > kLatestOutput)
    shown.erase(shown.begin(), shown.end() - std::ptrdiff_t(kLatestOutput));
  return shown;
}

std::string deviceListing(const RoundAt& at, std::size_t index) {
  const analysis::DeviceWindow& window = at.analysis.deviceMemory.windows[index];
  const model::Array& buffer = at.launch.buffers[window.buffer];
  const Words words = at.analysis.deviceMemory.wordsAfter(index, at.index);
  return listing(buffer.name, words, window.first, shownInDevice(at, index, words), WordPrinter(buffer),
                 "in device memory, replayed");
}

// How the registers are known, for the heading.
std::string_view originText(const analysis::RegisterOrigins& origins) {
  if (origins.replayed == 0) return "recorded";
  return origins.recorded == 0 ? "replayed" : "recorded, the rest replayed";
}

// A row for each warp of the lanes whose value is still needed.
std::string registerListing(const RoundAt& at) {
  const analysis::Round& round = at.round();
  if (round.exchanges.empty()) return {};
  std::vector<std::vector<std::string>> rows(at.warps());
  const std::vector<analysis::LaneUse> uses = analysis::laneUses(round, at.work());
  std::size_t width = 1, lanes = 0, useful = 0;
  for (std::uint32_t thread = 0; thread < round.exchanges.size(); ++thread) {
    if (!round.exchanges[thread] || uses[thread] == analysis::LaneUse::Identity) continue;
    ++lanes;
    if (uses[thread] != analysis::LaneUse::Used) continue;
    ++useful;
    std::string cell = registerText(at, thread);
    width = std::max(width, cell.size());
    rows[thread / model::kWarpSize].push_back(std::move(cell));
  }
  std::string text = fmt::format("{:>7}  after the round, {} of {} still needed ({})\n", "lanes", useful,
                                 lanes, originText(analysis::originsOf(round)));
  const std::size_t across = cellsInRow(width);
  for (std::size_t warp = 0; warp < rows.size(); ++warp)
    for (std::size_t begin = 0; begin < rows[warp].size(); begin += across) {
      text += fmt::format("{:>7} ", begin == 0 ? fmt::format("W{}", warp) : "");
      for (std::size_t i = begin; i < std::min(rows[warp].size(), begin + across); ++i)
        text += fmt::format(" {:>{}}", rows[warp][i], width);
      text += "\n";
    }
  return text;
}

}  // namespace

std::string valuesMap(const RoundAt& at) {
  std::string text = registerListing(at);
  for (std::size_t array = 0; array < at.launch.recorded().shared.size(); ++array)
    text += sharedListing(at, array);
  for (std::size_t window = 0; window < at.analysis.deviceMemory.windows.size(); ++window)
    text += deviceListing(at, window);
  return text;
}

}  // namespace stridescope::narration
