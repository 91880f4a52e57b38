// A person's own kernel in the window: edited in Source, run by Ctrl+Enter, with errors at their lines. The
// kernels are compiled and run.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "engine/sandbox/confinement.h"
#include "session/own_kernel.h"
#include "support/own_kernel_services.h"
#include "views/panels.h"
#include "views/shared/editor_keys.h"
#include "views/source/kernel_marks.h"
#include "views/source/kernel_output.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using support::kDoubling;
using support::kDoublingLaunch;
using test::WorkbenchUi;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), by);
}

ImGuiWindow* editorWindow() {
  for (ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string(window->Name).find(kEditorName) != std::string::npos) return window;
  return nullptr;
}

class UiOwnKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (!engine::sandbox::sandboxSupport().isComplete())
      GTEST_SKIP() << engine::sandbox::sandboxSupport().sentence();
    file_ = folder_.write("k.cu", kDoubling);
    folder_.write("k.launch.json", kDoublingLaunch);
  }

  WorkbenchUi opened(shell::PixelSize size = {1280, 720}, const session::Settings& settings = {}) {
    return WorkbenchUi({.size = size,
                        .settings = settings,
                        .before = {session::ShowPanel{"source"}, session::OpenRecording{file_}}},
                       folder_.services(test::hostServices()));
  }
  // A click into the text, behind whatever stands there.
  static void clickText(ImGuiTestContext* test) {
    const ImGuiWindow* const window = editorWindow();
    ASSERT_NE(window, nullptr);
    test->MouseMoveToPos({window->Pos.x + window->Size.x * 0.6f, window->Pos.y + window->Size.y * 0.3f});
    test->MouseClick();
    test->Yield(2);
    EXPECT_TRUE(editorHasKeys());
  }
  // The caret behind a piece of the text: `what` is sought.
  static void type(ImGuiTestContext* test, const char* text) {
    test->KeyChars(text);
    test->Yield(2);
  }
  // Frames until `done` or for ten seconds.
  static bool until(ImGuiTestContext* test, const std::function<bool()>& done) {
    for (int i = 0; i < 1000 && !done(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      test->Yield();
    }
    return done();
  }
  static std::string shownText(WorkbenchUi& w) { return w.session().replay().run()->trace.kernelText; }

  support::KernelFolder folder_;
  std::string file_;
};

TEST_F(UiOwnKernel, KeysInTheEditorAreItsOwn) {
  WorkbenchUi w = opened();
  const auto round = w.session().replay().playhead();
  w.run("type", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    type(test, "// 1r t?.,m\n");
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_DownArrow, ImGuiKey_UpArrow,
                               ImGuiKey_Home, ImGuiKey_End, ImGuiKey_Space})
      test->KeyPress(key);
    test->Yield(2);
  });
  EXPECT_EQ(w.session().replay().playhead(), round);
  EXPECT_EQ(w.session().app().theme(), session::ThemeName::Dark);
  EXPECT_EQ(w.session().app().mode(), session::Mode::Explore);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_EQ(w.session().kernel().text().substr(0, 12), "// 1r t?.,m\n");
  EXPECT_TRUE(w.shows("not saved"));
}

TEST_F(UiOwnKernel, EscGivesTheKeysBackToStepping) {
  WorkbenchUi w = opened();
  w.apply(session::GoToFirst{});
  w.run("esc", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(2);
    EXPECT_FALSE(editorHasKeys());
    test->KeyPress(ImGuiKey_RightArrow);
    test->Yield(2);
  });
  EXPECT_EQ(w.session().replay().playhead().round, 1u);
}

