// Present: what it shows, its keys and a remote's, its tools, and that it ends where it began.
#include <gtest/gtest.h>

#include <algorithm>

#include "imgui_internal.h"
#include "views/frame/presenter.h"
#include "views/panels.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Mode;
using session::PresenterTool;
using test::WorkbenchUi;

void press(WorkbenchUi& w, std::initializer_list<ImGuiKeyChord> keys) {
  w.run("press", [&](ImGuiTestContext* test) {
    for (const ImGuiKeyChord key : keys) {
      test->KeyPress(key);
      test->Yield(3);
    }
  });
  w.settle();
}

unsigned roundOf(WorkbenchUi& w) { return w.session().replay().playhead().round; }
bool isOn(WorkbenchUi& w, PresenterTool tool) { return w.session().app().isOn(tool); }

struct SeenText {
  float smallest = 1e9f;
  std::string text;
};
SeenText smallestOf(const WorkbenchUi& w) {
  SeenText seen;
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
    if (entry.max.y - entry.min.y < seen.smallest) seen = {entry.max.y - entry.min.y, entry.text};
  return seen;
}

// A vertex of the foreground in this colour.
bool drawsInFront(ImU32 colour) {
  const ImVector<ImDrawVert>& vertices = ImGui::GetForegroundDrawList(ImGui::GetMainViewport())->VtxBuffer;
  return std::ranges::any_of(vertices, [&](const ImDrawVert& vertex) { return vertex.col == colour; });
}

// Values go from register to register in the first shuffle: Banks has nothing to show, and comes back where
// it has.
TEST(UiPresent, APanelWithNothingToShowGivesItsPlace) {
  WorkbenchUi w{{.variant = "warp_shuffle"}};
  w.session().apply(session::EnterMode{session::Mode::Present});
  w.session().apply(session::GoToRound{0, 0});
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Banks")) << "the load asks for device memory";
  w.session().apply(session::GoToRound{0, 2});
  w.ui().drawFrames(3);
  EXPECT_FALSE(w.shows("No thread touches memory in this round."));
  EXPECT_FALSE(w.shows("Banks"));
  EXPECT_TRUE(w.shows("Lanes"));
  w.session().apply(session::GoToRound{0, 6});
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Banks"));
}

// A phone and a tablet that are held upright: nothing of a map lies beyond its panel, and the caption is
// whole.
TEST(UiPresent, InAWindowHeldUprightAllIsWhole) {
  for (const shell::PixelSize size :
       {shell::PixelSize{1170, 2532}, shell::PixelSize{640, 1280}, shell::PixelSize{1640, 2360}})
    for (const bool isLarge : {false, true}) {
      WorkbenchUi w{{.size = size}};
      w.session().apply(session::EnterMode{session::Mode::Present});
      if (isLarge) w.session().apply(session::UseTool{PresenterTool::LargeMap});
      w.settle();
      for (const char* const title : {"Shared memory", "Banks"}) {
        const ImGuiWindow* const window = ImGui::FindWindowByName((std::string(title) + "##present").c_str());
        ASSERT_NE(window, nullptr) << title;
        EXPECT_EQ(window->ScrollMax.x, 0) << title << " in " << size.width;
        EXPECT_LE(window->Pos.x + window->Size.x, float(size.width)) << title;
      }
      EXPECT_TRUE(w.shows("bank conflict.")) << size.width << ": " << w.textsIn("##present caption");
      EXPECT_TRUE(w.shows("wavefront")) << w.textsIn("");
    }
}

TEST(UiPresent, MMakesTheMapTheLargePanel) {
  WorkbenchUi w;
  w.session().apply(session::EnterMode{session::Mode::Present});
  w.ui().drawFrames(3);
  const auto heightOf = [](const char* title) {
    const ImGuiWindow* const window = ImGui::FindWindowByName((std::string(title) + "##present").c_str());
    return window == nullptr ? 0.0f : window->Size.y;
  };
  EXPECT_GT(heightOf("Shared memory"), heightOf("Banks"));
  press(w, {ImGuiKey_M});
  EXPECT_GT(heightOf("Banks"), 1.25f * heightOf("Shared memory"));
  press(w, {ImGuiKey_M});
  EXPECT_GT(heightOf("Shared memory"), heightOf("Banks"));
}

