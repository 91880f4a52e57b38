// A person's own operator, numbers and schedule in the window.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "engine/custom/custom_engine.h"
#include "engine/custom/private_folder.h"
#include "engine/host/host_engine.h"
#include "workbench_ui.h"

namespace stridescope {
namespace {

using test::WorkbenchUi;

SessionServices withCustom() {
  SessionServices services = test::hostServices();
  services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<Engine>> {
    return std::shared_ptr<Engine>(makeCustomEngine(makeHostEngine(), STRIDESCOPE_COMBINE_CHILD));
  };
  return services;
}

constexpr const char* kOverlay = "Custom operator";

// Types both fields and presses the button.
void write(WorkbenchUi& w, const std::string& combine, const std::string& identity) {
  if (w.session().overlay() != Overlay::CustomOperator) w.apply(ShowOverlay{Overlay::CustomOperator});
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
  EXPECT_EQ(w.session().overlay(), Overlay::CustomOperator);
}

TEST(UiCustom, TwoFieldsMakeAnOperator) {
  WorkbenchUi w({}, withCustom());
  write(w, "a > b ? a : b", "-2147483648");
  ASSERT_NE(w.session().run(), nullptr);
  EXPECT_EQ(w.session().experiment().op, Operator::Custom);
  EXPECT_EQ(w.session().run()->trace.result, "255");
  EXPECT_TRUE(w.session().run()->trace.ok);
}

TEST(UiCustom, ACounterExampleDoesNotKeepItFromRunning) {
  WorkbenchUi w({}, withCustom());
  write(w, "a - b", "0");
  const Trace& trace = w.session().run()->trace;
  EXPECT_EQ(trace.experiment.custom.combine, "a - b");
  EXPECT_FALSE(trace.ok);
  EXPECT_FALSE(warningsOf(trace.trial).empty());
}

TEST(UiCustom, WhatDoesNotCompileIsToldAndTheRunStays) {
  WorkbenchUi w({}, withCustom());
  const auto* const before = w.session().run();
  write(w, "a + c", "0");
  ASSERT_TRUE(w.session().message());
  EXPECT_NE(w.session().message()->sentence.find("does not compile"), std::string::npos);
  EXPECT_EQ(w.session().run(), before);
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  EXPECT_EQ(w.session().customOperator().combine, "a + c");  // to be mended
  write(w, "a + b", "0");                                    // mended
  EXPECT_FALSE(w.session().message());
  EXPECT_EQ(w.session().run()->trace.result, "32640");
}

TEST(UiCustom, WhatCrashesIsToBeMended) {
  WorkbenchUi w({}, withCustom());
  w.apply(ChooseEngine{"auto"});
  const auto* const before = w.session().run();
  write(w, "a / b", "1");
  ASSERT_TRUE(w.session().message());
  EXPECT_NE(w.session().message()->sentence.find("was stopped by"), std::string::npos)
      << w.session().message()->sentence;
  EXPECT_EQ(w.session().message()->actionLabel, "Mend it");
  EXPECT_EQ(w.session().run(), before);
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  EXPECT_EQ(w.session().customOperator().combine, "a / b");
}

TEST(UiCustom, WhatOnlyAnEngineRefusesIsNotToBeMended) {
  SessionServices services = withCustom();
  const auto refusing = std::make_shared<std::atomic<bool>>(false);
  services.makeEngine = [make = services.makeEngine,
                         refusing](const std::string& id) -> Result<std::shared_ptr<Engine>> {
    if (*refusing) return tl::unexpected(usageError("It takes at most 2^24 elements."));
    return make(id);
  };
  WorkbenchUi w({}, services);
  write(w, "a + b", "0");
  *refusing = true;
  w.apply(ChooseEngine{"gpu:0"});
  ASSERT_TRUE(w.session().message());
  EXPECT_EQ(w.session().message()->actionLabel, "Step on the CPU");
  EXPECT_EQ(w.session().experiment().op, Operator::Custom);
}

TEST(UiCustom, ATextThatCannotBeOneIsToldAtOnce) {
  WorkbenchUi w({}, withCustom());
  write(w, "a + (b", "0");
  ASSERT_TRUE(w.session().message());
  EXPECT_NE(w.session().message()->sentence.find("is not closed"), std::string::npos);
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  write(w, "a + b", "0.5");
  EXPECT_NE(w.session().message()->sentence.find("'0.5' is no int"), std::string::npos)
      << w.session().message()->sentence;
}

TEST(UiCustom, IsCancelledWhileItHangs) {
  WorkbenchUi w({}, withCustom());
  w.session().apply(ChooseCustom{"while (true) { } return a;", "0"});
  w.ui().drawFrames(3);
  ASSERT_TRUE(w.session().job());
  w.apply(CancelJob{});
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  EXPECT_EQ(w.session().run()->trace.experiment.op, Operator::Add);
}

TEST(UiCustom, AVariantThatTakesNoneSaysWhy) {
  WorkbenchUi w({}, withCustom());
  w.apply(ChooseVariant{"warp_redux"});
  EXPECT_NE(w.session().whyNotCustom().find("one instruction"), std::string::npos);
  w.apply(ChooseCustom{"a + b", "0"});
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  ASSERT_TRUE(w.session().message());
}

TEST(UiCustom, GoesAlongToVariantsThatTakeItAndWaitsElsewhere) {
  WorkbenchUi w({}, withCustom());
  w.apply(ChooseCustom{"a ^ b", "0"});
  w.apply(ChooseVariant{"warp_shuffle"});
  EXPECT_EQ(w.session().experiment().op, Operator::Custom);
  w.apply(ChooseVariant{"warp_redux"});
  EXPECT_EQ(w.session().experiment().op, Operator::Add);
  EXPECT_EQ(w.session().customOperator().combine, "a ^ b");
}

class UiOwnData : public testing::Test {
 protected:
  std::string file(const char* name, const char* text) {
    const auto path = folder_->path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::unique_ptr<PrivateFolder> folder_ = *PrivateFolder::make();
};

TEST_F(UiOwnData, NumbersAreDropped) {
  WorkbenchUi w({}, withCustom());
  w.workbench().onDrop(file("numbers.txt", "3\n-1\n40\n"));
  w.settle();
  EXPECT_EQ(w.session().run()->trace.result, "42");
  EXPECT_EQ(w.session().experiment().elements, 3u);
  w.apply(ChooseType{ElementType::Double});  // the same numbers, read again
  EXPECT_EQ(w.session().run()->trace.result, "42");
  w.apply(ChooseData{DataPattern::Ones});
  EXPECT_EQ(w.session().experiment().given.get(), nullptr);
  EXPECT_EQ(w.session().run()->trace.result, "3");
}

TEST_F(UiOwnData, ListsAreDroppedOnAMerge) {
  WorkbenchUi w({}, withCustom());
  w.apply(ChooseVariant{"k_way_merge"});
  w.workbench().onDrop(file("lists.json", "[[1, 4], [], [2, 3]]"));
  w.settle();
  EXPECT_EQ(w.session().run()->trace.result, "1 2 3 4");
  w.apply(ChooseVariant{"sequential"});
  EXPECT_EQ(w.session().experiment().lists, 0u);
  EXPECT_TRUE(w.session().run()->trace.ok);
}

TEST_F(UiOwnData, ABadLineIsNamed) {
  WorkbenchUi w({}, withCustom());
  w.apply(OpenData{file("numbers.txt", "3\nx\n")});
  ASSERT_TRUE(w.session().message());
  EXPECT_NE(w.session().message()->sentence.find("line 2"), std::string::npos);
  EXPECT_EQ(w.session().experiment().data, DataPattern::Ramp);
}

TEST(UiSchedule, ShowsARaceDifferently) {
  WorkbenchUi w({.variant = "missing_barrier", .round = 0}, withCustom());
  w.run("choose", [&](ImGuiTestContext* test) {
    test->SetRef("##bar");
    test->ComboClick("##schedule/lockstep");
  });
  w.settle();
  EXPECT_EQ(w.session().experiment().schedule, Schedule::Lockstep);
  EXPECT_EQ(w.session().run()->trace.experiment.schedule, Schedule::Lockstep);
}

}  // namespace
}  // namespace stridescope