TEST_F(UiOwnKernel, CtrlEnterRunsTheText) {
  WorkbenchUi w = opened({1920, 1080});  // where the values have room behind the code
  w.apply(session::GoToFirst{});
  EXPECT_TRUE(w.shows("becomes 0"));
  w.run("edit", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    type(test, "// mine\n");
    EXPECT_FALSE(w.shows("becomes 0")) << "the marks are gone";
    EXPECT_NE(test::spoken(w).find("The text has changed, so the marks of the round are gone until it runs"),
              std::string::npos)
        << test::spoken(w);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    EXPECT_TRUE(until(test, [&] { return shownText(w) == std::string("// mine\n") + kDoubling; }));
    test->Yield(4);
    EXPECT_TRUE(editorHasKeys());
  });
  EXPECT_TRUE(w.shows("becomes 0"));
  EXPECT_EQ(w.session().kernel().text(), std::string("// mine\n") + kDoubling) << "no line was put in";
  EXPECT_EQ(folder_.read("k.cu"), kDoubling);
}

// Behind it in long words, in short ones, or where there is no room as a mark that is two letters wide.
TEST_F(UiOwnKernel, ValuesCoverNoCode) {
  WorkbenchUi w = opened();
  const std::vector<Panel> panels = allPanels();
  session::Commands commands;
  const LinkedHighlight linked(w.session().replay());
  const TroubleMarks trouble;
  const ShownTimes times;
  const Explanations explanations([](std::string_view) { return std::string(); });
  ViewContext view{
      w.session().parts(), w.ui().runner().drawContext(), commands, linked, trouble, times, panels,
      explanations};
  const KernelMarks marks = marksOf(view);
  ASSERT_TRUE(marks.stand);
  const auto line =
      std::ranges::find_if(marks.executing, [](const auto& each) { return !each.second.accesses.empty(); });
  ASSERT_NE(line, marks.executing.end());
  const std::string code(20, 'x');
  constexpr float kGlyph = 8, kTextLeft = 100;
  std::set<std::string> shown;
  w.run("draw", [&](ImGuiTestContext* test) {
    draw::TextLog* const before = view.draw.textLog;
    for (float right = kTextLeft + 4 * kGlyph; right < 700; right += 20) {
      draw::TextLog log;
      view.draw.textLog = &log;
      drawKernelRow(view, *ImGui::GetForegroundDrawList(), marks,
                    {.line = line->first,
                     .top = 100,
                     .textLeft = kTextLeft,
                     .glyph = kGlyph,
                     .height = 18,
                     .viewLeft = kTextLeft,
                     .viewRight = right},
                    code);
      view.draw.textLog = before;
      IM_CHECK_EQ(log.entries().size(), 1u);
      const draw::TextLog::Entry& entry = log.entries().front();
      shown.insert(entry.text);
      IM_CHECK_LE(entry.max.x, right);
      IM_CHECK(!entry.shortened);
      const float covered = std::min(right, kTextLeft + 20 * kGlyph) - entry.min.x;
      IM_CHECK_LE(covered, 2.5f * kGlyph);
    }
    test->Yield();
  });
  EXPECT_EQ(shown.size(), 3u) << testing::PrintToString(shown);
}

TEST_F(UiOwnKernel, ErrorStandsAtItsLineAndUndoTakesItAway) {
  WorkbenchUi w = opened();
  w.run("wrong", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
    type(test, "int x = nothing;");
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    EXPECT_TRUE(until(test, [&] { return !w.session().kernel().faults().empty(); }));
    test->Yield(4);
    EXPECT_NE(test::spoken(w).find("line 8, column 9: 'nothing' was not declared"), std::string::npos)
        << test::spoken(w);
    EXPECT_TRUE(editorHasKeys());
    for (int i = 0; i < 20 && w.session().kernel().text() != kDoubling; ++i) {
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      test->Yield(2);
    }
    EXPECT_EQ(w.session().kernel().text(), kDoubling);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().faults().empty(); }));
  });
}

TEST_F(UiOwnKernel, CtrlSSavesTheText) {
  WorkbenchUi w = opened();
  w.run("save", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    type(test, "// kept\n");
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().isSaved(); }));
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  });
  EXPECT_EQ(folder_.read("k.cu"), std::string("// kept\n") + kDoubling);
}

