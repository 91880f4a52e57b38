// What the Source panel says about the lines of a round.
#include "views/source_lines.h"

#include <gtest/gtest.h>

#include "support/fake_engine.h"

namespace stridescope {
namespace {

using test::FakeEngines;
using test::ladderExperiment;
using test::sessionOf;

// The 1-based number of the first line that holds the text.
int lineOf(const std::string& kernel, const std::string& text) {
  const auto lines = splitLines(kernel);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(text) != std::string::npos) return int(i) + 1;
  ADD_FAILURE() << "no line with " << text;
  return 0;
}

// Stride 8 of the contiguous rung: 16 of 256 threads get past the condition, 8-way conflicts. Thread 5 works
// at 80.
TEST(SourceLines, TellBranchesConflictsAndTheThreadsValues) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const std::string& kernel = session->run()->trace.kernelText;
  const auto lines = executingLines(*session, 5);

  const int update = lineOf(kernel, "data[index] = combine"), branch = lineOf(kernel, "if (index <");
  ASSERT_TRUE(lines.contains(update) && lines.contains(branch));
  EXPECT_EQ(lines.at(branch).branchTrue, 16u);
  EXPECT_EQ(lines.at(branch).branchAll, 256u);
  EXPECT_TRUE(lines.at(branch).accesses.empty());

  const SourceLine& line = lines.at(update);
  EXPECT_EQ(line.way, 8u);
  EXPECT_EQ(line.branchAll, 0u);
  const std::string text = splitLines(kernel)[std::size_t(update) - 1];
  const int first = int(text.find("data[index]")) + 1,
            second = int(text.find("data[index]", std::size_t(first))) + 1,
            third = int(text.find("data[index + s]")) + 1;
  ASSERT_EQ(line.accesses.size(), 3u);
  EXPECT_EQ(line.accesses[0].column, first);
  EXPECT_EQ(line.accesses[1].column, second);
  EXPECT_EQ(line.accesses[2].column, third);
  EXPECT_TRUE(line.accesses[0].writes);
  EXPECT_FALSE(line.accesses[1].writes || line.accesses[2].writes);
  // 8 elements of the ramp from p on are 8 p + 28.
  EXPECT_EQ(line.accesses[1].value, std::to_string(8 * 80 + 28));
  EXPECT_EQ(line.accesses[2].value, std::to_string(8 * 88 + 28));
  EXPECT_EQ(line.accesses[0].value, std::to_string(16 * 80 + 120));
  EXPECT_EQ(line.accesses[2].length, int(std::string("data[index + s]").size()));

  EXPECT_FALSE(lines.contains(lineOf(kernel, "out[blockIdx.x]"))) << "not in this round";
}

TEST(SourceLines, OfAThreadThatSatOutHaveNoValues) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  for (const unsigned thread : {16u, 31u, 200u})
    for (const auto& [number, line] : executingLines(*session, thread))
      for (const SourceAccess& access : line.accesses) EXPECT_EQ(access.value, "") << thread;
}

TEST(SourceLines, ShowTheHoveredThreadElseTheLowestActive) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_modulo"), 4);
  EXPECT_EQ(shownThread(*session), 0u);
  session->apply(PointAt{hoverThread(77)});
  EXPECT_EQ(shownThread(*session), 77u);
  session->apply(Unpin{});
  EXPECT_EQ(shownThread(*session), 0u);
}

TEST(SourceLines, AreSplitAtNewlines) {
  EXPECT_EQ(splitLines("a\n\n b\n"), (std::vector<std::string>{"a", "", " b"}));
  EXPECT_TRUE(splitLines("").empty());
}

}  // namespace
}  // namespace stridescope
