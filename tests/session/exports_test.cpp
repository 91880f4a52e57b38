// Exports: what makes them, what becomes of them, and pictures of the screen.
#include "session/exports.h"

#include <gtest/gtest.h>

#include <mutex>

#include "session/comparison.h"
#include "session/session.h"
#include "support/fake_engine.h"
#include "support/temporary_folder.h"

namespace stridescope::session {
namespace {

using support::contentsOf;
using support::writeContents;

class ExportsTest : public testing::Test {
 protected:
  // A maker of files that does as it is told.
  std::unique_ptr<Session> open(unsigned round = 0) {
    SessionServices services = engines_.services();
    services.pageAddress = pageAddress_;
    services.exportRun = [this](const ExportOrder& order, engine::JobControl& job) -> Result<void> {
      {
        const std::lock_guard lock(mutex_);
        orders_.push_back(order);
      }
      if (job.progress) job.progress(0.5f, "Drawing 3 of 6");
      while (holds_ && !job.cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (job.cancel) return cancelled();
      if (refusal_) return tl::unexpected(*refusal_);
      return {};
    };
    auto session = std::make_unique<Session>(
        services, Settings{},
        Start{.experiment = support::ladderExperiment("sequential"), .round = round, .engine = "host"});
    session->waitForJobs();
    return session;
  }
  std::string path(const char* name) const { return (folder_ / name).native(); }
  static picture::Image image() { return {{2, 1}, {1, 2, 3, 255, 4, 5, 6, 255}}; }

  support::FakeEngines engines_;
  support::Folder folder_;
  std::string pageAddress_;
  std::mutex mutex_;
  std::vector<ExportOrder> orders_;
  std::atomic<bool> holds_ = false;
  std::optional<Error> refusal_;
};

TEST_F(ExportsTest, OrdersAFileOfTheRunThatIsShown) {
  const auto session = open();
  session->apply(ShowOverlay{Overlay::Export});
  session->apply(ExportFile{
      .as = ExportAs::Html, .path = path("a.html"), .rounds = "2..5", .other = "interleaved_modulo"});
  session->waitForJobs();
  ASSERT_EQ(orders_.size(), 1u);
  EXPECT_EQ(orders_[0].runs[0].run, session->replay().sharedRun());
  EXPECT_EQ(orders_[0].file.rounds, "2..5");
  EXPECT_EQ(orders_[0].engine, "host");
  ASSERT_EQ(orders_[0].others.size(), 1u);
  EXPECT_EQ(orders_[0].others[0].variant, "interleaved_modulo");
  EXPECT_EQ(orders_[0].others[0].threads, session->workspace().experiment().threads);
  EXPECT_EQ(session->app().loneRemark(), "Saved as " + path("a.html") + ".");
  EXPECT_EQ(session->app().savedPath(), path("a.html"));
  EXPECT_FALSE(session->app().message()) << "no strip, for which the panels would move";
  EXPECT_EQ(session->app().overlay(), Overlay::None) << "the form is done";
}

// Present's theme is its own, and what is drawn as Present shows it has that.
TEST_F(ExportsTest, WhatIsPresentedHasThePresentersTheme) {
  const auto session = open();
  ASSERT_NE(session->app().settings().theme, session->app().settings().presenterTheme);
  for (const bool presented : {false, true}) {
    session->apply(ExportFile{
        .as = ExportAs::Pictures, .path = path(presented ? "presented" : "plain"), .presented = presented});
    session->waitForJobs();
  }
  ASSERT_EQ(orders_.size(), 2u);
  EXPECT_EQ(orders_[0].theme, session->app().settings().theme);
  EXPECT_EQ(orders_[1].theme, session->app().settings().presenterTheme);
}

TEST_F(ExportsTest, OrdersBothSidesOfAComparisonFromTheLeft) {
  const auto session = open();
  session->apply(EnterMode{Mode::Compare});
  session->waitForJobs();
  session->apply(ChooseSide{analysis::Side::Right});
  session->apply(ExportFile{.as = ExportAs::Html, .path = path("a.html"), .bothSides = true});
  session->waitForJobs();
  ASSERT_EQ(orders_.size(), 1u);
  ASSERT_EQ(orders_[0].runs.size(), 2u);
  for (const analysis::Side side : analysis::kSides)
    EXPECT_EQ(orders_[0].runs[side == analysis::Side::Left ? 0 : 1].run,
              session->comparison()->replay(side).sharedRun());
  EXPECT_TRUE(orders_[0].others.empty());
}

TEST_F(ExportsTest, TellsHowFarItIsAndIsCancelled) {
  const auto session = open();
  holds_ = true;
  session->apply(ExportFile{.as = ExportAs::Gif, .path = path("a.gif")});
  for (int tries = 0; tries < 2000 && (!session->exports().job() || session->exports().job()->fraction < 0);
       ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(session->exports().job());
  EXPECT_EQ(session->exports().job()->doing, "Drawing 3 of 6");
  EXPECT_TRUE(session->wantsFrameSoon());
  session->apply(ExportFile{.as = ExportAs::Gif, .path = path("b.gif")});
  EXPECT_NE(session->app().message()->sentence.find("Another file is being written"), std::string::npos);
  session->apply(DismissMessage{});
  session->apply(CancelJob{});
  session->waitForJobs();
  EXPECT_FALSE(session->exports().job());
  EXPECT_FALSE(session->app().message()) << "who cancels it knows";
  EXPECT_EQ(orders_.size(), 1u);
}

TEST_F(ExportsTest, AsksBeforeItReplacesAFile) {
  const auto session = open();
  writeContents(path("a.csv"), "before");
  const ExportFile request{.as = ExportAs::Csv, .path = path("a.csv")};
  session->apply(ShowOverlay{Overlay::Export});
  session->apply(request);
  session->waitForJobs();
  EXPECT_TRUE(orders_.empty()) << "it is seen before anything is made";
  EXPECT_EQ(session->app().overlay(), Overlay::Export);
  ASSERT_TRUE(session->app().isToldInForm());
  const Message& message = *session->app().message();
  EXPECT_NE(message.sentence.find("exists already. Overwrite it"), std::string::npos);
  ASSERT_TRUE(message.action);
  session->apply(*message.action);
  session->waitForJobs();
  ASSERT_EQ(orders_.size(), 1u);
  EXPECT_TRUE(orders_[0].file.overwrite);
  EXPECT_EQ(orders_[0].file.as, ExportAs::Csv);
}

TEST_F(ExportsTest, AsksBeforeItWritesIntoAFolderThatIsNotEmpty) {
  const auto session = open();
  std::filesystem::create_directory(folder_ / "p");
  writeContents(folder_ / "p" / "a", "before");
  session->apply(ExportFile{.as = ExportAs::Pictures, .path = path("p")});
  session->waitForJobs();
  ASSERT_TRUE(session->app().message() && session->app().message()->action);
  EXPECT_NE(session->app().message()->sentence.find("is not empty"), std::string::npos);
  EXPECT_EQ(session->app().message()->actionLabel, "Write into it");
  session->apply(*session->app().message()->action);
  session->waitForJobs();
  ASSERT_EQ(orders_.size(), 1u);
  EXPECT_TRUE(orders_[0].file.overwrite);
}

TEST_F(ExportsTest, TellsWhyItCouldNotBe) {
  const auto session = open();
  refusal_ = Error{ErrorKind::Unavailable, "The disk is full.", "details"};
  session->apply(ExportFile{.as = ExportAs::Markdown, .path = path("a.md")});
  session->waitForJobs();
  EXPECT_EQ(session->app().message()->sentence, "The disk is full.");
  EXPECT_EQ(session->app().message()->details, "details");
  session->apply(ExportFile{.as = ExportAs::Pictures, .path = path("none/pictures")});
  session->waitForJobs();
  EXPECT_NE(session->app().message()->sentence.find("does not exist"), std::string::npos);
}

TEST_F(ExportsTest, APageHasAFolderOfPicturesDownloadedAsAnArchive) {
  pageAddress_ = "https://example.org/course/";
  const auto session = open();
  session->apply(ExportFile{.as = ExportAs::Pictures, .path = path("rounds")});
  session->waitForJobs();
  EXPECT_EQ(session->app().loneRemark(), "The browser downloads rounds.zip.");
  session->apply(ExportFile{.as = ExportAs::Html, .path = path("rounds.html")});
  session->waitForJobs();
  EXPECT_EQ(session->app().loneRemark(), "The browser downloads rounds.html.");
}

TEST_F(ExportsTest, WaitsForTheRecording) {
  const auto session = open();
  engines_.hold();
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines_.waitUntilHeld();
  session->apply(ExportFile{.as = ExportAs::Csv, .path = path("a.csv")});
  EXPECT_NE(session->app().message()->sentence.find("when the recording has ended"), std::string::npos);
  engines_.letGo();
  session->waitForJobs();
  EXPECT_TRUE(orders_.empty());
}

TEST_F(ExportsTest, AsksTheWindowForAPicture) {
  const auto session = open();
  const ExportFile request{.as = ExportAs::Png, .path = path("a.png"), .panel = "banks", .density = 2};
  session->apply(request);
  const auto asked = session->app().takePictureRequest();
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->panel, "banks");
  EXPECT_EQ(asked->density, 2u);
  EXPECT_FALSE(session->app().takePictureRequest()) << "once";
  session->exports().write(*asked, image());
  session->waitForJobs();
  EXPECT_EQ(contentsOf(path("a.png")).substr(1, 3), "PNG");
  EXPECT_EQ(session->app().loneRemark(), "Saved as " + path("a.png") + ".");
  session->exports().write(request, image());
  session->waitForJobs();
  EXPECT_TRUE(session->app().message()->action) << "it may be replaced";
}

TEST_F(ExportsTest, APictureOfNothingIsNotWritten) {
  const auto session = open();
  const ExportFile request{.as = ExportAs::Png, .path = path("a.png"), .panel = "banks"};
  session->exports().write(request, picture::Image{});
  session->waitForJobs();
  EXPECT_NE(session->app().message()->sentence.find("The panel is not on screen"), std::string::npos);
  session->exports().write(request, unavailable("Without OpenGL there is no picture."));
  session->waitForJobs();
  EXPECT_EQ(session->app().message()->sentence, "Without OpenGL there is no picture.");
  EXPECT_EQ(folder_.fileCount(), 0u);
}

}  // namespace
}  // namespace stridescope::session
