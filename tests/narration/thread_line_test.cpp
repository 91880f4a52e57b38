#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "analysis/arrivals.h"
#include "engine/host/host_engine.h"
#include "hand_built.h"
#include "narration/threads.h"

namespace stridescope::narration {
namespace {

// Stride 8 of the contiguous variant: thread t adds data[16t + 8] to data[16t].
HandBuilt strideEight() {
  HandBuilt built(256);
  built.round(analysis::RoundEnd::BlockBarrier, 8, below(16));
  std::vector<Touch> a, b, result;
  for (unsigned t = 0; t < 16; ++t) {
    a.push_back({t, 16 * t, t == 5 ? 34u : 0u});
    b.push_back({t, 16 * t + 8, t == 5 ? 22u : 0u});
    result.push_back({t, 16 * t, t == 5 ? 56u : 0u});
  }
  built.access(model::EventKind::Load, true, "data[index]", a,
               {.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false});
  built.access(model::EventKind::Load, true, "data[index + s]", b,
               {.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false});
  built.access(model::EventKind::Store, true, "data[index]", result,
               {.wavefronts = 8, .ideal = 1, .way = 8, .broadcast = false});
  return built;
}

TEST(ThreadLine, OfAThreadThatAdds) {
  const HandBuilt built = strideEight();
  EXPECT_EQ(
      threadLineOf(built.last(), 5).text(),
      "thread 5   warp 0 lane 5   data[80] + data[88] = 34 + 22 = 56   load A: bank 16, wavefront 3 of 8   "
      "load B: bank 24, wavefront 3 of 8   store: bank 16, wavefront 3 of 8");
}

TEST(ThreadLine, InPieces) {
  const HandBuilt built = strideEight();
  const ThreadLine line = threadLineOf(built.last(), 15);
  EXPECT_EQ(line.state, analysis::LaneState::Active);
  ASSERT_EQ(line.accesses.size(), 3u);
  EXPECT_EQ(line.accesses[1].name, "load B");
  EXPECT_EQ(line.accesses[1].bank, 24u);  // word 248
  EXPECT_EQ(line.accesses[1].wavefront, 8u);
  EXPECT_EQ(line.accesses[1].wavefronts, 8u);
}

TEST(ThreadLine, OfAThreadWithoutWork) {
  const HandBuilt built = strideEight();
  EXPECT_EQ(threadLineOf(built.last(), 16).text(), "thread 16   warp 0 lane 16   inactive");
  EXPECT_EQ(threadLineOf(built.last(), 40).text(), "thread 40   warp 1 lane 8   in an idle warp");
}

TEST(ThreadLine, OperandInARegister) {
  HandBuilt built = strideEight();
  built.flow[0].work[5].a->inRegister = true;
  EXPECT_EQ(threadLineOf(built.last(), 5).formula, "register + data[88] = 34 + 22 = 56");
}

TEST(ThreadLine, Copy) {
  HandBuilt built(64);
  built.round(analysis::RoundEnd::BlockBarrier, std::nullopt, below(64));
  built.access(model::EventKind::Load, false, "in[i]", {{7, 7, 12345}});
  built.access(model::EventKind::Store, true, "data[tid]", {{7, 7, 12345}},
               {.wavefronts = 1, .ideal = 1, .way = 1, .broadcast = false});
  EXPECT_EQ(threadLineOf(built.last(), 7).text(),
            "thread 7   warp 0 lane 7   data[7] = in[7] = 12\u202f345   store: bank 7, wavefront 1 of 1");
}

// What a word brings is an operand, named by the word that brings it, or by the first of two, which take a
// pass each.
TEST(ThreadLine, OfAThreadThatReceives) {
  const auto formulaOf = [](model::ElementType type) {
    engine::JobControl job;
    const auto trace = engine::host::makeHostEngine()->record(
        {.variant = "one_message", .type = type, .threads = 256, .elements = 1 << 14}, job);
    if (!trace) return trace.error().sentence;
    const model::LaunchTrace& launch = trace->launches.front();
    const analysis::Analysis analysis = analysis::analyse(*trace);
    const auto flow = analysis::findDataFlow(*trace, launch, analysis.launches.front());
    const auto& rounds = analysis.launches.front().rounds;
    const auto waits = std::ranges::find_if(rounds, [&](const analysis::Round& round) {
      const auto arrivals = analysis::arrivalsIn(launch, round);
      return arrivals && arrivals->waits;
    });
    const std::string formula =
        threadLineOf({*trace, launch, analysis.launches.front(), flow, unsigned(waits - rounds.begin())}, 0)
            .formula;
    return std::regex_replace(formula, std::regex("\u202f"), "");
  };
  std::smatch found;
  const std::string one = formulaOf(model::ElementType::Int), two = formulaOf(model::ElementType::Int64);
  ASSERT_TRUE(std::regex_match(one, found, std::regex(R"(value \+ words\[1\] = (\d+) \+ (\d+) = (\d+))")))
      << one;
  EXPECT_EQ(std::stoll(found[1]) + std::stoll(found[2]), std::stoll(found[3]));
  ASSERT_TRUE(std::regex_match(two, found, std::regex(R"(adds words\[2\] = (\d+): value = (\d+))"))) << two;
  EXPECT_GT(std::stoll(found[2]), std::stoll(found[1]));
}

}  // namespace
}  // namespace stridescope::narration
