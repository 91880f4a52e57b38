// Pointing at the panels: one thread lights everywhere, a click pins it, bars and labels go to rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "views/shared/ladder_times.h"
#include "views/source/source_lines.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

TEST(UiTransport, ButtonsStep) {
  WorkbenchUi w;
  w.run("buttons", [&](ImGuiTestContext* test) {
    const auto round = [&] { return w.session().replay().playhead().round; };
    test->SetRef("##transport");
    test->ItemClick("Step forward");
    IM_CHECK_EQ(round(), 5u);
    test->ItemClick("Step back");
    test->ItemClick("Step back");
    IM_CHECK_EQ(round(), 3u);
    test->ItemClick("Last round");
    IM_CHECK_EQ(round(), 9u);
    test->ItemClick("Step forward");
    IM_CHECK_EQ(round(), 9u);
    test->ItemClick("First round");
    IM_CHECK_EQ(round(), 0u);
    test->ItemClick("Step back");
    IM_CHECK_EQ(round(), 0u);
  });
}

TEST(UiTransport, PlayingReachesTheEndByItself) {
  WorkbenchUi w;
  w.session().apply(session::SetSpeed{8});
  w.run("play", [](ImGuiTestContext* test) { test->ItemClick("//##transport/Play or pause"); });
  for (int frame = 0; frame < 600 && w.session().replay().playing(); ++frame) w.ui().drawFrames(1);
  EXPECT_FALSE(w.session().replay().playing());
  EXPECT_TRUE(w.session().replay().atLast());
}

// A title that is too long for the list is told shorter, and whole where the pointer rests.
TEST(UiLadder, EachTitleStandsInOneLine) {
  std::set<std::string> told;
  for (const kernels::Variant& variant : kernels::catalog()) {
    const std::string title(variant.title);
    told.insert(
        {title, shortTitle(title), title.substr(0, title.find(": ")), title.substr(title.rfind(' ') + 1)});
  }
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768}}) {
    WorkbenchUi w({.size = size}, test::hostServicesWithCycles());
    std::set<std::string> seen;
    for (const kernels::Variant& variant : kernels::catalog()) {
      w.apply(session::Choose(&model::Experiment::variant, std::string(variant.id)));
      for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
        if (entry.window.starts_with("Ladder") && entry.max.y - entry.min.y > draw::kLabelSize + 1)
          seen.insert(entry.text);
    }
    for (const char* const head : {"Ladder", "time"}) seen.erase(head);
    std::erase_if(seen, [](const std::string& text) { return text.size() <= 3; });  // the rungs' numbers
    EXPECT_GE(seen.size(), 30u);
    for (const std::string& text : seen) EXPECT_TRUE(told.contains(text)) << text << " at " << size.width;
  }
}

TEST(UiTransport, TheScrubBarIsDragged) {
  WorkbenchUi w;
  w.run("scrub", [&](ImGuiTestContext* test) {
    const ImRect bar = test->ItemInfo("//##transport/scrub bar").RectFull;
    const float y = bar.Min.y + 20, inset = 10;
    const auto x = [&](unsigned round) {
      return bar.Min.x + inset + (bar.GetWidth() - 2 * inset) * float(round) / 9;
    };
    test->MouseMoveToPos({x(2), y});
    test->MouseDown();
    test->Yield();
    IM_CHECK_EQ(w.session().replay().playhead().round, 2u);
    for (const unsigned round : {5u, 9u, 0u, 7u}) {
      test->MouseMoveToPos({x(round), y});
      test->Yield();
      IM_CHECK_EQ(w.session().replay().playhead().round, round);
    }
    test->MouseMoveToPos({bar.Max.x + 400, y - 200});  // past its end and off it
    test->Yield();
    IM_CHECK_EQ(w.session().replay().playhead().round, 9u);
    test->MouseUp();
    test->MouseMoveToPos({x(3), y});
    test->Yield();
    IM_CHECK_EQ(w.session().replay().playhead().round, 9u);
  });
}

TEST(UiTransport, TheSpeedIsDragged) {
  WorkbenchUi w;
  w.run("speed", [&](ImGuiTestContext* test) {
    const ImRect slider = test->ItemInfo("//##transport/speed").RectFull;
    const float y = slider.GetCenter().y;
    test->MouseMoveToPos({slider.Min.x + 1, y});
    test->MouseDown();
    test->Yield();
    IM_CHECK_EQ(w.session().app().settings().speed, session::kSlowest);
    test->MouseMoveToPos({slider.Max.x - 1, y});
    test->Yield();
    IM_CHECK_EQ(w.session().app().settings().speed, session::kFastest);
    test->MouseUp();
  });
}

