// The Timings panel by its labels: a run from start to stop, its tabs, lines, axes, texts and files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/numbers.h"
#include "imgui_internal.h"
#include "timings_fixture.h"
#include "views/measure/timings_plot.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

class TimingsUi : public testing::Test {
 protected:
  // Samples go on without an end, so that every state can be reached.
  void open(bool gpu = true, bool recorded = false, int repetitions = 1'000'000,
            const test::UiRequest& request = {}) {
    ui_.reset();  // one at a time is Dear ImGui's
    board_ = test::handMadeBoard({.gpu = gpu, .repetitions = repetitions});
    if (recorded) board_->showRecorded(test::handMadeRecords());
    ui_ = std::make_unique<WorkbenchUi>(request, test::timedServices(board_, gpu));
  }
  WorkbenchUi& w() { return *ui_; }
  TimingsState& panel() { return w().timings(); }
  const TimingsPicture& picture() { return w().workbench().times().picture; }
  measure::TimingState state() { return w().session().measurements().timings()->state; }
  void click(const std::string& item) {
    w().run(item, [&](ImGuiTestContext* test) { test->ItemClick(("//Timings/" + item).c_str()); });
  }
  // The sampling thread follows soon.
  bool comesTo(const std::function<bool()>& request) {
    for (int tries = 0; tries < 500; ++tries) {
      w().ui().drawFrames(1);
      if (request()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
    return false;
  }
  bool comesToState(measure::TimingState request) {
    return comesTo([&] { return state() == request; });
  }
  bool hasLines() {
    return comesTo([&] { return !picture().lines.empty(); });
  }
  std::string texts() {
    w().ui().drawFrames(2);
    std::string all = w().textsIn("");
    std::ranges::replace(all, '\n', ' ');  // sentences are broken where they are long
    return all;
  }
  void clickInMenu(const std::string& item) {
    w().run(item, [&](ImGuiTestContext* test) {
      test->ItemClick("//Timings/More");
      test->ItemClick(("//$FOCUSED/" + item).c_str());
      test->Yield(2);
    });
  }

  std::shared_ptr<test::HandMadeBoard> board_;
  std::unique_ptr<WorkbenchUi> ui_;
};

TEST_F(TimingsUi, StartsPausesGoesOnStopsAndClears) {
  open();
  click("Start timing");
  ASSERT_TRUE(hasLines());
  EXPECT_NE(texts().find("Live on Hand-made GPU"), std::string::npos);
  click("Pause");
  ASSERT_TRUE(comesToState(measure::TimingState::Paused));
  EXPECT_NE(texts().find("Paused on Hand-made GPU"), std::string::npos);
  click("Go on");
  ASSERT_TRUE(comesToState(measure::TimingState::Sampling));
  click("Stop");
  ASSERT_TRUE(comesToState(measure::TimingState::Idle));
  EXPECT_NE(texts().find("Measured on Hand-made GPU, stopped"), std::string::npos) << "nothing live any more";
  click("Clear");
  ASSERT_TRUE(comesTo([&] { return picture().lines.empty(); }));
}

// Where Stop and Pause stand nothing stands when the run has ended, so that a late click does nothing.
TEST_F(TimingsUi, AClickThatComesAfterTheEndStartsAndClearsNothing) {
  open();
  for (const char* tab : {"ladder", "by size", "by block"})
    for (const char* button : {"Stop", "Pause"}) {
      SCOPED_TRACE(std::string(tab) + ", " + button);
      click(tab);
      w().run("start", [&](ImGuiTestContext* test) {
        const std::string_view label = tab == std::string("ladder")    ? "Start timing"
                                       : tab == std::string("by size") ? "Time all sizes"
                                                                       : "Time all blocks";
        test->ItemClick(("//Timings/" + std::string(label)).c_str());
      });
      ASSERT_TRUE(hasLines());
      w().run("late click", [&](ImGuiTestContext* test) {
        const ImVec2 place =
            test->ItemInfo(("//Timings/" + std::string(button)).c_str()).RectFull.GetCenter();
        test->MouseMoveToPos(place);
        w().session().apply(session::StopTiming{});
        test->Yield(3);
        test->MouseClick();
        test->Yield(3);
      });
      EXPECT_EQ(state(), measure::TimingState::Idle);
      EXPECT_FALSE(picture().lines.empty());
      w().apply(session::ClearTimings{});
      ASSERT_TRUE(comesTo([&] { return picture().lines.empty(); }));
    }
}

TEST_F(TimingsUi, EveryTabShowsWhatIsRecordedAndSaysSo) {
  open(false, true);
  for (const auto& [label, tab] : {std::pair{"live", TimingsTab::Live},
                                   {"ladder", TimingsTab::Ladder},
                                   {"by size", TimingsTab::BySize},
                                   {"by block", TimingsTab::ByBlock}}) {
    click(label);
    EXPECT_EQ(panel().tab, tab);
    const std::string shown = texts();
    EXPECT_NE(shown.find("recorded on Hand-made GPU, 2026-11-21, not live"), std::string::npos) << label;
    EXPECT_EQ(shown.find("Live on"), std::string::npos) << label;
  }
}

// The hand-made recording has int and + alone.
TEST_F(TimingsUi, OfAReductionWithoutTimesTheRecordedOnesAreOffered) {
  open(false, true);
  w().apply(session::Choose(&model::Experiment::type, model::ElementType::Unsigned));
  w().apply(session::Choose(&model::Experiment::op, model::Operator::Max));
  EXPECT_NE(texts().find("There are recorded times of these reductions:"), std::string::npos);
  click("int +");
  w().settle();
  EXPECT_EQ(w().session().workspace().experiment().type, model::ElementType::Int);
  EXPECT_EQ(w().session().workspace().experiment().op, model::Operator::Add);
  EXPECT_FALSE(picture().lines.empty());
}

TEST_F(TimingsUi, WhereNoGpusTimesAreRecordedTheLiveCpuSaysSo) {
  open(false, true);
  w().apply(session::Choose(&model::Experiment::type, model::ElementType::Unsigned));
  w().apply(session::Choose(&model::Experiment::op, model::Operator::Max));
  click("Start timing");
  ASSERT_TRUE(comesTo([&] { return picture().hasLive && !picture().lines.empty(); }));
  EXPECT_NE(texts().find("No recording has a GPU's times of unsigned max"), std::string::npos) << texts();
}

TEST_F(TimingsUi, BesideALiveCpuTheGpuStaysRecorded) {
  open(false, true);
  click("Start timing");
  ASSERT_TRUE(comesTo([&] { return picture().hasLive; }));
  const std::string shown = texts();
  EXPECT_EQ(shown.find("No recording has"), std::string::npos);
  EXPECT_NE(shown.find("Live on Hand-made CPU"), std::string::npos);
  EXPECT_NE(shown.find("recorded on Hand-made GPU, 2026-11-21, not live"), std::string::npos);
  for (const TimingLine& line : picture().lines)
    EXPECT_EQ(line.recorded, !line.onCpu || line.series->source == measure::SeriesSource::Recorded);
  click("ladder");
  const std::string ladder = texts();
  EXPECT_NE(ladder.find("Measured here on Hand-made CPU"), std::string::npos);
  EXPECT_NE(ladder.find("Recorded on Hand-made GPU, 2026-11-21. Not live."), std::string::npos);
}

// By themselves the chosen variant, the one before it, CUB, and the floor are in colour.
TEST_F(TimingsUi, ALabelColoursItsLineAndMakesItGreyAgain) {
  open(false, true);
  click("by size");
  const auto coloured = [&] {
    std::set<std::string> ids;
    for (const TimingLine& line : picture().lines)
      if (standingOf(picture(), panel(), TimingsTab::BySize, line,
                     w().session().workspace().experiment().variant) == LineStanding::Coloured)
        ids.insert(line.series->subject.id);
    return ids;
  };
  // The hand-made times lack the one before.
  const std::set<std::string> first{"interleaved_contiguous", "cub", "floor"};
  std::set<std::string> more = first;
  more.insert("sequential");
  ASSERT_EQ(coloured(), first);
  const std::string label = "**/label sequential@Hand-made GPU2026-11-21T10:00:00Z";
  click(label);
  EXPECT_EQ(coloured(), more);
  click(label);
  EXPECT_EQ(coloured(), first);
  EXPECT_NE(texts().find("sequential"), std::string::npos) << "its label stays";
  click(label);
  clickInMenu("Colours as they were at first");
  EXPECT_EQ(coloured(), first);
}

TEST_F(TimingsUi, TheLadderHasTheRungOfAHiddenLine) {
  open(false, true);
  click("by size");
  click("**/label sequential@Hand-made GPU2026-11-21T10:00:00Z");
  click("ladder");
  click("**/rung sequential@Hand-made GPU2026-11-21T10:00:00Z");
  EXPECT_EQ(w().session().workspace().experiment().variant, "sequential");
}

TEST_F(TimingsUi, LabelsHaveUnits) {
  open(false, true);
  click("by size");
  click("time");
  const double us = test::handMadeTime({model::SubjectKind::CpuBaseline, "cpu_loop"}, 1ull << 24);
  EXPECT_TRUE(w().shows(timeText(us))) << timeText(us);
  click("GB\\/s");
  w().ui().drawFrames(2);
  EXPECT_NE(texts().find(" GB/s "), std::string::npos) << texts();
}

TEST_F(TimingsUi, TheLadderHasTheRatioToCubASpeedUpAndTheShareOfTheCeiling) {
  open();
  click("Start timing");
  ASSERT_TRUE(hasLines());
  click("ladder");
  ASSERT_TRUE(comesTo([&] { return w().shows("1.54"); }));
  const std::string shown = texts();
  for (const char* heading : {"of CUB", "GB/s", "ceiling", "× first"})
    EXPECT_NE(shown.find(heading), std::string::npos) << heading;
  // contiguous: 9 + 2^26 / 620e3 = 117.2 us; modulo: 181.1; 2^26 bytes in it are 572 GB/s, 19 % of 3000
  for (const char* figure : {"117.2", "572", "19 %", "1.54"})
    EXPECT_NE(shown.find(figure), std::string::npos) << figure;
  click("by time");
  EXPECT_TRUE(panel().byTime);
}

TEST_F(TimingsUi, AClickOnARungChoosesTheVariant) {
  open(false, true);
  click("ladder");
  click("**/rung sequential@Hand-made GPU2026-11-21T10:00:00Z");
  EXPECT_EQ(w().session().workspace().experiment().variant, "sequential");
}

TEST_F(TimingsUi, TheWheelZoomsADragSelectsADoubleClickFits) {
  open(false, true);
  click("by size");
  w().ui().drawFrames(3);
  const AxisRange before = panel().sizeX;
  ASSERT_TRUE(before.follows);
  w().run("wheel", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({1200, 740});
    test->MouseWheelY(3);
    test->Yield(2);
  });
  EXPECT_FALSE(panel().sizeX.follows);
  EXPECT_LT(panel().sizeX.most / panel().sizeX.least, before.most / before.least);
  const AxisRange zoomed = panel().sizeX;
  w().run("drag", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({1150, 720});
    test->MouseDown();
    test->MouseMoveToPos({1260, 790});
    test->MouseUp();
    test->Yield(2);
  });
  EXPECT_LT(panel().sizeX.most / panel().sizeX.least, zoomed.most / zoomed.least);
  click("GB\\/s");
  w().ui().drawFrames(2);
  EXPECT_FALSE(panel().sizeX.follows) << "the axis is the same for time and GB/s";
  w().run("fit", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({1200, 740});
    test->MouseDoubleClick();
    test->Yield(2);
  });
  EXPECT_TRUE(panel().sizeX.follows);
}