// Whoever works on a kernel means its text by Ctrl+S, wherever the keyboard is; a variant has no text to
// save.
TEST_F(UiOwnKernel, CtrlSOutsideTheEditorSavesTheTextToo) {
  WorkbenchUi w = opened();
  w.apply(session::EditKernel{std::string("// kept\n") + kDoubling});
  w.run("save", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().isSaved(); }));
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(until(test, [&] { return w.shows("The kernel's text is saved.", "##remark"); }))
        << w.textsIn("##message") << w.session().app().loneRemark().value_or("no remark");
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    test->Yield(3);
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::SaveFile);
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
  });
  EXPECT_EQ(folder_.read("k.cu"), std::string("// kept\n") + kDoubling);
}

// As `step` prints it: below the text, and in the text of the round.
TEST_F(UiOwnKernel, WhatTheRunPrintedStandsBelowTheText) {
  folder_.write("k.cu",
                replaced(kDoubling, "{\n", "{\n  printf(\"I am %u of\\n\\tmany\\n\", threadIdx.x);\n") +
                    "int main() { return 0; }\n");
  WorkbenchUi w = opened({1600, 1000});
  EXPECT_TRUE(w.shows("1 note on the run, 128 lines printed by the kernel")) << w.textsIn("");
  EXPECT_TRUE(w.shows("I am 0 of\n")) << w.textsIn("");
  EXPECT_TRUE(w.shows("        many\n")) << "a tab is shown as a terminal shows it";
  EXPECT_FALSE(w.shows("I am 63 of\n")) << "it is scrolled to";
  EXPECT_NE(test::spoken(w).find("main() is the host's and was left out."), std::string::npos)
      << test::spoken(w);
  w.run("copy, scroll and fold", [&](ImGuiTestContext* test) {
    test->ItemClick("//Source/Copy");
    test->Yield(2);
    const std::string copied = test::clipboard();
    EXPECT_NE(copied.find("printed by the kernel:\nI am 0 of\n"), std::string::npos) << copied;
    EXPECT_NE(copied.find("I am 63 of\n"), std::string::npos) << copied;
    test->ItemClick("//Source/output of the run");
    test->Yield(3);
    EXPECT_FALSE(w.shows("I am 0 of\n"));
    EXPECT_TRUE(w.shows("128 lines printed by the kernel"));
    test->ItemClick("//Source/output of the run");
    test->Yield(3);
    EXPECT_TRUE(w.shows("I am 0 of\n"));
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
  });
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::RoundText);
  EXPECT_NE(kernelOutputText(w.session().kernel()).find("I am 5 of"), std::string::npos);
}

TEST_F(UiOwnKernel, GuessedLaunchStandsInTheBarAndInTheForm) {
  std::filesystem::remove(folder_.path("k.launch.json"));
  folder_.write("k.cu", replaced(kDoubling, "tile[64]", "tile[256]"));
  WorkbenchUi w = opened({1600, 1000});
  EXPECT_TRUE(w.shows("256", "##bar")) << w.textsIn("##bar");
  EXPECT_TRUE(w.shows("in, out", "##bar")) << w.textsIn("##bar");
  EXPECT_NE(
      test::spoken(w).find("There is no k.launch.json, so the launch is guessed: grid 2, block 256, in = "
                           "digits:512, out = zero:512."),
      std::string::npos)
      << test::spoken(w);
  EXPECT_EQ(w.textsIn("##message"), "");
  w.run("keep it", [&](ImGuiTestContext* test) {
    test->ItemClick("//Source/Launch...");
    test->Yield(3);
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::Launches);
    test->ItemClick("//Launch of the kernel/Run it so");
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().hasLaunchFile(); }));
  });
  w.settle();
  EXPECT_NE(folder_.read("k.launch.json").find("\"count\": 512"), std::string::npos)
      << folder_.read("k.launch.json");
}

TEST_F(UiOwnKernel, FileChangedOutsideComesIntoTheEditorAndCanBeUndone) {
  WorkbenchUi w = opened();
  const std::string text = replaced(kDoubling, "2 *", "7 *");
  w.run("outside", [&](ImGuiTestContext* test) {
    folder_.write("k.cu", text);
    EXPECT_TRUE(until(test, [&] { return shownText(w) == text; }));
    test->Yield(3);
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test->Yield(3);
  });
  EXPECT_EQ(w.session().kernel().text(), kDoubling);
}

