// Source in the window: lines are whole at every width, the panel scrolls sideways for a person and not by
// itself, and the labels of the round are in view.
#include <gtest/gtest.h>

#include <algorithm>

#include "imgui_internal.h"
#include "views/source/source_lines.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

bool isOfSource(const draw::TextLog::Entry& entry) {
  return entry.window.find("source text") != std::string::npos;
}

ImGuiWindow* sourceWindow() {
  for (ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string(window->Name).find("source text") != std::string::npos)
      return window;
  return nullptr;
}

const draw::TextLog::Entry* sourceEntry(const WorkbenchUi& w, const std::string& text) {
  const auto& entries = w.ui().texts().entries();
  const auto found = std::ranges::find_if(entries, [&](const draw::TextLog::Entry& entry) {
    return isOfSource(entry) && entry.text.find(text) != std::string::npos;
  });
  return found == entries.end() ? nullptr : &*found;
}

bool isInViewAcross(const draw::TextLog::Entry& entry) {
  return entry.min.x >= entry.clipMin.x - 1 && entry.max.x <= entry.clipMax.x + 1;
}

WorkbenchUi smallWindow(shell::PixelSize size = {1280, 720}) {
  return WorkbenchUi({.size = size, .before = {session::ShowPanel{"source"}}});
}

TEST(UiSourcePanel, NoLineIsBrokenInAWindowOfAnySize) {
  for (const shell::PixelSize size : {shell::PixelSize{800, 600}, shell::PixelSize{1280, 720},
                                      shell::PixelSize{1366, 768}, shell::PixelSize{1920, 1080}}) {
    WorkbenchUi w = smallWindow(size);
    const model::Trace& trace = w.session().replay().run()->trace;
    std::vector<std::string> lines = splitLines(trace.preamble);
    for (std::string& line : splitLines(trace.kernelText)) lines.push_back(std::move(line));
    // A line is a piece of code and a comment; each begins where the line has it.
    const auto isPieceOfALine = [&](const std::string& text) {
      return std::ranges::any_of(lines, [&](const std::string& line) {
        const std::string code = line.substr(0, line.find("//"));
        return text == line || text == code || text == line.substr(code.size());
      });
    };
    std::size_t pieces = 0;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (isOfSource(entry) && entry.text.find_first_of(";{}") != std::string::npos) {
        ++pieces;
        EXPECT_TRUE(isPieceOfALine(entry.text)) << "'" << entry.text << "' at " << size.width;
        EXPECT_FALSE(entry.shortened) << entry.text;
      }
    EXPECT_GT(pieces, 5u) << size.width;
  }
}

TEST(UiSourcePanel, ScrollsSidewaysByTheWheelWithShift) {
  WorkbenchUi w = smallWindow();
  ImGuiWindow* const window = sourceWindow();
  ASSERT_NE(window, nullptr);
  ASSERT_TRUE(window->ScrollbarX) << "its lines do not fit";
  w.run("wheel", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(window->Rect().GetCenter());
    test->KeyDown(ImGuiMod_Shift);
    for (int i = 0; i < 20; ++i) test->MouseWheelY(-1);
    test->KeyUp(ImGuiMod_Shift);
    test->Yield(2);
  });
  EXPECT_GT(window->Scroll.x, 20);
  EXPECT_NEAR(window->Scroll.x, window->ScrollMax.x, 1);
  const auto* const number = sourceEntry(w, "15");
  ASSERT_NE(number, nullptr);
  EXPECT_TRUE(isInViewAcross(*number)) << "the margin stays";
}

TEST(UiSourcePanel, ScrollsSidewaysByKeysWhileItHasTheKeyboard) {
  WorkbenchUi w = smallWindow();
  ImGuiWindow* const window = sourceWindow();
  ASSERT_NE(window, nullptr);
  const unsigned round = w.session().replay().playhead().round;
  const auto press = [&](ImGuiKey key) {
    w.run("press", [&](ImGuiTestContext* test) {
      test->KeyPress(ImGuiMod_Alt | key);
      test->Yield(2);
    });
  };
  const float before = window->Scroll.x;
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(window->Scroll.x, before) << "another part has the keyboard";
  w.apply(session::FocusPart{"source"});
  press(ImGuiKey_LeftArrow);
  press(ImGuiKey_LeftArrow);
  const float left = window->Scroll.x;
  press(ImGuiKey_RightArrow);
  EXPECT_GT(window->Scroll.x, left);
  press(ImGuiKey_LeftArrow);
  EXPECT_EQ(window->Scroll.x, left);
  EXPECT_EQ(w.session().replay().playhead().round, round) << "no step";
}

