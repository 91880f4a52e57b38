#include "session/session.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "engine/access/variant_copy.h"
#include "engine/engine.h"
#include "session/command.h"
#include "session/comparison.h"

namespace stridescope::session {
namespace {

// Whether the id is that of an engine, which runs kernels; else it is that of a recording.
bool runsKernels(const std::string& id) {
  const auto name = engine::parseEngineName(id);
  return name && name->kind != engine::EngineNameKind::Recording;
}

using analysis::Side;

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
    : services_(services),
      app_(std::move(settings), services.pageAddress),
      replay_(Playhead{start.launch.value_or(start.experiment.launch), start.round, start.pass}),
      score_(services.scoreFile, services.wake, app_),
      predict_(
          replay_, app_, score_, services.questionSeed,
          {.choose =
               [this](const std::string& variant) {
                 workspace_.choose([&](ExperimentChoices& choices) { choices.experiment.variant = variant; });
               },
           .offers =
               [this](const std::string& variant) { return workspace_.whyNotRecorded(variant).empty(); }}),
      workspace_(services, app_, start,
                 {.recorded =
                      [this](std::shared_ptr<const lab::Run> run, lab::RunMeasured measured) {
                        if (predict_.isOn()) return predict_.load(std::move(run), std::move(measured));
                        replay_.load(std::move(run), std::move(measured));
                        links_.loaded();
                      },
                  .measured =
                      [this](const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured) {
                        if (predict_.isOn()) return predict_.showMeasured(run, std::move(measured));
                        replay_.showMeasured(run, std::move(measured));
                      },
                  .otherReduction = [this] { measurements_.restart(); }}),
      kernel_(services_, app_, workspace_,
              [this] {
                if (isComparing() && comparesBefore_) compareWithBefore();
              }),
      measurements_(services.timings, [this] { return timingTargetOf(workspace_); }),
      exports_(services, app_),
      links_(workspace_, replay_, app_, [this](const Link& link) { arrived_ = link; }),
      tours_(app_, links_, services.wake) {}

Parts partsOf(const Parts& parts, Side side) {
  return {parts.comparison->workspace(side),
          parts.comparison->replay(side),
          parts.measurements,
          parts.app,
          parts.exports,
          parts.predict,
          parts.history,
          parts.kernel,
          parts.comparison};
}

void Session::apply(const Commands& commands) {
  for (const Command& command : commands) apply(command);
}

Comparison& Session::madeComparison() {
  if (!comparison_) comparison_ = std::make_unique<Comparison>(services_, app_, workspace_, replay_);
  return *comparison_;
}

void Session::followMode() {
  if (app_.modeFacts().comparesSides) {
    predict_.follow();  // it gives back the run whose rounds it hides
    return madeComparison().enter();
  }
  if (comparison_) comparison_->leave();
  comparesBefore_ = false;
  predict_.follow();
}

// A link leads somewhere in the run that is explored, and from there into its mode.
bool Session::leads(const Command& command) {
  const auto& any = command.any();
  return std::holds_alternative<FollowLink>(any) || std::holds_alternative<StartTour>(any) ||
         std::holds_alternative<GoToStop>(any) || std::holds_alternative<StepStop>(any);
}

void Session::goOnFromLink() {
  if (!arrived_) return;
  const Link link = *std::exchange(arrived_, std::nullopt);
  if (factsOf(modeOf(link)).comparesSides) return compareWith(link.other);
  goesOnFromLink_ = true;
  predictShownRound();
  goesOnFromLink_ = false;
  const auto& asked = predict_.asked();
  const auto found =
      std::ranges::find(asked, topicOf(link), [](const AskedQuestion& each) { return each.question.topic; });
  if (found != asked.end())
    apply(PredictStep{.act = PredictAct::Choose, .question = std::size_t(found - asked.begin())});
}

void Session::compareWith(const std::string& variant) {
  apply(EnterMode{Mode::Compare});
  if (variant.empty()) return;
  const analysis::Side explored = comparison_->chosen();
  apply(OnSide{analysis::otherOf(explored),
               std::make_shared<const Command>(Choose(&model::Experiment::variant, variant))});
  if (explored == analysis::Side::Right) apply(SwapSides{});
}

void Session::compareWithBefore() {
  if (!kernel_.isOpen() || !kernel_.hasBefore()) return;
  comparesBefore_ = true;
  madeComparison().compareWithRecording(kernel_.before());
  app_.enterMode(Mode::Compare);
  followMode();
}

void Session::copyVariant(const CopyVariant& request) {
  const lab::Run* const run = replay().run();
  if (run == nullptr) return;
  const auto copy = engine::access::copyOfVariant(run->trace);
  if (!copy) {
    Message message = messageOf(copy.error());
    message.form = Overlay::CopyVariant;
    return app_.tell(std::move(message));
  }
  kernel_.create(request, copy->text, copy->launches);
}

void Session::takeShippedRecordings(const std::vector<std::string>& paths) {
  workspace_.takeShippedRecordings(paths);
  if (!comparison_) return;
  for (const Side side : {Side::Left, Side::Right}) comparison_->workspace(side).takeShippedRecordings(paths);
}

void Session::predictShownRound() {
  const Playhead at = replay().playhead();
  apply(EnterMode{Mode::Predict});
  apply(GoToRound{at.launch, at.round});
  if (!predict_.isHidden()) apply(PredictStep{.act = PredictAct::TryAgain});
}

void Session::apply(const Command& command) {
  const auto& any = command.any();
  if (!std::holds_alternative<PointAt>(any) && !std::holds_alternative<PointAtSides>(any)) app_.goOn();
  if (goesThroughHistory(command)) return;
  beginStretch(command);
  if (leads(command) && app_.modeFacts().isLeftByLinks) {
    app_.enterMode(Mode::Explore);
    followMode();
  }
  if (std::holds_alternative<CompareWithPrevious>(any)) {
    madeComparison().compareWithPrevious();
    app_.enterMode(Mode::Compare);
  } else if (std::holds_alternative<CompareWithBefore>(any)) {
    compareWithBefore();
  } else if (const auto* const copy = std::get_if<CopyVariant>(&any)) {
    copyVariant(*copy);
  } else if (isComparing()) {
    applyToSides(*comparison_, app_, command, [this](const Command& each, analysis::Side side) {
      app_.speakFor(side);
      applyToOne(each, comparison_->workspace(side), comparison_->replay(side));
      app_.speakFor(std::nullopt);
    });
  } else {
    applyToOne(command, workspace_, replay_);
  }
  followMode();
  goOnFromLink();
}

void Session::applyToOne(const Command& command, Workspace& toWorkspace, Replay& toReplay) {
  struct Apply {
    Workspace& workspace;
    Replay& replay;
    Measurements& measurements;
    AppState& app;
    Exports& exports;
    Predict& predict;
    LinkFollower& links;
    TourGuide& tours;
    OwnKernel& kernel;
    bool isExplored;             // the workspace is the one that the window explores
    const Comparison* compared;  // null: one run is shown

    void operator()(StepForward) const { predict.isOn() ? predict.step() : replay.step(+1); }
    void operator()(StepBack) const { predict.isOn() ? predict.stepBack() : replay.step(-1); }
    void operator()(const StepPass& request) const { replay.stepPass(request.direction); }
    void operator()(GoToFirst) const { replay.moveTo({0, 0}); }
    void operator()(GoToLast) const { replay.moveTo({~0u, ~0u, kLastPass}); }
    void operator()(TogglePlay) const { replay.togglePlaying(); }
    void operator()(const SetSpeed& request) const { app.setSpeed(request.roundsPerSecond); }
    void operator()(const GoToRound& request) const {
      const Playhead target{request.launch, request.round, request.pass};
      predict.isOn() ? predict.goTo(target) : replay.moveTo(target);
    }

    void operator()(const Choose& request) const {
      // Its recordings have one block each.
      const auto block = request.fields.get(&model::Experiment::block);
      if (block && isExplored && kernel.isOpen()) return kernel.inspect(*block);
      workspace.choose([&](ExperimentChoices& choices) {
        choose(request.fields, choices);
        if (request.elementsByDefault) chooseElements(choices, std::nullopt);
      });
    }
    void operator()(const ChooseCustom& request) const { workspace.chooseCustom(request); }
    void operator()(const AnswerCode& answer) const { workspace.answerCode(answer.allow); }
    void operator()(const OpenData& request) const { workspace.openData(request); }
    void operator()(ResetExperiment) const { workspace.resetExperiment(); }
    void operator()(const ChooseEngine& request) const {
      const bool runsIt = isExplored && kernel.isOpen() && runsKernels(request.id);
      if (!runsIt) return workspace.chooseEngine(request.id);
      workspace.executeOn(request.id);
      kernel.run();
    }
    void operator()(const OpenRecording& request) const {
      app.closeOverlay(Overlay::Welcome);  // a file dropped on it: the person knows where to begin
      if (isExplored && model::isKernelFile(request.path)) return kernel.open(request.path);
      workspace.openRecording(request.path);
    }
    void operator()(const EditKernel& request) const { kernel.edit(request.text); }
    void operator()(RunKernel) const { kernel.run(); }
    void operator()(const SaveKernel& request) const { kernel.save(request.overwrite); }
    void operator()(TakeFileText) const { kernel.takeFileText(); }
    void operator()(const RestoreDraft& request) const { kernel.restoreDraft(request.path); }
    void operator()(const SetLaunches& request) const { kernel.setLaunches(request.json); }
    void operator()(OpenShippedRecording) const {
      app.dismissMessage();  // which may have offered it
      workspace.openShippedRecording();
    }
    void operator()(FetchRecordings) const { app.askForRecordings(); }
    void operator()(const SaveRecording& request) const {
      if (predict.isOn())
        return workspace.saveRecording(request, predict.wholeRun(), predict.wholeMeasured());
      workspace.saveRecording(request, replay.sharedRun(), replay.measured());
    }
    void operator()(CancelJob) const {
      if (exports.job())
        exports.cancel();
      else
        workspace.cancelJob();
    }

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

    void operator()(const StartTiming& request) const {
      measurements.start(request.sweep);
      if (!request.panel.empty() && app.hasPanel(app.mode(), request.panel)) app.showPanel(request.panel);
    }
    void operator()(StopTiming) const { measurements.stop(); }
    void operator()(PauseTiming) const { measurements.pause(); }
    void operator()(ClearTimings) const { measurements.clear(); }
    void operator()(const ChooseTimings& request) const { measurements.choose(request.choices); }
    void operator()(CopyTimings) const {
      if (auto csv = measurements.csv()) app.copyText(*std::move(csv), "the timings as CSV");
    }

    void operator()(const ExportFile& request) const {
      if (predict.isOn())
        return exports.start(request, workspace, {{predict.wholeRun(), predict.wholeMeasured()}});
      std::vector<ExportedRun> runs;
      const auto add = [&](const Replay& each) { runs.push_back({each.sharedRun(), each.measured()}); };
      if (request.bothSides && compared != nullptr)
        for (const analysis::Side side : analysis::kSides) add(compared->replay(side));
      else
        add(replay);
      exports.start(request, workspace, std::move(runs));
    }
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
      if (request.overlay == Overlay::Tour && !app.isReading() && replay.isRinged()) replay.unpin();
    }
    void operator()(const CopyText& request) const { app.copyText(request.text, request.what); }
    void operator()(const EnterMode& request) const { app.enterMode(request.mode); }
    void operator()(Undo) const {}  // these are done above all
    void operator()(Redo) const {}
    void operator()(GoBack) const {}
    void operator()(GoForward) const {}
    void operator()(const PredictStep& step) const { predict.apply(step); }
    void operator()(const UseTool& request) const { app.toggleTool(request.tool); }
    void operator()(ToggleFullscreen) const { app.toggleFullscreen(); }
    void operator()(ToggleNotes) const { app.toggleNotes(); }
    void operator()(Quit) const { app.quit(); }

    // These commands are about two runs that are compared.
    void operator()(const ChooseSide&) const {}
    void operator()(const ChooseTogether&) const {}
    void operator()(const LockSides&) const {}
    void operator()(SwapSides) const {}
    void operator()(CompareWithPrevious) const {}
    void operator()(CompareWithBefore) const {}  // these two are done above all
    void operator()(const CopyVariant&) const {}
    void operator()(const PointAtSides&) const {}
    void operator()(const OnSide& request) const { std::visit(*this, request.command->any()); }
  };
  std::visit(Apply{toWorkspace, toReplay, measurements_, app_, exports_, predict_, links_, tours_, kernel_,
                   &toWorkspace == &workspace_, isComparing() ? comparison_.get() : nullptr},
             command.any());
}

void Session::update(double seconds) {
  advance(seconds);
  arrive();
  keepPlace();
}

void Session::advance(double seconds) {
  app_.passTime(seconds);
  const double speed = app_.settings().speed;
  exports_.poll();
  score_.poll();
  tours_.poll();
  kernel_.update(seconds);
  goOnFromLink();
  if (!isComparing()) {
    workspace_.poll();
    links_.polled();
    goOnFromLink();
    replay_.advance(seconds, speed);
    if (comparison_) comparison_->poll();
    return;
  }
  comparison_->poll();
  comparison_->advance(seconds, speed);
}

bool Session::wantsFrameSoon() const {
  if (workspace_.job() || exports_.job() || kernel_.wantsFrameSoon()) return true;
  return isComparing() ? comparison_->isMoving() || comparison_->isWorking() : replay_.isMoving();
}

void Session::waitForJobs() {
  tours_.waitForJobs();   // a tour may ask for a run
  kernel_.waitForJobs();  // so may a file
  workspace_.waitForJobs();
  kernel_.waitForJobs();
  goOnFromLink();
  if (comparison_) comparison_->waitForJobs();
  arrive();
  keepPlace();
  exports_.wait();
  score_.wait();
}

}  // namespace stridescope::session
