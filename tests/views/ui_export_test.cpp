// The form that hands out what is shown, by label.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <mutex>
#include <thread>

#include "imgui_internal.h"
#include "support/temporary_folder.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::ExportAs;
using session::Overlay;
using test::WorkbenchUi;

// Neither in the menu bar, nor below the caption, nor in a panel's title.
TEST(UiPicture, TellsNobodyWhatToPressOrWhereToPoint) {
  constexpr std::array kHints{"Press ",      "Point at",  "any command",      "all keys",
                              "wheel zooms", "drag pans", "reveal the round", "or M."};
  for (const session::Mode mode :
       {session::Mode::Explore, session::Mode::Compare, session::Mode::Predict, session::Mode::Present}) {
    // A round whose operands do not all fit, so that the memory can be zoomed.
    WorkbenchUi w({.variant = "sequential", .round = 1, .threads = 1024});
    w.apply(session::EnterMode{mode});
    unsigned hints = 0;
    for (const char* const hint : kHints) hints += w.shows(hint) ? 1 : 0;
    if (mode != session::Mode::Present) {
      EXPECT_GE(hints, 2u) << "a person is told";
    }
    w.workbench().drawForPicture();
    w.ui().drawFrames(3);
    for (const char* const hint : kHints)
      EXPECT_FALSE(w.shows(hint)) << session::factsOf(mode).name << ": " << hint << "\n" << w.textsIn("");
  }
}

class UiExport : public testing::Test {
 protected:
  session::SessionServices services() {
    session::SessionServices all = test::hostServices();
    all.exportRun = [this](const session::ExportOrder& order, engine::JobControl& job) -> Result<void> {
      {
        const std::lock_guard lock(mutex_);
        orders_.push_back(order.file);
      }
      if (job.progress) job.progress(0.5f, "Drawing 3 of 6");
      while (holds_ && !job.cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (job.cancel) return cancelled();
      return {};
    };
    return all;
  }
  void open(const std::string& subject = {}) {
    ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{}, services());
    w().apply(session::ShowOverlay{Overlay::Export, subject});
  }
  void openInCompare() {
    ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{}, services());
    w().apply(session::EnterMode{session::Mode::Compare});
    w().apply(session::ShowOverlay{Overlay::Export});
  }
  WorkbenchUi& w() { return *ui_; }
  void click(const std::string& item) {
    w().run(item, [&](ImGuiTestContext* test) { test->ItemClick(("//Export/" + item).c_str()); });
  }
  void choose(const std::string& list, const std::string& entry) {
    w().run(entry, [&](ImGuiTestContext* test) {
      test->ItemClick(("//Export/##" + list).c_str());
      test->ItemClick(("//$FOCUSED/" + entry).c_str());
      test->Yield(2);
    });
  }
  void type(const std::string& field, const std::string& text) {
    w().run(field, [&](ImGuiTestContext* test) {
      test->ItemClick(("//Export/##" + field).c_str());
      test->KeyCharsReplace(text.c_str());
      test->Yield(2);
    });
  }
  std::string typed() {
    std::string text;
    w().run("read", [&](ImGuiTestContext* test) {
      test->ItemClick("//Export/##path");
      test->Yield();
      text = test->UiContext->InputTextState.TextA.Data;
    });
    return text;
  }
  // The order that Save gives.
  session::ExportFile save(const char* name) {
    type("path", (folder_ / name).native());
    click("Save");
    for (int tries = 0; tries < 500; ++tries) {
      w().ui().drawFrames(1);
      const std::lock_guard lock(mutex_);
      if (!orders_.empty()) return orders_.back();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ADD_FAILURE() << "nothing was ordered: " << w().textsIn("Export");
    return {};
  }

  support::Folder folder_;
  std::mutex mutex_;
  std::vector<session::ExportFile> orders_;
  std::atomic<bool> holds_ = false;
  std::unique_ptr<WorkbenchUi> ui_;
};

TEST_F(UiExport, IsOpenedByItsKeyAndProposesAPage) {
  ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{}, services());
  w().run("key", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    test->Yield(3);
  });
  EXPECT_EQ(w().session().app().overlay(), Overlay::Export);
  EXPECT_EQ(typed(), "interleaved_contiguous.html");
}