TEST_F(UiOwnKernel, DraftIsOfferedAndTakenUp) {
  const std::string text = std::string("// draft\n") + kDoubling;
  {
    WorkbenchUi w = opened();
    w.run("type", [&](ImGuiTestContext* test) {
      clickText(test);
      test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
      type(test, "// draft\n");
    });
  }
  WorkbenchUi w = opened();
  w.run("take", [&](ImGuiTestContext* test) {
    EXPECT_TRUE(until(test, [&] { return w.session().app().message().has_value(); }));
    test->Yield(3);
    test->ItemClick("**/Take it up");
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().text() == text; }));
    test->Yield(3);
    EXPECT_TRUE(w.shows("not saved"));
  });
}

TEST_F(UiOwnKernel, SearchSelectsWhatIsSought) {
  WorkbenchUi w = opened();
  w.run("find", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    test->Yield(3);
    type(test, "syncthreads");
    const float row = test->ItemInfo("//Source/##find").RectFull.Min.y;
    for (const char* button : {"//Source/Next", "//Source/Close"})
      EXPECT_EQ(test->ItemInfo(button).RectFull.Min.y, row) << button << " stands beside the field";
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    EXPECT_TRUE(editorHasKeys());
    type(test, "syncwarp");
  });
  EXPECT_EQ(w.session().kernel().text(), replaced(kDoubling, "syncthreads", "syncwarp"));
}

TEST_F(UiOwnKernel, RunBeforeIsComparedWithTheNewOne) {
  WorkbenchUi w = opened({1600, 1000});
  w.run("compare", [&](ImGuiTestContext* test) {
    folder_.write("k.cu", replaced(kDoubling, "tile[threadIdx.x]", "tile[threadIdx.x * 33 % 64]"));
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().hasBefore(); }));
    test->Yield(2);
    test->ItemClick("**/Before");
    EXPECT_TRUE(until(
        test, [&] { return w.session().comparison() != nullptr && w.session().comparison()->hasRuns(); }));
    test->Yield(6);
    EXPECT_TRUE(w.shows("k.cu, before"));
  });
}

TEST_F(UiOwnKernel, LaunchFormWritesTheLaunchFile) {
  WorkbenchUi w = opened({1600, 1000});
  w.run("launch", [&](ImGuiTestContext* test) {
    test->ItemClick("**/Launch...");
    test->Yield(3);
    test->SetRef("Launch of the kernel");
    test->ItemInputValue("##block", "32");
    EXPECT_TRUE(until(test, [&] { return w.session().replay().launch().block == 32; }));
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
    test->SetRef("");
    test->ItemClick("**/Launch...");
    test->Yield(3);
    test->SetRef("Launch of the kernel");
    test->ItemInputValue("##in", "many");
    test->Yield(2);
    EXPECT_NE(test::spoken(w).find("'in' cannot be 'many'."), std::string::npos) << test::spoken(w);
  });
  EXPECT_NE(folder_.read("k.launch.json").find("\"block\": [32]"), std::string::npos);
}

TEST_F(UiOwnKernel, CommandsOfTheMenusDoWhatTheirNamesSay) {
  WorkbenchUi w = opened({1600, 1000});
  const std::string text = std::string("// typed\n") + kDoubling;
  w.run("menus", [&](ImGuiTestContext* test) {
    const auto click = [&](const char* entry) {
      test->SetRef("##bar");
      test->MenuClick(entry);
      test->SetRef("");
      test->Yield(2);
    };
    w.session().apply(session::EditKernel{text});
    click("File/Take the text of the file");
    EXPECT_EQ(w.session().kernel().text(), kDoubling);
    w.session().apply(session::EditKernel{text});
    click("Run/Run the kernel's text");
    EXPECT_TRUE(until(test, [&] { return shownText(w) == text; }));
    EXPECT_FALSE(w.session().kernel().isSaved());
    click("File/###Save");
    EXPECT_TRUE(until(test, [&] { return w.session().kernel().isSaved(); }));
    click("Run/Launch of the kernel...");
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::Launches);
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(2);
    click("Run/Compare with before");
    EXPECT_EQ(w.session().app().mode(), session::Mode::Compare);
  });
}