TEST_F(TimingsUi, OneCursorGivesTheValuesThere) {
  open(false, true);
  click("by size");
  w().run("cursor", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({1180, 740});
    test->Yield(3);
    // Where the CPU's loop was measured next to the pointer: one of the sizes, and its time to the digit.
    bool found = false;
    for (unsigned power = 10; power <= 28; power += 2) {
      const double us = test::handMadeTime({model::SubjectKind::CpuBaseline, "cpu_loop"}, 1ull << power);
      found |= w().shows("2^" + std::to_string(power) + "\n") && w().shows(timeText(us));
    }
    IM_CHECK(found);
  });
}

// What is drawn after the button must not take its click away.
// The triangles of vertical lines in this colour that the panel draws, as the boxes round them. Letters are
// less high.
std::vector<ImRect> verticalLines(ImU32 colour) {
  std::vector<ImRect> lines;
  for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive || !std::string_view(window->RootWindow->Name).starts_with("Timings")) continue;
    const ImDrawList& list = *window->DrawList;
    for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
      ImRect box{1e9f, 1e9f, -1e9f, -1e9f};
      bool isOfColour = true;
      for (int corner = 0; corner < 3; ++corner) {
        const ImDrawVert& vertex = list.VtxBuffer[list.IdxBuffer[i + corner]];
        box.Add(vertex.pos);
        isOfColour = isOfColour && (vertex.col & ~IM_COL32_A_MASK) == (colour & ~IM_COL32_A_MASK);
      }
      if (isOfColour && box.GetWidth() < 4 && box.GetHeight() > 20) lines.push_back(box);
    }
  }
  return lines;
}