TEST(UiHover, ALaneLightsItsThreadInTheCaption) {
  WorkbenchUi w;
  w.run("hover a lane", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("lanes", 5, 0)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().replay().hoveredThread(), 5u);
  EXPECT_TRUE(w.shows("thread 5\n", "##transport")) << w.textsIn("##transport");
  // Sums of eight elements of the ramp each, from 80 and from 88 on.
  EXPECT_TRUE(w.shows("data[80] + data[88] = 668 + 732 = 1400", "##transport")) << w.textsIn("##transport");
  EXPECT_TRUE(w.shows("values of thread 5", "Source")) << w.textsIn("Source");
}

TEST(UiHover, ALaneOfAnIdleWarpIsAThreadToo) {
  WorkbenchUi w;
  w.run("hover", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("lanes", 31, 7)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().replay().hoveredThread(), 255u);
  EXPECT_TRUE(w.shows("thread 255", "##transport"));
}

// Row r of the punch card is lane r, bank 0 or 16: eight wavefronts of two.
TEST(UiHover, ABankLightsItsThread) {
  WorkbenchUi w;
  const draw::PaintedGrid* card = w.ui().findGrid("punch card");
  ASSERT_NE(card, nullptr);
  EXPECT_EQ(card->rows, 16);
  w.run("hover a row", [&](ImGuiTestContext* test) { test->MouseMoveToPos(w.cellOf("punch card", 16, 11)); });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().replay().hoveredThread(), 11u);
  EXPECT_TRUE(w.shows("load A: bank 16, wavefront 6 of 8", "##transport")) << w.textsIn("##transport");
}

TEST(UiHover, TheSharedMemoryBandLightsItsThread) {
  WorkbenchUi w;
  w.apply(session::Choose(&model::Experiment::data,
                          model::DataPattern::Ones));  // figures so short that all 16 columns are in view
  w.run("hover", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    test->MouseMoveToPos({map.Min.x + map.GetWidth() * 3.5f / 16, map.GetCenter().y});
  });
  w.ui().drawFrames(1);
  EXPECT_EQ(w.session().replay().hoveredThread(), 3u);
}

TEST(UiHover, AClickPinsAndEscapeFrees) {
  WorkbenchUi w;
  w.run("pin", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("lanes", 7, 0));
    test->MouseClick();
    IM_CHECK(w.session().replay().pinned());
    test->MouseMoveToPos(w.cellOf("lanes", 9, 2));
    IM_CHECK_EQ(w.session().replay().hoveredThread().value_or(0), 7u);
    test->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(w.session().replay().hoveredThread().value_or(0), 7u);
  });
  w.ui().drawFrames(1);
  EXPECT_TRUE(w.shows("thread 7 · pinned", "##transport")) << w.textsIn("##transport");
  w.run("free", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
  EXPECT_FALSE(w.session().replay().pinned());
}

TEST(UiPanels, ClicksGoToRounds) {
  WorkbenchUi w;
  w.run("clicks", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("divergence", 6, 3));  // columns are the strides, from round 1
    test->MouseClick();
    IM_CHECK_EQ(w.session().replay().playhead().round, 7u);
    test->Yield(2);
    test->MouseMoveToPos(w.cellOf("banks by round", 3, 1));
    test->MouseClick();
    IM_CHECK_EQ(w.session().replay().playhead().round, 2u);
    test->Yield(2);
    test->ItemClick("//Shared memory/round 1");
    IM_CHECK_EQ(w.session().replay().playhead().round, 1u);
  });
}

// 256 threads over 512 ints in device memory: eight warps, strides 256 to 1.
TEST(UiPanels, SectorsByRoundFindWarpsAndRounds) {
  WorkbenchUi w({.variant = "global_memory", .round = 2});
  const draw::PaintedGrid* map = w.ui().findGrid("sectors by round");
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(w.ui().findGrid("banks by round"), nullptr);
  EXPECT_EQ(map->columns, 8);
  EXPECT_EQ(map->rows, 9);
  EXPECT_EQ(map->cells[1], 4);
  EXPECT_TRUE(w.shows("4, 4 needed\n", "Banks") && w.shows("2, 2 needed\n", "Banks")) << w.textsIn("Banks");
  w.run("point and click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(w.cellOf("sectors by round", 1, 2));
    IM_CHECK((w.session().replay().hover() == session::Hover{session::HoverKind::Warp, 1}));
    ImVec2 cost = w.cellOf("sectors by round", 7, 5);
    cost.x = w.ui().findGrid("sectors by round")->max.x + 20;
    test->MouseMoveToPos(cost);
    IM_CHECK((w.session().replay().hover() == session::Hover{session::HoverKind::Round, 5}));
    test->MouseMoveToPos(w.cellOf("sectors by round", 0, 4));
    test->MouseClick();
    IM_CHECK_EQ(w.session().replay().playhead().round, 4u);
  });
  EXPECT_EQ(w.ui().findGrid("sectors by round")->cells[4 * 8], 2) << "stride 16";
}

