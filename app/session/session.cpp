#include "session/session.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "engine/engine_name.h"

namespace stridescope::session {
namespace {

// On the GPU that was chosen; where the engine is another, on the first.
TimingTarget timingTargetOf(const Workspace& workspace) {
  const bool hasGpu = std::ranges::any_of(workspace.engines(), [](const EngineChoice& choice) {
    return choice.id.starts_with("gpu") && choice.why.empty();
  });
  if (!hasGpu) return {workspace.experiment(), std::nullopt};
  return {workspace.experiment(), engine::gpuOf(workspace.engineId())};
}

}  // namespace

Session::Session(const SessionServices& services, Settings settings, const Start& start)
    : app_(std::move(settings)),
      replay_(Playhead{start.experiment.launch, start.round, start.pass}),
      workspace_(
          services, app_, start,
          {.recorded =
               [this](std::shared_ptr<const Run> run, RunMeasured measured) {
                 replay_.load(std::move(run), std::move(measured));
                 links_.loaded();
               },
           .measured = [this](const std::shared_ptr<const Run>& run,
                              RunMeasured measured) { replay_.showMeasured(run, std::move(measured)); },
           .otherReduction = [this] { measurements_.restart(); }}),
      measurements_(services.timings, [this] { return timingTargetOf(workspace_); }),
      links_(workspace_, replay_, app_),
      tours_(app_, links_, services.wake) {}

void Session::apply(const Commands& commands) {
  for (const Command& command : commands) apply(command);
}

void Session::apply(const Command& command) {
  struct Apply {
    Workspace& workspace;
    Replay& replay;
    Measurements& measurements;
    AppState& app;
    LinkFollower& links;
    TourGuide& tours;

    void operator()(StepForward) const { replay.step(+1); }
    void operator()(StepBack) const { replay.step(-1); }
    void operator()(const StepPass& request) const { replay.stepPass(request.direction); }
    void operator()(GoToFirst) const { replay.moveTo({0, 0}); }
    void operator()(GoToLast) const { replay.moveTo({~0u, ~0u, kLastPass}); }
    void operator()(TogglePlay) const { replay.togglePlaying(); }
    void operator()(const SetSpeed& request) const { app.setSpeed(request.roundsPerSecond); }
    void operator()(const GoToRound& request) const {
      replay.moveTo({request.launch, request.round, request.pass});
    }

    void operator()(const ChooseVariant& request) const {
      workspace.choose([&](ExperimentChoices& choices) { choices.experiment.variant = request.id; });
    }
    void operator()(const ChooseType& request) const {
      workspace.choose([&](ExperimentChoices& choices) { choices.experiment.type = request.type; });
    }
    void operator()(const ChooseOperator& request) const {
      workspace.choose([&](ExperimentChoices& choices) { choices.experiment.op = request.op; });
    }
    void operator()(const ChooseCustom& request) const { workspace.chooseCustom(request); }
    void operator()(const AnswerCode& answer) const { workspace.answerCode(answer.allow); }
    void operator()(const OpenData& request) const { workspace.openData(request); }
    void operator()(const ChooseSchedule& request) const {
      workspace.choose([&](ExperimentChoices& choices) {
        choices.experiment.schedule = request.schedule;
        choices.experiment.scheduleSeed = request.seed;
      });
    }
    void operator()(const ChooseThreads& request) const {
      workspace.choose([&](ExperimentChoices& choices) { chooseThreads(choices, request.threads); });
    }
    void operator()(const ChooseElements& request) const {
      workspace.choose([&](ExperimentChoices& choices) { chooseElements(choices, request.elements); });
    }
    void operator()(const ChooseData& request) const {
      workspace.choose([&](ExperimentChoices& choices) { chooseData(choices, request.data); });
    }
    void operator()(const ChooseSeed& request) const {
      workspace.choose([&](ExperimentChoices& choices) { choices.experiment.seed = request.seed; });
    }
    void operator()(const ChooseBlock& request) const {
      workspace.choose([&](ExperimentChoices& choices) {
        choices.experiment.launch = request.launch;
        choices.experiment.block = request.block;
      });
    }
    void operator()(ResetExperiment) const { workspace.resetExperiment(); }
    void operator()(const ChooseEngine& request) const { workspace.chooseEngine(request.id); }
    void operator()(const OpenRecording& request) const { workspace.openRecording(request.path); }
    void operator()(OpenShippedRecording) const {
      app.dismissMessage();  // which may have offered it
      workspace.openShippedRecording();
    }
    void operator()(const SaveRecording& request) const {
      workspace.saveRecording(request, replay.sharedRun(), replay.measured());
    }
    void operator()(CancelJob) const { workspace.cancelJob(); }

    void operator()(const PointAt& request) const { replay.pointAt(request.hover); }
    void operator()(const Pin& request) const { replay.pin(request.hover); }
    void operator()(Unpin) const { replay.unpin(); }
    void operator()(const ChooseRequest& request) const { replay.chooseRequest(request.request); }
    void operator()(const FollowLink& request) const { links.follow(request.link); }
    void operator()(const OpenTour& request) const { tours.open(request.path); }
    void operator()(const StartTour& request) const { tours.start(request.id); }
    void operator()(const GoToStop& request) const { tours.goTo(request.stop); }
    void operator()(const StepStop& request) const { tours.step(request.direction); }
    void operator()(const SaveTour& request) const { tours.save(request); }

    void operator()(const StartTiming& request) const { measurements.start(request.sweep); }
    void operator()(StopTiming) const { measurements.stop(); }
    void operator()(PauseTiming) const { measurements.pause(); }
    void operator()(ClearTimings) const { measurements.clear(); }
    void operator()(const ChooseTimings& request) const { measurements.choose(request.choices); }
    void operator()(CopyTimings) const {
      if (auto csv = measurements.csv()) app.copyText(*std::move(csv), "the timings as CSV");
    }

    void operator()(const SavePicture& request) const { app.savePicture(request); }
    void operator()(const ShowPanel& request) const { app.showPanel(request.id); }
    void operator()(const HidePanel& request) const { app.hidePanel(request.id); }
    void operator()(const FocusPart& request) const { app.focus(request.id); }
    void operator()(const ChangeSettings& request) const { app.changeSettings(request.settings); }
    void operator()(ResetLayout) const { app.resetLayout(); }
    void operator()(DismissMessage) const { app.dismissMessage(); }
    void operator()(const Remark& request) const { app.remark(request.sentence); }
    void operator()(const ShowOverlay& request) const {
      if (workspace.codeQuestion()) return workspace.answerCode(false);  // it is closed
      app.toggleOverlay(request.overlay, request.subject);
    }
    void operator()(const CopyText& request) const { app.copyText(request.text, request.what); }
    void operator()(const EnterMode& request) const { app.enterMode(request.mode); }
    void operator()(const UseTool& request) const { app.toggleTool(request.tool); }
    void operator()(ToggleFullscreen) const { app.toggleFullscreen(); }
    void operator()(Quit) const { app.quit(); }
  };
  std::visit(Apply{workspace_, replay_, measurements_, app_, links_, tours_}, command.any());
}

void Session::update(double seconds) {
  workspace_.poll();
  links_.polled();
  tours_.poll();
  replay_.advance(seconds, app_.settings().speed);
}

bool Session::wantsFrameSoon() const { return replay_.isMoving() || workspace_.job().has_value(); }

void Session::waitForJobs() {
  tours_.waitForJobs();  // a tour may ask for a run
  workspace_.waitForJobs();
}

}  // namespace stridescope::session
