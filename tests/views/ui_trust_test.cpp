// A recording's operator is compiled only after the person has seen it and said yes.
#include <gtest/gtest.h>

#include "archive/recording_file.h"
#include "engine/host/host_engine.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/sandbox/custom_engine.h"
#include "support/trust.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

constexpr const char* kTrustOverlay = "Run this code?";
constexpr const char* kCombine = "a ^ b";

class UiTrust : public testing::Test {
 protected:
  session::SessionServices services() {
    session::SessionServices services = test::hostServices();
    services.trust = trust_;
    services.makeEngine = [others = services.makeEngine, trust = trust_, support = support_](
                              const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      if (id.ends_with(archive::kRecordingSuffix)) return others(id);
      return std::shared_ptr<engine::Engine>(engine::sandbox::makeCustomEngine(
          engine::host::makeHostEngine(), trust, {.program = STRIDESCOPE_COMBINE_CHILD, .support = support}));
    };
    return services;
  }

  // A recording of somebody else's run.
  std::string recording() {
    engine::JobControl job;
    const auto engine = engine::sandbox::makeCustomEngine(
        engine::host::makeHostEngine(), support::trustInAll(), {.program = STRIDESCOPE_COMBINE_CHILD});
    const auto trace = engine->record({.variant = "sequential",
                                       .op = model::Operator::Custom,
                                       .threads = 64,
                                       .elements = 64,
                                       .custom = {.combine = kCombine, .identity = "0"}},
                                      job);
    EXPECT_TRUE(trace) << trace.error().sentence;
    const std::string path = folder_->path() / "lecture.stride";
    const auto written = archive::writeRecording(path, std::span(&*trace, 1), false);
    EXPECT_TRUE(written) << written.error().sentence;
    return path;
  }

  // Opens the recording, and then asks to run it on the CPU executor.
  void askToRun(WorkbenchUi& w) {
    w.apply(session::OpenRecording{path_});
    ASSERT_TRUE(w.session().replay().run());
    ASSERT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded);
    w.apply(session::ChooseEngine{"host"});
    w.ui().drawFrames(3);
  }

  engine::sandbox::SandboxSupport support_{.landlock = 1, .seccomp = true};
  std::unique_ptr<engine::sandbox::PrivateFolder> folder_ = *engine::sandbox::PrivateFolder::make();
  std::shared_ptr<engine::CodeTrust> trust_ = std::make_shared<engine::CodeTrust>();
  std::string path_ = recording();
};

TEST_F(UiTrust, ShowsTheWholeTextAndWhereItComesFrom) {
  WorkbenchUi w({}, services());
  askToRun(w);
  ASSERT_EQ(w.session().app().overlay(), session::Overlay::TrustCode);
  ASSERT_TRUE(w.session().workspace().codeQuestion());
  EXPECT_EQ(w.session().workspace().codeQuestion()->text, kCombine);
  EXPECT_EQ(w.session().workspace().codeQuestion()->from, path_);
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded);
  EXPECT_FALSE(trust_->allows(kCombine));
}

TEST_F(UiTrust, EnterMeansNo) {
  WorkbenchUi w({}, services());
  askToRun(w);
  w.run("enter", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Enter); });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_FALSE(w.session().workspace().codeQuestion());
  EXPECT_FALSE(trust_->allows(kCombine));
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded);
  EXPECT_EQ(w.session().workspace().engineId(), path_);  // what is shown is what is chosen
}

TEST_F(UiTrust, SoDoesEscape) {
  WorkbenchUi w({}, services());
  askToRun(w);
  w.run("escape", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_Escape); });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  EXPECT_FALSE(trust_->allows(kCombine));
  EXPECT_EQ(w.session().workspace().engineId(), path_);
}

TEST_F(UiTrust, YesCompilesAndRunsIt) {
  WorkbenchUi w({}, services());
  askToRun(w);
  w.run("yes", [](ImGuiTestContext* test) {
    test->SetRef(kTrustOverlay);
    test->ItemClick("Compile and run it");
  });
  w.settle();
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  ASSERT_FALSE(w.session().app().message()) << w.session().app().message()->sentence;
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Host);
  EXPECT_EQ(w.session().replay().run()->trace.experiment.custom.combine, kCombine);
  w.apply(session::Choose(&model::Experiment::threads, 128));  // not asked again
  EXPECT_FALSE(w.session().workspace().codeQuestion());
  EXPECT_EQ(w.session().replay().run()->trace.experiment.threads, 128u);
}

// The custom operator's field holds the recording's text: pressing its button is no reading of it.
TEST_F(UiTrust, TheFieldsButtonDoesNotAnswerIt) {
  WorkbenchUi w({}, services());
  askToRun(w);
  w.apply(session::AnswerCode{false});
  w.apply(session::ChooseEngine{"host"});
  w.apply(session::AnswerCode{false});
  w.apply(session::ChooseCustom{kCombine, "0"});
  EXPECT_FALSE(trust_->allows(kCombine));
}

TEST_F(UiTrust, WhereTheKernelCannotConfineItThatIsAsked) {
  support_ = {};
  WorkbenchUi w({}, services());
  w.apply(session::ChooseCustom{"a | b", "0"});
  w.ui().drawFrames(3);
  ASSERT_EQ(w.session().app().overlay(), session::Overlay::TrustCode);
  ASSERT_TRUE(w.session().workspace().codeQuestion());
  EXPECT_NE(w.session().workspace().codeQuestion()->unconfined.find("Landlock"), std::string::npos);
  w.apply(session::AnswerCode{false});
  EXPECT_EQ(w.session().replay().run()->trace.experiment.op, model::Operator::Add);
  w.apply(session::ChooseCustom{"a | b", "0"});
  w.ui().drawFrames(3);
  w.run("yes", [](ImGuiTestContext* test) {
    test->SetRef(kTrustOverlay);
    test->ItemClick("Compile and run it");
  });
  w.settle();
  ASSERT_FALSE(w.session().app().message()) << w.session().app().message()->sentence;
  EXPECT_EQ(w.session().replay().run()->trace.experiment.custom.combine, "a | b");
}

// A file's text is asked about first, then that nothing confines it.
TEST_F(UiTrust, BothAreAskedOfAFilesText) {
  support_ = {};
  WorkbenchUi w({}, services());
  askToRun(w);
  ASSERT_TRUE(w.session().workspace().codeQuestion());
  EXPECT_EQ(w.session().workspace().codeQuestion()->unconfined, "");
  w.apply(session::AnswerCode{true});
  ASSERT_TRUE(w.session().workspace().codeQuestion());
  EXPECT_NE(w.session().workspace().codeQuestion()->unconfined, "");
  w.apply(session::AnswerCode{true});
  EXPECT_FALSE(w.session().workspace().codeQuestion());
  EXPECT_EQ(w.session().replay().run()->trace.executor.kind, model::EngineKind::Host);
}

TEST_F(UiTrust, WhatThePersonWritesIsNotAskedAbout) {
  WorkbenchUi w({}, services());
  w.apply(session::ChooseCustom{"a | b", "0"});
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
  ASSERT_TRUE(w.session().replay().run());
  EXPECT_EQ(w.session().replay().run()->trace.experiment.custom.combine, "a | b");
}

}  // namespace
}  // namespace stridescope::views
