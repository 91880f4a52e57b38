// The command palette finds what a person types; copying says that it did; tooltips look alike.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "support/temporary_folder.h"
#include "views/frame/overlays.h"
#include "views/shared/explanations.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

// Types into the palette and takes what it finds first.
void ask(WorkbenchUi& w, const char* text) {
  w.run("palette", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test->Yield(3);
    test->KeyChars(text);
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
  });
  w.settle();
}

TEST(UiPalette, FindsWhatAPersonTypes) {
  using session::Session;
  const auto experiment = [](const Session& session) { return session.workspace().experiment(); };
  const std::vector<std::pair<const char*, std::function<bool(const Session&)>>> asked{
      {"float", [&](const Session& s) { return experiment(s).type == model::ElementType::Float; }},
      {"int64", [&](const Session& s) { return experiment(s).type == model::ElementType::Int64; }},
      {"uint32", [&](const Session& s) { return experiment(s).type == model::ElementType::Unsigned; }},
      {"min", [&](const Session& s) { return experiment(s).op == model::Operator::Min; }},
      {"maximum", [&](const Session& s) { return experiment(s).op == model::Operator::Max; }},
      {"+", [&](const Session& s) { return experiment(s).op == model::Operator::Add; }},
      {"512", [&](const Session& s) { return experiment(s).threads == 512; }},
      {"block 128", [&](const Session& s) { return experiment(s).threads == 128; }},
      {"1000", [&](const Session& s) { return experiment(s).elements == 1000; }},
      {"n = 2^12", [&](const Session& s) { return experiment(s).elements == 4096; }},
      {"2 blocks", [&](const Session& s) { return experiment(s).elements == 256; }},
      {"lockstep", [&](const Session& s) { return experiment(s).schedule == model::Schedule::Lockstep; }},
      {"blocks reversed",
       [&](const Session& s) { return experiment(s).blockOrder == model::BlockOrder::Reversed; }},
      {"alternating",
       [&](const Session& s) { return experiment(s).data == model::DataPattern::Alternating; }},
      {"light", [](const Session& s) { return s.app().settings().theme == session::ThemeName::Light; }},
      {"theme dark", [](const Session& s) { return s.app().settings().theme == session::ThemeName::Dark; }},
      {"fullscreen", [](const Session& s) { return s.app().fullscreen(); }},
      {"sequential", [&](const Session& s) { return experiment(s).variant == "sequential"; }},
      {"warp_shuffle", [&](const Session& s) { return experiment(s).variant == "warp_shuffle"; }},
      {"reduce1", [&](const Session& s) { return experiment(s).variant == "interleaved_contiguous"; }},
      {"long", [&](const Session& s) { return experiment(s).type == model::ElementType::Int64; }},
      {"n 1,000", [&](const Session& s) { return experiment(s).elements == 1000; }},
      {"missing_barrier", [&](const Session& s) { return experiment(s).variant == "missing_barrier"; }},
      {"race", [](const Session& s) { return s.replay().playhead().round > 0; }},
      {"lesson modulo",
       [&](const Session& s) {
         return s.app().overlay() == session::Overlay::Lesson &&
                experiment(s).variant == "interleaved_modulo";
       }},
  };
  WorkbenchUi w;
  for (const auto& [text, found] : asked) {
    EXPECT_FALSE(found(w.session())) << text << ": so before it is asked for";
    ask(w, text);
    EXPECT_TRUE(found(w.session())) << text;
    if (std::string(text) == "missing_barrier") w.apply(session::GoToFirst{});
  }
}

std::vector<PaletteItem> itemsFor(WorkbenchUi& w, const std::string& query) {
  const std::vector<Panel> panels = allPanels();
  session::Commands commands;
  const LinkedHighlight linked;
  const TroubleMarks trouble;
  const ShownTimes times;
  const Explanations explanations([](std::string_view) { return std::string(); });
  const ViewContext view{
      w.session().parts(), w.ui().runner().drawContext(), commands, linked, trouble, times, panels,
      explanations};
  return findItems(paletteItems(view, commandTable(panels), query), query);
}

bool has(const std::vector<PaletteItem>& items, const std::string& name) {
  return std::ranges::any_of(items, [&](const PaletteItem& item) { return item.name == name; });
}

std::vector<std::string> namesOf(const std::vector<PaletteItem>& items) {
  std::vector<std::string> names;
  for (const PaletteItem& item : items) names.push_back(item.name);
  return names;
}

TEST(UiPalette, OffersASizeOnce) {
  WorkbenchUi w;
  for (const char* query : {"2^16", "65536", "n: 2^16", "n 65,536", "n = 2^24"}) {
    const std::vector<std::string> found = namesOf(itemsFor(w, query));
    for (const char* name : {"n: 2^16", "n: 2^24"}) EXPECT_LE(std::ranges::count(found, name), 1) << query;
    EXPECT_EQ(std::ranges::count(found, std::string(query) == "n = 2^24" ? "n: 2^24" : "n: 2^16"), 1)
        << query;
  }
}

