// The whole round as text.
#include "views/transport/round_text.h"

#include <gtest/gtest.h>

#include "narration/text_maps.h"
#include "narration/wording.h"
#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "views/panels.h"
#include "views/shared/view_context.h"
#include "views/source/source_lines.h"

namespace stridescope::views {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

TEST(RoundText, KeepsWithinItsColumns) {
  FakeEngines engines;
  for (const auto& [type, threads] :
       {std::pair{model::ElementType::Int, 256u}, std::pair{model::ElementType::Int64, 1024u},
        std::pair{model::ElementType::Double, 64u}, std::pair{model::ElementType::Float, 1024u}})
    for (const kernels::Variant& variant : kernels::catalog()) {
      if (!support::hasLadderTrace(variant.id)) continue;
      const auto session = sessionOf(engines, ladderExperiment(std::string(variant.id), threads, type));
      for (;; session->apply(session::StepForward{})) {
        for (const std::string& line : splitLines(roundTextOf(roundAt(session->replay()), allPanels())))
          EXPECT_LE(narration::charactersIn(line), narration::kTextColumns)
              << variant.id << " " << session->replay().playhead().round << ": " << line;
        if (session->replay().atLast()) break;
      }
    }
}

TEST(RoundText, HoldsEveryPanel) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const std::string text = roundTextOf(roundAt(session->replay()), allPanels());
  for (const char* part :
       {"Stride 8: the first 16 of 256 threads add, ", "\nShared memory\n", "\nLanes\n",
        "\nLane utilization\n", "\nBanks\n", "\nBanks by round\n", "\nSource\n", "data[index + s]"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(RoundText, OfDeviceMemoryHoldsSectorsForBanks) {
  FakeEngines engines;
  engines.trace = support::globalMemoryTrace(64);
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 3);
  const std::string text = roundTextOf(roundAt(session->replay()), allPanels());
  for (const char* part : {"\nSectors\n", "\nSectors by round\n", "load A  1 sector", "4, 4 needed"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("Banks"), std::string::npos);
}

}  // namespace
}  // namespace stridescope::views