// Neither the line of the chosen size nor that of the pointer.
TEST_F(TimingsUi, NoLineGoesThroughALabelOfAPlot) {
  const ImU32 dim = draw::palette(draw::Theme::Dark).dim;
  for (const shell::PixelSize size : {shell::PixelSize{1366, 768}, {1280, 720}}) {
    open(true, true, 1'000'000, {.variant = "sequential", .elements = 1u << 24, .size = size});
    panel().tab = TimingsTab::BySize;
    w().apply(session::ShowPanel{kTimingsId});
    const auto look = [&](const std::string& how) {
      w().ui().drawFrames(3);
      const std::vector<ImRect> lines = verticalLines(dim);
      EXPECT_FALSE(lines.empty()) << how;
      for (const draw::TextLog::Entry& entry : w().ui().texts().entries()) {
        if (!std::string_view(entry.window).starts_with("Timings")) continue;
        for (const ImRect& line : lines)
          EXPECT_FALSE(line.Overlaps({entry.min, entry.max}))
              << entry.text << ", " << how << " at " << size.width << " x " << size.height;
      }
    };
    look("nothing pointed at");
    const PanelArea area = w().workbench().areaOf(kTimingsId);
    for (const float share : {0.2f, 0.35f}) {
      w().run("point", [&](ImGuiTestContext* test) {
        test->MouseMoveToPos({area.min.x + share * (area.max.x - area.min.x), (area.min.y + area.max.y) / 2});
        test->Yield(2);
      });
      look("the pointer at " + std::to_string(share));
    }
  }
}

