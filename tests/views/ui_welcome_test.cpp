// The first start's doors: where they lead, by pointer and by keyboard, and that nothing waits for them.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Overlay;
using test::WorkbenchUi;

bool isOpen(WorkbenchUi& w) { return w.session().app().overlay() == Overlay::Welcome; }

struct UiWelcome : testing::Test {
  UiWelcome() { w.apply(session::ShowOverlay{Overlay::Welcome}); }
  void press(std::initializer_list<ImGuiKeyChord> keys) {
    w.run("press", [&](ImGuiTestContext* test) {
      for (const ImGuiKeyChord key : keys) {
        test->KeyPress(key);
        test->Yield(3);
      }
    });
    w.settle();
  }
  WorkbenchUi w{{.variant = "interleaved_contiguous", .round = 4}};
};

TEST_F(UiWelcome, SaysWhatThisIsAndHasADoorForEachModeThatIsThere) {
  EXPECT_TRUE(w.shows("steps through GPU reductions", "Welcome")) << w.textsIn("Welcome");
  EXPECT_TRUE(w.shows("Ten-minute tour", "Welcome"));
  EXPECT_TRUE(w.shows("Step a variant", "Welcome"));
  const bool compares = std::ranges::any_of(
      session::kModes, [](const session::ModeFacts& facts) { return facts.mode == session::Mode::Compare; });
  EXPECT_EQ(w.shows("Compare two", "Welcome"), compares);
}

TEST_F(UiWelcome, NothingWaitsForIt) {
  press({ImGuiKey_RightArrow});
  EXPECT_EQ(w.session().replay().playhead().round, 5u);
  EXPECT_TRUE(isOpen(w)) << "and it stays until it is closed";
  press({ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().overlay(), Overlay::None);
}

TEST_F(UiWelcome, TheFirstDoorStartsTheTour) {
  w.run("click", [](ImGuiTestContext* test) { test->ItemClick("//Welcome/###Ten-minute tour"); });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), Overlay::Tour);
  ASSERT_TRUE(w.session().app().tour());
  EXPECT_EQ(w.session().app().tour()->minutes(), 10u);
  press({ImGuiKey_Escape, ImGuiKey_Escape});
  EXPECT_EQ(w.session().app().overlay(), Overlay::None) << "the doors do not come back";
}

TEST_F(UiWelcome, TheSecondDoorStepsTheSmallestKernelWithItsLessonByKeyboardAlone) {
  press({ImGuiKey_F6});
  EXPECT_EQ(w.session().app().focused(), session::kReadingPart);
  press({ImGuiKey_DownArrow, ImGuiKey_Enter});
  EXPECT_EQ(w.session().workspace().experiment().variant, "warm_up");
  EXPECT_TRUE(w.session().replay().atFirst());
  EXPECT_TRUE(w.shows("Warm-up: 8 threads", "Lesson")) << w.textsIn("Lesson");
}

TEST_F(UiWelcome, IsNotShownInPresentAndComesBackBehindWhatIsLaidOverIt) {
  press({ImGuiKey_P});
  EXPECT_EQ(w.textsIn("Welcome"), "");
  press({ImGuiKey_Escape, ImGuiMod_Ctrl | ImGuiKey_P, ImGuiKey_Escape});
  EXPECT_TRUE(isOpen(w));
}

// At 1280 pixels it would leave Compare no room for the memory of both sides.
TEST_F(UiWelcome, GoesWhenAnotherModeIsChosen) {
  for (const ImGuiKey key : {ImGuiKey_C, ImGuiKey_G}) {
    w.apply(session::EnterMode{session::Mode::Explore});
    if (!isOpen(w)) w.apply(session::ShowOverlay{Overlay::Welcome});
    press({key});
    EXPECT_FALSE(isOpen(w)) << ImGui::GetKeyName(key);
  }
}

TEST_F(UiWelcome, IsKeptAsShown) {
  EXPECT_TRUE(w.session().app().settings().welcomed);
  EXPECT_TRUE(session::settingsFromJson(session::settingsToJson(w.session().app().settings())).welcomed);
  EXPECT_FALSE(session::settingsFromJson("{}").welcomed);
}

