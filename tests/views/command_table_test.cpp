// The table that menus, shortcuts, the overlay of keys and the palette are drawn from.
#include "views/frame/command_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/fake_engine.h"
#include "views/panels.h"

namespace stridescope::views {
namespace {

const std::vector<CommandEntry> kTable = commandTable(allPanels());

TEST(CommandTable, EveryCommandHasAMenuANameAndAnAction) {
  std::set<std::string> names;
  for (const CommandEntry& entry : kTable) {
    EXPECT_FALSE(entry.name.empty());
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " stands twice";
    EXPECT_TRUE(std::ranges::any_of(kMenus, [&](std::string_view menu) { return menu == entry.menu; }))
        << entry.menu;
    EXPECT_NE(entry.make, nullptr) << entry.name;
  }
}

TEST(CommandTable, NoMenuIsEmpty) {
  for (const std::string_view menu : kMenus)
    EXPECT_TRUE(std::ranges::any_of(kTable, [&](const CommandEntry& entry) { return menu == entry.menu; }))
        << menu;
}

// Menu by menu, and in each the groups one after the other.
TEST(CommandTable, GroupsStandTogether) {
  std::map<std::string, unsigned> last;
  for (const CommandEntry& entry : kTable) {
    EXPECT_GE(entry.group, last[entry.menu]) << entry.name;
    last[entry.menu] = entry.group;
  }
  EXPECT_GE(last["View"], 2u);
}

// What only one mode can do stands in its menu, which no other mode has.
TEST(CommandTable, AModesCommandsStandInItsMenu) {
  for (const CommandEntry& entry : kTable) {
    if (!entry.mode) continue;
    EXPECT_EQ(entry.menu, session::factsOf(*entry.mode).name) << entry.name;
  }
  for (const session::ModeFacts& facts : session::kModes) {
    EXPECT_EQ(isShownIn(facts.mode, "Predict"), facts.mode == session::Mode::Predict);
    EXPECT_TRUE(isShownIn(facts.mode, "Run"));
  }
}

TEST(CommandTable, NoKeyHasTwoCommandsInAMode) {
  for (const session::ModeFacts& mode : session::kModes) {
    std::map<ImGuiKeyChord, std::string> owner;
    for (const CommandEntry& entry : kTable)
      for (const ImGuiKeyChord keys : {entry.keys, entry.otherKeys}) {
        if (keys == 0 || !isOffered(entry, mode.mode)) continue;
        // One of the mode alone takes it.
        const bool isTaken = !entry.mode && std::ranges::any_of(kTable, [&](const CommandEntry& other) {
          return other.mode == mode.mode && (other.keys == keys || other.otherKeys == keys);
        });
        if (isTaken) continue;
        const auto [place, isNew] = owner.emplace(keys, entry.name);
        EXPECT_TRUE(isNew) << place->second << " and " << entry.name;
      }
  }
}

TEST(CommandTable, ModesHaveCommandsOfTheirOwn) {
  using session::Mode;
  const auto offered = [](const std::string& name, Mode mode) {
    const auto found = std::ranges::find(kTable, name, &CommandEntry::name);
    EXPECT_NE(found, kTable.end()) << name;
    return found != kTable.end() && isOffered(*found, mode);
  };
  for (const char* name : {"Reveal the round", "Skip the round", "Try the round again", "Hint",
                           "Mark the thread", "Next question", "Ask me in another variant"}) {
    EXPECT_TRUE(offered(name, Mode::Predict)) << name;
    EXPECT_FALSE(offered(name, Mode::Explore)) << name;
  }
  for (const char* name : {"Next race", "Previous race"}) {
    EXPECT_FALSE(offered(name, Mode::Predict)) << name << " would tell where one is";
    EXPECT_TRUE(offered(name, Mode::Explore)) << name;
  }
  for (const char* name : {"Delete the score...", "Step forward", "All keys"})
    for (const Mode mode : {Mode::Explore, Mode::Predict}) EXPECT_TRUE(offered(name, mode)) << name;
}

TEST(CommandTable, KeysAreNamedAsOnTheKeyboard) {
  const std::map<std::string, std::string> expected = {{"Step forward", "Right / PgDn"},
                                                       {"Step back", "Left / PgUp"},
                                                       {"Play or pause", "Space"},
                                                       {"First round", "Home"},
                                                       {"Last round", "End"},
                                                       {"Slower", ","},
                                                       {"Faster", "."},
                                                       {"All keys", "F1 / ?"},
                                                       {"Command palette", "Ctrl+P"},
                                                       {"Quit", "Ctrl+Q"},
                                                       {"Larger text", "Ctrl++"},
                                                       {"Smaller text", "Ctrl+-"},
                                                       {"Text at 100 %", "Ctrl+0"},
                                                       {"Free the pinned thread", "Esc"},
                                                       {"Variant 3", "3"},
                                                       {"Reset layout", ""}};
  std::size_t found = 0;
  for (const CommandEntry& entry : kTable)
    if (const auto keys = expected.find(entry.name); keys != expected.end()) {
      EXPECT_EQ(keysOf(entry), keys->second) << entry.name;
      ++found;
    }
  EXPECT_EQ(found, expected.size());
}

TEST(CommandTable, InAPageNoCommandHasAKeyThatTheBrowserTakes) {
  const std::vector<CommandEntry> table = withoutBrowsersKeys(kTable);
  ASSERT_EQ(table.size(), kTable.size());
  std::map<std::string, std::string> changed;
  for (std::size_t index = 0; index < table.size(); ++index) {
    EXPECT_FALSE(isBrowsers(table[index].keys) || isBrowsers(table[index].otherKeys)) << table[index].name;
    if (keysOf(table[index]) != keysOf(kTable[index])) changed[table[index].name] = keysOf(table[index]);
  }
  const std::map<std::string, std::string> expected = {
      {"Present", "P"},     {"Full screen", ""},           {"Quit", ""},
      {"Next panel", "F6"}, {"Text of this round...", ""}, {"Previous panel", "Shift+F6"}};
  EXPECT_EQ(changed, expected);
  EXPECT_TRUE(isBrowsers(ImGuiMod_Shift | ImGuiKey_F5));
  EXPECT_FALSE(isBrowsers(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_Q)) << "AltGr+Q is @ in Germany";
  EXPECT_FALSE(isBrowsers(ImGuiKey_T));
}

// Whatever is given, again and again, the window shows that panel and nothing else.
TEST(CommandTable, APanelAloneStaysAlone) {
  support::FakeEngines engines;
  const auto session = support::sessionOf(engines, support::ladderExperiment("sequential"), 3);
  session->app().setPanels(knownPanels(allPanels()));
  session->apply({session::EnterMode{session::Mode::Present}, session::ShowPanel{"banks"},
                  session::UseTool{session::PresenterTool::LargeMap}});
  const std::vector<Panel> panels = allPanels();
  const std::vector<CommandEntry> table = panelAloneTable(*findPanel(panels, "banks"));
  EXPECT_GE(table.size(), 15u);
  for (int again = 0; again < 2; ++again)
    for (const CommandEntry& entry : table) {
      if (!isEnabled(entry, session->parts())) continue;
      session->apply(entry.make(session->parts()));
      session->waitForJobs();
      EXPECT_TRUE(session->app().isPresenting()) << entry.name;
      EXPECT_EQ(session->app().presentedMap(), "banks") << entry.name;
      EXPECT_EQ(session->app().overlay(), session::Overlay::None) << entry.name;
      for (const auto tool :
           {session::PresenterTool::Black, session::PresenterTool::Spotlight, session::PresenterTool::Draw})
        EXPECT_FALSE(session->app().isOn(tool)) << entry.name;
      EXPECT_TRUE(session->app().isOn(session::PresenterTool::LargeMap)) << entry.name;
    }
}

bool isEnabledByName(const session::Parts& parts, const std::string& name) {
  for (const CommandEntry& entry : kTable)
    if (name == entry.name) return isEnabled(entry, parts);
  ADD_FAILURE() << name;
  return false;
}

TEST(CommandTable, WhatMakesNoSenseIsGreyed) {
  support::FakeEngines engines;
  const auto session = support::sessionOf(engines, support::ladderExperiment("sequential"));
  EXPECT_FALSE(isEnabledByName(session->parts(), "Step back"));
  EXPECT_FALSE(isEnabledByName(session->parts(), "First round"));
  EXPECT_TRUE(isEnabledByName(session->parts(), "Step forward"));
  EXPECT_FALSE(isEnabledByName(session->parts(), "Cancel what is running"));
  session->apply(session::GoToLast{});
  EXPECT_TRUE(isEnabledByName(session->parts(), "Step back"));
  EXPECT_FALSE(isEnabledByName(session->parts(), "Step forward"));
  EXPECT_FALSE(isEnabledByName(session->parts(), "Last round"));

  engines.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  const auto empty = support::sessionOf(engines, support::ladderExperiment("sequential"));
  for (const char* name :
       {"Save as a recording...", "Text of this round...", "Play or pause", "Step forward", "Step back"})
    EXPECT_FALSE(isEnabledByName(empty->parts(), name)) << name;
}

// Whatever is shown, a command that is offered can be made and applied.
TEST(CommandTable, EveryEnabledCommandCanBeApplied) {
  support::FakeEngines engines;
  for (const CommandEntry& entry : kTable) {
    const auto session = support::sessionOf(engines, support::ladderExperiment("sequential"), 3);
    if (!isEnabled(entry, session->parts())) continue;
    session->apply(entry.make(session->parts()));
    session->waitForJobs();
    if (entry.checked) entry.checked(session->parts());
    EXPECT_NE(session->replay().run(), nullptr) << entry.name;
  }
}

}  // namespace
}  // namespace stridescope::views
