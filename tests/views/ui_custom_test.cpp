// A person's own operator, numbers and schedule in the window.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "archive/recording_file.h"
#include "engine/host/host_engine.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/sandbox/custom_engine.h"
#include "support/refusing_gpu.h"
#include "support/trust.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

session::SessionServices withCustom() {
  session::SessionServices services = test::hostServices();
  services.makeEngine =
      [others = services.makeEngine](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
    if (id.ends_with(archive::kRecordingSuffix)) return others(id);
    return std::shared_ptr<engine::Engine>(engine::sandbox::makeCustomEngine(
        engine::host::makeHostEngine(), support::trustInAll(), {.program = STRIDESCOPE_COMBINE_CHILD}));
  };
  return services;
}

constexpr const char* kOverlay = "Custom operator";

// Types both fields and presses the button.
void write(WorkbenchUi& w, const std::string& combine, const std::string& identity) {
  if (w.session().app().overlay() != session::Overlay::CustomOperator)
    w.apply(session::ShowOverlay{session::Overlay::CustomOperator});
  w.run("write", [&](ImGuiTestContext* test) {
    test->SetRef(kOverlay);
    test->ItemInputValue("##combine", combine.c_str());
    test->ItemInputValue("##identity", identity.c_str());
    test->ItemClick("Try and step it");
  });
  w.settle();
}

TEST(UiCustom, IsChosenInTheOperatorsList) {
  WorkbenchUi w({}, withCustom());
  w.run("choose", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##operator/custom...");
  });
  w.ui().drawFrames(2);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::CustomOperator);
}

TEST(UiCustom, TwoFieldsMakeAnOperator) {
  WorkbenchUi w({}, withCustom());
  write(w, "a > b ? a : b", "-2147483648");
  ASSERT_NE(w.session().replay().run(), nullptr);
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Custom);
  EXPECT_EQ(w.session().replay().run()->trace.result, "255");
  EXPECT_TRUE(w.session().replay().run()->trace.ok);
}

TEST(UiCustom, ACounterExampleDoesNotKeepItFromRunning) {
  WorkbenchUi w({}, withCustom());
  write(w, "a - b", "0");
  const model::Trace& trace = w.session().replay().run()->trace;
  EXPECT_EQ(trace.experiment.custom.combine, "a - b");
  EXPECT_FALSE(trace.ok);
  EXPECT_FALSE(model::warningsOf(trace.trial).empty());
}

TEST(UiCustom, WhatDoesNotCompileIsToldAndTheRunStays) {
  WorkbenchUi w({}, withCustom());
  const auto* const before = w.session().replay().run();
  write(w, "a + c", "0");
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("does not compile"), std::string::npos);
  EXPECT_EQ(w.session().replay().run(), before);
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  EXPECT_EQ(w.session().workspace().customOperator().combine, "a + c");  // to be fixed
  write(w, "a + b", "0");                                                // fixed
  EXPECT_FALSE(w.session().app().message());
  EXPECT_EQ(w.session().replay().run()->trace.result, "32640");
}

TEST(UiCustom, WhatCrashesIsToBeFixed) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::ChooseEngine{"auto"});
  const auto* const before = w.session().replay().run();
  write(w, "a / b", "1");
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("was stopped by"), std::string::npos)
      << w.session().app().message()->sentence;
  EXPECT_EQ(w.session().app().message()->actionLabel, "Fix it");
  EXPECT_EQ(w.session().replay().run(), before);
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  EXPECT_EQ(w.session().workspace().customOperator().combine, "a / b");
}

TEST(UiCustom, WhatOnlyAnEngineRefusesIsNotToBeFixed) {
  session::SessionServices services = withCustom();
  const auto refusing = std::make_shared<std::atomic<bool>>(false);
  services.makeEngine = [make = services.makeEngine,
                         refusing](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
    if (*refusing) return tl::unexpected(usageError("It takes at most 2^24 elements."));
    return make(id);
  };
  WorkbenchUi w({}, services);
  write(w, "a + b", "0");
  *refusing = true;
  w.apply(session::ChooseEngine{"gpu:0"});
  ASSERT_TRUE(w.session().app().message());
  EXPECT_EQ(w.session().app().message()->actionLabel, "Step on the CPU");
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Custom);
}