// Panels are as wide beside it at the first start as beside a text that is opened later.
TEST(UiWelcomeFirst, LeavesThePanelsTheRoomThatOtherTextsLeave) {
  const shell::PixelSize size{1280, 720};
  const auto widthOf = [](WorkbenchUi& w) {
    w.ui().drawFrames(10);
    const PanelArea source = w.workbench().areaOf("source");
    return source.max.x - source.min.x;
  };
  WorkbenchUi first({.size = size, .before = {session::ShowOverlay{Overlay::Welcome}}});
  WorkbenchUi later({.size = size});
  later.ui().drawFrames(8);
  later.apply(session::ShowOverlay{Overlay::Welcome});
  EXPECT_NEAR(widthOf(first), widthOf(later), 2);
}

TEST(UiWelcomeAgain, TheHelpMenuHasIt) {
  WorkbenchUi w;
  EXPECT_FALSE(isOpen(w));
  EXPECT_FALSE(w.session().app().settings().welcomed);
  w.run("ask", [](ImGuiTestContext* test) { test->MenuClick("//##bar/Help/Welcome"); });
  EXPECT_TRUE(isOpen(w));
}

// With the message of a machine without a GPU, too.
TEST(UiWelcomeInASmallWindow, AllDoorsAreInSight) {
  for (const auto size :
       {shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768}, shell::PixelSize{1600, 1000}})
    for (const bool withMessage : {false, true}) {
      WorkbenchUi small({.size = size});
      if (withMessage)
        small.session().app().tell({.kind = session::MessageKind::Fine, .sentence = "No usable GPU."});
      small.apply(session::ShowOverlay{Overlay::Welcome});
      small.ui().drawFrames(12);
      const ImGuiWindow* const window = ImGui::FindWindowByName("Welcome");
      ASSERT_NE(window, nullptr);
      EXPECT_FALSE(window->ScrollbarY) << size.width << " " << withMessage;
      EXPECT_TRUE(small.shows("Two variants side by side", "Welcome"));
    }
}

// The window draws until the others have the Ladder's room: nothing else may come that has it drawn.
TEST(UiWelcomeOnALargeMonitor, TheLaddersRoomIsTakenByItself) {
  WorkbenchUi w({.size = {3200, 2000}, .scale = 2});
  const auto left = [&] { return w.workbench().areaOf("shared_memory").min.x; };
  const float before = left();
  w.session().apply(session::ShowOverlay{session::Overlay::Welcome});
  do w.ui().drawFrames(1);
  while (w.workbench().wantsFrameSoon());
  const float taken = left();
  EXPECT_GT(taken, before);
  w.ui().drawFrames(10);
  EXPECT_EQ(left(), taken);
}

// A phone's page: nobody rests a pointer on what is cut off.
TEST(UiColumn, AMessageIsWhole) {
  WorkbenchUi w({.size = {390, 844}});
  const std::string sentence =
      "The tour https://example.com/a.md could not be opened: it is not where this page is from. Put it "
      "beside the page.";
  w.session().app().tell({.kind = session::MessageKind::Wrong, .sentence = sentence});
  w.ui().drawFrames(3);
  EXPECT_NE(test::spoken(w).find(sentence), std::string::npos) << test::spoken(w);
  w.run("dismiss", [&](ImGuiTestContext* test) {
    test->ItemClick("//##message/Dismiss");
    test->Yield(2);
    IM_CHECK(!w.session().app().message());
  });
}

// The memory stays above the text that tells of it, both as wide as the window.
TEST(UiColumn, ATextHasTheWidthBelowTheMemory) {
  WorkbenchUi w({.size = {390, 844}});
  w.apply(session::ShowOverlay{session::Overlay::Lesson});
  w.ui().drawFrames(6);
  const ImGuiWindow* const lesson = ImGui::FindWindowByName("Lesson");
  const ImGuiWindow* const memory = ImGui::FindWindowByName("Shared memory");
  ASSERT_TRUE(lesson != nullptr && lesson->Active && memory != nullptr && memory->Active);
  EXPECT_GT(lesson->Size.x, 370);
  EXPECT_GT(lesson->Size.y, 200);
  EXPECT_GT(memory->Size.x, 370);
  EXPECT_GE(lesson->Pos.y + 20, memory->Pos.y + memory->Size.y);
}

}  // namespace
}  // namespace stridescope::views
