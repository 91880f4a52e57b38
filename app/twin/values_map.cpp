#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "trace/value.h"
#include "twin/snapshot_words.h"
#include "twin/text_maps.h"
#include "twin/wording.h"

namespace stridescope {
namespace {

constexpr std::size_t kMaxValuesInRow = 16;

// The elements worth a place: still needed after the round, or written in it.
std::vector<std::size_t> shownElements(const RoundAt& at, std::size_t array, std::size_t size) {
  std::vector<bool> shown(size, false);
  const auto& live = at.work().liveAfter;
  for (std::size_t i = 0; array < live.size() && i < std::min(size, live[array].size()); ++i)
    shown[i] = live[array][i];
  for (const ThreadWork& work : at.work().work)
    if (work.result && work.result->shared && work.result->array == array && work.result->element < size)
      shown[work.result->element] = true;
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < size; ++i)
    if (shown[i]) elements.push_back(i);
  return elements;
}

// The distance of neighbours, if it is one for all of them.
std::optional<std::size_t> spacingOf(const std::vector<std::size_t>& elements) {
  if (elements.size() < 2) return 1;
  const std::size_t spacing = elements[1] - elements[0];
  for (std::size_t i = 2; i < elements.size(); ++i)
    if (elements[i] - elements[i - 1] != spacing) return std::nullopt;
  return spacing;
}

// The most cells in a row, a power of two, that keep within the text's width.
std::size_t cellsInRow(std::size_t labelWidth, std::size_t cellWidth) {
  std::size_t cells = kMaxValuesInRow;
  while (cells > 1 && labelWidth + cells * (cellWidth + 1) > kTextColumns) cells /= 2;
  return cells;
}

std::string titleLine(const Array& array, const std::vector<std::size_t>& elements,
                      std::optional<std::size_t> spacing, SnapshotFrom from) {
  std::string which = count(elements.size(), "element");
  if (spacing && *spacing > 1 && elements.size() > 1) which += fmt::format(", {} apart", *spacing);
  return fmt::format("{:>7}  after the round, {} ({})\n", array.name, which, nameOf(from));
}

}  // namespace

std::string valuesMap(const RoundAt& at) {
  std::string text;
  for (std::size_t array = 0; array < at.launch.shared.size(); ++array) {
    const auto words = snapshotWords(at, array);
    const auto elements = shownElements(at, array, words.size());
    if (elements.empty()) continue;
    const auto spacing = spacingOf(elements);
    std::vector<std::string> cells;
    std::size_t width = 1;
    for (std::size_t element : elements) {
      std::string cell = words[element] ? printElement(at.trace.experiment.type, *words[element]) : "-";
      if (!spacing) cell = fmt::format("{}:{}", element, cell);
      width = std::max(width, cell.size());
      cells.push_back(std::move(cell));
    }
    text += titleLine(at.launch.shared[array], elements, spacing, at.round().snapshot.from);
    const std::size_t across = cellsInRow(8, width);
    for (std::size_t first = 0; first < cells.size(); first += across) {
      text += fmt::format("{:>7} ", fmt::format("[{}]", elements[first]));
      for (std::size_t i = first; i < std::min(cells.size(), first + across); ++i)
        text += fmt::format(" {:>{}}", cells[i], width);
      text += "\n";
    }
  }
  return text;
}

}  // namespace stridescope