TEST(UiPalette, BringsATabOfTimingsToTheFront) {
  WorkbenchUi w;
  for (const auto& [query, tab] : {std::pair{"by size", TimingsTab::BySize},
                                   {"by block", TimingsTab::ByBlock},
                                   {"timings live", TimingsTab::Live},
                                   {"timings by size", TimingsTab::BySize}}) {
    w.apply(session::ShowPanel{"source"});
    ask(w, query);
    EXPECT_EQ(w.timings().tab, tab) << query;
    EXPECT_GT(w.workbench().areaOf(kTimingsId).max.x, 0) << query;
  }
  ASSERT_FALSE(itemsFor(w, "live").empty());
  EXPECT_TRUE(has(itemsFor(w, "live"), "Timings: live"));
}

// What people look for by other words than the window has.
TEST(UiPalette, KnowsTheWordsThatPeopleTry) {
  WorkbenchUi w;
  const std::vector<std::pair<const char*, std::vector<std::string>>> asked{
      {"thread count", {"Block size: 256", "Block size: 512"}},
      {"screenshot", {"Export..."}},
      {"film", {"Export..."}},
      {"quiz", {"Export..."}},
      {"print", {"Export..."}},
      {"cub", {"Show the panel Timings", "Start timing"}},
      {"language", {"Language"}},
      {"settings", {"Switch theme", "Theme: light", "Larger text", "Reduced motion", "Settings"}},
      {"help", {"All keys", "Lesson of this variant", "Glossary", "Welcome"}},
      {"undo", {"Reset experiment", "Step back", "Undo"}},
      {"own kernel",
       {"Custom operator...", "Open a recording or a kernel (.cu)...", "Edit a copy of this variant..."}}};
  for (const auto& [query, wanted] : asked) {
    const std::vector<PaletteItem> found = itemsFor(w, query);
    for (const std::string& name : wanted) {
      const auto item = std::ranges::find(found, name, &PaletteItem::name);
      ASSERT_NE(item, found.end()) << query << ": " << name << " of "
                                   << testing::PrintToString(namesOf(found));
      EXPECT_LT(item - found.begin(), 10) << query << ": " << name << " is seen without scrolling";
    }
    EXPECT_EQ(std::ranges::count(wanted, found.front().name), 1)
        << query << " finds " << found.front().name << " first";
  }
}

TEST(UiPalette, WhatThisVersionDoesNotHaveIsToldAndCannotBeChosen) {
  WorkbenchUi w;
  for (const auto& [query, name] : {std::pair("language", "Language"), std::pair("settings", "Settings")}) {
    const std::vector<PaletteItem> found = itemsFor(w, query);
    const auto item = std::ranges::find(found, std::string(name), &PaletteItem::name);
    ASSERT_NE(item, found.end()) << query;
    EXPECT_TRUE(item->commands.empty()) << query;
    EXPECT_TRUE(item->why.ends_with('.')) << query << ": a sentence says why: " << item->why;
  }
  ask(w, "language");
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Palette) << "it stays open, and says why";
}

// A name that was changed would leave its words behind.
TEST(UiPalette, FurtherWordsAreOfItemsThatAreThere) {
  WorkbenchUi w;
  const std::vector<PaletteItem> items = itemsFor(w, "");
  for (const FurtherWords& further : furtherWords())
    EXPECT_TRUE(std::ranges::any_of(items, [&](const PaletteItem& item) {
      return item.name.starts_with(further.name) && item.also.find(further.words) != std::string::npos;
    })) << further.name;
}

TEST(UiPalette, NamesWhatCannotBeHadNowWithTheReason) {
  WorkbenchUi w;
  const std::vector<PaletteItem> timing = itemsFor(w, "timing");
  EXPECT_TRUE(has(timing, "Stop timing"));
  EXPECT_TRUE(has(timing, "Show the panel Timings"));
  for (const PaletteItem& item : timing)
    if (item.name == "Stop timing") {
      EXPECT_EQ(item.why, "No timing is running.");
    }
  const std::vector<PaletteItem> race = itemsFor(w, "next race");
  ASSERT_FALSE(race.empty());
  EXPECT_EQ(race.front().name, "Next race");
  EXPECT_EQ(race.front().why, "This run has no race.");
  w.apply(session::ShowOverlay{session::Overlay::Palette});
  w.run("it does nothing", [](ImGuiTestContext* test) {
    test->KeyChars("next race");
    test->Yield(2);
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
  });
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Palette) << "it stays open, and says why";
  EXPECT_EQ(w.session().replay().playhead().round, 4u);
}

TEST(UiPalette, SaysWhatAnOpenRecordingDoesNotHave) {
  WorkbenchUi w;
  const support::Folder folder;
  const std::string path = (folder / "one.stride").string();
  w.apply(session::SaveRecording{path});
  w.apply(session::OpenRecording{path});
  ASSERT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded);
  for (const char* what : {"Type: float", "Operator: min", "Block size: 512", "Variant: sequential"}) {
    const std::vector<PaletteItem> found = itemsFor(w, what);
    const auto item = std::ranges::find(found, std::string(what), &PaletteItem::name);
    ASSERT_NE(item, found.end()) << what;
    EXPECT_FALSE(item->why.empty()) << what;
  }
}