TEST(UiPanels, TheWheelZoomsSharedMemoryAndFFits) {
  WorkbenchUi w({.round = 1});  // 128 columns, of which few fit
  const auto note = [&] { return w.textsIn("Shared memory"); };
  const std::string fitted = note();
  w.run("zoom", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    test->MouseMoveToPos(map.GetCenter());
    test->MouseWheelY(1);
    test->Yield(2);
  });
  w.ui().drawFrames(2);
  EXPECT_NE(note(), fitted);
  w.run("fit", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_F); });
  w.apply(session::Unpin{});
  w.run("away", [&](ImGuiTestContext* test) { test->MouseMoveToPos({5, 5}); });
  w.apply(session::Unpin{});
  EXPECT_EQ(note(), fitted);
}

// Threads 0, 32, ... 224: the numbers of three digits stand in their discs like the others.
TEST(UiPanels, DiscsHaveTheRoomForTheirThreadsNumbers) {
  WorkbenchUi w({.variant = "interleaved_modulo", .round = 5});
  for (const char* thread : {"\n0\n", "\n96\n", "\n128\n", "\n224\n"})
    EXPECT_TRUE(w.shows(thread, "Shared memory")) << thread << w.textsIn("Shared memory");
}

// The first blocks' messages: each block's thread stores from a register into another block's memory, and the
// first one reads them in its own.
TEST(UiPanels, TheTitleSaysWhereTheOperandsOfRegistersStand) {
  const auto titled = [](unsigned round, const char* title) {
    WorkbenchUi w({.variant = "cluster_sum", .round = round});
    EXPECT_TRUE(w.textsIn("Shared memory").starts_with(std::string(title) + "\n"))
        << round << w.textsIn("Shared memory");
  };
  titled(0, "Device memory to registers");
  titled(12, "Registers");
  titled(13, "Shared memory to registers");
}

// The pointer moves less than half a column per frame, as a hand does: half the map in all, eight of the
// sixteen columns in view.
TEST(UiPanels, ASlowDragPansSharedMemory) {
  WorkbenchUi w({.variant = "sequential", .round = 1, .threads = 1024});
  w.run("drag", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/shared memory map").RectFull;
    const float y = map.GetCenter().y, lines = map.Max.y - 45;  // between the cells: a thread is found
    test->MouseMoveToPos({map.Max.x - 40, y});
    test->MouseDown();
    for (int step = 1; step <= 100; ++step)
      test->MouseMoveToPos({map.Max.x - 40 - map.GetWidth() * float(step) / 200, y});
    test->MouseUp();
    test->KeyPress(ImGuiKey_Escape);
    test->MouseMoveToPos({map.Min.x + 4, lines});
    test->Yield(2);
  });
  EXPECT_EQ(w.session().replay().hoveredThread(), 8u);
}

// The products of 256 doubles have seventeen digits and more. Two of 32 lanes have the room for theirs.
TEST(UiPanels, LongValuesInRegistersAreShownInPart) {
  WorkbenchUi w({.variant = "warp_shuffle", .round = 1, .type = model::ElementType::Double});
  w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Random));
  w.apply(session::Choose(&model::Experiment::op, model::Operator::Multiply));
  const auto heldBy = [&](unsigned thread) {
    const analysis::LaunchAnalysis& launch = w.session().replay().launchAnalysis();
    return model::printElement(model::ElementType::Double, *launch.rounds[1].exchanges[thread]->after);
  };
  EXPECT_TRUE(w.shows("2 of 32 lanes in view", "Shared memory")) << w.textsIn("Shared memory");
  EXPECT_TRUE(w.shows("\n" + heldBy(0) + "\n", "Shared memory")) << w.textsIn("Shared memory");
  EXPECT_FALSE(w.shows("\n" + heldBy(6) + "\n", "Shared memory"));

  w.apply(session::PointAt{session::hoverThread(6)});  // from another panel
  EXPECT_TRUE(w.shows("\n" + heldBy(6) + "\n", "Shared memory")) << w.textsIn("Shared memory");
  w.apply(session::PointAt{});
  w.run("strips are pointed at and clicked", [&](ImGuiTestContext* test) {
    const ImRect map = test->ItemInfo("//Shared memory/registers").RectFull;
    test->MouseMoveToPos({map.Max.x - 3, map.GetCenter().y});
    test->Yield(3);
    IM_CHECK_EQ(w.session().replay().hoveredThread().value_or(0), 31u);
    IM_CHECK(w.shows("\n" + heldBy(6) + "\n", "Shared memory"));  // the view stays under the pointer
    test->MouseClick();
    test->Yield(3);
    IM_CHECK(w.shows("\n" + heldBy(15) + "\n", "Shared memory"));  // lane 15 holds what 31 gave
    test->KeyPress(ImGuiKey_Escape);
    test->MouseWheelY(-1);
    test->Yield(3);
    IM_CHECK(w.shows("4 of 32 lanes in view", "Shared memory"));
    test->KeyPress(ImGuiKey_F);
    test->Yield(3);
    IM_CHECK(w.shows("2 of 32 lanes in view", "Shared memory"));
  });
}

