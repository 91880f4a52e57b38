#include "shown_frame.h"

#include <fmt/format.h>

#include <algorithm>

namespace stridescope::views::test {
namespace {

std::uint64_t addTo(std::uint64_t hash, const void* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211ull;
  return hash;
}

std::string inWindow(const std::string& window, const std::string& what) { return window + ": " + what; }

}  // namespace

ShownFrame shownFrame(WorkbenchUi& ui, const std::string& when) {
  ShownFrame frame{.when = when, .texts = {}, .grids = {}, .shapes = {}, .title = ui.workbench().title()};
  for (const draw::TextLog::Entry& entry : ui.ui().texts().entries())
    frame.texts.push_back(
        inWindow(entry.window, fmt::format("'{}' at {:.1f},{:.1f}", entry.text, entry.min.x, entry.min.y)));
  for (const draw::PaintedGrid& grid : ui.ui().runner().grids().painted()) {
    std::uint64_t hash = addTo(14695981039346656037ull, grid.cells.data(), grid.cells.size());
    for (const draw::CellStyle& style : grid.styles) {
      for (const ImU32 colour : {style.fill, style.mark}) hash = addTo(hash, &colour, sizeof colour);
      const int drawn = style.hatch * 1 + style.lineThrough * 2 + style.cross * 4 + int(style.outline) * 8;
      hash = addTo(hash, &drawn, sizeof drawn);
    }
    frame.grids.push_back(fmt::format("{} {}x{} at {:.1f},{:.1f} to {:.1f},{:.1f}: {:x}", grid.name,
                                      grid.columns, grid.rows, grid.min.x, grid.min.y, grid.max.x, grid.max.y,
                                      hash));
  }
  const ImDrawData* const drawn = ImGui::GetDrawData();
  EXPECT_TRUE(drawn != nullptr && drawn->Valid);
  for (const ImDrawList* const list : drawn->CmdLists) {
    std::uint64_t& hash = frame.shapes.emplace(list->_OwnerName, 14695981039346656037ull).first->second;
    for (const ImDrawVert& vertex : list->VtxBuffer) {
      hash = addTo(hash, &vertex.pos, sizeof vertex.pos);
      hash = addTo(hash, &vertex.col, sizeof vertex.col);
    }
    hash = addTo(hash, list->IdxBuffer.Data, std::size_t(list->IdxBuffer.size_in_bytes()));
  }
  return frame;
}

std::string differenceOf(const ShownFrame& a, const ShownFrame& b, const std::vector<std::string>& but) {
  const auto isLeftOut = [&](const std::string& what) {
    return std::ranges::any_of(but, [&](const std::string& each) { return what.starts_with(each); });
  };
  const auto compare = [&](const std::string& kind, const std::vector<std::string>& first,
                           const std::vector<std::string>& second) -> std::string {
    std::vector<std::string> own, other;
    for (const std::string& each : first)
      if (!isLeftOut(each)) own.push_back(each);
    for (const std::string& each : second)
      if (!isLeftOut(each)) other.push_back(each);
    for (std::size_t i = 0; i < std::max(own.size(), other.size()); ++i) {
      const std::string mine = i < own.size() ? own[i] : "nothing",
                        theirs = i < other.size() ? other[i] : "nothing";
      if (mine != theirs) return fmt::format("{}, {}: {} / {}", a.when, kind, mine, theirs);
    }
    return {};
  };
  if (a.title != b.title) return fmt::format("{}, title: {} / {}", a.when, a.title, b.title);
  if (auto difference = compare("text", a.texts, b.texts); !difference.empty()) return difference;
  if (auto difference = compare("grid", a.grids, b.grids); !difference.empty()) return difference;
  std::vector<std::string> own, other;
  for (const auto& [window, hash] : a.shapes) own.push_back(fmt::format("{} {:x}", window, hash));
  for (const auto& [window, hash] : b.shapes) other.push_back(fmt::format("{} {:x}", window, hash));
  return compare("shapes", own, other);
}

}  // namespace stridescope::views::test