TEST(UiPalette, WhatANameIsAboutComesFirst) {
  WorkbenchUi w;
  EXPECT_EQ(itemsFor(w, "timings").front().name, "Show the panel Timings");
  EXPECT_EQ(itemsFor(w, "512").front().name, "Block size: 512");
  EXPECT_EQ(itemsFor(w, "n 512").front().name, "n: 512");
}

TEST(UiPalette, SaysWhyNCannotBeSoMany) {
  WorkbenchUi w;
  const std::vector<PaletteItem> found = itemsFor(w, "2^40");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().name, "n: 2^40");
  EXPECT_FALSE(found.front().why.empty());
}

TEST(UiPalette, WordsOfRacesFindTheVariantsThatHaveThem) {
  WorkbenchUi w;
  const std::vector<PaletteItem> found = itemsFor(w, "race");
  EXPECT_TRUE(has(found, "Variant: no barrier between strides"));
  EXPECT_TRUE(has(found, "Glossary: race"));
  EXPECT_FALSE(has(found, "Variant: sequential"));
}

TEST(UiPalette, SaysSoWhereNothingMatches) {
  WorkbenchUi w;
  EXPECT_TRUE(itemsFor(w, "qqqzzz").empty());
  EXPECT_FALSE(itemsFor(w, "").empty());
  w.apply(session::ShowOverlay{session::Overlay::Palette});
  w.run("nothing", [](ImGuiTestContext* test) {
    const auto isThere = [&] {
      return test->ItemInfo("//Command palette/**/Quit", ImGuiTestOpFlags_NoError).ID != 0;
    };
    IM_CHECK(isThere());
    test->KeyChars("qqqzzz");
    test->Yield(3);
    IM_CHECK(!isThere());
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(2);
  });
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Palette);
}

TEST(UiPalette, WhatIsChosenByArrowsIsSeen) {
  WorkbenchUi w;
  w.apply(session::ShowOverlay{session::Overlay::Palette});
  w.run("down", [](ImGuiTestContext* test) {
    for (int i = 0; i < 60; ++i) test->KeyPress(ImGuiKey_DownArrow);
    test->Yield(3);
  });
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string(window->Name).starts_with("Command palette/found")) {
      EXPECT_GT(window->Scroll.y, 100);
    }
}

TEST(UiCopying, SaysThatItDid) {
  WorkbenchUi w;
  w.apply(session::CopyText{"one\ntwo\n"});
  EXPECT_TRUE(w.shows("Copied 2 lines.", "##remark")) << w.textsIn("##remark");
  w.apply(session::CopyText{"one"});
  EXPECT_TRUE(w.shows("Copied 1 line.", "##remark")) << w.textsIn("##remark");
  w.run("text of the round", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    test->Yield(3);
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
  });
  EXPECT_TRUE(w.shows("Copied the text of this round.", "##remark")) << w.textsIn("##remark");
}

// What a message asks for is not lost by copying it.
TEST(UiCopying, ItsWordStandsBesideAMessage) {
  WorkbenchUi w;
  w.workbench().onDrop("/nowhere/none.stride");
  w.settle();
  const std::string sentence = w.session().app().message()->sentence;
  w.run("copy details", [&](ImGuiTestContext* test) {
    test->ItemClick("//##message/Copy details");
    test->Yield(2);
  });
  EXPECT_EQ(w.session().app().message()->sentence, sentence);
  EXPECT_TRUE(w.shows("Copied the message.", "##message")) << w.textsIn("##message");
}

// The padding of the tooltip that is shown; 0: there is none.
float tooltipPadding() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if ((window->Flags & ImGuiWindowFlags_Tooltip) && window->WasActive && !window->Hidden)
      return window->WindowPadding.x;
  return 0;
}

TEST(UiTooltips, HavePaddingEverywhere) {
  WorkbenchUi w;
  const auto paddingOver = [&](const char* item, const char* open = nullptr) {
    float padding = 0;
    w.run(item, [&](ImGuiTestContext* test) {
      test->PopupCloseAll();
      if (open != nullptr) test->ItemClick(open);
      test->MouseMove(item);
      for (int frame = 0; frame < 90 && padding == 0; ++frame) {
        test->Yield();
        padding = tooltipPadding();
      }
      test->PopupCloseAll();
    });
    return padding;
  };
  EXPECT_EQ(paddingOver("//Ladder/**/sequential"), 10);
  EXPECT_EQ(paddingOver("//##transport/Step back"), 10);
  EXPECT_EQ(paddingOver("//Banks/load A"), 10);
  EXPECT_EQ(paddingOver("//$FOCUSED/a GPU", "//##bar/what executes"), 10);
  w.apply(session::Choose(&model::Experiment::variant, "unrolled_last_warp"));
  EXPECT_EQ(paddingOver("//$FOCUSED/32", "//##bar/##block size"), 10);
}

}  // namespace
}  // namespace stridescope::views
