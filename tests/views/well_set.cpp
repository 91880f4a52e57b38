#include "well_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "imgui_internal.h"
#include "support/whole_sweeps.h"

namespace stridescope::views::test {
namespace {

// Letters reach a little past their line and their advance.
constexpr float kSlack = 1.0f;

bool isInside(const draw::TextLog::Entry& entry) {
  return entry.min.x >= entry.clipMin.x - kSlack && entry.max.x <= entry.clipMax.x + kSlack &&
         entry.min.y >= entry.clipMin.y - kSlack && entry.max.y <= entry.clipMax.y + kSlack;
}

// Whether the parts of the two that can be seen overlap.
bool overlap(const draw::TextLog::Entry& a, const draw::TextLog::Entry& b) {
  const float left = std::max({a.min.x, a.clipMin.x, b.min.x, b.clipMin.x});
  const float right = std::min({a.max.x, a.clipMax.x, b.max.x, b.clipMax.x});
  const float top = std::max({a.min.y, a.clipMin.y, b.min.y, b.clipMin.y});
  const float bottom = std::min({a.max.y, a.clipMax.y, b.max.y, b.clipMax.y});
  return right - left > kSlack && bottom - top > kSlack;
}

bool isInsideAcross(const draw::TextLog::Entry& entry) {
  return entry.min.x >= entry.clipMin.x - kSlack && entry.max.x <= entry.clipMax.x + kSlack;
}

// The kernel's text scrolls both ways: what is cut at an edge is brought in (ui_source_test.cpp). By itself
// it does not scroll sideways, so that nothing is cut at the left.
bool scrollsBothWays(const draw::TextLog::Entry& entry) {
  if (entry.window.find("source text") == std::string::npos) return false;
  const ImGuiWindow* const window = ImGui::FindWindowByName(entry.window.c_str());
  return entry.min.x >= entry.clipMin.x - kSlack || (window != nullptr && window->Scroll.x > 0);
}

// The questions, the list of variants, the ladder of times, the lines' labels, lists of files and what
// differs scroll, but not sideways: what lies above or below is brought in with the wheel.
bool scrolls(const draw::TextLog::Entry& entry) {
  return entry.window.find("questions") != std::string::npos ||
         entry.window.find("variants") != std::string::npos ||
         entry.window.find("ladder of times") != std::string::npos ||
         entry.window.find("labels") != std::string::npos ||
         entry.window.find("/files_") != std::string::npos ||
         entry.window.find("differences") != std::string::npos;
}

// A panel with less room than it needs scrolls to all of its content (draw/panel.h).
bool isInScrolledPanel(const draw::TextLog::Entry& entry) {
  return entry.window.find("/scrolled_") != std::string::npos;
}
bool isInsideContent(const draw::TextLog::Entry& entry) {
  const ImGuiWindow* const window = ImGui::FindWindowByName(entry.window.c_str());
  if (window == nullptr || window->ParentWindow == nullptr ||
      window->ParentWindow->Flags & ImGuiWindowFlags_ChildWindow)
    return window != nullptr;  // in a part that scrolls by itself
  const ImVec2 min = window->DC.CursorStartPos;
  const ImVec2 max{min.x + window->ContentSize.x, min.y + window->ContentSize.y};
  return entry.min.x >= min.x - kSlack && entry.max.x <= max.x + kSlack && entry.min.y >= min.y - kSlack &&
         entry.max.y <= max.y + kSlack;
}

// Where an ellipsis is meant; the pointer shows the whole.
bool mayBeShortened(const draw::TextLog::Entry& entry, float widthUnits) {
  if (entry.window == "##message") return true;                 // a sentence of any length on one line
  if (entry.window.starts_with("Source lines##")) return true;  // a line of a kernel
  if (entry.window.starts_with("Side##") && widthUnits <= 700) return true;  // the bar has the variant, too
  return entry.window == "##transport" &&
         widthUnits <= 960;  // a caption or a race of three sentences on two short lines
}

std::string described(const draw::TextLog::Entry& entry) {
  std::ostringstream out;
  out << "'" << entry.text << "' in " << entry.window << " at " << entry.min.x << "," << entry.min.y << " to "
      << entry.max.x << "," << entry.max.y << " of " << entry.clipMin.x << "," << entry.clipMin.y << " to "
      << entry.clipMax.x << "," << entry.clipMax.y;
  return out.str();
}

}  // namespace

void expectWellSet(const std::vector<draw::TextLog::Entry>& entries, float widthUnits,
                   const std::string& where) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const draw::TextLog::Entry& entry = entries[i];
    if (entry.shortened && !mayBeShortened(entry, widthUnits))
      ADD_FAILURE() << where << ": shortened: " << described(entry);
    const bool isWhole = scrollsBothWays(entry)     ? true
                         : isInScrolledPanel(entry) ? isInside(entry) || isInsideContent(entry)
                         : scrolls(entry)           ? isInsideAcross(entry)
                                                    : isInside(entry);
    if (!isWhole) ADD_FAILURE() << where << ": cut: " << described(entry);
    for (std::size_t j = i + 1; j < entries.size(); ++j)
      if (entries[j].window == entry.window && overlap(entry, entries[j]))
        ADD_FAILURE() << where << ": overlap: " << described(entry) << " and " << described(entries[j]);
  }
}

std::vector<Ground> allGrounds() {
  std::vector<Ground> grounds;
  std::size_t number = 0;
  for (const auto& [size, scale] :
       {std::pair{shell::PixelSize{1280, 720}, 1.f}, std::pair{shell::PixelSize{1600, 1000}, 1.f},
        std::pair{shell::PixelSize{3840, 2160}, 2.f}})
    for (const int text : {100, 150, 200}) {
      const bool isDark = number++ % 2 == 0;
      // The smallest window has the least room; of the others one each will do.
      const bool isNeeded =
          size.height == 720 || (size.height == 1000 && text == 150) || (size.height == 2160 && text == 200);
      if (!isNeeded && !support::wholeSweeps()) continue;
      grounds.push_back({"at" + std::to_string(size.width) + "x" + std::to_string(size.height) + "text" +
                             std::to_string(text) + (isDark ? "dark" : "light"),
                         size, scale, text, isDark ? session::ThemeName::Dark : session::ThemeName::Light});
    }
  return grounds;
}

}  // namespace stridescope::views::test
