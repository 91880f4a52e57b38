// The register of panels, and what refers to it by an id.
#include "views/panels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "narration/text_maps.h"
#include "session/app_state.h"
#include "views/frame/mode_layout.h"

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

class PanelsOfAMode : public testing::TestWithParam<session::Mode> {};

TEST_P(PanelsOfAMode, StandInEveryDefaultLayoutOnce) {
  const std::vector<Panel> panels = allPanels();
  std::vector<std::string> titles;
  for (const Panel& panel : panels)
    if (panel.placeIn(GetParam()) != nullptr) titles.push_back(panel.title);
  EXPECT_GE(titles.size(), 5u);
  std::ranges::sort(titles);
  for (const auto& [width, height, name] : {std::tuple{1600.f, 1000.f, "wide"},
                                            {1280.f, 720.f, "narrow"},
                                            {900.f, 900.f, "stacked"},
                                            {853.f, 480.f, "two places"},
                                            {640.f, 360.f, "one place"}}) {
    EXPECT_EQ(shell::defaultLayoutName(width, height), name);
    for (const shell::NamedLayout& layout : modeLayouts(GetParam(), width, height, panels)) {
      std::vector<std::string> names = namesIn(layout.layout);
      std::ranges::sort(names);
      EXPECT_EQ(names, titles) << layout.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Panels, PanelsOfAMode,
                         testing::Values(session::Mode::Explore, session::Mode::Predict),
                         [](const auto& each) { return std::string(session::factsOf(each.param).name); });

TEST(Panels, EachStandsInAModeAndInEachOnce) {
  const std::vector<Panel> panels = allPanels();
  for (const Panel& panel : panels) {
    std::set<session::Mode> modes;
    for (const ModePlace& place : panel.places) {
      EXPECT_TRUE(modes.insert(place.mode).second) << panel.id;
      EXPECT_NE(place.role, session::PanelRole::None) << panel.id;
    }
    EXPECT_FALSE(modes.empty()) << panel.id;
  }
}

TEST(Panels, EachModeHasAMainOne) {
  const std::vector<Panel> panels = allPanels();
  for (const session::ModeFacts& mode : session::kModes) {
    const auto isMain = [&](const Panel& panel) {
      const ModePlace* const place = panel.placeIn(mode.mode);
      return place != nullptr && place->role == session::PanelRole::Main;
    };
    EXPECT_EQ(std::ranges::count_if(panels, isMain), 1) << mode.name;
    ASSERT_NE(mainPanel(panels, mode.mode), nullptr);
    EXPECT_EQ(mainPanel(panels, mode.mode)->id, "shared_memory");
  }
}

TEST(Panels, ThoseThatTakeTurnsAreInOrder) {
  const std::vector<Panel> panels = allPanels();
  const auto idsIn = [&](session::Mode mode) {
    std::vector<std::string> ids;
    for (const Panel* const panel : turnsIn(panels, mode)) ids.push_back(panel->id);
    return ids;
  };
  EXPECT_EQ(idsIn(session::Mode::Compare),
            (std::vector<std::string>{"banks", "lanes", "divergence", "source", "block_timeline"}));
  EXPECT_EQ(idsIn(session::Mode::Present),
            (std::vector<std::string>{"lanes", "divergence", "banks", "source", "timings"}));
  EXPECT_TRUE(idsIn(session::Mode::Explore).empty());
  for (const session::Mode mode : {session::Mode::Compare, session::Mode::Present}) {
    std::set<unsigned> turns;  // also the keys
    for (const Panel* const panel : turnsIn(panels, mode))
      EXPECT_TRUE(turns.insert(panel->placeIn(mode)->turn).second) << panel->id;
    EXPECT_LE(*turns.rbegin(), 9u);
  }
}

TEST(Panels, TheSessionKnowsWhereEachIsOffered) {
  session::AppState app({});
  app.setPanels(knownPanels(allPanels()));
  using session::Mode;
  for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Present}) {
    EXPECT_TRUE(app.hasPanel(mode, "timeline"));
    EXPECT_FALSE(app.hasPanel(mode, "predict"));
  }
  for (const char* const id : {"shared_memory", "lanes", "banks", "source", "predict"})
    EXPECT_TRUE(app.hasPanel(Mode::Predict, id)) << id;
  EXPECT_FALSE(app.hasPanel(Mode::Predict, "divergence"));
  app.showPanel("predict");
  EXPECT_EQ(app.mode(), Mode::Predict) << "a panel that is not offered leads to a mode that has it";
  app.showPanel("divergence");
  EXPECT_EQ(app.mode(), Mode::Explore);
  app.enterMode(Mode::Present);
  EXPECT_EQ(app.presentedMap(), "banks");
  app.showPanel("timeline");
  EXPECT_EQ(app.presentedMap(), "timeline");
  app.showPanel("ladder");
  EXPECT_EQ(app.presentedMap(), "timeline") << "it has no place there";
  app.showPanel("shared_memory");
  EXPECT_FALSE(app.isMapInFront());
}

TEST(Panels, EveryTextMapIsOfOne) {
  const std::vector<Panel> panels = allPanels();
  for (const narration::TextMap& map : narration::textMaps())
    EXPECT_NE(findPanel(panels, map.panel), nullptr) << map.panel;
}

}  // namespace
}  // namespace stridescope::views
