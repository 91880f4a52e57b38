// Tours in the window: both that come with the program from the first stop to the last, and a person's way
// through them.
#include <gtest/gtest.h>

#include "followed_links.h"
#include "imgui_internal.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

class ShippedTours : public testing::TestWithParam<std::string> {
 protected:
  static session::Tour tour() {
    auto tour = session::parseTour(session::shippedTourText(GetParam()), idsOf(allPanels()));
    EXPECT_TRUE(tour) << GetParam();
    return tour ? *tour : session::Tour();
  }
};

// Who takes the ten minutes alone has nobody to speak to.
TEST_P(ShippedTours, HaveNoBadLinkAndTheLectureHasNotesAtEachStop) {
  EXPECT_TRUE(tour().faults().empty()) << tour().faults().front();
  for (const session::TourStop& stop : tour().stops) {
    EXPECT_TRUE(stop.arrival) << stop.title;
    EXPECT_EQ(stop.notes.empty(), GetParam() == "first") << stop.title;
    EXPECT_GT(stop.minutes, 0u) << stop.title;
  }
}

// From stop to stop as a lecturer goes, and at each stop every link of it.
TEST_P(ShippedTours, EveryLinkOfEveryStopLandsWhereItSays) {
  WorkbenchUi w;
  w.apply(session::StartTour{GetParam()});
  const std::size_t stops = tour().stops.size();
  for (std::size_t i = 0; i < stops; ++i) {
    ASSERT_EQ(w.session().app().tourStop(), i);
    const session::TourStop& stop = w.session().app().tour()->stops[i];
    SCOPED_TRACE(stop.title);
    EXPECT_TRUE(w.shows(stop.title, "Tour")) << w.textsIn("Tour");
    const auto links = session::linksIn(stop.text);
    test::expectShown(w, links.at(0));  // by arriving
    for (const session::LinkText& link : links) test::expectToLand(w, link);
    w.run("next", [](ImGuiTestContext* test) { test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_RightArrow); });
    w.settle();
  }
  EXPECT_EQ(w.session().app().tourStop(), stops - 1) << "behind the last there is none";
}

INSTANTIATE_TEST_SUITE_P(Both, ShippedTours, testing::Values("first", "lecture"),
                         [](const auto& one) { return one.param; });

TEST(ShippedTour, TheLectureTakes45MinutesAndTheFirst10) {
  const auto minutesOf = [](const char* id) {
    return session::parseTour(session::shippedTourText(id), idsOf(allPanels()))->minutes();
  };
  EXPECT_EQ(minutesOf("lecture"), 45u);
  EXPECT_EQ(minutesOf("first"), 10u);
}

TEST(UiTour, StandsBesideThePanelsAndGoesFromStopToStop) {
  WorkbenchUi w;
  w.apply(session::StartTour{"first"});
  EXPECT_TRUE(w.shows("Stop 1 of 8 · minutes 0 to 1 of 10", "Tour")) << w.textsIn("Tour");
  w.run("next", [&](ImGuiTestContext* test) {
    IM_CHECK(!test->ItemExists("//Tour/Speaker notes"));
    test->ItemClick("//Tour/###next");
    test->Yield(3);
  });
  w.settle();
  EXPECT_EQ(w.session().app().tourStop(), 1u);
  w.run("a stop from the list", [&](ImGuiTestContext* test) {
    test->ItemClick("//Tour/All stops");
    test->Yield(3);
    test->ItemClick("//Tour/###stop 4");
    test->Yield(3);
  });
  w.settle();
  EXPECT_EQ(w.session().app().tourStop(), 4u);
  EXPECT_EQ(w.session().workspace().experiment().variant, "interleaved_contiguous");
}

TEST(UiTour, TheLecturesNotesAreFolded) {
  WorkbenchUi w;
  w.apply(session::StartTour{"lecture"});
  EXPECT_FALSE(w.shows("10 000 adders", "Tour"));
  w.run("unfold", [&](ImGuiTestContext* test) {
    test->ItemClick("//Tour/Speaker notes");
    test->Yield(3);
    IM_CHECK(w.shows("10 000 adders", "Tour"));
    test->ItemClick("//Tour/###next");
    test->Yield(3);
  });
  w.settle();
  EXPECT_EQ(w.session().app().tourStop(), 1u);
  EXPECT_TRUE(
      w.shows(w.session().app().tour()->stops[1].notes.front().pieces.front().text.substr(0, 20), "Tour"))
      << "they stay unfolded";
}

