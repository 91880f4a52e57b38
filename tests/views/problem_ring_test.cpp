// The ring round a race is seen on every fill that it stands on, whatever a person's sight.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "draw/draw_context.h"
#include "support/sight.h"
#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {
namespace {

using support::kSights;
using support::seenBy;

// The colours of cells in the band, the rows, Lanes and registers, and of the grounds between them.
std::vector<std::pair<const char*, ImU32>> fillsOf(const draw::Palette& p) {
  return {{"result", p.result},
          {"operand", p.operand},
          {"operand kept in a register", registerOperandColour(p)},
          {"result kept in a register", registerResultColour(p)},
          {"hovered", p.hover},
          {"live", p.live},
          {"dead", p.dead},
          {"panel", p.panel},
          {"raised", p.raised},
          {"field", p.field}};
}

TEST(ProblemRing, OneOfItsTwoLinesStandsOutOnEveryFillInEverySight) {
  for (const draw::Theme theme : {draw::Theme::Dark, draw::Theme::Light}) {
    const draw::Palette& p = draw::palette(theme);
    for (const auto& [sight, matrix] : kSights) {
      const ImU32 first = seenBy(matrix, p.problem), second = seenBy(matrix, p.problemRing);
      EXPECT_GE(draw::contrastRatio(first, second), 3) << sight;
      for (const auto& [name, fill] : fillsOf(p)) {
        const ImU32 ground = seenBy(matrix, fill);
        EXPECT_GE(std::max(draw::contrastRatio(first, ground), draw::contrastRatio(second, ground)), 3)
            << name << " in the " << (theme == draw::Theme::Dark ? "dark" : "light") << " theme, " << sight;
      }
    }
  }
}

TEST(ProblemRing, OneLineAloneWouldNotDo) {
  const draw::Palette& dark = draw::palette(draw::Theme::Dark);
  EXPECT_LT(draw::contrastRatio(dark.problem, dark.result), 1.5) << "on orange";
  EXPECT_LT(draw::contrastRatio(dark.problemRing, dark.panel), 1.5);
}

}  // namespace
}  // namespace stridescope::views