TEST_F(TimingsUi, TheMenuOpensOnEveryTab) {
  open(false, true);
  for (const char* tab : {"live", "ladder", "by size", "by block"}) {
    click(tab);
    const bool before = panel().published;
    clickInMenu("Published times of older cards");
    EXPECT_NE(panel().published, before) << tab;
  }
}

TEST_F(TimingsUi, CopiesCsv) {
  open(false, true);
  w().run("copy", [&](ImGuiTestContext* test) {
    test->ItemClick("//Timings/More");
    test->ItemClick("//$FOCUSED/Copy as CSV");
    test->Yield(2);
    const std::string csv = ImGui::GetClipboardText();
    IM_CHECK(csv.starts_with("subject,kind,source,device,recorded_on,"));
    IM_CHECK(csv.find("\nsequential,variant,recorded,\"Hand-made GPU\",2026-11-21T10:00:00Z,int,") !=
             std::string::npos);
  });
}

TEST_F(TimingsUi, TheMenuAsksWhereToSaveThePicture) {
  open(false, true);
  clickInMenu("Save as PNG...");
  EXPECT_EQ(w().session().app().overlay(), session::Overlay::Export);
  EXPECT_EQ(w().session().app().overlaySubject(), "timings");
}

TEST_F(TimingsUi, HeadingsSayWhatTheyMean) {
  open(false, true);
  click("ladder");
  for (const char* heading : {"µs", "ceiling", "× first"})
    EXPECT_TRUE(w().hasTooltip(heading, "Timings")) << heading;
}

TEST_F(TimingsUi, TheKeyboardAloneStartsAndStops) {
  open();
  w().run("keys", [&](ImGuiTestContext* test) {
    for (const char* command : {"Start timing", "Stop timing"}) {
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      test->KeyChars(command);
      test->KeyPress(ImGuiKey_Enter);
      test->Yield(2);
      IM_CHECK_EQ(w().session().measurements().isTiming(), command == std::string("Start timing"));
    }
  });
}

// Windows live for hours: what the panel keeps of a line has an upper bound.
TEST_F(TimingsUi, WhatIsDrawnStaysSmallHoweverManySamples) {
  open(true, false, int(measure::kKeptSamples + 100));
  w().session().apply(session::StartTiming{});
  test::waitUntilStill(*board_);
  w().ui().drawFrames(2);
  ASSERT_FALSE(picture().lines.empty());
  for (const TimingLine& line : picture().lines) {
    EXPECT_LE(line.series->recentMicroseconds.size(), measure::kKeptSamples);
    EXPECT_LE(line.live.seconds.size(), 400u) << line.key;
  }
}