TEST(UiPresent, OneKeyShowsTheMemoryMapOneOtherCaptionAndTransport) {
  for (const ImGuiKey key : {ImGuiKey_P, ImGuiKey_F5}) {
    WorkbenchUi w({.size = {1920, 1080}});
    press(w, {key});
    ASSERT_EQ(w.session().app().mode(), Mode::Present);
    EXPECT_TRUE(w.session().app().fullscreen());
    EXPECT_GT(w.workbench().areaOf("shared_memory").max.x, 1900);
    EXPECT_GT(w.workbench().areaOf("banks").max.x, 0);
    EXPECT_EQ(w.workbench().areaOf("lanes").max.x, 0);
    EXPECT_TRUE(w.shows("Stride 8: the first 16 of 256 threads add", "##present caption"));
    EXPECT_TRUE(w.shows("interleaved, contiguous", "Shared memory##present"));
    EXPECT_TRUE(w.shows("Page Down: stride 16", "##present transport"));
    EXPECT_EQ(w.textsIn("##bar"), "") << "menus and bar are gone";
    EXPECT_EQ(w.ui().runner().drawContext().theme, draw::Theme::Light);
  }
}

TEST(UiPresent, EndsWhereItBegan) {
  WorkbenchUi w;
  w.apply(session::StartTour{"first"});
  const PanelArea lanes = w.workbench().areaOf("lanes"), source = w.workbench().areaOf("source");
  press(w, {ImGuiKey_P});
  w.apply(session::ShowPanel{"lanes"});
  press(w, {ImGuiKey_L, ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().mode(), Mode::Explore);
  EXPECT_FALSE(w.session().app().fullscreen());
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Tour);
  EXPECT_EQ(w.ui().runner().drawContext().theme, draw::Theme::Dark);
  w.ui().drawFrames(8);
  for (const auto& [id, before] : {std::pair("lanes", lanes), std::pair("source", source)}) {
    const PanelArea after = w.workbench().areaOf(id);
    EXPECT_EQ(after.min.x, before.min.x) << id;
    EXPECT_EQ(after.min.y, before.min.y) << id;
    EXPECT_EQ(after.max.x, before.max.x) << id;
    EXPECT_EQ(after.max.y, before.max.y) << id;
  }
  press(w, {ImGuiKey_P});
  EXPECT_FALSE(isOn(w, PresenterTool::Spotlight)) << "it begins without tools";
  press(w, {ImGuiKey_F5});
  EXPECT_EQ(w.session().app().mode(), Mode::Explore) << "the key of the remote ends it, too";
}