TEST_F(UiExport, ThePathFollowsTheKindUntilAPersonChoosesOne) {
  open();
  choose("as", "Table (CSV)");
  EXPECT_EQ(typed(), "interleaved_contiguous.csv");
  choose("as", "Pictures of the rounds (PNG)");
  EXPECT_EQ(typed(), "interleaved_contiguous");
  type("path", "mine.txt");
  choose("as", "Film of the rounds (GIF)");
  EXPECT_EQ(typed(), "mine.txt");
}

// A film in a file that is called a page opens nowhere.
TEST_F(UiExport, APathOfAPersonHasTheEndingOfItsKind) {
  open();
  type("path", "mine.html");
  choose("as", "Film of the rounds (GIF)");
  EXPECT_EQ(typed(), "mine.gif");
  choose("as", "Pictures of the rounds (PNG)");
  EXPECT_EQ(typed(), "mine") << "a folder";
  choose("as", "Table (CSV)");
  EXPECT_TRUE(save("mine").path.ends_with("/mine.csv"));
}

TEST_F(UiExport, OrdersAPageBesideAnotherVariantWithQuestions) {
  open();
  choose("beside", "sequential");
  type("rounds", "2..5");
  click("A question before each round");
  const session::ExportFile file = save("a.html");
  EXPECT_EQ(file.as, ExportAs::Html);
  EXPECT_EQ(file.other, "sequential");
  EXPECT_EQ(file.rounds, "2..5");
  EXPECT_TRUE(file.questions);
  EXPECT_FALSE(file.overwrite);
}

// What a page writes becomes a download: none of its folders is a person's, and there is no other dialog.
TEST_F(UiExport, OfAPageListsNoFolders) {
  const auto isThere = [&](const char* item) {
    bool found = false;
    w().run(item, [&](ImGuiTestContext* test) { found = test->ItemExists(item); });
    return found;
  };
  open();
  EXPECT_TRUE(w().shows("the folder above") && isThere("//Export/Browse..."));
  session::SessionServices page = services();
  page.pageAddress = "http://127.0.0.1:8321/";
  ui_.reset();
  ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{}, page);
  w().apply(session::ShowOverlay{Overlay::Export});
  EXPECT_FALSE(w().shows("the folder above")) << w().textsIn("");
  EXPECT_FALSE(isThere("//Export/Browse..."));
  EXPECT_TRUE(save("a.html").path.ends_with("/a.html"));
}

TEST_F(UiExport, OfCompareIsAPageOfBothSides) {
  openInCompare();
  EXPECT_TRUE(save("a.html").bothSides);
}

TEST_F(UiExport, OfCompareTakesOneSideOrAnotherVariantIfRequested) {
  openInCompare();
  choose("beside", "no other variant");
  const session::ExportFile file = save("a.html");
  EXPECT_FALSE(file.bothSides);
  EXPECT_EQ(file.other, "");
}

TEST_F(UiExport, OrdersAFilmOfAPanelInTheWindowsSize) {
  open();
  choose("as", "Film of the rounds (GIF)");
  choose("of", "Banks");
  const session::ExportFile file = save("a.gif");
  EXPECT_EQ(file.as, ExportAs::Gif);
  EXPECT_EQ(file.panel, "banks");
  EXPECT_EQ(file.width, 1600u);
  EXPECT_EQ(file.height, 1000u);
  EXPECT_EQ(file.scale, 1);
}

TEST_F(UiExport, OrdersASheetOfQuestions) {
  open();
  choose("as", "Sheet of questions (HTML)");
  EXPECT_EQ(typed(), "interleaved_contiguous-questions.html");
  const session::ExportFile file = save("a.html");
  EXPECT_EQ(file.as, ExportAs::Quiz);
}

TEST_F(UiExport, OrdersAFilmAsPresentShowsIt) {
  open();
  choose("as", "Film of the rounds (GIF)");
  click("Large, as Present shows it");
  EXPECT_TRUE(save("a.gif").presented);
}

