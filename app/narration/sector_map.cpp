#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/bank_conflicts.h"
#include "analysis/lane_mask.h"
#include "analysis/request_list.h"
#include "analysis/sectors.h"
#include "narration/amount_digit.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
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