// A text that is read at the desk is not put on the wall.
TEST(UiPresent, ALessonWaitsUntilItEnds) {
  WorkbenchUi w({.size = {1280, 720}});
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  ASSERT_NE(w.textsIn("Lesson"), "");
  press(w, {ImGuiKey_P});
  EXPECT_EQ(w.textsIn("Lesson"), "");
  EXPECT_LT(w.workbench().areaOf("shared_memory").min.x, 20);
  EXPECT_GT(w.workbench().areaOf("shared_memory").max.x, 1260);
  press(w, {ImGuiKey_PageDown, ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().mode(), Mode::Explore) << "one Esc ends it";
  EXPECT_NE(w.textsIn("Lesson"), "");
}

// One that is opened for the audience stands beside a map, which goes on: the digits swap the two.
TEST(UiPresent, ATextOpenedInItCoversNoMap) {
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, shell::PixelSize{1024, 768},
                                      shell::PixelSize{1920, 1080}, shell::PixelSize{1280, 500}}) {
    SCOPED_TRACE(size.width);
    WorkbenchUi w({.size = size});
    press(w, {ImGuiKey_P, ImGuiKey_F2});
    const ImGuiWindow* const lesson = ImGui::FindWindowByName("Lesson");
    const ImGuiWindow* const caption = ImGui::FindWindowByName("##present caption");
    ASSERT_NE(w.textsIn("Lesson"), "");
    const auto expectBeside = [&](const std::string& shown, const std::string& hidden) {
      const PanelArea area = w.workbench().areaOf(shown);
      EXPECT_GT(area.max.x - area.min.x, 0.5f * float(size.width)) << shown;
      EXPECT_FALSE(lesson->Rect().Overlaps({area.min, area.max})) << shown;
      EXPECT_FALSE(lesson->Rect().Overlaps(caption->Rect())) << shown;
      EXPECT_FALSE(caption->Rect().Overlaps({area.min, area.max})) << shown;
      EXPECT_EQ(w.workbench().areaOf(hidden).max.x, 0) << hidden;
    };
    expectBeside("shared_memory", "lanes");
    EXPECT_GT(lesson->Size.y, (size.height > 500 ? 0.75f : 0.4f) * float(size.height))
        << "there is room to read";
    if (size.width > 1024) {
      EXPECT_TRUE(w.hasRoom("Shared memory"));
    }
    press(w, {ImGuiKey_1});
    expectBeside("lanes", "shared_memory");
    press(w, {ImGuiKey_PageDown});
    EXPECT_EQ(roundOf(w), 5u);
    w.run("point", [&](ImGuiTestContext* test) {
      test->MouseMoveToPos(w.cellOf("lanes", 3, 0));
      test->Yield(3);
    });
    EXPECT_TRUE(w.session().replay().hover());
    press(w, {ImGuiKey_1});
    expectBeside("shared_memory", "lanes");
    press(w, {ImGuiKey_Escape});
    EXPECT_EQ(w.textsIn("Lesson"), "");
    EXPECT_EQ(w.session().app().mode(), Mode::Present);
    if (size.height > 500) {
      EXPECT_GT(w.workbench().areaOf("lanes").max.x, 0) << "both again";
    }
  }
}

TEST(UiPresent, APictureOfItNamesNoKeys) {
  WorkbenchUi w;
  press(w, {ImGuiKey_P});
  EXPECT_TRUE(w.shows("Page Down: stride 16", "##present transport"));
  EXPECT_TRUE(w.shows("Esc", "##present transport"));
  w.workbench().drawForPicture();
  w.ui().drawFrames(2);
  EXPECT_FALSE(w.shows("Page Down", "##present transport"));
  EXPECT_FALSE(w.shows("Esc", "##present transport"));
}

TEST(UiPresent, WhereSomethingWasSavedCoversNoMap) {
  for (const shell::PixelSize size :
       {shell::PixelSize{1280, 720}, shell::PixelSize{1920, 1080}, shell::PixelSize{1280, 500}}) {
    WorkbenchUi w({.size = size});
    press(w, {ImGuiKey_P});
    for (const bool large : {false, true}) {
      w.session().app().tellSaved("/home/someone/Documents/lecture/reductions/interleaved.png",
                                  session::Overlay::Export);
      w.ui().drawFrames(3);
      const ImGuiWindow* const remark = ImGui::FindWindowByName("##remark");
      ASSERT_TRUE(w.shows("Saved as", "##remark"));
      for (const char* panel : {"shared_memory", "banks"}) {
        const PanelArea area = w.workbench().areaOf(panel);
        EXPECT_FALSE(remark->Rect().Overlaps({area.min, area.max}))
            << panel << " at " << size.width << " x " << size.height << (large ? ", large map" : "");
      }
      EXPECT_LE(remark->Pos.x + remark->Size.x, float(size.width));
      w.apply(session::UseTool{PresenterTool::LargeMap});
    }
  }
}

TEST(UiPresent, APresentersRemoteSteps) {
  WorkbenchUi w;
  press(w, {ImGuiKey_P, ImGuiKey_PageDown, ImGuiKey_PageDown, ImGuiKey_PageUp});
  EXPECT_EQ(roundOf(w), 5u);
  press(w, {ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_Home});
  EXPECT_EQ(roundOf(w), 0u);
  press(w, {ImGuiKey_PageUp});
  EXPECT_EQ(roundOf(w), 0u);
}