// Whoever exports from Present has that style before the eyes.
TEST_F(UiExport, OfPresentIsAsPresentShowsIt) {
  ui_ = std::make_unique<WorkbenchUi>(test::UiRequest{.before = {session::EnterMode{session::Mode::Present}}},
                                      services());
  w().apply(session::ShowOverlay{Overlay::Export});
  EXPECT_TRUE(save("a.html").presented);
}

TEST_F(UiExport, OrdersATableWithValues) {
  open();
  choose("as", "Table (Markdown)");
  click("The values of shared memory, too");
  const session::ExportFile file = save("a.md");
  EXPECT_EQ(file.as, ExportAs::Markdown);
  EXPECT_TRUE(file.values);
}

TEST_F(UiExport, OfAPanelProposesItsPicture) {
  open("banks");
  EXPECT_EQ(typed(), "banks.png");
  choose("scale", "2 times as fine");
  type("path", (folder_ / "a.png").native());
  click("Save");
  for (int tries = 0; tries < 500 && !w().session().app().message(); ++tries) {
    w().ui().drawFrames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  w().ui().drawFrames(2);
  // Without OpenGL each picture fails; the form stays, and says so.
  EXPECT_TRUE(w().session().app().isToldInForm());
  EXPECT_TRUE(w().shows("Without OpenGL there is no picture.", "Export")) << w().textsIn("Export");
}

TEST_F(UiExport, SaysHowFarItIsAndCancels) {
  open();
  holds_ = true;
  save("a.html");
  w().ui().drawFrames(3);
  EXPECT_TRUE(w().shows("Drawing 3 of 6.", "Export")) << w().textsIn("Export");
  click("Cancel");
  w().settle();
  EXPECT_FALSE(w().session().exports().job());
  EXPECT_FALSE(w().shows("Drawing 3 of 6.", "Export"));
  EXPECT_EQ(w().session().app().overlay(), Overlay::Export) << "for another try";
}

// What is pressed beside the form would change what it asks about.
TEST_F(UiExport, HasThePointerAlone) {
  open();
  const std::string before = w().session().workspace().experiment().variant;
  // How many lists are open then; the engine closes them where steps end.
  const auto press = [&](const char* item) {
    int open = 0;
    w().run("press", [&](ImGuiTestContext* test) {
      test->MouseTeleportToPos(test->ItemInfo(item).RectFull.GetCenter());
      test->Yield(2);
      test->MouseClick(0);
      test->Yield(3);
      open = ImGui::GetCurrentContext()->OpenPopupStack.Size;
    });
    return open;
  };
  for (const char* item :
       {"//##bar/##block size", "//##bar/##MenuBar/Experiment", "//##bar/##MenuBar/mode Compare"}) {
    EXPECT_EQ(press(item), 0) << item;
    EXPECT_EQ(w().session().app().overlay(), Overlay::Export) << item;
    EXPECT_EQ(w().session().app().mode(), session::Mode::Explore) << item;
  }
  press("//Ladder/**/sequential");
  EXPECT_EQ(w().session().workspace().experiment().variant, before);
  choose("as", "Table (CSV)");  // its own lists open
  EXPECT_TRUE(w().shows("A row for each round, for programs.", "Export"));
  w().apply(session::ShowOverlay{Overlay::Export});  // closes it
  ASSERT_EQ(w().session().app().overlay(), Overlay::None);
  EXPECT_EQ(press("//##bar/##block size"), 1) << "without the form the list opens";
}

TEST_F(UiExport, OffersToOverwriteInTheForm) {
  open();
  support::writeContents(folder_ / "a.html", "before");
  type("path", (folder_ / "a.html").native());
  click("Save");
  for (int tries = 0; tries < 500 && !w().session().app().message(); ++tries) {
    w().ui().drawFrames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  w().ui().drawFrames(2);
  EXPECT_TRUE(w().shows("exists already", "Export")) << w().textsIn("Export");
  click("Overwrite it");
  w().settle();
  ASSERT_EQ(orders_.size(), 1u);
  EXPECT_TRUE(orders_[0].overwrite);
}

}  // namespace
}  // namespace stridescope::views