// Not all rows fit: the chosen variant, the fastest one and CUB do, above those that scroll.
TEST_F(TimingsUi, TheLadderKeepsTheChosenTheFastestAndCubInView) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 560}, shell::PixelSize{1600, 1000}}) {
    ui_.reset();  // one harness at a time
    board_ = test::handMadeBoard({.gpu = false, .repetitions = 1'000'000});
    board_->showRecorded(test::handMadeRecords());
    ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{.variant = "interleaved_modulo", .size = size},
                                        test::timedServices(board_, false));
    w().apply(session::ShowPanel{"timings"});
    ASSERT_TRUE(hasLines());
    panel().tab = TimingsTab::Ladder;
    w().ui().drawFrames(4);
    const PanelArea area = w().workbench().areaOf("timings");
    ASSERT_GT(area.max.y, area.min.y);
    for (const char* id : {"interleaved_modulo", "single_pass", "cub"}) {
      const auto line = std::ranges::find_if(
          picture().lines, [&](const TimingLine& each) { return each.series->subject.id == id; });
      ASSERT_NE(line, picture().lines.end()) << id;
      w().run(id, [&](ImGuiTestContext* test) {
        const ImRect row =
            test->ItemInfo(ImHashStr(("rung " + line->key).c_str(), 0,
                                     ImHashStr("pinned", 0, ImGui::FindWindowByName("Timings")->ID)))
                .RectFull;
        IM_CHECK_GT(row.GetHeight(), 10.0f);
        IM_CHECK_GT(row.Min.y, area.min.y);
        IM_CHECK_LT(row.Max.y, area.max.y);
      });
    }
  }
}

// Another GPU's recording has one variant and its own CUB: what stays in view beside that variant is of that
// GPU.
TEST_F(TimingsUi, WhatTheLadderKeepsInViewIsOfOneGpu) {
  std::vector<model::TimingRecord> records = test::handMadeRecords();
  const std::size_t all = records.size();
  for (std::size_t i = 0; i < all; ++i) {
    model::TimingRecord record = records[i];
    const std::string& id = record.subject.id;
    if (id == "warp_shuffle" || id == "cub") {
      record.executor.device = "Another GPU";
      records.push_back(record);
    }
  }
  std::erase_if(records, [](const model::TimingRecord& each) {
    return each.subject.id == "warp_shuffle" && each.executor.device == test::kHandMadeGpu;
  });
  board_ = test::handMadeBoard({.gpu = false, .repetitions = 1'000'000});
  board_->showRecorded(records);
  ui_ = std::make_unique<WorkbenchUi>(
      test::UiRequest{.variant = "warp_shuffle", .round = 0, .size = {1280, 560}},
      test::timedServices(board_, false));
  w().apply(session::ShowPanel{"timings"});
  ASSERT_TRUE(hasLines());
  panel().tab = TimingsTab::Ladder;
  w().ui().drawFrames(4);
  unsigned pinned = 0;
  for (const TimingLine& line : picture().lines) {
    bool isThere = false;
    w().run("pinned", [&](ImGuiTestContext* test) {
      isThere = test->ItemExists(ImHashStr(("rung " + line.key).c_str(), 0,
                                           ImHashStr("pinned", 0, ImGui::FindWindowByName("Timings")->ID)));
    });
    if (!isThere) continue;
    ++pinned;
    EXPECT_EQ(line.series->executor.device, "Another GPU") << line.key;
  }
  EXPECT_EQ(pinned, 2u);
  EXPECT_TRUE(w().shows("Recorded on Another GPU"));
}

TEST_F(TimingsUi, TheTabAndTheCheckMarksComeBackWithTheNextStart) {
  open(false, true);
  click("by size");
  w().ui().drawFrames(3);
  const auto lineOf = [&](const char* id) {
    return std::ranges::find_if(picture().lines,
                                [&](const TimingLine& each) { return each.series->subject.id == id; });
  };
  panel().toggled = {toggleKey(TimingsTab::BySize, *lineOf("cub")), "live " + lineOf("cub")->key};
  w().ui().drawFrames(3);
  const session::Settings kept =
      session::settingsFromJson(session::settingsToJson(w().session().app().settings()));
  EXPECT_EQ(kept.timingsTab, "by size");
  const std::set<std::string> toggled = panel().toggled;
  ui_.reset();
  ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{.settings = kept}, test::timedServices(board_, false));
  w().apply(session::ShowPanel{"timings"});
  ASSERT_TRUE(hasLines());
  EXPECT_EQ(panel().tab, TimingsTab::BySize);
  EXPECT_EQ(panel().toggled, toggled);
  EXPECT_EQ(standingOf(picture(), panel(), TimingsTab::BySize, *lineOf("cub"), "sequential"),
            LineStanding::Grey);
}