// A list's number that was taken for a double would be 1.5e-323 or the like.
TEST(UiPanels, ListsNumbersAreNumbersInAMergeOfDoubles) {
  WorkbenchUi w;
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Random));
  w.apply(session::Choose(&model::Experiment::threads, 32));
  w.apply(session::GoToRound{0, 6});  // the first element's write
  EXPECT_TRUE(w.shows("becomes 1\n")) << w.textsIn("");
  EXPECT_TRUE(w.shows("\nL20\n", "Shared memory")) << w.textsIn("Shared memory");
  EXPECT_TRUE(w.shows("thread that only reads", "Shared memory")) << w.textsIn("Shared memory");
  EXPECT_FALSE(w.shows("e-3")) << w.textsIn("");
}

TEST(UiPanels, TheLadderChoosesAVariant) {
  WorkbenchUi w;
  w.run("ladder", [&](ImGuiTestContext* test) { test->ItemClick("//Ladder/**/sequential"); });
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.experiment.variant, "sequential");
  EXPECT_EQ(w.session().replay().playhead().round, 4u) << "the round is kept";
}

// The grids show what the oracle says for stride 8: 16 of 256 lanes, all in warp 0.
TEST(UiPanels, GridsShowTheRound) {
  WorkbenchUi w;
  const draw::PaintedGrid* lanes = w.ui().findGrid("lanes");
  ASSERT_NE(lanes, nullptr);
  for (unsigned t = 0; t < 256; ++t)
    EXPECT_EQ(lanes->cells[t], std::uint8_t(t < 16   ? analysis::LaneState::Active
                                            : t < 32 ? analysis::LaneState::Inactive
                                                     : analysis::LaneState::IdleWarp));
  const draw::PaintedGrid* divergence = w.ui().findGrid("divergence");
  ASSERT_NE(divergence, nullptr);
  const unsigned active[8] = {128, 64, 32, 16, 8, 4, 2, 1};
  for (int column = 0; column < 8; ++column) {
    unsigned sum = 0;
    for (int row = 0; row < 8; ++row) sum += divergence->cells[std::size_t(row * 8 + column)];
    EXPECT_EQ(sum, active[column]);
  }
}

// Each of 256 threads has 2048 / 256 = 8 elements, four in a trip of the loop: two passes, in which its
// condition is true, and one behind it.
TEST(UiSource, TellsALoopsConditionPassByPass) {
  WorkbenchUi w({.variant = "grid_stride", .round = 0});
  w.settle();
  const auto branchOf = [&](int number) { return executingLines(w.session().replay(), 0).at(number); };
  const std::string& kernel = w.session().replay().run()->trace.kernelText;
  const auto lineWith = [&](const std::string& text) {
    return int(std::ranges::count(kernel.substr(0, kernel.find(text)), '\n')) + 1;
  };
  const int line = lineWith("i + 3 * all < n");
  for (unsigned pass = 0; pass < 3; ++pass) {
    w.session().apply(session::GoToRound{0, 0, pass});
    const SourceLine loop = branchOf(line);
    EXPECT_EQ(loop.branchTrue, pass < 2 ? 256u : 0u);
    EXPECT_EQ(loop.branchAll, 256u);
    EXPECT_EQ(loop.branchThreads, 256u);
  }
  EXPECT_TRUE(WorkbenchUi().shows("true in 16 of 256 threads"));
}

