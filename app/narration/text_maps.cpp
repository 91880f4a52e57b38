#include "narration/text_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "base/plain_text.h"
#include "model/array_names.h"
#include "narration/devices.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// What goes by rounds is told of shared memory, or of device memory in a launch that has none.
std::string banksOfLaunch(const RoundAt& at) {
  return analysis::usesShared(at.analysis) ? banksByRound(at) : std::string();
}
std::string sectorsOfLaunch(const RoundAt& at) {
  return analysis::usesShared(at.analysis) ? std::string() : sectorsByRound(at);
}

constexpr std::array kMaps{
    TextMap{.panel = "shared_memory", .text = valuesMap, .inStep = InStep::EachRound},
    TextMap{.panel = "shared_memory", .title = "GPUs", .text = devicesMap, .inStep = InStep::EachRound},
    TextMap{.panel = "shared_memory",
            .title = "Links",
            .text = linksMap,
            .inStep = InStep::Launch,
            .heading = "bytes from GPU to GPU, in all launches"},
    TextMap{.panel = "lanes", .text = laneMap, .inStep = InStep::EachRound},
    TextMap{.panel = "divergence",
            .text = divergenceMap,
            .inStep = InStep::Launch,
            .heading = "active lanes by round"},
    TextMap{.panel = "banks", .text = bankMaps, .inStep = InStep::EachRound, .brief = bankRows},
    TextMap{.panel = "banks", .title = "Sectors", .text = sectorRows, .inStep = InStep::EachRound},
    TextMap{.panel = "banks",
            .title = "Banks by round",
            .text = banksOfLaunch,
            .inStep = InStep::Launch,
            .heading = "most words asked of a bank by one warp's request, by round"},
    TextMap{.panel = "banks",
            .title = "Sectors by round",
            .text = sectorsOfLaunch,
            .inStep = InStep::Launch,
            .heading = "most sectors touched by one request of a warp, by round"},
    TextMap{.panel = "source", .text = sourceMap, .inStep = InStep::ChosenRound},
};

}  // namespace

std::span<const TextMap> textMaps() { return kMaps; }

namespace {

struct CellText {
  char character;
  std::string_view meaning;
};
// First the uses of active lanes, then the other states.
constexpr std::array<CellText, 6> kCells{{{'#', "active"},
                                          {'+', "active, result unused"},
                                          {'=', "active, identities only"},
                                          {'/', "inactive"},
                                          {'-', "in an idle warp"},
                                          {'x', "finished"}}};

// One character per thread.
std::string cellsOf(const RoundAt& at) {
  const auto& lanes = at.round().lanes;
  const std::vector<analysis::LaneUse> uses = analysis::laneUses(at.round(), at.work());
  std::string cells;
  for (std::size_t thread = 0; thread < lanes.size(); ++thread)
    cells += lanes[thread] == analysis::LaneState::Active ? kCells[std::size_t(uses[thread])].character
                                                          : kCells[2 + std::size_t(lanes[thread])].character;
  return cells;
}

}  // namespace

std::string laneMap(const RoundAt& at) {
  const std::string cells = cellsOf(at);
  const auto rowOf = [&](unsigned warp) { return cells.substr(warp * model::kWarpSize, model::kWarpSize); };
  std::string text = fmt::format("{:>7}  {:<8}{:<8}{:<8}{}\n", "lane", 0, 8, 16, 24);
  for (unsigned warp = 0; warp < at.warps();) {
    const std::string row = rowOf(warp);
    unsigned next = warp + 1;
    while (next < at.warps() && rowOf(next) == row) ++next;
    const std::string label =
        next == warp + 1 ? fmt::format("W{}", warp) : fmt::format("W{}-W{}", warp, next - 1);
    text += fmt::format("{:>7}  {}\n", label, row);
    warp = next;
  }
  std::vector<std::string> legend;
  for (const CellText& cell : kCells) {
    const auto number = std::ranges::count(cells, cell.character);
    if (number > 0)
      legend.push_back(fmt::format("{} {} {}", cell.character, figure(std::uint64_t(number)),
                                   cell.character == 'x' && wasStopped(at) ? "stopped" : cell.meaning));
  }
  std::string line = fmt::format("{:>7}  {}", "", fmt::join(legend, "   "));
  if (charactersIn(line) > kTextColumns) line = fmt::format("{:>7}  {}", "", fmt::join(legend, "  "));
  return text + line + "\n";
}

