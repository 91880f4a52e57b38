#include "session/side_commands.h"

#include <optional>
#include <utility>
#include <variant>

#include "session/comparison.h"

namespace stridescope::session {

using analysis::Side;

namespace {

// What is chosen of the experiment, or of what executes it; but the variant, which each side has for itself.
using Choices = std::variant<Choose, ChooseCustom, OpenData, ResetExperiment, ChooseEngine, OpenRecording,
                             OpenShippedRecording, CancelJob>;
template <class Request>
constexpr bool kIsChoice = kPlaceOf<Request, Choices> < std::variant_size_v<Choices>;

struct ApplyToSides {
  Comparison& comparison;
  AppState& app;
  const Command& command;
  const std::function<void(const Command& command, Side side)>& applyToSide;
  std::optional<Side> only{};  // the side that is meant

  Side meant() const { return only.value_or(comparison.chosen()); }

  void operator()(StepForward) const { comparison.step(+1); }
  void operator()(StepBack) const { comparison.step(-1); }
  void operator()(const StepPass& request) const { comparison.stepPass(request.direction); }
  void operator()(GoToFirst) const { comparison.moveTo(0); }
  void operator()(GoToLast) const { comparison.moveTo(comparison.places().size(), kLastPass); }
  void operator()(TogglePlay) const { comparison.togglePlaying(); }
  void operator()(const GoToRound& request) const {
    comparison.goTo(meant(), {request.launch, request.round, request.pass});
  }

  void operator()(const PointAtSides& request) const { comparison.pointAt(request); }
  void operator()(const PointAt& request) const {
    comparison.pointAt({.hover = {request.hover, request.hover}});
  }
  void operator()(const Pin& request) const {
    comparison.pointAt({.hover = {request.hover, request.hover}, .pin = true});
  }
  void operator()(Unpin) const { comparison.unpin(); }
  void operator()(const ChooseRequest& request) const { comparison.chooseRequest(meant(), request.request); }

  void operator()(const ChooseSide& request) const { comparison.choose(request.side); }
  void operator()(const ChooseTogether& request) const { comparison.chooseTogether(request.together); }
  void operator()(const LockSides& request) const { comparison.lockBy(request.by); }
  void operator()(SwapSides) const { comparison.swap(); }
  void operator()(CompareWithPrevious) const { comparison.compareWithPrevious(); }
  void operator()(const OnSide& request) const {
    std::visit(ApplyToSides{comparison, app, *request.command, applyToSide, request.side},
               request.command->any());
  }

  // Each text that waits for an answer has its own; the same text has the same.
  void operator()(const AnswerCode&) const {
    const auto asked = comparison.workspace(comparison.chosen()).codeQuestion();
    applyToSide(command, comparison.chosen());
    const Side other = analysis::otherOf(comparison.chosen());
    const auto& also = comparison.workspace(other).codeQuestion();
    if (!also) return;
    comparison.choose(other);
    if (asked && asked->text == also->text && asked->unconfined == also->unconfined)
      applyToSide(command, other);
    else
      app.openOverlay(Overlay::TrustCode);
  }
  // Closing a question means no.
  void operator()(const ShowOverlay&) const {
    bool asked = false;
    for (const Side side : analysis::kSides) {
      if (!comparison.workspace(side).codeQuestion()) continue;
      comparison.workspace(side).answerCode(false);
      asked = true;
    }
    if (asked) return;
    comparison.choose(meant());
    applyToSide(command, meant());
  }

  template <class Request>
  void operator()([[maybe_unused]] const Request& request) const {
    if constexpr (kIsChoice<Request>) {
      bool both = !only && comparison.together();
      if constexpr (std::is_same_v<Request, Choose>)
        both = both && !request.fields.given.has(&model::Experiment::variant);
      for (const Side side : analysis::kSides)
        if (both || side == meant()) applyToSide(command, side);
    } else {
      applyToSide(command, meant());
    }
  }
};

}  // namespace

void applyToSides(Comparison& comparison, AppState& app, const Command& command,
                  const std::function<void(const Command& command, Side side)>& applyToSide) {
  std::visit(ApplyToSides{comparison, app, command, applyToSide}, command.any());
}

}  // namespace stridescope::session
