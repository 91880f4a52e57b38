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

}  // namespace stridescope::narration