// The second window is a picture of its own, whose texts are logged with the first one's.
TEST(UiTour, ASecondWindowShowsTheStopsNotesAndWhatComesNext) {
  WorkbenchUi w;
  w.apply(session::StartTour{"lecture"});
  EXPECT_FALSE(w.shows("10 000 adders"));
  w.run("show", [&](ImGuiTestContext* test) { test->KeyPress(ImGuiMod_Shift | ImGuiKey_F4); });
  w.settle();
  EXPECT_TRUE(w.shows("if there are 10 000 adders")) << "the notes of stop 1";
  EXPECT_TRUE(w.shows("Next stop: Threads, a block, a barrier"));
  EXPECT_TRUE(w.shows("Shown: Load: 8 threads copy"));
  w.apply(session::GoToStop{3});
  EXPECT_FALSE(w.shows("{{")) << "figures stand in the place of what names them";
  w.apply(session::GoToStop{0});
  w.apply(session::EnterMode{session::Mode::Present});
  w.apply(session::StepStop{+1});
  EXPECT_TRUE(w.shows("Stop 2 of 15")) << "Present shows it nowhere else";
  w.apply(session::EnterMode{session::Mode::Predict});
  EXPECT_FALSE(w.shows("Shown: ")) << "a hidden round is not told";
  w.apply(session::ToggleNotes{});
  EXPECT_FALSE(w.shows("Stop 2 of 15 · minutes 2 to 5 of 45") && w.shows("Next stop: "));
}

// It can be read on while a form is filled in, and nothing moves for the form.
TEST(UiTour, AFormDoesNotHideIt) {
  for (const shell::PixelSize size : {shell::PixelSize{1366, 768}, shell::PixelSize{1600, 1000}}) {
    WorkbenchUi w({.size = size});
    w.apply(session::StartTour{"first"});
    const auto edge = [](const char* name) {
      const ImGuiWindow* const window = ImGui::FindWindowByName(name);
      return window == nullptr ? 0 : window->Pos.x + window->Size.x;
    };
    const float tour = edge("Tour"), memory = edge("Shared memory");
    w.apply(session::ShowOverlay{session::Overlay::OpenFile});
    EXPECT_TRUE(w.shows("Stop 1 of 8", "Tour")) << w.textsIn("Tour");
    EXPECT_EQ(edge("Shared memory"), memory) << size.width;
    const ImGuiWindow* const form = ImGui::FindWindowByName("Open a recording or a kernel");
    ASSERT_NE(form, nullptr);
    EXPECT_GE(form->Pos.x, tour) << "it does not lie over the text";
    EXPECT_LT(form->Pos.x + form->Size.x, float(size.width));
    w.run("type", [&](ImGuiTestContext* test) {
      test->KeyChars("no such file");
      test->KeyPress(ImGuiKey_Escape);
      test->Yield(4);
    });
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::Tour);
    EXPECT_TRUE(w.shows("Stop 1 of 8", "Tour"));
  }
}

// Whoever presses Esc twice to be rid of the notes keeps the tour.
TEST(UiTour, EscapeOnceTooOftenInTheNotesLeavesTheTour) {
  WorkbenchUi w;
  w.apply(session::StartTour{"lecture"});
  w.apply(session::ToggleNotes{});
  const auto escape = [&] {
    w.run("Esc", [](ImGuiTestContext* test) {
      test->KeyPress(ImGuiKey_Escape);
      test->Yield(4);
    });
  };
  w.workbench().onSecondClosed();  // by Esc in that window
  escape();
  EXPECT_FALSE(w.session().app().wantsNotes());
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::Tour);
  w.ui().drawFrames(70);  // more than a second
  escape();
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
}

TEST(UiTour, AtItsEndTheTourIsClosed) {
  WorkbenchUi w;
  w.apply(session::StartTour{"first"});
  w.apply(session::GoToStop{w.session().app().tour()->stops.size() - 1});
  w.run("close", [](ImGuiTestContext* test) { test->ItemClick("//Tour/###next"); });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
}

TEST(UiTour, F4OffersToursAndTheKeyboardAloneGoesThroughThem) {
  WorkbenchUi w;
  const auto navId = [] { return ImGui::GetCurrentContext()->NavId; };
  w.run("start, go to a link and follow it", [&](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_F4);
    test->Yield(3);
    IM_CHECK_STR_EQ(w.session().app().focused().c_str(), "text");  // tours to choose from have the keyboard
    IM_CHECK_EQ(navId(), test->GetID("//Tour/Ten-minute tour"));
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(3);
    w.session().waitForJobs();
    test->Yield(6);
    IM_CHECK(w.session().app().tour() != nullptr);
    IM_CHECK_STR_EQ(w.session().workspace().experiment().variant.c_str(), "warm_up");
    IM_CHECK_STR_EQ(w.session().app().focused().c_str(), "");  // the arrows step
    test->KeyPress(ImGuiKey_F6);                               // what is read comes first
    test->Yield(3);
    const ImGuiID link = test->GetID("//Tour/Eight threads");
    for (int i = 0; i < 9 && navId() != link; ++i) {
      test->KeyPress(ImGuiKey_Tab);
      test->Yield(2);
    }
    IM_CHECK_EQ(navId(), link);
    w.session().apply(session::GoToLast{});
    test->KeyPress(ImGuiKey_Enter);
    test->Yield(6);
    IM_CHECK(w.session().replay().atFirst());
    IM_CHECK_EQ(navId(), link);  // the panel that came to the front has not taken the keyboard
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    IM_CHECK_STR_EQ(w.session().app().focused().c_str(), "");
    IM_CHECK_EQ(int(w.session().app().overlay()), int(session::Overlay::Tour));
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    IM_CHECK(!w.session().replay().pinned());
    test->KeyPress(ImGuiKey_Escape);
    test->Yield(3);
    IM_CHECK_EQ(int(w.session().app().overlay()), int(session::Overlay::None));
  });
}