TEST(UiCustom, WhatNvrtcAloneRefusesIsToBeFixed) {
  session::SessionServices services = withCustom();
  services.makeEngine = [make = services.makeEngine](const std::string& id) {
    if (id != "gpu:0") return make(id);
    return Result<std::shared_ptr<engine::Engine>>(
        engine::sandbox::makeCustomEngine(std::make_unique<support::RefusingGpu>(), support::trustInAll(),
                                          {.program = STRIDESCOPE_COMBINE_CHILD}));
  };
  WorkbenchUi w({}, services);
  write(w, "a + b", "0");
  w.apply(session::ChooseEngine{"gpu:0"});
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("does not compile for the GPU"), std::string::npos)
      << w.session().app().message()->sentence;
  EXPECT_EQ(w.session().app().message()->actionLabel, "Fix it");
  EXPECT_EQ(w.session().workspace().customOperator().combine, "a + b");
}

TEST(UiCustom, ATextThatCannotBeOneIsToldAtOnce) {
  WorkbenchUi w({}, withCustom());
  write(w, "a + (b", "0");
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("is not closed"), std::string::npos);
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  write(w, "a + b", "0.5");
  EXPECT_NE(w.session().app().message()->sentence.find("'0.5' is no int"), std::string::npos)
      << w.session().app().message()->sentence;
}

TEST(UiCustom, TheMessageAppearsOnceAndGoesWhenTheTextChanges) {
  WorkbenchUi w({}, withCustom());
  write(w, "a + c", "0");
  EXPECT_TRUE(w.shows("does not compile", kOverlay)) << w.textsIn(kOverlay);
  EXPECT_FALSE(w.shows("does not compile", "##message")) << "the form tells it";
  w.run("change", [&](ImGuiTestContext* test) {
    test->SetRef(kOverlay);
    test->ItemClick("##combine");
    test->KeyCharsAppend(" + b");
    test->Yield(2);
  });
  EXPECT_FALSE(w.shows("does not compile", kOverlay)) << "it was about another text";
  EXPECT_FALSE(w.session().app().message());
}

TEST(UiCustom, AMessageOfAClosedFormStandsInTheStrip) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::ChooseCustom{"a + c", "0"});
  EXPECT_TRUE(w.shows("does not compile", "##message"));
  w.run("fix", [&](ImGuiTestContext* test) { test->ItemClick("//##message/Fix it"); });
  w.ui().drawFrames(2);
  EXPECT_EQ(w.session().app().overlay(), session::Overlay::CustomOperator);
  EXPECT_TRUE(w.shows("does not compile", kOverlay)) << w.textsIn(kOverlay);
  EXPECT_FALSE(w.shows("does not compile", "##message"));
}

// The trial of the one before is given up, and the field keeps the keyboard.
TEST(UiCustom, EnterDuringATrialTriesTheNewText) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::ShowOverlay{session::Overlay::CustomOperator});
  w.run("enter twice", [&](ImGuiTestContext* test) {
    test->SetRef(kOverlay);
    test->ItemInputValue("##identity", "0");
    test->ItemClick("##combine");
    test->KeyCharsReplaceEnter("while (true) { } return a;");
    test->Yield(5);
    IM_CHECK(w.session().workspace().job());
    test->KeyCharsReplaceEnter("a ^ b");
    test->Yield(2);
  });
  w.settle();
  ASSERT_NE(w.session().replay().run(), nullptr);
  EXPECT_EQ(w.session().replay().run()->trace.experiment.custom.combine, "a ^ b");
  EXPECT_FALSE(w.session().app().message());
}

TEST(UiCustom, IsCancelledWhileItHangs) {
  WorkbenchUi w({}, withCustom());
  w.session().apply(session::ChooseCustom{"while (true) { } return a;", "0"});
  w.ui().drawFrames(3);
  ASSERT_TRUE(w.session().workspace().job());
  w.apply(session::CancelJob{});
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  EXPECT_EQ(w.session().replay().run()->trace.experiment.op, model::Operator::Add);
}

