#include "narration/text_maps.h"

#include <array>

#include "analysis/analysis.h"

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

}  // namespace stridescope::narration
