#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "base/plain_text.h"
#include "model/array_names.h"
#include "narration/carved_memory.h"
#include "narration/memory_words.h"
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

// Cells as rows under a heading. `which` says how many of what they are; `shown` are their indices, which go
// on by `step` where they stand side by side.
std::string rowsOf(const std::string& name, std::string which, std::vector<std::string> cells,
                   const std::vector<std::size_t>& shown, std::size_t step, std::string_view from) {
  const auto spacing = cells.size() == 1 ? step : spacingOf(shown);
  std::size_t width = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!spacing) cells[i] = fmt::format("{}:{}", shown[i], cells[i]);
    width = std::max(width, cells[i].size());
  }
  if (spacing && *spacing > step) which += fmt::format(", {} apart", *spacing);
  std::string text = fmt::format("{:>7}  after the round, {} ({})\n", name, which, from);
  const std::size_t across = cellsInRow(width);
  for (std::size_t begin = 0; begin < cells.size(); begin += across) {
    text += fmt::format("{:>7} ", fmt::format("[{}]", shown[begin]));
    for (std::size_t i = begin; i < std::min(cells.size(), begin + across); ++i)
      text += fmt::format(" {:>{}}", cells[i], width);
    text += "\n";
  }
  return text;
}

// Some elements of an array. `first` is the array's index of words[0].
std::string listing(const std::string& name, const Words& words, std::uint64_t first,
                    const std::vector<std::size_t>& shown, const WordPrinter& printer,
                    std::string_view from) {
  if (shown.empty()) return {};
  std::vector<std::string> cells;
  std::vector<std::size_t> indices;
  for (const std::size_t place : shown) {
    cells.push_back(words[place] ? printer.brief(*words[place]) : "-");
    indices.push_back(std::size_t(first) + place);
  }
  return rowsOf(name, count(shown.size(), "element"), std::move(cells), indices, 1, from);
}

// In a person's own kernel all stores count: a thread may make several, of which one is its result.
void addStored(const RoundAt& at, std::size_t array, std::vector<bool>& shown) {
  if (!model::leavesArrays(at.trace)) return;
  const std::uint64_t bytes = std::max(1u, at.launch.recorded().shared[array].elementBytes);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Store && operation.kind != model::EventKind::Atomic) continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      if (!event.inShared() || event.sharedArray() != array) return;
      for (std::uint64_t element = event.offset() / bytes; element * bytes < event.offset() + event.width();
           ++element)
        if (element < shown.size()) shown[std::size_t(element)] = true;
    });
  }
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
  addStored(at, array, shown);
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < size; ++i)
    if (shown[i]) elements.push_back(i);
  return elements;
}

// "32 x 33"
std::string extentsText(const std::vector<std::uint64_t>& extents) {
  std::string text;
  for (const std::uint64_t extent : extents) text += (text.empty() ? "" : " x ") + figure(extent);
  return text;
}

// An array of several dimensions, row by row: those of which something is shown. A row that is too long goes
// on in the next line.
std::string rowsListing(const std::string& name, const model::Array& array, const Words& words,
                        const std::vector<std::size_t>& shown, const WordPrinter& printer,
                        std::string_view from) {
  const std::size_t columns = std::size_t(array.extents.back());
  std::vector<bool> isShown(words.size() / columns, false);
  for (const std::size_t element : shown) isShown[element / columns] = true;
  std::vector<std::string> cells(words.size());
  std::size_t width = 1, labels = kLabelWidth - 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!isShown[i / columns]) continue;
    cells[i] = words[i] ? printer.brief(*words[i]) : "-";
    width = std::max(width, cells[i].size());
    labels = std::max(labels, model::subscriptsOf(array, i, model::Digits::Plain).size());
  }
  const std::size_t most = std::max<std::size_t>(1, (kTextColumns - labels - 1) / (width + 1));
  const std::size_t lines = (columns + most - 1) / most, across = (columns + lines - 1) / lines;
  std::string text =
      fmt::format("{:>7}  after the round, {} elements ({})\n", name, extentsText(array.extents), from);
  for (std::size_t row = 0; row < isShown.size(); ++row)
    for (std::size_t begin = 0; isShown[row] && begin < columns; begin += across) {
      std::string label = model::subscriptsOf(array, row * columns + begin, model::Digits::Plain);
      if (begin == 0) label.resize(label.rfind('['));
      text += fmt::format("{:>{}} ", label, labels);
      for (std::size_t i = begin; i < std::min(columns, begin + across); ++i)
        text += fmt::format(" {:>{}}", cells[row * columns + i], width);
      text += "\n";
    }
  return text;
}

// The cells of carved memory of which a byte is shown: those of one type together.
std::string carvedListing(const RoundAt& at, std::size_t index, const std::vector<std::size_t>& shown,
                          std::string_view from) {
  const CarvedMemory memory(at, index);
  std::vector<bool> isShown(memory.cells().size(), false);
  for (const std::size_t byte : shown)
    isShown[std::size_t(&memory.cellOf(byte) - memory.cells().data())] = true;
  std::vector<CarvedPart> parts = memory.parts(CarvedMemory::Split::ByType);
  if (parts.size() > kMaxCarvedParts) parts = memory.parts(CarvedMemory::Split::BySize);
  std::string text;
  for (const CarvedPart& part : parts) {
    std::vector<std::string> cells;
    std::vector<std::size_t> bytes;
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      if (!isShown[i]) continue;
      const std::string cell = memory.text(at.round().snapshot, memory.cells()[i]);
      cells.push_back(cell.empty() ? "-" : cell);
      bytes.push_back(std::size_t(memory.cells()[i].offset));
    }
    if (cells.empty()) continue;
    std::string which = count(cells.size(), "cell") + " of " + memory.nameOf(part);
    text += rowsOf(at.launch.recorded().shared[index].name, std::move(which), std::move(cells), bytes,
                   part.cellBytes, from);
  }
  return text;
}

std::string sharedListing(const RoundAt& at, std::size_t index) {
  const model::Array& array = at.launch.recorded().shared[index];
  const std::string_view from = analysis::nameOf(at.round().snapshot.from);
  const std::vector<std::size_t> shown =
      shownElements(at, index, std::size_t(array.bytes / std::max(1u, array.elementBytes)));
  if (shown.empty()) return {};
  if (isCarved(at.trace, at.launch, index)) return carvedListing(at, index, shown, from);
  const std::vector<model::MemberType> members = model::cellsOf(array);
  std::string text;
  for (const model::MemberType& member : members) {
    const bool isWhole = members.size() == 1;
    const auto words = isWhole ? snapshotWords(at, index) : snapshotWords(at, index, member);
    const WordPrinter printer =
        isWhole ? WordPrinter(array) : WordPrinter(array, member.offset, member.bytes);
    const std::string name = array.name + model::memberSuffix(member);
    text += array.extents.empty() ? listing(name, words, 0, shown, printer, from)
                                  : rowsListing(name, array, words, shown, printer, from);
  }
  return text;
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