TEST(UiCustom, AVariantThatTakesNoneSaysWhy) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::variant, "warp_redux"));
  EXPECT_NE(w.session().workspace().whyNotCustom().find("one instruction"), std::string::npos);
  w.apply(session::ChooseCustom{"a + b", "0"});
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  ASSERT_TRUE(w.session().app().message());
}

TEST(UiCustom, GoesAlongToVariantsThatTakeItAndWaitsElsewhere) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::ChooseCustom{"a ^ b", "0"});
  w.apply(session::Choose(&model::Experiment::variant, "warp_shuffle"));
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Custom);
  w.apply(session::Choose(&model::Experiment::variant, "warp_redux"));
  EXPECT_EQ(w.session().workspace().experiment().op, model::Operator::Add);
  EXPECT_EQ(w.session().workspace().customOperator().combine, "a ^ b");
}

class UiOwnData : public testing::Test {
 protected:
  std::string file(const char* name, const char* text) {
    const auto path = folder_->path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::unique_ptr<engine::sandbox::PrivateFolder> folder_ = *engine::sandbox::PrivateFolder::make();
};

TEST_F(UiOwnData, NumbersAreDropped) {
  WorkbenchUi w({}, withCustom());
  w.workbench().onDrop(file("numbers.txt", "3\n-1\n40\n"));
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
  EXPECT_EQ(w.session().workspace().experiment().elements, 3u);
  w.apply(
      session::Choose(&model::Experiment::type, model::ElementType::Double));  // the same numbers, read again
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
  w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Ones));
  EXPECT_EQ(w.session().workspace().experiment().given.get(), nullptr);
  EXPECT_EQ(w.session().replay().run()->trace.result, "3");
}

TEST_F(UiOwnData, ListsAreDroppedOnAMerge) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  w.workbench().onDrop(file("lists.json", "[[1, 4], [], [2, 3]]"));
  w.settle();
  EXPECT_EQ(w.session().replay().run()->trace.result, "1 2 3 4");
  w.apply(session::Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(w.session().workspace().experiment().lists, 0u);
  EXPECT_TRUE(w.session().replay().run()->trace.ok);
}

TEST_F(UiOwnData, ABadLineIsNamed) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::OpenData{file("numbers.txt", "3\nx\n")});
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("line 2"), std::string::npos);
  EXPECT_EQ(w.session().workspace().experiment().data, model::DataPattern::Ramp);
}

// What the window says of a file, with the button that it offers.
struct Offer {
  std::string sentence, button;
};
Offer offerFor(WorkbenchUi& w) {
  if (!w.session().app().message()) return {};
  return {w.session().app().message()->sentence, w.session().app().message()->actionLabel};
}

TEST_F(UiOwnData, ATypeThatHasTheNumbersIsOffered) {
  WorkbenchUi w({}, withCustom());
  const struct {
    const char *numbers, *sentence, *button, *result;
    model::ElementType type;
  } cases[] = {
      {"1.5\n2\n", "'1.5' is no int", "Choose float", "3.5", model::ElementType::Float},
      {"5000000000\n1\n", "out of the range of int", "Choose int64", "5000000001", model::ElementType::Int64},
      {"4000000000\n", "out of the range of int", "Choose unsigned", "4000000000",
       model::ElementType::Unsigned},
      {"1e300\n", "'1e300' is no int", "Choose double", "1e+300", model::ElementType::Double}};
  for (const auto& each : cases) {
    w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Ones));
    w.apply(session::Choose(&model::Experiment::type, model::ElementType::Int));
    const std::string path = file("numbers.txt", each.numbers);
    w.apply(session::ShowOverlay{session::Overlay::OwnData});
    w.run("open", [&](ImGuiTestContext* test) {
      test->ItemInputValue("//Input data/##path", path.c_str());  // and Enter
      test->Yield(2);
    });
    w.settle();
    EXPECT_NE(offerFor(w).sentence.find(each.sentence), std::string::npos) << offerFor(w).sentence;
    ASSERT_EQ(offerFor(w).button, each.button);
    w.run("choose", [&](ImGuiTestContext* test) {
      test->ItemClick((std::string("//Input data/") + each.button).c_str());
      test->Yield(2);
    });
    w.settle();
    EXPECT_EQ(w.session().app().overlay(), session::Overlay::None);
    EXPECT_EQ(w.session().workspace().experiment().type, each.type);
    EXPECT_EQ(w.session().replay().run()->trace.result, each.result);
  }
}

