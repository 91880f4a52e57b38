// What the Source panel says about the lines of a round.
#include "views/source/source_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fake_engine.h"
#include "views/transport/round_text.h"

namespace stridescope::views {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

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
  const std::string& kernel = session->replay().run()->trace.kernelText;
  const auto lines = executingLines(session->replay(), 5);

  const int update = lineOf(kernel, "data[index] = combine"), branch = lineOf(kernel, "if (index <");
  ASSERT_TRUE(lines.contains(update) && lines.contains(branch));
  EXPECT_EQ(lines.at(branch).branchTrue, 16u);
  EXPECT_EQ(lines.at(branch).branchAll, 256u);
  EXPECT_EQ(lines.at(branch).branchThreads, 256u);
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
    for (const auto& [number, line] : executingLines(session->replay(), thread))
      for (const SourceAccess& access : line.accesses) EXPECT_EQ(access.value, "") << thread;
}

// Stride 8 of the modulo rung: every sixteenth thread works.
TEST(SourceLines, ShowTheHoveredThreadIfItWorksElseTheLowestActive) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_modulo"), 4);
  const auto shownThread = [](const session::Replay& replay) {
    return views::shownThread(replay, LinkedHighlight(replay));
  };
  const auto shownThreadNote = [](const session::Replay& replay) {
    return views::shownThreadNote(replay, LinkedHighlight(replay));
  };
  EXPECT_EQ(shownThread(session->replay()), 0u);
  session->apply(session::PointAt{session::hoverThread(80)});
  EXPECT_EQ(shownThread(session->replay()), 80u);
  EXPECT_EQ(shownThreadNote(session->replay()), "values of thread 80");
  session->apply(session::PointAt{session::hoverThread(77)});
  EXPECT_EQ(shownThread(session->replay()), 0u) << "an idle thread has no values: brackets would stay empty";
  EXPECT_EQ(shownThreadNote(session->replay()), "thread 77 is idle: values of thread 0");
  session->apply(session::Unpin{});
  EXPECT_EQ(shownThread(session->replay()), 0u);
}

// Stride 8 of the contiguous rung: thread t adds data[16 t + 8] to data[16 t].
TEST(SourceLines, ShowTheThreadThatWorksOnWhatIsPointedAt) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const session::Replay& replay = session->replay();
  const auto store = std::ranges::find_if(replay.run()->trace.sites, [](const model::Site& site) {
    return site.text == "data[index]" && site.kind == model::SiteKind::Store;
  });
  ASSERT_NE(store, replay.run()->trace.sites.end());
  using enum session::HoverKind;
  struct Case {
    session::Hover hover;
    unsigned thread;
    std::string note;
  };
  for (const Case& each : {
           Case{{Element, 80}, 5, "values of thread 5, which writes data[80]"},
           Case{{Element, 88}, 5, "values of thread 5, which reads data[88]"},
           Case{{Element, 248}, 15, "values of thread 15, which reads data[248]"},
           Case{{Element, 81}, 0, "data[81] is not touched: values of thread 0"},
           Case{{Bank, 16}, 1, "values of thread 1, the lowest that accesses bank 16"},
           Case{{Bank, 3}, 0, "bank 3 is not touched: values of thread 0"},
           Case{{Warp, 0}, 0, "values of thread 0, the lowest active one of warp 0"},
           Case{{Warp, 7}, 0, "warp 7 is idle: values of thread 0"},
           Case{
               {Site, std::uint64_t(store->id)},
               0,
               "values of thread 0, the lowest active one that executes line " + std::to_string(store->line)},
           Case{{Round, 2}, 0, "values of thread 0, the lowest active one"},
       }) {
    session->apply(session::PointAt{each.hover});
    const LinkedHighlight linked(replay);
    EXPECT_EQ(shownThread(replay, linked), each.thread) << each.note;
    EXPECT_EQ(shownThreadNote(replay, linked), each.note);
    const HoverLine line = hoverLineOf(replay, each.hover, linked);
    if (each.hover.kind != Element || each.hover.index == 81) continue;
    const std::string all = line.pieces[2] + (line.pieces.size() > 3 ? " " + line.pieces[3] : "");
    EXPECT_NE(all.find("thread " + std::to_string(each.thread)), all.npos)
        << "the same thread in words: " << all;
  }
}

// Thread t of stride 8 reads at 16 t and 16 t + 8; eight elements of the ramp from p on are 8 p + 28.
TEST(SourceLines, TellEveryThreadsValueAtASite) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const std::string& kernel = session->replay().run()->trace.kernelText;
  const SourceLine line = executingLines(session->replay(), 0).at(lineOf(kernel, "data[index] = combine"));
  EXPECT_EQ(
      valuesAtSite(session->replay(), line.accesses[2].site, 2),
      (std::vector<std::string>{"thread 0   data[8]   92", "thread 1   data[24]   220", "and 14 more"}));
  EXPECT_EQ(valuesAtSite(session->replay(), line.accesses[2].site, 16).size(), 16u);
}

TEST(SourceLines, TellWhenALineRunsNext) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const std::string& kernel = session->replay().run()->trace.kernelText;
  EXPECT_EQ(nextRoundOf(session->replay(), lineOf(kernel, "data[index] = combine")),
            (session::Playhead{0, 5}));
  EXPECT_EQ(nextRoundOf(session->replay(), lineOf(kernel, "out[blockIdx.x]")), (session::Playhead{0, 9}));
  EXPECT_EQ(nextRoundOf(session->replay(), lineOf(kernel, "in[blockIdx.x")), (session::Playhead{0, 0}))
      << "begins again";
  EXPECT_EQ(nextRoundOf(session->replay(), lineOf(kernel, "extern __shared__")), std::nullopt);
}

TEST(SourceLines, AreSplitAtNewlines) {
  EXPECT_EQ(splitLines("a\n\n b\n"), (std::vector<std::string>{"a", "", " b"}));
  EXPECT_TRUE(splitLines("").empty());
}

}  // namespace
}  // namespace stridescope::views
