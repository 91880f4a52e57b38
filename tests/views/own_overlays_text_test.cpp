// The overlays for a person's own operator and numbers at every size that people use, in all their states:
// every text whole, every field and button inside what is visible.
#include <gtest/gtest.h>

#include "engine/host/host_engine.h"
#include "imgui_internal.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::Ground;
using test::WorkbenchUi;

constexpr const char* kRefused = "a + refused";
constexpr const char* kDoubtful = "a - b";
constexpr const char* kEndless = "a + endless";
constexpr const char* kRefusal =
    "combine does not compile: error: no matching function for call to 'frobnicate(const T&, const T&)' "
    "(line 1, column 17). Fix its text.";
constexpr const char* kCounterExample =
    "combine is not associative: combine(combine(-2147483648, 1), 2147483647) is -2147483648, but "
    "combine(-2147483648, combine(1, 2147483647)) is 2147483647.";

// The CPU executor that adds, and of a custom operator says what the test wants to see.
class ToldEngine final : public engine::Engine {
 public:
  model::Executor executor() const override { return host_->executor(); }
  Result<model::Trace> record(const model::Experiment& asked, engine::JobControl& job) override {
    while (asked.custom.combine == kEndless && !job.cancel)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (job.cancel) return cancelled();
    if (asked.custom.combine == kRefused)
      return tl::unexpected(Error{ErrorKind::Usage, kRefusal, "a log", ErrorCause::CombineText});
    model::Experiment sum = asked;
    if (sum.op == model::Operator::Custom) sum.op = model::Operator::Add;
    auto trace = host_->record(sum, job);
    if (!trace) return trace;
    trace->experiment = asked;
    if (asked.custom.combine == kDoubtful)
      for (const model::TrialProperty property :
           {model::TrialProperty::Associative, model::TrialProperty::Commutative})
        trace->trial.findings.push_back({property, model::TrialVerdict::Fails, kCounterExample, true});
    return trace;
  }

 private:
  std::unique_ptr<engine::Engine> host_ = engine::host::makeHostEngine();
};

class OwnOverlaysText : public testing::TestWithParam<Ground> {
 protected:
  OwnOverlaysText() {
    const Ground& ground = GetParam();
    session::SessionServices services = test::hostServices();
    services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
      return std::make_shared<ToldEngine>();
    };
    w_ = std::make_unique<WorkbenchUi>(
        test::UiRequest{.size = ground.size, .scale = ground.scale, .settings = ground.settings()},
        std::move(services));
  }
  WorkbenchUi& w() { return *w_; }
  ~OwnOverlaysText() override { w_->session().apply(session::CancelJob{}); }

  // The overlay's texts and items, as the latest frame has them; `expected` is among the texts.
  void expectWellSet(const std::string& title, const std::string& expected) {
    std::vector<draw::TextLog::Entry> texts;
    std::string all;
    for (const draw::TextLog::Entry& entry : w().ui().texts().entries())
      if (entry.window == title) texts.push_back(entry), all += entry.text + " ";
    test::expectWellSet(texts, GetParam().widthUnits(), title);
    EXPECT_NE(all.find(expected), std::string::npos) << all;
    w().run("items", [&](ImGuiTestContext* test) {
      ImGuiTestItemList items;
      test->GatherItems(&items, ("//" + title).c_str());
      EXPECT_GE(items.GetSize(), 2) << "a field and a button";
      for (const ImGuiTestItemInfo& item : items) {
        const ImRect& whole = item.RectFull;
        EXPECT_TRUE(item.RectClipped.Contains(whole))
            << item.DebugLabel << " in " << title << ": " << whole.Min.x << "," << whole.Min.y << " to "
            << whole.Max.x << "," << whole.Max.y << " of " << item.RectClipped.Min.x << ","
            << item.RectClipped.Min.y << " to " << item.RectClipped.Max.x << "," << item.RectClipped.Max.y;
      }
    });
  }

 private:
  std::unique_ptr<WorkbenchUi> w_;
};

constexpr const char* kOperator = "Custom operator";

TEST_P(OwnOverlaysText, OfAnEmptyOperator) {
  w().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  expectWellSet(kOperator, "identity");
}

TEST_P(OwnOverlaysText, OfAVariantThatTakesNone) {
  w().apply(session::Choose(&model::Experiment::variant, "subtraction"));
  w().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  expectWellSet(kOperator, "is not offered with an operator of your own");
}

TEST_P(OwnOverlaysText, OfARefusedOperator) {
  w().apply(session::ChooseCustom{kRefused, "0"});
  w().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  expectWellSet(kOperator, "does not compile");
}

TEST_P(OwnOverlaysText, OfCounterExamples) {
  w().apply(session::ChooseCustom{kDoubtful, "0"});
  w().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  expectWellSet(kOperator, "is not associative");
}

TEST_P(OwnOverlaysText, OfATrialWithoutACounterExample) {
  w().apply(session::ChooseCustom{"a + b", "0"});
  w().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  expectWellSet(kOperator, "no counter-example");
}

TEST_P(OwnOverlaysText, OfAnOperatorThatIsBeingTried) {
  w().session().apply(session::ChooseCustom{kEndless, "0"});
  w().session().apply(session::ShowOverlay{session::Overlay::CustomOperator});
  w().ui().drawFrames(6);
  expectWellSet(kOperator, "compiling, trying, recording");
}

TEST_P(OwnOverlaysText, OfOwnNumbers) {
  w().apply(session::ShowOverlay{session::Overlay::OwnData});
  expectWellSet("Input data", "Path of a file of numbers");
}

INSTANTIATE_TEST_SUITE_P(Sizes, OwnOverlaysText, testing::ValuesIn(test::allGrounds()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace stridescope::views