namespace {

constexpr std::size_t kRoundsAcross = 15;

// "32", "16*", or "16/32" if some lanes only take part.
std::string cellOf(const analysis::LaneCounts& lanes, std::size_t size) {
  if (lanes.active() == 0) return ".";
  const std::string of = lanes.used < lanes.active() ? fmt::format("{}/{}", lanes.used, lanes.active())
                                                     : std::to_string(lanes.used);
  return of + (lanes.active() < size ? "*" : " ");
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string divergenceMap(const RoundAt& at) {
  const std::size_t rounds = at.analysis.told();
  std::string text;
  bool unusedToo = false;
  for (std::size_t first = 0; first < rounds; first += kRoundsAcross) {
    const std::size_t end = std::min(rounds, first + kRoundsAcross);
    std::string head = fmt::format("{:>7}", "");
    for (std::size_t index = first; index < end; ++index)
      head += fmt::format("{:>5} ", tickOf({at.trace, at.launch, at.analysis, at.flow, index}));
    text += trimmed(head) + "\n";
    std::vector<std::vector<analysis::LaneUse>> uses;
    for (std::size_t index = first; index < end; ++index)
      uses.push_back(analysis::laneUses(at.analysis.rounds[index], at.flow[index]));
    for (unsigned warp = 0; warp < at.warps(); ++warp) {
      std::string row = fmt::format("{:>7}", fmt::format("W{}", warp));
      const std::size_t begin = std::size_t(warp) * model::kWarpSize;
      for (std::size_t index = first; index < end; ++index) {
        const auto lanes =
            analysis::countLanes(at.analysis.rounds[index], uses[index - first], begin, model::kWarpSize);
        const std::string cell =
            cellOf(lanes, std::min<std::size_t>(model::kWarpSize, at.launch.block - begin));
        unusedToo = unusedToo || lanes.used < lanes.active();
        row += fmt::format("{:>6}", cell == "." ? ". " : cell);
      }
      text += trimmed(row) + "\n";
    }
  }
  return text + fmt::format("{:>7}  active lanes of each warp; * partial warp, . idle warp{}\n", "",
                            unusedToo ? "; 8/32: the results of 8 are used" : "");
}

namespace {

constexpr std::size_t kGutter = 6;  // "> 12  "
constexpr std::string_view kEllipsis = "\u2026";

// What a round did at a site, for its mark: reads and writes told apart, everything else executes.
char markOf(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::Load:
      return 'r';
    case model::EventKind::Store:
      return 'w';
    case model::EventKind::Atomic:
      return 'a';
    case model::EventKind::Shuffle:
    case model::EventKind::Vote:
    case model::EventKind::WarpReduce:
      return '~';
    default:
      return 0;
  }
}

struct LineMarks {
  bool executes = false;
  std::string marks;  // under the line; 'r' wins where a site is both read and written

  void put(const model::Site& site, char mark) {
    executes = true;
    if (mark == 0 || site.column < 1 || site.length < 1) return;
    const std::size_t from = std::size_t(site.column) - 1, end = from + std::size_t(site.length);
    if (marks.size() < end) marks.resize(end, ' ');
    for (std::size_t i = from; i < end; ++i)
      if (marks[i] == ' ' || mark == 'r') marks[i] = mark;
  }
};

// At most `columns` characters of the line; what is cut leaves an ellipsis.
std::string fitted(std::string_view line, std::size_t columns) {
  if (charactersIn(line) <= columns) return std::string(line);
  return std::string(firstCharacters(line, columns - 1)) + std::string(kEllipsis);
}

// Lines and their marks in at most `columns` columns.
std::string sourceWithin(const RoundAt& at, std::size_t columns) {
  std::map<int, LineMarks> byLine;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.site >= at.trace.sites.size()) continue;
    const model::Site& site = at.trace.sites[operation.site];
    byLine[site.line].put(site, markOf(operation.kind));
  }

  std::string text;
  std::string_view rest = at.trace.kernelText;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const LineMarks marks = byLine.contains(number) ? byLine[number] : LineMarks{};
    std::string row = fmt::format("{} {:>2}  {}", marks.executes ? '>' : ' ', number,
                                  fitted(printable(line, Lines::Many), columns - kGutter));
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
    if (!marks.marks.empty())
      text += fmt::format("{:>{}}{}\n", "", kGutter, marks.marks.substr(0, columns - kGutter));
  }
  return text;
}

}  // namespace

std::string sourceMap(const RoundAt& at) { return sourceWithin(at, kTextColumns); }

std::string wholeSourceMap(const RoundAt& at) { return sourceWithin(at, std::string::npos); }

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

std::string sharedListing(const RoundAt& at, std::size_t index) {
  const model::Array& array = at.launch.recorded().shared[index];
  const std::string_view from = analysis::nameOf(at.round().snapshot.from);
  const std::vector<std::size_t> shown =
      shownElements(at, index, std::size_t(array.bytes / std::max(1u, array.elementBytes)));
  if (shown.empty()) return {};
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