// Its steps go on from the last round to the next stop, and the other way round.
TEST(UiPresent, StepsThroughTheStopsOfATour) {
  WorkbenchUi w;
  w.apply(session::StartTour{"first"});
  press(w, {ImGuiKey_P, ImGuiKey_End});
  EXPECT_TRUE(w.shows("Page Down: A stride", "##present transport")) << w.textsIn("##present transport");
  press(w, {ImGuiKey_PageDown});
  EXPECT_EQ(w.session().app().tourStop(), 1u);
  EXPECT_EQ(w.session().replay().round().stride, 4u);
  press(w, {ImGuiKey_Home, ImGuiKey_PageUp});
  EXPECT_EQ(w.session().app().tourStop(), 0u);
  press(w, {ImGuiMod_Ctrl | ImGuiKey_RightArrow});
  EXPECT_EQ(w.session().app().tourStop(), 1u);
  EXPECT_EQ(w.textsIn("Tour"), "") << "nobody reads the speaker notes on the wall";
}

TEST(UiPresent, NumberKeysSwapThePanelAndChooseNoVariant) {
  WorkbenchUi w({.size = {1920, 1080}});
  press(w, {ImGuiKey_P});
  const std::string variant = w.session().workspace().experiment().variant;
  ImGuiKey key = ImGuiKey_1;
  const std::vector<Panel> panels = allPanels();
  const std::vector<const Panel*> turns = turnsIn(panels, session::Mode::Present);
  ASSERT_EQ(turns.size(), 5u);
  for (const Panel* const panel : turns) {
    const std::string& id = panel->id;
    press(w, {key});
    EXPECT_EQ(w.session().app().presentedMap(), id);
    EXPECT_GT(w.workbench().areaOf(id).max.x, 0) << id;
    EXPECT_TRUE(w.hasRoom()) << id;
    key = ImGuiKey(key + 1);
  }
  EXPECT_EQ(w.session().workspace().experiment().variant, variant);
  press(w, {ImGuiKey_Escape, ImGuiKey_1});
  EXPECT_EQ(w.session().workspace().experiment().variant, "interleaved_modulo") << "outside they do";
}

// A window that is too low for both shows one of them at a time.
TEST(UiPresent, ALowWindowShowsOnePanelAtATime) {
  WorkbenchUi w({.size = {1280, 500}});
  press(w, {ImGuiKey_P});
  EXPECT_GT(w.workbench().areaOf("shared_memory").max.x, 0);
  EXPECT_EQ(w.workbench().areaOf("banks").max.x, 0);
  press(w, {ImGuiKey_1});
  EXPECT_EQ(w.workbench().areaOf("shared_memory").max.x, 0);
  EXPECT_GT(w.workbench().areaOf("lanes").max.x, 0);
  press(w, {ImGuiKey_1});
  EXPECT_GT(w.workbench().areaOf("shared_memory").max.x, 0) << "the same key goes back";
  w.apply(session::FollowLink{*session::parseLink("show?panel=banks", idsOf(allPanels()))});
  EXPECT_GT(w.workbench().areaOf("banks").max.x, 0) << "a link brings its panel to the front";
  press(w, {ImGuiKey_M});
  EXPECT_GT(w.workbench().areaOf("banks").max.x, 0) << "large, it is in front, too";
}

TEST(UiPresent, ABlackScreenGivesWayToAStepAndNothingIsSteppedOver) {
  WorkbenchUi w;
  press(w, {ImGuiKey_P, ImGuiKey_B});
  EXPECT_TRUE(isOn(w, PresenterTool::Black));
  EXPECT_TRUE(drawsInFront(IM_COL32_BLACK));
  press(w, {ImGuiKey_PageDown});
  EXPECT_FALSE(isOn(w, PresenterTool::Black));
  EXPECT_FALSE(drawsInFront(IM_COL32_BLACK));
  EXPECT_EQ(roundOf(w), 4u);
  press(w, {ImGuiKey_PageDown, ImGuiKey_B, ImGuiKey_B});
  EXPECT_EQ(roundOf(w), 5u);
  EXPECT_FALSE(isOn(w, PresenterTool::Black));
}

