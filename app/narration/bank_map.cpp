#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// An amount of 0 to 32 as one character of a text map.

// '.' for none, then 1-9 and a-w for 10 to 32.
inline char amountDigit(unsigned amount) {
  if (amount == 0) return '.';
  return char(amount < 10 ? '0' + amount : 'a' + (amount - 10));
}

constexpr unsigned kCardColumns = 50;  // two cards stand side by side
constexpr std::string_view kBankScale = "0       8       16      24";

using BankCounts = std::array<std::uint8_t, analysis::kBankCount>;

analysis::BankMap bankMapOf(const RoundAt& at, const analysis::WarpOperation& operation) {
  return analysis::mapBanks(analysis::addressesOf(operation, at.launch),
                            operation.kind == model::EventKind::Store);
}

void takeMost(BankCounts& most, const BankCounts& counts) {
  for (unsigned bank = 0; bank < analysis::kBankCount; ++bank)
    most[bank] = std::max(most[bank], counts[bank]);
}

std::string digitsOf(const BankCounts& counts) {
  std::string row;
  for (const unsigned words : counts) row += amountDigit(words);
  return row;
}

std::string costText(const analysis::BankUse& use) {
  std::string text = count(use.wavefronts, "wavefront");
  if (use.wavefronts > use.ideal) text += fmt::format(" instead of {}", use.ideal);
  return text;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string sideBySide(const std::string& left, const std::string& right) {
  const auto a = linesOf(left), b = linesOf(right);
  std::string text;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string l = i < a.size() ? a[i] : "", r = i < b.size() ? b[i] : "";
    text += r.empty() ? l + "\n" : fmt::format("{:<{}}{}\n", l, kCardColumns, r);
  }
  return text;
}

}  // namespace

std::string bankRows(const RoundAt& at) {
  std::string text;
  for (const NamedRequest& request : bankRequests(at)) {
    const analysis::WarpOperation& example =
        at.round().operations[analysis::worstOperation(at.round(), *request.request)];
    text += fmt::format("{:>7}  {}  {}, {}-way\n", request.name, digitsOf(request.request->bankWords),
                        costText(example.banks), example.banks.way);
  }
  return text.empty() ? text : fmt::format("{:>7}  {:<32}  in the worst warp\n", "bank", kBankScale) + text;
}

std::string bankMap(const RoundAt& at, std::size_t operationIndex) {
  const analysis::WarpOperation& operation = at.round().operations[operationIndex];
  const analysis::BankMap map = bankMapOf(at, operation);

  // How many lanes ask for each word: more than one is a broadcast.
  std::multiset<std::uint64_t> asked;
  struct Row {
    unsigned wavefront, lane;
  };
  std::vector<Row> rows;
  for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = unsigned(std::countr_zero(lanes));
    unsigned last = 0;
    for (unsigned i = 0; i < map.wordsPerLane; ++i) {
      asked.insert(map.lanes[lane][i].word);
      last = std::max<unsigned>(last, map.lanes[lane][i].wavefront);
    }
    rows.push_back({last, lane});
  }
  std::ranges::sort(rows, {}, [](const Row& row) { return std::pair(row.wavefront, row.lane); });

  std::string text = fmt::format("{:>7}  {}\n", "lane", kBankScale);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string banks(analysis::kBankCount, '.');
    for (unsigned word = 0; word < map.wordsPerLane; ++word) {
      const analysis::LaneWord& entry = map.lanes[rows[i].lane][word];
      banks[entry.bank] = asked.count(entry.word) > 1 ? '=' : '#';
    }
    const bool opens = i == 0 || rows[i].wavefront != rows[i - 1].wavefront;
    text += fmt::format("{:>7}  {}{}\n", rows[i].lane, banks,
                        opens ? fmt::format("  {}", rows[i].wavefront + 1) : "");
  }
  return text;
}

