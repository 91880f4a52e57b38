// Text: what fits is drawn whole, what does not ends in an ellipsis, and the log knows of all of it.
#include "draw/text.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/function_app.h"
#include "support/ui_harness.h"

namespace stridescope::draw {
namespace {

constexpr const char* kEllipsis = "\xE2\x80\xA6";

// Two frames in a window of 400 x 200; `draw` runs in both.
class Drawn {
 public:
  explicit Drawn(std::function<void(DrawContext&, ImDrawList&)> draw, float scale = 1)
      : app_([draw](shell::Frame& frame) { draw(frame.draw, *ImGui::GetForegroundDrawList()); }),
        ui_(app_, {400, 200}, scale) {
    ui_.drawFrames(2);
  }
  const std::vector<TextLog::Entry>& texts() const { return ui_.texts().entries(); }

 private:
  support::FunctionApp app_;
  support::UiHarness ui_;
};

// JetBrains Mono's letters are 0.6 em wide: that makes every width below exact.
TEST(Text, SizesAreEms) {
  ImVec2 code, twice;
  Drawn([&](DrawContext& context, ImDrawList&) { code = textSize(codeStyle(context, 20, 1), "0123456789"); });
  EXPECT_NEAR(code.x, 10 * 0.6f * 20, 0.5f);
  EXPECT_EQ(code.y, 20);
  Drawn([&](DrawContext& context, ImDrawList&) { twice = textSize(codeStyle(context, 20, 1), "0123456789"); },
        2);
  EXPECT_NEAR(twice.x, 2 * code.x, 0.5f);
}

TEST(Text, IsAlignedInItsBox) {
  DrawnText left, centre, right;
  Drawn drawn([&](DrawContext& context, ImDrawList& list) {
    const TextStyle style = codeStyle(context, 20, 1);
    left = drawText(context, list, {100, 50}, {200, 90}, "1234", style);
    centre = drawText(context, list, {100, 50}, {200, 90}, "1234", style, TextAlign::Centre);
    right = drawText(context, list, {100, 50}, {200, 90}, "1234", style, TextAlign::Right);
  });
  EXPECT_NEAR(left.min.x, 100, 0.5f);
  EXPECT_NEAR((centre.min.x + centre.max.x) / 2, 150, 1);
  EXPECT_NEAR(right.max.x, 200, 1);
  EXPECT_NEAR((left.min.y + left.max.y) / 2, 70, 3);
  EXPECT_FALSE(left.shortened || centre.shortened || right.shortened);
}

TEST(Text, EndsInAnEllipsisWhereItDoesNotFit) {
  Drawn drawn([](DrawContext& context, ImDrawList& list) {
    const TextStyle style = codeStyle(context, 20, 1);                // 12 pixels a letter
    drawText(context, list, {0, 0}, {12 * 6, 20}, "123456", style);   // exactly
    drawText(context, list, {0, 0}, {12 * 6, 20}, "1234567", style);  // five and the ellipsis
    drawText(context, list, {0, 0}, {12 * 3, 20}, "\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5",
             style);                                             // no half letters
    drawText(context, list, {0, 0}, {5, 20}, "1234567", style);  // not even the ellipsis
  });
  ASSERT_EQ(drawn.texts().size(), 3u);
  EXPECT_EQ(drawn.texts()[0].text, "123456");
  EXPECT_FALSE(drawn.texts()[0].shortened);
  EXPECT_EQ(drawn.texts()[1].text, std::string("12345") + kEllipsis);
  EXPECT_TRUE(drawn.texts()[1].shortened);
  EXPECT_EQ(drawn.texts()[2].text, std::string("\xC2\xB5\xC2\xB5") + kEllipsis);
}

TEST(Text, WrapsBetweenWords) {
  std::vector<std::string> lines;
  const std::string text = "one two three\nfour";
  Drawn([&](DrawContext& context, ImDrawList&) {
    lines.clear();
    for (const auto line : wrappedLines(codeStyle(context, 20, 1), text, 12 * 8)) lines.emplace_back(line);
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"one two", "three", "four"}));
}

TEST(Text, WrappingEndsWhateverTheWidth) {
  const std::string text = "\xC2\xB5wavefronts \xE2\x80\x93 8";
  for (const float width : {0.0f, 1.0f, 13.0f, 1000.0f}) {
    std::string joined;
    int count = 0;
    Drawn([&](DrawContext& context, ImDrawList&) {
      joined.clear();
      const TextStyle style = codeStyle(context, 20, 1);
      for (const auto line : wrappedLines(style, text, width)) joined += line;
      count = wrappedLineCount(style, "", width);
    });
    std::string letters = text;
    std::erase(letters, ' ');
    std::erase(joined, ' ');
    EXPECT_EQ(joined, letters) << width;
    EXPECT_EQ(count, 1) << "an empty text is one line";
  }
}

TEST(Text, TheLastOfTooManyLinesEndsInAnEllipsis) {
  DrawnText covered;
  Drawn drawn([&](DrawContext& context, ImDrawList& list) {
    covered = drawWrapped(context, list, {10, 10}, 12 * 8, 30, "one two three four five",
                          codeStyle(context, 20, 1), 2);
  });
  ASSERT_EQ(drawn.texts().size(), 2u);
  EXPECT_EQ(drawn.texts()[0].text, "one two");
  EXPECT_EQ(drawn.texts()[1].text, std::string("three") + kEllipsis);
  EXPECT_TRUE(covered.shortened);
  EXPECT_EQ(covered.max.y, 10 + 2 * 30);
}

TEST(TextLog, KnowsTheClipAndTheWindow) {
  support::FunctionApp app([](shell::Frame& frame) {
    ImGui::SetNextWindowPos({50, 60});
    ImGui::SetNextWindowSize({100, 40});
    ImGui::Begin("Lanes", nullptr, ImGuiWindowFlags_NoDecoration);
    drawTextAt(frame.draw, *ImGui::GetWindowDrawList(), {140, 70}, "W0 is cut",
               wordsStyle(frame.draw, 12, 1));
    ImGui::End();
  });
  support::UiHarness ui(app, {400, 200});
  ui.drawFrames(3);
  ASSERT_EQ(ui.texts().entries().size(), 1u);
  const TextLog::Entry& entry = ui.texts().entries()[0];
  EXPECT_EQ(entry.window, "Lanes");
  EXPECT_EQ(entry.min.x, 140);
  EXPECT_GT(entry.max.x, entry.clipMax.x) << "a test can see that it is cut";
  EXPECT_LE(entry.clipMax.x, 150);
}

}  // namespace
}  // namespace stridescope::draw
