#include "session/session.h"

#include <memory>
#include <utility>
#include <variant>

namespace stridescope::session {

Session::Session(SessionServices services, Settings settings, const Start& start)
    : app_(std::move(settings)),
      replay_(Playhead{start.experiment.launch, start.round}),
      workspace_(services, app_, start,
                 {.recorded = [this](std::shared_ptr<const Run> run) { replay_.load(std::move(run)); },
                  .otherReduction = [this] { measurements_.restart(); }}),
      measurements_(services.timings, workspace_) {}

void Session::apply(const Commands& commands) {
  for (const Command& command : commands) apply(command);
}

void Session::apply(const Command& command) {
  struct Apply {
    Workspace& workspace;
    Replay& replay;
    Measurements& measurements;
    AppState& app;

    void change(const std::function<void(model::Experiment&)>& change) const {
      workspace.changeExperiment(change);
    }

    void operator()(StepForward) const { replay.step(+1); }
    void operator()(StepBack) const { replay.step(-1); }
    void operator()(GoToFirst) const { replay.moveTo({0, 0}); }
    void operator()(GoToLast) const { replay.moveTo({~0u, ~0u}); }
    void operator()(TogglePlay) const { replay.togglePlaying(); }
    void operator()(const SetSpeed& wish) const { app.setSpeed(wish.roundsPerSecond); }
    void operator()(const GoToRound& wish) const { replay.moveTo({wish.launch, wish.round}); }

    void operator()(const ChooseVariant& wish) const {
      change([&](model::Experiment& experiment) { experiment.variant = wish.id; });
    }
    void operator()(const ChooseType& wish) const {
      change([&](model::Experiment& experiment) { experiment.type = wish.type; });
    }
    void operator()(const ChooseOperator& wish) const {
      change([&](model::Experiment& experiment) { experiment.op = wish.op; });
    }
    void operator()(const ChooseCustom& wish) const { workspace.chooseCustom(wish); }
    void operator()(const AnswerCode& answer) const { workspace.answerCode(answer.allow); }
    void operator()(const OpenData& wish) const { workspace.openData(wish.path); }
    void operator()(const ChooseSchedule& wish) const {
      change([&](model::Experiment& experiment) {
        experiment.schedule = wish.schedule;
        experiment.scheduleSeed = wish.seed;
      });
    }
    void operator()(const ChooseThreads& wish) const {
      change([&](model::Experiment& experiment) { experiment.threads = wish.threads; });
    }
    void operator()(const ChooseElements& wish) const { workspace.chooseElements(wish.elements); }
    void operator()(const ChooseData& wish) const {
      change([&](model::Experiment& experiment) { leaveOwnData(experiment, experiment.data = wish.data); });
    }
    void operator()(const ChooseSeed& wish) const {
      change([&](model::Experiment& experiment) { experiment.seed = wish.seed; });
    }
    void operator()(const ChooseBlock& wish) const {
      change([&](model::Experiment& experiment) {
        experiment.launch = wish.launch;
        experiment.block = wish.block;
      });
    }
    void operator()(const ChooseEngine& wish) const { workspace.chooseEngine(wish.id); }
    void operator()(const OpenRecording& wish) const { workspace.openRecording(wish.path); }
    void operator()(OpenShippedRecording) const { workspace.openShippedRecording(); }
    void operator()(const SaveRecording& wish) const { workspace.saveRecording(wish, replay.sharedRun()); }
    void operator()(CancelJob) const { workspace.cancelJob(); }

    void operator()(const PointAt& wish) const { replay.pointAt(wish.hover); }
    void operator()(const Pin& wish) const { replay.pin(wish.hover); }
    void operator()(Unpin) const { replay.unpin(); }
    void operator()(const ChooseRequest& wish) const { replay.chooseRequest(wish.role); }

    void operator()(const StartTiming& wish) const { measurements.start(wish.sweep); }
    void operator()(StopTiming) const { measurements.stop(); }
    void operator()(PauseTiming) const { measurements.pause(); }
    void operator()(ClearTimings) const { measurements.clear(); }
    void operator()(const ChooseTimings& wish) const { measurements.choose(wish.choices); }
    void operator()(CopyTimings) const {
      if (auto csv = measurements.csv()) app.copyText(*std::move(csv));
    }

    void operator()(const SavePicture& wish) const { app.savePicture(wish); }
    void operator()(const ShowPanel& wish) const { app.showPanel(wish.id); }
    void operator()(const HidePanel& wish) const { app.hidePanel(wish.id); }
    void operator()(const ChangeSettings& wish) const { app.changeSettings(wish.settings); }
    void operator()(ResetLayout) const { app.resetLayout(); }
    void operator()(DismissMessage) const { app.dismissMessage(); }
    void operator()(const ShowOverlay& wish) const {
      if (workspace.codeQuestion()) return workspace.answerCode(false);  // it is closed
      app.toggleOverlay(wish.overlay, wish.panel);
    }
    void operator()(const CopyText& wish) const { app.copyText(wish.text); }
    void operator()(ToggleFullscreen) const { app.toggleFullscreen(); }
    void operator()(Quit) const { app.quit(); }
  };
  std::visit(Apply{workspace_, replay_, measurements_, app_}, command);
}

void Session::update(double seconds) {
  workspace_.poll();
  replay_.advance(seconds, app_.settings().speed);
}

bool Session::wantsFrameSoon() const { return replay_.isMoving() || workspace_.job().has_value(); }

void Session::waitForJobs() { workspace_.waitForJobs(); }

}  // namespace stridescope::session