std::string bankMaps(const RoundAt& at) {
  std::string text, left;
  for (const NamedRequest& request : bankRequests(at)) {
    const std::uint32_t operation = analysis::worstOperation(at.round(), *request.request);
    const analysis::WarpOperation& shown = at.round().operations[operation];
    const std::string card =
        fmt::format("{:>7}  warp {}: {}\n", request.name, shown.warp, costText(shown.banks)) +
        bankMap(at, operation);
    if (left.empty()) {
      left = card;
    } else {
      text += sideBySide(left, card);
      left.clear();
    }
  }
  return text + left;
}

std::string banksByRound(const RoundAt& at) {
  std::string text = fmt::format("{:>7}  {:<32}  highest way\n", "bank", kBankScale);
  for (std::size_t index = 0; index < at.analysis.told(); ++index) {
    const RoundAt here{at.trace, at.launch, at.analysis, at.flow, index};
    BankCounts most{};
    unsigned way = 0;
    for (const analysis::Request& request : here.round().requests) {
      takeMost(most, request.bankWords);
      way = std::max(way, request.way);
    }
    text += fmt::format("{:>7}  {}  {}\n", tickOf(here), digitsOf(most),
                        way == 0 ? "-" : fmt::format("{}-way", way));
  }
  return text;
}

namespace {

constexpr unsigned kPartBytes = 4;
constexpr unsigned kPartsInSector = analysis::kSectorBytes / kPartBytes;
constexpr std::size_t kMaxSectorsShown = 4;
constexpr unsigned kScaleStep = 8;

// Which parts of each touched sector are asked for.
std::map<std::uint64_t, std::string> sectorsOf(const analysis::LaneAddresses& addresses) {
  std::map<std::uint64_t, std::string> sectors;
  analysis::forEachLane(addresses.mask, [&](unsigned lane) {
    for (unsigned byte = 0; byte < addresses.width; byte += kPartBytes) {
      const std::uint64_t at = addresses.offset[lane] + byte;
      auto& parts = sectors.try_emplace(at / analysis::kSectorBytes, kPartsInSector, '.').first->second;
      parts[at % analysis::kSectorBytes / kPartBytes] = '#';
    }
  });
  return sectors;
}

std::string rowOf(const RoundAt& at, const NamedRequest& request) {
  const analysis::WarpOperation& operation =
      at.round().operations[analysis::worstOperation(at.round(), *request.request)];
  std::string row;
  std::size_t shown = 0;
  for (const auto& [sector, parts] : sectorsOf(analysis::addressesOf(operation, at.launch))) {
    if (shown++ == kMaxSectorsShown) break;
    row += (row.empty() ? "" : "|") + parts;
  }
  if (operation.sectors > kMaxSectorsShown)
    row += fmt::format(", and {} more", operation.sectors - kMaxSectorsShown);
  const std::string cost =
      operation.sectors > operation.idealSectors ? fmt::format(" instead of {}", operation.idealSectors) : "";
  return fmt::format("{:>7}  {}{}: {}\n", request.name, count(operation.sectors, "sector"), cost, row);
}

}  // namespace

std::string sectorRows(const RoundAt& at) {
  std::string text;
  for (const NamedRequest& request : deviceRequests(at)) text += rowOf(at, request);
  return text;
}

std::string sectorCost(const analysis::SectorUse& use) {
  return fmt::format("{}, {} needed", use.sectors, use.ideal);
}

std::string sectorsByRound(const RoundAt& at) {
  std::string scale;  // a number over every eighth column
  for (unsigned warp = 0; warp < at.warps(); warp += kScaleStep) scale += fmt::format("{:<8}", warp);
  std::string text = fmt::format("{:>7}  {}  most sectors of one request\n", "warp", scale);
  for (std::size_t index = 0; index < at.analysis.told(); ++index) {
    const RoundAt here{at.trace, at.launch, at.analysis, at.flow, index};
    const std::vector<analysis::SectorUse> uses = analysis::worstSectorsByWarp(here.round(), at.warps());
    std::string digits;
    for (const analysis::SectorUse& use : uses) digits += amountDigit(use.sectors);
    const analysis::SectorUse most = analysis::worstOf(uses);
    text += fmt::format("{:>7}  {:<{}}  {}\n", tickOf(here), digits, scale.size(),
                        most.sectors == 0 ? "-" : sectorCost(most));
  }
  return text;
}

}  // namespace stridescope::narration