// No memory is touched in a shuffle, but the lines that combine run, and tell what they leave in the
// register.
TEST(UiSource, AnAssignmentInARegisterIsTold) {
  WorkbenchUi w({.variant = "warp_shuffle", .round = 3});
  const session::Replay& replay = w.session().replay();
  const std::vector<std::string> text = splitLines(replay.run()->trace.kernelText);
  const auto line = std::ranges::find_if(text, [](const std::string& each) {
    return each.find("value = combine(value, other)") != std::string::npos;
  });
  ASSERT_NE(line, text.end());
  const auto lines = executingLines(replay, 0);
  const auto told = lines.find(int(line - text.begin()) + 1);
  ASSERT_NE(told, lines.end());
  ASSERT_EQ(told->second.accesses.size(), 1u);
  EXPECT_TRUE(told->second.accesses[0].writes);
  EXPECT_EQ(told->second.accesses[0].value, narration::registerText(roundAt(replay), 0));
  EXPECT_TRUE(w.shows("becomes " + told->second.accesses[0].value));
  EXPECT_TRUE(w.shows("values of thread 0, the lowest active one"));
}

// In large text the caption needs the hover line's place: that is told above it.
TEST(UiCaption, IsWholeWhileAThreadIsHovered) {
  for (const float scale : {1.0f, 1.5f, 2.0f}) {
    WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = {1280, 720}, .scale = scale});
    const auto isWhole = [&] {
      std::string caption = w.textsIn("##transport");
      std::ranges::replace(caption, '\n', ' ');
      return caption.find("8 wavefronts instead of 1, an 8-way bank conflict.") != std::string::npos;
    };
    EXPECT_TRUE(isWhole()) << scale << w.textsIn("##transport");
    w.apply(session::Pin{session::hoverThread(3)});
    EXPECT_TRUE(isWhole()) << scale << w.textsIn("##transport");
    EXPECT_TRUE(w.shows("warp 0 lane 3")) << scale << w.textsIn("");
  }
}

// The contiguous rung at stride 8 has both figures; those of lines without conflicts are a share of lanes.
TEST(UiSource, TheFiguresInTheMarginSayWhatTheyMean) {
  WorkbenchUi w;
  EXPECT_TRUE(w.hasTooltip("8-way", "Source"));
  EXPECT_TRUE(w.hasTooltip("W0 16/32", "Source")) << w.textsIn("");
}

TEST(UiLanes, TheLegendSaysWhatItsStatesMean) {
  WorkbenchUi w;
  EXPECT_TRUE(w.hasTooltip("idle", "Lanes")) << w.textsIn("Lanes");
}

// Threads 0 to 6 of block 0 wait for blocks 1 to 7.
test::UiRequest waitingBlock() {
  return {.variant = "one_message", .round = 12, .threads = 32, .elements = 4096};
}

TEST(Arrival, TellsWhomTheHoveredThreadWaitsFor) {
  WorkbenchUi w(waitingBlock());
  EXPECT_TRUE(w.shows("Block 0 waits for the words of 7 blocks: block 1's comes first, block 7's last."));
  w.run("hover", [](ImGuiTestContext* test) { test->MouseMove("//Shared memory/arrival 4"); });
  EXPECT_EQ(w.session().replay().hoveredThread(), 4u);
  w.settle();
  EXPECT_TRUE(w.shows("Thread 4 waits for the word of block 5, which comes 5th of 7."));
}

TEST(Arrival, ShowsTheBlockThatIsClicked) {
  WorkbenchUi w(waitingBlock());
  w.run("click", [](ImGuiTestContext* test) { test->ItemClick("//Shared memory/arrival 2"); });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().recorded().block, 3u);
  w.apply(session::GoToLast{});
  EXPECT_TRUE(w.shows("Block 3 comes last of 7.")) << "the shown block is run last";
}

TEST(Arrival, ChoosesTheNextOrder) {
  WorkbenchUi w(waitingBlock());
  w.run("order",
        [](ImGuiTestContext* test) { test->ItemClick("//Shared memory/blocks in order##arrivals"); });
  w.settle();
  w.apply(session::GoToRound{0, 12});
  EXPECT_EQ(w.session().workspace().experiment().blockOrder, model::BlockOrder::Reversed);
  EXPECT_TRUE(w.shows("block 7's comes first, block 1's last."));
}

TEST(Arrival, IsNotToldBeforeItIsPredicted) {
  WorkbenchUi w(waitingBlock());
  w.apply(session::EnterMode{session::Mode::Predict});
  EXPECT_FALSE(w.shows("comes first"));
}

}  // namespace
}  // namespace stridescope::views
