#include "views/source/kernel_marks.h"

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "draw/marks.h"
#include "session/own_kernel.h"
#include "views/shared/explanations.h"
#include "views/shared/panel.h"
#include "views/shared/tooltip.h"

namespace stridescope::views {
namespace {

constexpr const char* kMoreToRead = "\xE2\x80\xA6";
constexpr float kUnderline = 1.5f, kTagGap = 10, kTagInset = 4, kCrossLeft = 9;  // units

// "tile: 35", "out becomes 7"; without the arrays "35", "becomes 7". An access recorded by the compiler's
// calls may stand for a whole statement, so that its array names it better than its text.
std::string wordsOf(const SourceLine& line, bool withArrays = true) {
  std::string words;
  for (const SourceAccess& access : line.accesses) {
    if (access.value.empty()) continue;
    if (!words.empty()) words += "   ";
    if (withArrays) words += access.array + (access.writes ? " " : ": ");
    words += (access.writes ? "becomes " : "") + access.value;
  }
  return words;
}

void drawBrackets(ViewContext& view, ImDrawList& list, const SourceLine& line, const KernelRow& row,
                  const std::string& code) {
  const float y = row.top + row.height - view.px(3);
  const auto hover = view.replay.hover();
  for (const SourceAccess& access : line.accesses) {
    const float from = row.textLeft + row.glyph * float(visualColumn(code, access.column));
    const float to = row.textLeft + row.glyph * float(visualColumn(code, access.column + access.length));
    list.AddRectFilled({from, y}, {to, y + view.px(kUnderline)},
                       access.writes ? view.colours().resultLine : view.colours().operandLine);
    if (hover && hover->kind != session::HoverKind::Thread && view.linked.site(access.site))
      draw::drawLinkedRing(view.draw, list, {from - view.px(2), row.top}, {to + view.px(2), y});
  }
}

// The figure of its conflict, and its values, behind the code: with the arrays' names, or without. Where that
// leaves no room the figure alone, or a mark, stands at the edge of the view: who points at it reads them.
void drawValues(ViewContext& view, ImDrawList& list, const SourceLine& line, const KernelRow& row,
                const std::string& code) {
  std::string words = wordsOf(line);
  const std::string figure = line.way > 1 ? std::to_string(line.way) + "-way" : "";
  if (words.empty() && figure.empty()) return;
  const bool isDark = view.draw.theme == draw::Theme::Dark;
  const bool yellow = isPointedThread(view.replay, view.linked) && isDark;
  const draw::TextStyle style = view.codeBold(yellow ? view.colours().hover : view.colours().text);
  const draw::TextStyle strong = view.semiBold(isDark ? view.colours().result : view.colours().text);
  const float inset = view.px(kTagInset);
  const auto wide = [&](const std::string& text, const draw::TextStyle& of) {
    return text.empty() ? 0 : std::ceil(draw::textSize(of, text).x) + 2 * inset;
  };
  const float figureWide = wide(figure, strong);
  const float behind = row.textLeft + row.glyph * float(visualColumn(code, int(code.size()) + 1));
  const float left = std::max(row.viewLeft, behind + view.px(kTagGap));
  const std::string all = words;
  for (const std::string& shorter : {wordsOf(line, false), std::string(figure.empty() ? kMoreToRead : "")})
    if (left + figureWide + wide(words, style) > row.viewRight) words = shorter;
  const float width = figureWide + wide(words, style), at = std::min(left, row.viewRight - width);
  if (at < left && row.hasCaret) return;
  const ImVec2 min{std::round(at), row.top}, max{std::round(at + width), row.top + row.height - view.px(2)};
  list.AddRectFilled(min, max, view.colours().field, view.px(3));
  if (!figure.empty()) {
    const ImVec2 end{min.x + figureWide, max.y};
    view.text(list, {min.x + inset, min.y}, end, figure, strong);
    explain(view, "8-way", min, end, words == all ? std::string() : all);
  } else if (words != all && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) {
    wideTooltip(view, all);
  }
  view.text(list, {min.x + figureWide + inset, min.y}, {max.x - inset, max.y}, words, style);
}

bool isOpen(const session::Parts& parts) { return parts.kernel.isOpen(); }
std::string notOpen(const session::Parts&) {
  return "No kernel of your own is shown. Open a .cu file, or make a copy of a variant.";
}
bool mayCopy(const session::Parts& parts) { return hasRun(parts) && !parts.kernel.isOpen(); }

}  // namespace

KernelMarks marksOf(const ViewContext& view) {
  KernelMarks marks{.executing = {}, .troubled = {}, .faults = view.kernel.faults()};
  const lab::Run* const run = view.replay.run();
  marks.stand = run != nullptr && run->trace.kernelText == view.kernel.text();
  if (!marks.stand) return marks;
  marks.executing = executingLines(view.replay, shownThread(view.replay, view.linked));
  for (const std::uint32_t site : view.trouble.sites)
    if (site < run->trace.sites.size()) marks.troubled.push_back(int(run->trace.sites[site].line));
  std::ranges::sort(marks.troubled);
  return marks;
}

int visualColumn(const std::string& code, int byte) {
  int column = 0;
  for (int i = 0; i < byte - 1 && i < int(code.size()); ++i) {
    if (code[std::size_t(i)] == '\t')
      column += kTabColumns - column % kTabColumns;
    else if ((code[std::size_t(i)] & 0xC0) != 0x80)
      ++column;
  }
  return column;
}

std::optional<std::uint32_t> siteAtColumn(const KernelMarks& marks, int line, const std::string& code,
                                          int column) {
  const auto found = marks.executing.find(line);
  if (found == marks.executing.end()) return std::nullopt;
  for (const SourceAccess& access : found->second.accesses)
    if (column >= visualColumn(code, access.column) &&
        column < visualColumn(code, access.column + access.length))
      return access.site;
  return std::nullopt;
}

void drawKernelRow(ViewContext& view, ImDrawList& list, const KernelMarks& marks, const KernelRow& row,
                   const std::string& code) {
  const bool isTroubled = std::ranges::binary_search(marks.troubled, row.line);
  const bool isFaulty =
      std::ranges::any_of(marks.faults, [&](const auto& fault) { return fault.line == row.line; });
  if (isTroubled || isFaulty)
    draw::drawCross(view.draw, list,
                    {row.windowLeft + view.px(kCrossLeft), row.top + row.height / 2 - view.px(1)}, view.px(4),
                    view.colours().problem, 2);
  const auto found = marks.executing.find(row.line);
  if (found == marks.executing.end()) return;
  list.AddRectFilled({row.windowLeft, row.top}, {row.windowLeft + view.px(3), row.top + row.height},
                     view.colours().result);
  list.PushClipRect({row.viewLeft, row.top}, {row.viewRight, row.top + row.height + view.px(2)}, true);
  drawBrackets(view, list, found->second, row, code);
  drawValues(view, list, found->second, row, code);
  list.PopClipRect();
}

KernelNote noteOf(const ViewContext& view, const KernelMarks& marks) {
  const session::OwnKernel& kernel = view.kernel;
  if (!marks.faults.empty()) {
    const session::TextFault& first = marks.faults.front();
    std::string place = "line " + std::to_string(first.line);
    if (first.column > 0) place += ", column " + std::to_string(first.column);
    const std::size_t more = marks.faults.size() - 1;
    return {place + ": " + first.what + (more == 0 ? "" : " (and " + std::to_string(more) + " more)"), true};
  }
  if (!kernel.trouble().empty()) return {kernel.trouble(), true};
  if (!kernel.whyNotEdited().empty()) return {kernel.whyNotEdited()};
  if (view.replay.run() == nullptr) return {};
  if (!marks.stand)
    return {"The text has changed, so the marks of the round are gone until it runs: Ctrl+Enter."};
  return {shownThreadNote(view.replay, view.linked)};
}

// The commands on a person's own kernel.

std::vector<CommandEntry> kernelEntries() {
  return {{.menu = "File",
           .group = 3,
           .name = "Edit a copy of this variant...",
           .also = "own kernel cuda .cu file write change",
           .make = opens(session::Overlay::CopyVariant),
           .enabled = mayCopy,
           .why = says("This kernel is your own already: change it in Source.")},
          {.menu = "File",
           .group = 3,
           .name = "Take the text of the file",
           .also = "revert discard own kernel draft",
           .make = gives(session::TakeFileText{}),
           .enabled = [](const session::Parts& parts) { return isOpen(parts) && !parts.kernel.isSaved(); },
           .why =
               [](const session::Parts& parts) {
                 return isOpen(parts) ? "The text is that of the file." : notOpen(parts);
               }},
          {.menu = "Run",
           .group = 5,
           .name = "Run the kernel's text",
           .also = "own compile again source editor",
           .keys = ImGuiMod_Ctrl | ImGuiKey_Enter,
           .otherKeys = ImGuiMod_Ctrl | ImGuiKey_KeypadEnter,
           .make = gives(session::RunKernel{}),
           .enabled = isOpen,
           .why = notOpen},
          {.menu = "Run",
           .group = 5,
           .name = "Run after a pause in typing",
           .also = "own kernel live automatic",
           .make = [](const session::Parts& parts) -> session::Command {
             session::Settings settings = parts.app.settings();
             settings.runsWhileTyping = !settings.runsWhileTyping;
             return session::ChangeSettings{settings};
           },
           .checked = [](const session::Parts& parts) { return parts.app.settings().runsWhileTyping; }},
          {.menu = "Run",
           .group = 5,
           .name = "Launch of the kernel...",
           .also = "own grid block shared arguments",
           .make = opens(session::Overlay::Launches),
           .enabled = isOpen,
           .why = notOpen},
          {.menu = "Run",
           .group = 5,
           .name = "Compare with before",
           .also = "own kernel last run version change",
           .make = gives(session::CompareWithBefore{}),
           .enabled = [](const session::Parts& parts) { return isOpen(parts) && parts.kernel.hasBefore(); },
           .why =
               [](const session::Parts& parts) {
                 return isOpen(parts) ? "The kernel has run in one version only." : notOpen(parts);
               }}};
}

}  // namespace stridescope::views