// With the list of tours, and at a stop that rings something. What a person pinned meanwhile is freed first.
TEST(UiTour, OneEscapeLeavesIt) {
  WorkbenchUi w;
  const auto press = [&](std::initializer_list<ImGuiKey> keys) {
    w.run("press", [&](ImGuiTestContext* test) {
      for (const ImGuiKey key : keys) {
        test->KeyPress(key);
        test->Yield(4);
      }
    });
  };
  const auto isOpen = [&] { return w.session().app().overlay() == session::Overlay::Tour; };
  for (const session::Mode mode : {session::Mode::Explore, session::Mode::Predict, session::Mode::Compare}) {
    w.apply(session::EnterMode{mode});
    press({ImGuiKey_F4});
    ASSERT_TRUE(isOpen());
    press({ImGuiKey_Escape});
    EXPECT_FALSE(isOpen()) << int(mode);
    EXPECT_EQ(w.session().app().focused(), "");
  }
  w.apply(session::EnterMode{session::Mode::Explore});
  w.apply(session::StartTour{"first"});
  w.settle();
  ASSERT_TRUE(w.session().replay().isRinged());
  press({ImGuiKey_Escape});
  EXPECT_FALSE(isOpen());
  EXPECT_FALSE(w.session().replay().pinned()) << "the ring goes with its text";
  press({ImGuiKey_F4});
  ASSERT_TRUE(isOpen());
  w.apply(session::Pin{session::hoverThread(1)});
  press({ImGuiKey_Escape});
  EXPECT_TRUE(isOpen());
  EXPECT_FALSE(w.session().replay().pinned());
}

// The list of tours has the keyboard, in a frame: letters are the list's, but the help is the window's.
TEST(UiTour, AllKeysAreShownOverItInEachMode) {
  for (const session::Mode mode : {session::Mode::Explore, session::Mode::Predict, session::Mode::Compare})
    for (const bool withTour : {false, true}) {
      WorkbenchUi w;
      w.apply(session::EnterMode{mode});
      if (withTour) w.apply(session::StartTour{"first"});
      if (withTour) w.apply(session::EnterMode{mode});
      w.run("F4, ?", [&](ImGuiTestContext* test) {
        test->KeyPress(ImGuiKey_F4);
        test->Yield(4);
        if (withTour) test->KeyPress(ImGuiKey_F4);
        test->Yield(4);
        IM_CHECK_EQ(int(w.session().app().overlay()), int(session::Overlay::Tour));
        w.ui().keys().type({U'?', false});
        test->Yield(4);
        IM_CHECK_EQ(int(w.session().app().overlay()), int(session::Overlay::Keys));
        test->KeyPress(ImGuiKey_Escape);
        test->Yield(4);
        IM_CHECK_EQ(int(w.session().app().overlay()), int(session::Overlay::Tour));
      });
    }
}

// Whatever Dear ImGui has focused in the text, the keys of stepping step and nothing else.
TEST(UiTour, WhileNobodyHasTheKeyboardTheKeysStep) {
  WorkbenchUi w;
  w.apply(session::StartTour{"first"});
  w.run("step", [&](ImGuiTestContext* test) {
    for (const ImGuiKey key :
         {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_Enter, ImGuiKey_LeftArrow}) {
      test->KeyPress(key);
      test->Yield(3);
    }
  });
  EXPECT_EQ(w.session().replay().playhead().round, 1u);
  EXPECT_EQ(w.session().app().tourStop(), 0u);
}

TEST(UiTour, ABadLinkIsATextAndItsSentenceStandsAtItsStop) {
  WorkbenchUi w;
  w.session().app().showTour(std::make_shared<const session::Tour>(
                                 *session::parseTour("## A\nSee [this](#bnaks).\n", idsOf(allPanels()))),
                             0);
  w.apply(session::ShowOverlay{session::Overlay::Tour});
  EXPECT_TRUE(w.shows("See this.", "Tour")) << w.textsIn("Tour");
  EXPECT_TRUE(w.shows("Line 2, column 13", "Tour")) << w.textsIn("Tour");
  w.run("no link", [](ImGuiTestContext* test) { IM_CHECK(!test->ItemExists("//Tour/this")); });
}

}  // namespace
}  // namespace stridescope::views