TEST(UiPresent, TheSpotlightFollowsThePointer) {
  WorkbenchUi w({.size = {1920, 1080}});
  press(w, {ImGuiKey_P, ImGuiKey_L});
  const ImU32 shade = draw::withAlpha(IM_COL32_BLACK, 0.65f);
  for (const ImVec2 pointer : {ImVec2{600, 400}, ImVec2{1500, 800}}) {
    float nearest = 1e9f;  // the shade's distance from the pointer
    w.run("move", [&](ImGuiTestContext* test) {
      test->MouseMoveToPos(pointer);
      test->Yield(2);
      for (const ImDrawVert& vertex : ImGui::GetForegroundDrawList(ImGui::GetMainViewport())->VtxBuffer)
        if (vertex.col == shade)
          nearest = std::min(nearest, std::hypot(vertex.pos.x - pointer.x, vertex.pos.y - pointer.y));
    });
    EXPECT_NEAR(nearest, 1080.0f / 6, 3);
  }
  press(w, {ImGuiKey_L});
  EXPECT_FALSE(drawsInFront(shade));
}

TEST(UiPresent, WhatIsDrawnVanishesAtTheNextStep) {
  WorkbenchUi w({.size = {1920, 1080}});
  press(w, {ImGuiKey_P, ImGuiKey_D});
  const ImU32 ink = draw::palette(draw::Theme::Light).text;
  const auto draw = [&] {
    w.run("draw", [&](ImGuiTestContext* test) {
      test->MouseMoveToPos({500, 300});
      test->MouseDown();
      test->MouseMoveToPos({900, 320});
      test->MouseMoveToPos({900, 600});
      test->MouseUp();
      test->MouseMoveToPos({1800, 1000});
    });
    w.ui().drawFrames(2);
  };
  // The edges of a line of 6 pixels lie 4 beside it, with the pixel that is smoothed. How exactly they do is
  // the processor's matter: Dear ImGui takes its approximate reciprocal square root.
  const auto hasMarks = [&] {
    return std::ranges::any_of(
        ImGui::GetForegroundDrawList(ImGui::GetMainViewport())->VtxBuffer, [&](const ImDrawVert& vertex) {
          return vertex.col == ink && std::abs(vertex.pos.x - 900) < 4.5f && vertex.pos.y < 620;
        });
  };
  EXPECT_FALSE(hasMarks());
  draw();
  EXPECT_TRUE(hasMarks());
  EXPECT_FALSE(w.session().replay().pinned()) << "no panel took the click";
  press(w, {ImGuiKey_PageDown});
  EXPECT_FALSE(hasMarks());
  draw();
  press(w, {ImGuiKey_D});
  EXPECT_TRUE(hasMarks()) << "they stay when the pointer no longer draws";
  press(w, {ImGuiKey_F1});
  EXPECT_FALSE(hasMarks()) << "a text lies over the panels";
  press(w, {ImGuiKey_Escape});
  EXPECT_TRUE(hasMarks());
  press(w, {ImGuiKey_Escape, ImGuiKey_P});
  EXPECT_FALSE(hasMarks());
}