TEST_F(UiOwnKernel, CopyOfAVariantIsOpenedInTheEditor) {
  WorkbenchUi w({.variant = "sequential", .threads = 64, .before = {session::ShowPanel{"source"}}},
                folder_.services(test::hostServices()));
  w.run("copy", [&](ImGuiTestContext* test) {
    w.session().apply(session::ShowOverlay{session::Overlay::CopyVariant});
    test->Yield(4);
    test->KeyCharsReplaceEnter(folder_.path("mine.cu").c_str());
    EXPECT_TRUE(until(test, [&] {
      return w.session().replay().run()->trace.experiment.variant == "mine.cu";
    })) << (w.session().app().message() ? w.session().app().message()->sentence : "");
    test->Yield(3);
  });
  EXPECT_TRUE(w.session().kernel().isOpen());
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_EQ(w.session().kernel().text().substr(0, 12), "using T = in");
  EXPECT_NE(folder_.read("mine.launch.json").find("\"expect\": {\"out\": ["), std::string::npos);
  EXPECT_EQ(w.session().replay().run()->trace.checkNote, "The arrays are as mine.launch.json expects.");
}

TEST_F(UiOwnKernel, TextNeverRunsUnderTheLineNumbers) {
  folder_.write("k.cu", "// " + std::string(300, 'x') + "\n" + kDoubling);
  WorkbenchUi w = opened();
  w.run("sideways", [&](ImGuiTestContext* test) {
    clickText(test);
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    test->KeyPress(ImGuiKey_End);
    test->Yield(3);
    ImGuiWindow* const window = editorWindow();
    ASSERT_NE(window, nullptr);
    EXPECT_GT(window->Scroll.x, 50);
    // All that is drawn of the text's area is clipped at its left edge.
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
      if (entry.window.find(kEditorName) == std::string::npos) continue;
      EXPECT_GT(entry.clipMin.x, window->Pos.x + 10);
    }
  });
}

TEST_F(UiOwnKernel, RandomTypingDoesNotCrash) {
  session::Settings settings;
  settings.runsWhileTyping = true;
  WorkbenchUi w = opened({1280, 720}, settings);
  std::mt19937 random(7);
  const std::string characters = "{}()[];\"'/*\\<>=+-#abc xyz019\n\t";
  w.run("random", [&](ImGuiTestContext* test) {
    clickText(test);
    const ImGuiKey keys[] = {ImGuiKey_Backspace, ImGuiKey_Delete, ImGuiKey_Enter,     ImGuiKey_Tab,
                             ImGuiKey_UpArrow,   ImGuiKey_Home,   ImGuiKey_DownArrow, ImGuiKey_End,
                             ImGuiKey_PageUp,    ImGuiKey_Insert};
    const ImGuiKeyChord chords[] = {ImGuiMod_Ctrl | ImGuiKey_Z,     ImGuiMod_Ctrl | ImGuiKey_Y,
                                    ImGuiMod_Ctrl | ImGuiKey_A,     ImGuiMod_Ctrl | ImGuiKey_X,
                                    ImGuiMod_Ctrl | ImGuiKey_V,     ImGuiMod_Ctrl | ImGuiKey_D,
                                    ImGuiMod_Ctrl | ImGuiKey_Slash, ImGuiMod_Ctrl | ImGuiKey_Enter};
    for (int i = 0; i < 400; ++i) {
      const auto what = random() % 10;
      if (what < 6)
        test->KeyChars(std::string(1 + random() % 3, characters[random() % characters.size()]).c_str());
      else if (what < 9)
        test->KeyPress(keys[random() % std::size(keys)]);
      else
        test->KeyPress(chords[random() % std::size(chords)]);
      if (i % 20 == 0) test->Yield();
    }
    test->Yield(5);
  });
  EXPECT_TRUE(w.session().kernel().isOpen());
  EXPECT_EQ(w.session().app().mode(), session::Mode::Explore);
}

}  // namespace
}  // namespace stridescope::views
