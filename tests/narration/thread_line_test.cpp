#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stridescope::narration