TEST(UiPresent, EscapeEndsOneThingAfterAnother) {
  WorkbenchUi w;
  press(w, {ImGuiKey_P, ImGuiKey_D, ImGuiKey_B, ImGuiKey_F1, ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_TRUE(isOn(w, PresenterTool::Black));
  press(w, {ImGuiKey_Escape});
  EXPECT_FALSE(isOn(w, PresenterTool::Black));
  EXPECT_TRUE(isOn(w, PresenterTool::Draw));
  press(w, {ImGuiKey_Escape});
  EXPECT_FALSE(isOn(w, PresenterTool::Draw));
  EXPECT_EQ(w.session().app().mode(), Mode::Present);
  w.apply(session::Pin{session::hoverThread(5)});
  press(w, {ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().mode(), Mode::Explore);
  EXPECT_TRUE(w.session().replay().pinned()) << "the key did one thing";
}

// The digits are panels there, and the list says so once.
TEST(UiPresent, TheListOfKeysIsThatOfTheMode) {
  const std::vector<CommandEntry> table = commandTable(allPanels());
  const auto linesIn = [&](Mode mode) {
    std::string all;
    for (const KeyLine& line : keyLines(allPanels(), table, mode)) all += line.how + ": " + line.what + "\n";
    return all;
  };
  const std::string present = linesIn(Mode::Present), explore = linesIn(Mode::Explore);
  EXPECT_NE(present.find("1: Lanes beside the caption\n"), present.npos) << present;
  EXPECT_EQ(present.find("1: Variant 1\n"), present.npos);
  EXPECT_NE(explore.find("1: Variant 1\n"), explore.npos);
  EXPECT_NE(explore.find("B / .: In Present: Black screen\n"), explore.npos) << explore;
  EXPECT_NE(present.find("B / .: Black screen\n"), present.npos);
}

TEST(UiPresent, AMessageFromBeforeWaits) {
  WorkbenchUi w;
  w.apply(session::OpenRecording{"/no/such/file.stride"});
  ASSERT_NE(w.textsIn("##message"), "");
  press(w, {ImGuiKey_P});
  EXPECT_EQ(w.textsIn("##message"), "");
  w.apply(session::FollowLink{*session::parseLink("show?stride=512", idsOf(allPanels()))});
  EXPECT_TRUE(w.shows("This run has no stride 512.", "##remark")) << "what is new is told";
  press(w, {ImGuiKey_Escape});
  EXPECT_NE(w.textsIn("##message"), "");
}

TEST(UiPresent, TheThemeIsItsOwn) {
  WorkbenchUi w;
  press(w, {ImGuiKey_P, ImGuiKey_T});
  EXPECT_EQ(w.ui().runner().drawContext().theme, draw::Theme::Dark);
  EXPECT_EQ(w.session().app().settings().presenterTheme, session::ThemeName::Dark);
  press(w, {ImGuiKey_T, ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().settings().theme, session::ThemeName::Dark);
}

TEST(UiPresent, TheKeyboardReachesBothPanels) {
  WorkbenchUi w({.size = {1920, 1080}});
  press(w, {ImGuiKey_P, ImGuiKey_F6, ImGuiKey_F6});
  EXPECT_EQ(w.session().app().focused(), "banks");
  press(w, {ImGuiKey_DownArrow});
  EXPECT_TRUE(w.session().replay().hover()) << "the arrows point";
  EXPECT_EQ(roundOf(w), 4u);
  press(w, {ImGuiKey_F6});
  EXPECT_EQ(w.session().app().focused(), "shared_memory") << "there is no bar and no other panel";
  press(w, {ImGuiKey_PageDown});
  EXPECT_EQ(roundOf(w), 5u) << "the remote steps all the same";
  press(w, {ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().mode(), Mode::Present) << "first the arrows step again";
}

// A pointer that was left lying somewhere points at nothing, and is not seen.
class RestingPointer : public testing::Test {
 protected:
  WorkbenchUi w_{{.size = {1920, 1080}}};

  void moveTo(ImVec2 place) {  // as a window system says it, once
    ImGui::GetIO().AddMousePosEvent(place.x, place.y);
    w_.ui().drawFrames(3);
  }
  ImVec2 cell() { return w_.cellOf("lanes", 3, 2); }
  std::optional<session::Hover> hover() { return w_.session().replay().hover(); }
  bool isPointerSeen() { return ImGui::GetMouseCursor() != ImGuiMouseCursor_None; }
};

TEST_F(RestingPointer, LosesItsHighlightAfterSomeSeconds) {
  press(w_, {ImGuiKey_P, ImGuiKey_1});
  moveTo(cell());
  ASSERT_TRUE(hover());
  w_.ui().drawFrames(120);
  EXPECT_TRUE(hover()) << "two seconds";
  EXPECT_TRUE(isPointerSeen());
  w_.ui().drawFrames(75);
  EXPECT_FALSE(hover());
  EXPECT_FALSE(isPointerSeen());
  moveTo(cell() + ImVec2{1, 0});
  EXPECT_TRUE(hover()) << "it moves again";
  EXPECT_TRUE(isPointerSeen());
}

TEST_F(RestingPointer, PointsAtNothingInTheNextRound) {
  press(w_, {ImGuiKey_P, ImGuiKey_1});
  moveTo(cell());
  ASSERT_TRUE(hover());
  ImGui::GetIO().AddKeyEvent(ImGuiKey_PageDown, true);
  w_.ui().drawFrames(1);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_PageDown, false);
  w_.ui().drawFrames(4);
  EXPECT_EQ(roundOf(w_), 5u);
  EXPECT_FALSE(hover());
}

TEST_F(RestingPointer, PointsAtNothingWhenPresentBegins) {
  moveTo({600, 300});
  ImGui::GetIO().AddKeyEvent(ImGuiKey_P, true);
  w_.ui().drawFrames(1);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_P, false);
  w_.ui().drawFrames(6);
  ASSERT_TRUE(w_.session().app().isPresenting());
  EXPECT_FALSE(hover());
}

TEST_F(RestingPointer, LeavesWhatIsPinnedAndWhatTheKeysPointAt) {
  press(w_, {ImGuiKey_P, ImGuiKey_1});
  moveTo(cell());
  w_.apply(session::Pin{session::hoverThread(5)});
  w_.ui().drawFrames(240);
  EXPECT_EQ(hover(), session::hoverThread(5));
  w_.apply(session::Unpin{});
  press(w_, {ImGuiKey_F6, ImGuiKey_F6, ImGuiKey_DownArrow});
  const auto byKeys = hover();
  ASSERT_TRUE(byKeys);
  w_.ui().drawFrames(240);
  EXPECT_EQ(hover(), byKeys);
}

TEST_F(RestingPointer, StaysWhileItIsASpotlight) {
  press(w_, {ImGuiKey_P, ImGuiKey_1, ImGuiKey_L});
  moveTo(cell());
  w_.ui().drawFrames(240);
  EXPECT_TRUE(isPointerSeen());
  EXPECT_TRUE(ImGui::IsMousePosValid());
}

TEST_F(RestingPointer, PointsForAsLongAsItLiesElsewhere) {
  moveTo(w_.cellOf("lanes", 3, 2));
  w_.ui().drawFrames(600);
  EXPECT_EQ(hover(), session::hoverThread(2 * 32 + 3));
}

// 28 pixels at a height of 1080, and the same part of the height in others.
class PresentedText : public testing::TestWithParam<std::pair<shell::PixelSize, float>> {};

TEST_P(PresentedText, IsLargeAndWellSetInEveryRoundAndPanel) {
  const auto& [size, least] = GetParam();
  for (const char* variant : {"interleaved_contiguous", "sequential", "warp_shuffle", "missing_barrier"}) {
    WorkbenchUi w({.variant = variant, .round = 1, .size = size}, test::hostServicesWithGrids());
    w.apply(session::EnterMode{Mode::Present});
    const std::vector<Panel> panels = allPanels();
    std::vector<std::string_view> maps;
    for (const Panel* const panel : turnsIn(panels, session::Mode::Present)) maps.emplace_back(panel->id);
    for (const char* linked : {"block_timeline", "timeline", "why", "counters"}) maps.emplace_back(linked);
    for (const std::string_view map : maps)
      for (const unsigned round : {0u, 1u, 4u}) {
        w.session().apply(session::ShowPanel{std::string(map)});
        w.session().apply(session::GoToRound{0, round});
        w.apply(session::Pin{session::hoverThread(5)});
        const SeenText seen = smallestOf(w);
        EXPECT_GE(seen.smallest, least - 0.01f) << seen.text << " of " << variant << " with " << map;
        if (map != "counters" && map != "why")  // which scroll
          test::expectWellSet(w.ui().texts().entries(), 960,
                              std::string(variant) + " with " + std::string(map));
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PresentedText,
                         testing::Values(std::pair(shell::PixelSize{1280, 720}, 28.0f * 720 / 1080),
                                         std::pair(shell::PixelSize{1920, 1080}, 28.0f),
                                         std::pair(shell::PixelSize{3840, 2160}, 56.0f)),
                         [](const auto& one) { return "at" + std::to_string(one.param.first.height); });

// Whoever asks for frames all the time keeps a core busy.
TEST(UiPresent, NoModeAsksForFramesWhileNothingMoves) {
  WorkbenchUi w;
  for (const session::ModeFacts& mode : session::kModes) {
    w.apply(session::EnterMode{mode.mode});
    w.ui().drawFrames(20);
    ASSERT_EQ(w.session().app().mode(), mode.mode);
    EXPECT_FALSE(w.workbench().wantsFrameSoon()) << mode.id;
  }
}

}  // namespace
}  // namespace stridescope::views
