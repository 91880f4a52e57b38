// The register of panels, and what refers to it by an id.
#include "views/panels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "narration/text_maps.h"

namespace stridescope::views {
namespace {

std::vector<std::string> namesIn(const shell::DockLayout& layout) {
  std::vector<std::string> names = layout.panels;
  for (const shell::DockLayout& child : layout.children)
    for (const std::string& name : namesIn(child)) names.push_back(name);
  return names;
}

TEST(Panels, HaveAnIdATitleAndAPicture) {
  std::set<std::string> ids, titles;
  for (const Panel& panel : allPanels()) {
    EXPECT_FALSE(panel.id.empty());
    EXPECT_EQ(panel.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), panel.id.npos) << panel.id;
    EXPECT_TRUE(ids.insert(panel.id).second) << panel.id << " stands twice";
    EXPECT_FALSE(panel.title.empty()) << panel.id;
    EXPECT_TRUE(titles.insert(panel.title).second) << panel.title << " stands twice";
    EXPECT_TRUE(panel.draw) << panel.id;
  }
}

TEST(Panels, StandInEveryDefaultLayoutOnce) {
  std::vector<shell::PlacedPanel> places;
  std::vector<std::string> titles;
  for (const Panel& panel : allPanels()) {
    places.push_back({panel.title, panel.place});
    titles.push_back(panel.title);
  }
  std::ranges::sort(titles);
  for (const auto& [width, height, name] : {std::tuple{1600.f, 1000.f, "wide"},
                                            {1280.f, 720.f, "narrow"},
                                            {900.f, 900.f, "stacked"},
                                            {853.f, 480.f, "two places"},
                                            {640.f, 360.f, "one place"}}) {
    EXPECT_EQ(shell::defaultLayoutName(width, height), name);
    for (const shell::NamedLayout& layout : shell::defaultLayouts(width, height, places)) {
      std::vector<std::string> names = namesIn(layout.layout);
      std::ranges::sort(names);
      EXPECT_EQ(names, titles) << layout.name;
    }
  }
}

TEST(Panels, EveryTextMapIsOfOne) {
  const std::vector<Panel> panels = allPanels();
  for (const narration::TextMap& map : narration::textMaps())
    EXPECT_NE(findPanel(panels, map.panel), nullptr) << map.panel;
}

}  // namespace
}  // namespace stridescope::views