// In each round the label of what is written is whole, or every label that fits with it is.
TEST(UiSourcePanel, BracketsAreInViewWhenTheRoundChanges) {
  WorkbenchUi w = smallWindow();
  ImGuiWindow* const window = sourceWindow();
  ASSERT_NE(window, nullptr);
  for (const unsigned round : {0u, 3u, 9u, 5u}) {
    w.run("away", [&](ImGuiTestContext* test) {
      ImGui::SetScrollX(window, window->ScrollMax.x);
      test->Yield(2);
    });
    w.apply(session::GoToRound{0, round});
    const auto* const label = sourceEntry(w, "becomes ");
    ASSERT_NE(label, nullptr) << round;
    EXPECT_TRUE(isInViewAcross(*label)) << round << " " << label->min.x << " " << label->clipMin.x;
  }
}

// What can be seen of two texts has a part in common.
bool coverEachOther(const draw::TextLog::Entry& a, const draw::TextLog::Entry& b) {
  const auto across = std::pair{std::max({a.min.x, a.clipMin.x, b.min.x, b.clipMin.x}),
                                std::min({a.max.x, a.clipMax.x, b.max.x, b.clipMax.x})};
  const auto down = std::pair{std::max({a.min.y, a.clipMin.y, b.min.y, b.clipMin.y}),
                              std::min({a.max.y, a.clipMax.y, b.max.y, b.clipMax.y})};
  return across.second - across.first > 1 && down.second - down.first > 1;
}

// Lines begin in view, labels are whole, and no text stands over another one. Returns how many lines and
// labels there were.
std::pair<int, int> expectReadable(WorkbenchUi& w, const std::string& where) {
  const model::Trace& trace = w.session().replay().run()->trace;
  std::vector<std::string> lines = splitLines(trace.preamble);
  for (std::string& line : splitLines(trace.kernelText)) lines.push_back(std::move(line));
  std::vector<draw::TextLog::Entry> texts;
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
    if (isOfSource(entry)) texts.push_back(entry);
  int begun = 0, labels = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const draw::TextLog::Entry& text = texts[i];
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(coverEachOther(text, texts[j]))
          << where << ": '" << text.text << "' and '" << texts[j].text << "'";
    const std::size_t first = text.text.find_first_not_of(' ');
    const bool isCode = std::ranges::any_of(lines, [&](const std::string& line) {
      return line.find_first_not_of(' ') != std::string::npos &&
             (text.text == line || text.text == line.substr(0, line.find("//")));
    });
    if (isCode && first != std::string::npos) {
      ++begun;
      const float glyph = (text.max.x - text.min.x) / float(text.text.size());
      EXPECT_GE(text.min.x + glyph * float(first), text.clipMin.x - 1) << where << ": '" << text.text << "'";
      EXPECT_LE(text.min.x + glyph * float(first + 1), text.clipMax.x + 1) << where << ": " << text.text;
    }
    const bool isLabel = text.text.find("true in ") != std::string::npos ||
                         text.text.find("becomes ") != std::string::npos ||
                         text.text.find("›") != std::string::npos;
    if (!isLabel) continue;
    ++labels;
    EXPECT_TRUE(isInViewAcross(text)) << where << ": '" << text.text << "'";
    EXPECT_FALSE(text.shortened) << where << ": '" << text.text << "'";
  }
  return {begun, labels};
}

class UiSourceReadable : public testing::TestWithParam<const char*> {};