// They stay in the type that they have.
TEST_F(UiOwnData, TheTypeThatTheNumbersHaveIsNotOffered) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Float));
  w.apply(session::OpenData{file("numbers.txt", "1.5\n2\n")});
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Int));
  EXPECT_NE(offerFor(w).sentence.find("'1.5' is no int"), std::string::npos) << offerFor(w).sentence;
  EXPECT_EQ(offerFor(w).button, "Open another");
  EXPECT_EQ(w.session().workspace().experiment().type, model::ElementType::Float);
}

TEST_F(UiOwnData, WhatNoTypeHasOffersNone) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::OpenData{file("numbers.txt", "1\nseven\n")});
  EXPECT_NE(
      offerFor(w).sentence.find("'seven' is no int. Write one number per line, or commas between numbers."),
      std::string::npos)
      << offerFor(w).sentence;
  EXPECT_EQ(offerFor(w).button, "Open another");
  w.apply(session::Choose(&model::Experiment::variant, "warp_redux"));  // int and unsigned alone
  w.apply(session::OpenData{file("numbers.txt", "1.5\n")});
  EXPECT_EQ(offerFor(w).button, "Open another");
}

TEST_F(UiOwnData, ListsAreRefusedWhereThereAreNone) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::OpenData{file("lists.json", "[[1, 4], [], [2, 3]]")});
  EXPECT_EQ(w.session().workspace().experiment().given.get(), nullptr);
  EXPECT_NE(offerFor(w).sentence.find("lists.json is a file of lists"), std::string::npos)
      << offerFor(w).sentence;
  ASSERT_EQ(offerFor(w).button, "Choose k-way merge, far half");
  w.apply(*w.session().app().message()->action);
  EXPECT_EQ(w.session().workspace().experiment().variant, "k_way_merge");
  EXPECT_EQ(w.session().replay().run()->trace.result, "1 2 3 4");
}

// Numbers that a merge left go along into another type, though they came as lists.
TEST_F(UiOwnData, NumbersOfListsAreReadAgainForAnotherType) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  w.apply(session::OpenData{file("lists.json", "[[1, 4], [], [2, 3]]")});
  w.apply(session::Choose(&model::Experiment::variant, "sequential"));
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  EXPECT_EQ(w.session().replay().run()->trace.experiment.type, model::ElementType::Double);
  EXPECT_NE(w.session().workspace().experiment().given.get(), nullptr);
  EXPECT_TRUE(w.session().replay().run()->trace.ok);
}

// A reduction of warps in one instruction is offered for int and unsigned alone.
TEST_F(UiOwnData, NumbersAreReadAgainForAVariantOfAnotherType) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  w.apply(session::OpenData{file("numbers.txt", "3\n-1\n40\n")});
  w.apply(session::Choose(&model::Experiment::variant, "warp_redux"));
  EXPECT_EQ(w.session().workspace().experiment().variant, "warp_redux");
  EXPECT_EQ(w.session().replay().run()->trace.experiment.type, model::ElementType::Int);
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
}

TEST_F(UiOwnData, NumbersThatAreNoneOfTheTypeAreTold) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Float));
  w.apply(session::OpenData{file("numbers.txt", "0.5\n")});
  w.apply(session::Choose(&model::Experiment::variant, "warp_redux"));
  ASSERT_TRUE(w.session().app().message());
  EXPECT_NE(w.session().app().message()->sentence.find("line 1"), std::string::npos);
  EXPECT_NE(w.session().workspace().experiment().variant, "warp_redux");
  EXPECT_EQ(w.session().replay().run()->trace.result, "0.5");
}