// Rows that are checked or unchecked come to another place only when the pointer has left the list.
TEST_F(TimingsUi, NoRowOfTheListMovesUnderThePointer) {
  open(false, true);
  for (const char* tab : {"by size", "live"}) {
    SCOPED_TRACE(tab);
    click(tab);
    w().ui().drawFrames(3);
    const auto order = [&] { return panel().legend.keys; };
    w().run("check rows", [&](ImGuiTestContext* test) {
      const auto first = order();
      const ImVec2 third = test->ItemInfo(("//Timings/**/label " + first[4]).c_str()).RectFull.GetCenter();
      test->MouseMoveToPos(third);
      test->Yield(2);
      const auto before = order();
      for (int i = 0; i < 3; ++i) {
        test->MouseClick();
        test->Yield(3);
        IM_CHECK(order() == before);
      }
      test->MouseMoveToPos({5, 5});
      test->Yield(3);
    });
    EXPECT_EQ(panel().toggled.size(), 1u);
    panel().toggled.clear();
  }
}

// As little does one that the keyboard checks: its frame stays on the row.
TEST_F(TimingsUi, NoRowOfTheListMovesUnderTheKeyboard) {
  open(false, true);
  for (const char* tab : {"by size", "live"}) {
    SCOPED_TRACE(tab);
    click(tab);
    w().ui().drawFrames(3);
    const auto order = [&] { return panel().legend.keys; };
    w().run("check rows", [&](ImGuiTestContext* test) {
      test->MouseMoveToPos({5, 5});
      test->Yield(3);
      const std::string row = "//Timings/**/label " + order()[4];
      w().session().apply(session::FocusPart{"timings"});
      test->Yield(8);
      test->NavMoveTo(row.c_str());
      test->Yield(2);
      const ImGuiID item = test->ItemInfo(row.c_str()).ID;
      const auto before = order();
      const float top = test->ItemInfo(row.c_str()).RectFull.Min.y;
      for (int i = 0; i < 3; ++i) {
        test->KeyPress(ImGuiKey_Space);
        test->Yield(3);
        IM_CHECK(order() == before);
        IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, item);
        IM_CHECK_EQ(test->ItemInfo(row.c_str()).RectFull.Min.y, top);
      }
      IM_CHECK_EQ(panel().toggled.size(), 1u);
    });
    panel().toggled.clear();
    w().run("leave", [](ImGuiTestContext* test) {
      test->MouseMoveToPos({5, 5});
      test->MouseClick();
    });
  }
}

// However little room there is: with its words, or with its figure alone.
TEST_F(TimingsUi, ThePeakOfTheBandwidthIsNamed) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768},
                                      shell::PixelSize{1600, 1000}, shell::PixelSize{3840, 2160}}) {
    SCOPED_TRACE(size.width);
    open(false, true, 1'000'000, {.size = size});
    w().apply(session::ShowPanel{"timings"});
    click("by size");
    for (const bool rates : {false, true}) {
      panel().gigabytes = rates;
      EXPECT_NE(texts().find("3000 GB/s"), std::string::npos) << texts();
    }
  }
}

TEST_F(TimingsUi, TheListSaysWhatItsValuesAreAt) {
  open(false, true);
  click("live");
  EXPECT_NE(texts().find("at n = 2^"), std::string::npos) << texts();
  click("by size");
  w().run("leave", [](ImGuiTestContext* test) { test->MouseMoveToPos({5, 5}); });
  EXPECT_NE(texts().find("at n = 2^24"), std::string::npos)
      << "the n of the bar, one block's load: " << texts();
  w().apply(session::Choose(&model::Experiment::elements, std::uint64_t{1} << 20));
  EXPECT_NE(texts().find("at n = 2^20"), std::string::npos) << texts();
  click("by block");
  EXPECT_NE(texts().find("block of 256"), std::string::npos) << texts();
  w().apply(session::Choose(&model::Experiment::threads, 512u));
  EXPECT_NE(texts().find("block of 512"), std::string::npos) << texts();
}

}  // namespace
}  // namespace stridescope::views