TEST_P(UiSourceReadable, InEveryRoundAndEveryWindow) {
  const std::string variant = GetParam();
  for (const shell::PixelSize size :
       {shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768}, shell::PixelSize{1600, 1000}})
    for (const session::Mode mode : {session::Mode::Explore, session::Mode::Present}) {
      WorkbenchUi w({.size = size,
                     .before = {session::Choose(&model::Experiment::variant, variant),
                                session::ShowPanel{"source"}, session::EnterMode{mode}}});
      ASSERT_EQ(w.session().replay().run()->trace.experiment.variant, variant);
      if (mode == session::Mode::Present)
        w.run("Source alone", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_4); });
      int begun = 0, labels = 0;
      // What follows in a merge is as its first elements.
      const auto rounds = std::min(30u, unsigned(w.session().replay().launchAnalysis().rounds.size()));
      for (unsigned round = 0; round < rounds; ++round) {
        w.session().apply(session::GoToRound{0, round});
        w.ui().drawFrames(5);
        const auto seen = expectReadable(w, variant + " at " + std::to_string(size.width) +
                                                (mode == session::Mode::Present ? " presented" : "") +
                                                ", round " + std::to_string(round));
        begun += seen.first, labels += seen.second;
      }
      EXPECT_GT(begun, int(rounds) * 3) << variant << " at " << size.width;
      EXPECT_GT(labels, 0) << variant << " at " << size.width;
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, UiSourceReadable,
                         testing::Values("interleaved_modulo", "interleaved_contiguous", "padded_tree",
                                         "warp_shuffle", "k_way_merge"),
                         [](const auto& param) { return std::string(param.param); });

TEST(UiSourcePanel, TellsTheValueOfWhatTheViewCuts) {
  const WorkbenchUi w = smallWindow();
  const auto* const label = sourceEntry(w, "data[index + s]: ");
  ASSERT_NE(label, nullptr) << "the third operand";
  EXPECT_TRUE(label->text.ends_with(" ›")) << label->text;
  EXPECT_TRUE(isInViewAcross(*label));
}

TEST(UiSourcePanel, APersonsScrollingStaysWhenTheRoundChanges) {
  WorkbenchUi w = smallWindow();
  ImGuiWindow* const window = sourceWindow();
  ASSERT_NE(window, nullptr);
  EXPECT_EQ(window->Scroll.x, 0);
  w.run("away", [&](ImGuiTestContext* test) {
    ImGui::SetScrollX(window, 40);
    test->Yield(2);
  });
  w.apply(session::GoToRound{0, 6});
  EXPECT_EQ(window->Scroll.x, 40);
  w.apply(session::Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(window->Scroll.x, 0) << "another text is read from its beginning";
}

TEST(UiSourcePanel, HasRoomForWholeLinesInPredict) {
  for (const shell::PixelSize size : {shell::PixelSize{1920, 1080}, shell::PixelSize{3840, 2160}}) {
    const WorkbenchUi w({.size = size, .before = {session::EnterMode{session::Mode::Predict}}});
    const auto* const line = sourceEntry(w, "data[index + s]);");
    ASSERT_NE(line, nullptr) << size.width;
    EXPECT_TRUE(isInViewAcross(*line)) << size.width;
  }
}

TEST(UiSourcePanel, ArrowsBringTheAccessIntoView) {
  WorkbenchUi w = smallWindow();
  ImGuiWindow* const window = sourceWindow();
  ASSERT_NE(window, nullptr);
  w.apply(session::FocusPart{"source"});
  w.run("walk", [&](ImGuiTestContext* test) {
    for (int i = 0; i < 3; ++i) test->KeyPress(ImGuiKey_DownArrow);
    for (int i = 0; i < 6; ++i) test->KeyPress(ImGuiKey_RightArrow);
    test->Yield(3);
  });
  const auto hover = w.session().replay().hover();
  ASSERT_TRUE(hover && hover->kind == session::HoverKind::Site);
  const auto* const line = sourceEntry(w, "data[index + s]");
  ASSERT_NE(line, nullptr);
  const auto& site = w.session().replay().run()->trace.sites[hover->index];
  const float glyph = (line->max.x - line->min.x) / float(line->text.size());
  const float right = line->min.x + glyph * float(site.column - 1 + site.length);
  EXPECT_LE(right, line->clipMax.x + 1) << site.text;
  EXPECT_GE(line->min.x + glyph * float(site.column - 1), line->clipMin.x - 1) << site.text;
}

}  // namespace
}  // namespace stridescope::views