// The recording keeps numbers, and no file that they could be read from in another type.
TEST_F(UiOwnData, ARecordingsNumbersStayInTheirType) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  w.apply(session::OpenData{file("a.txt", "3\n-1\n40\n")});
  w.apply(session::SaveRecording{folder_->path() / "a.stride"});
  w.apply(session::OpenData{file("b.txt", "1\n2\n")});
  w.apply(session::OpenRecording{folder_->path() / "a.stride"});
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
  w.apply(session::ChooseEngine{"host"});
  for (const session::Command& other :
       {session::Command(session::Choose(&model::Experiment::variant, "warp_redux")),
        session::Command(session::Choose(&model::Experiment::type, model::ElementType::Int))}) {
    w.apply(session::OpenRecording{folder_->path() / "a.stride"});
    w.apply(session::ChooseEngine{"host"});
    EXPECT_EQ(w.session().replay().run()->trace.experiment.given.get()->name, "a.txt");
    w.apply(other);
    EXPECT_EQ(w.session().workspace().experiment().type, model::ElementType::Int);
    EXPECT_EQ(w.session().workspace().experiment().given.get(), nullptr);
    EXPECT_EQ(w.session().replay().run()->trace.result, "8");  // 5 + 0 + 3, the digits
    ASSERT_TRUE(w.session().app().message());
    EXPECT_NE(w.session().app().message()->sentence.find("a.txt"), std::string::npos);
  }
}

// What is taken back after a cancelled change still knows its file.
TEST_F(UiOwnData, AreStillAFilesWhenLeavingThemWasCancelled) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::OpenData{file("numbers.txt", "3\n-1\n40\n")});
  w.session().apply(session::Choose(&model::Experiment::data, model::DataPattern::Ones));
  w.apply(session::CancelJob{});
  ASSERT_NE(w.session().workspace().experiment().given.get(), nullptr);
  w.apply(session::Choose(&model::Experiment::type, model::ElementType::Double));
  EXPECT_EQ(w.session().replay().run()->trace.result, "42");
}

// An engine's buffers are for n elements: as many as the numbers are, whatever else is changed.
TEST_F(UiOwnData, OfARecordingKeepTheirNumber) {
  WorkbenchUi w({}, withCustom());
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  std::string lists = "[[0";
  for (int i = 1; i < 100; ++i) lists += "," + std::to_string(i);
  w.apply(session::OpenData{file("lists.json", (lists + "], [7]]").c_str())});
  w.apply(session::SaveRecording{folder_->path() / "a.stride"});
  w.apply(session::Choose::elements(std::nullopt));
  w.apply(session::OpenRecording{folder_->path() / "a.stride"});
  ASSERT_TRUE(w.session().replay().run()->trace.ok);
  w.apply(session::Choose(&model::Experiment::threads, 32));  // which the recording has not
  ASSERT_TRUE(w.session().app().message());
  ASSERT_EQ(w.session().app().message()->actionLabel, "Step on the CPU");
  w.apply(*w.session().app().message()->action);
  EXPECT_FALSE(w.session().app().message()) << w.session().app().message()->sentence;
  EXPECT_EQ(w.session().replay().run()->trace.experiment.threads, 32u);
  EXPECT_EQ(w.session().workspace().experiment().elements, 101u);
  EXPECT_TRUE(w.session().replay().run()->trace.ok);
}

TEST(UiSchedule, ShowsARaceDifferently) {
  WorkbenchUi w({.variant = "missing_barrier", .round = 0}, withCustom());
  w.run("choose", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##schedule/lockstep");
  });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().schedule, model::Schedule::Lockstep);
  EXPECT_EQ(w.session().replay().run()->trace.experiment.schedule, model::Schedule::Lockstep);
}

TEST(UiSchedule, HasTheOrderOfTheBlocks) {
  WorkbenchUi w({.variant = "missing_barrier", .round = 0}, withCustom());
  w.run("choose", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##schedule/blocks/reversed");
  });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().blockOrder, model::BlockOrder::Reversed);
  EXPECT_EQ(w.session().replay().run()->trace.experiment.blockOrder, model::BlockOrder::Reversed);
  EXPECT_EQ(w.session().workspace().experiment().schedule, model::Schedule::LaneByLane);
}

}  // namespace
}  // namespace stridescope::views
