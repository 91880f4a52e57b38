#include "session/session.h"

#include <algorithm>

#include "analysis/bank_conflicts.h"
#include "base/plain_text.h"
#include "engine/code_trust.h"
#include "engine/engine_limits.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "session/legal_choices.h"

namespace stridescope::session {

Result<std::shared_ptr<const Run>> makeRun(model::Trace trace, MemoryBudget budget) {
  auto run = std::make_shared<Run>();
  run->analysis = analysis::analyse(trace, budget);
  if (std::ranges::all_of(run->analysis.launches, [](const auto& launch) { return launch.rounds.empty(); })) {
    std::string details = trace.checkNote;
    for (const analysis::LaunchAnalysis& launch : run->analysis.launches)
      for (const model::Problem& problem : launch.problems)
        details += (details.empty() ? "" : "\n") + problem.text;
    return unavailable("The run of " + trace.experiment.variant +
                           " has no round to step through: nothing was recorded. Choose another run.",
                       std::move(details));
  }
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    run->flow.push_back(analysis::findDataFlow(trace.launches[i], run->analysis.launches[i]));
  run->trace = std::move(trace);
  return run;
}

struct Session::EngineSlot {
  std::string id;
  std::shared_ptr<engine::Engine> engine;
};

namespace {

// Everything else names a recording's file.
bool isEngineName(const std::string& id) {
  const auto name = engine::parseEngineName(id);
  return name && name->kind != engine::EngineNameKind::Recording;
}

}  // namespace

void leaveOwnData(model::Experiment& experiment, model::DataPattern data) {
  if (experiment.given.get() == nullptr) return;
  experiment.data = data;
  experiment.given = {};
  experiment.lists = 0;
}

Message messageOf(const Error& error) {
  return {.kind = MessageKind::Wrong,
          .sentence = printable(error.sentence),
          .details = printable(error.details, Lines::Many),
          .actionLabel = {},
          .action = {}};
}

Session::Session(SessionServices services, Settings settings, const Start& start)
    : services_(std::move(services)),
      settings_(std::move(settings)),
      experiment_(start.experiment),
      engineId_(start.engine),
      wished_{start.experiment.launch, start.round},
      engineSlot_(std::make_shared<EngineSlot>()),
      jobs_(services_.wake, [this](const Error& error) { message_ = messageOf(error); }),
      saves_(services_.wake, [this](const Error& error) { message_ = messageOf(error); }) {
  if (start.elementsGiven) elements_ = start.experiment.elements;
  startRecording();
}

void Session::apply(const Commands& commands) {
  for (const Command& command : commands) apply(command);
}

void Session::apply(const Command& command) {
  struct Apply {
    Session& session;

    void operator()(StepForward) const { session.step(+1); }
    void operator()(StepBack) const { session.step(-1); }
    void operator()(GoToFirst) const { session.moveTo({0, 0}); }
    void operator()(GoToLast) const { session.moveTo({~0u, ~0u}); }
    void operator()(TogglePlay) const {
      if (!session.playing_ && session.atLast()) session.moveTo({0, 0});
      session.playing_ = !session.playing_ && session.run_;
      session.sinceStep_ = 0;
    }
    void operator()(const SetSpeed& wish) const {
      session.settings_.speed = std::clamp(wish.roundsPerSecond, kSlowest, kFastest);
    }
    void operator()(const GoToRound& wish) const { session.moveTo({wish.launch, wish.round}); }

    void operator()(const ChooseVariant& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) { experiment.variant = wish.id; });
    }
    void operator()(const ChooseType& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) { experiment.type = wish.type; });
    }
    void operator()(const ChooseOperator& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) { experiment.op = wish.op; });
    }
    void operator()(const ChooseCustom& wish) const { session.chooseCustom(wish); }
    void operator()(const AnswerCode& answer) const { session.answerCode(answer.allow); }
    void operator()(const OpenData& wish) const { session.openData(wish.path, session.experiment_); }
    void operator()(const ChooseSchedule& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) {
        experiment.schedule = wish.schedule;
        experiment.scheduleSeed = wish.seed;
      });
    }
    void operator()(const ChooseThreads& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) { experiment.threads = wish.threads; });
    }
    void operator()(const ChooseElements& wish) const {
      session.elements_ = wish.elements;
      session.changeExperiment([](model::Experiment& experiment) {
        experiment.launch = 0, experiment.block = 0;
        leaveOwnData(experiment, model::DataPattern::Ramp);
      });
    }
    void operator()(const ChooseData& wish) const {
      session.changeExperiment(
          [&](model::Experiment& experiment) { leaveOwnData(experiment, experiment.data = wish.data); });
    }
    void operator()(const ChooseSeed& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) { experiment.seed = wish.seed; });
    }
    void operator()(const ChooseBlock& wish) const {
      session.changeExperiment([&](model::Experiment& experiment) {
        experiment.launch = wish.launch;
        experiment.block = wish.block;
      });
    }
    void operator()(const ChooseEngine& wish) const {
      if (!isEngineName(wish.id)) return session.openRecording({wish.id});
      session.engineId_ = wish.id;
      session.recording_.reset();
      session.startRecording();
    }
    void operator()(const OpenRecording& wish) const { session.openRecording({wish.path}); }
    void operator()(OpenShippedRecording) const {
      session.openRecording(session.services_.shippedRecordings);
    }
    void operator()(const SaveRecording& wish) const { session.saveRecording(wish); }

    void operator()(const PointAt& wish) const {
      const bool is = wish.hover && session.run_ && session.exists(*wish.hover);
      session.hovered_ = is ? wish.hover : std::nullopt;
    }
    void operator()(const Pin& wish) const {
      if (session.run_ && session.exists(wish.hover)) session.pinned_ = wish.hover;
    }
    void operator()(Unpin) const { session.pinned_.reset(), session.hovered_.reset(); }
    void operator()(const ChooseRequest& wish) const { session.requestRole_ = wish.role; }

    void operator()(const StartTiming& wish) const { session.startTiming(wish.sweep); }
    void operator()(StopTiming) const {
      if (session.services_.timings) session.services_.timings->stop();
    }
    void operator()(PauseTiming) const { session.pauseTiming(); }
    void operator()(ClearTimings) const {
      if (session.services_.timings) session.services_.timings->clear();
    }
    void operator()(const ChooseTimings& wish) const { session.chooseTimings(wish.choices); }
    void operator()(CopyTimings) const { session.copyTimings(); }
    void operator()(const SavePicture& wish) const { session.picture_ = wish; }

    void operator()(const ChangeSettings& wish) const {
      session.settings_ = wish.settings;
      session.settings_.textSize = std::clamp(session.settings_.textSize, kLeastTextSize, kMostTextSize);
    }
    void operator()(ResetLayout) const { session.layoutReset_ = true; }
    void operator()(CancelJob) const {
      session.jobs_.cancel();
      session.takeBackWish();
    }
    void operator()(DismissMessage) const { session.message_.reset(); }
    void operator()(const ShowOverlay& wish) const {
      if (session.codeQuestion_) return session.answerCode(false);  // it is closed
      session.overlay_ = session.overlay_ == wish.overlay ? Overlay::None : wish.overlay;
    }
    void operator()(const CopyText& wish) const { session.copied_ = wish.text; }
    void operator()(ToggleFullscreen) const { session.fullscreen_ = !session.fullscreen_; }
    void operator()(Quit) const { session.quitting_ = true; }
  };
  std::visit(Apply{*this}, command);
}

void Session::update(double seconds) {
  jobs_.poll();
  saves_.poll();
  sinceStep_ += seconds;
  if (playing_ && run_ && sinceStep_ >= 1 / settings_.speed) {
    step(+1);
    if (atLast()) playing_ = false;
  }
}

bool Session::wantsFrameSoon() const {
  return playing_ || sinceStep_ < kTransitionSeconds || job().has_value();
}

std::optional<JobStatus> Session::job() const {
  const auto wish = jobs_.status();
  return wish ? wish : saves_.status();
}

void Session::waitForJobs() {
  do jobs_.wait();  // what a job brings may start the next
  while (jobs_.poll());
  saves_.wait();
  saves_.poll();
}

std::optional<unsigned> Session::hoveredThread() const {
  const auto found = hover();
  if (!found || found->kind != HoverKind::Thread) return std::nullopt;
  return unsigned(found->index);
}

// In the run that is on screen, for whichever of its launches has the most.
bool Session::exists(const Hover& hover) const {
  const auto& launches = run_->trace.launches;
  switch (hover.kind) {
    case HoverKind::Thread:
      return hover.index < run_->trace.experiment.threads;
    case HoverKind::Warp:
      return hover.index * model::kWarpSize < run_->trace.experiment.threads;
    case HoverKind::Element:
      return std::ranges::any_of(launches, [&](const model::LaunchTrace& launch) {
        const auto has = [&](const model::Array& array) {
          return hover.index < array.bytes / std::max(1u, array.elementBytes);
        };
        return launch.shared.empty() ? std::ranges::any_of(launch.buffers, has) : has(launch.shared.front());
      });
    case HoverKind::Bank:
      return hover.index < analysis::kBankCount;
    case HoverKind::Site:
      return hover.index < run_->trace.sites.size();
    case HoverKind::Round:
      return hover.launch < launches.size() &&
             hover.index < run_->analysis.launches[hover.launch].rounds.size();
  }
  return false;
}

// What is asked for is again what is shown.
void Session::takeBackWish() {
  if (!run_) return;
  experiment_ = shown_.experiment;
  elements_ = shown_.elements;
  engineId_ = shown_.engineId;
  recording_ = shown_.recording;
  dataPath_ = shown_.dataPath;
  settings_.lastExperiment = experiment_;
}

bool Session::atFirst() const { return !run_ || playhead_ == nearest({0, 0}); }

bool Session::atLast() const { return !run_ || playhead_ == nearest({~0u, ~0u}); }

// The playhead that exists and comes nearest to the wish: in that launch or, if it has no round, in an
// earlier one, else in a later one.
Playhead Session::nearest(Playhead wish) const {
  const auto& launches = run_->analysis.launches;
  const auto rounds = [&](std::size_t launch) { return launches[launch].rounds.size(); };
  std::size_t launch = std::min<std::size_t>(wish.launch, launches.size() - 1);
  while (launch > 0 && rounds(launch) == 0) --launch;
  while (rounds(launch) == 0) ++launch;
  return {unsigned(launch), std::min(wish.round, unsigned(rounds(launch)) - 1)};
}

void Session::moveTo(Playhead wish) {
  wished_ = wish;
  if (!run_) return;
  const Playhead next = nearest(wish);
  if (next != playhead_) sinceStep_ = 0;
  playhead_ = wished_ = next;
}

void Session::step(int direction) {
  if (!run_) return;
  const auto& launches = run_->analysis.launches;
  const auto isEmpty = [&](unsigned launch) { return launches[launch].rounds.empty(); };
  Playhead next = playhead_;
  if (direction > 0) {
    if (next.round + 1 < launches[next.launch].rounds.size()) return moveTo({next.launch, next.round + 1});
    do ++next.launch;
    while (next.launch < launches.size() && isEmpty(next.launch));
    if (next.launch < launches.size()) moveTo({next.launch, 0});
  } else {
    if (next.round > 0) return moveTo({next.launch, next.round - 1});
    while (next.launch > 0 && isEmpty(next.launch - 1)) --next.launch;
    if (next.launch > 0) moveTo({next.launch - 1, ~0u});
  }
}

bool Session::changeExperiment(const std::function<void(model::Experiment&)>& change) {
  model::Experiment wish = experiment_;
  change(wish);
  // Own numbers are bits of the type in which they were read: just now, or before.
  const bool asBefore = wish.given.get() == experiment_.given.get();
  const model::ElementType typeOfNumbers = asBefore ? experiment_.type : wish.type;
  makeLegal(wish);
  std::optional<Message> leaving;
  if (wish.given.get() != nullptr && wish.type != typeOfNumbers) {
    if (!dataPath_.empty()) {
      openData(dataPath_, std::move(wish));
      return false;
    }
    leaving = tellLeft(*wish.given.get(), wish.type);
    leaveOwnData(wish, model::DataPattern::Ramp);
  }
  const model::GivenData* const given = wish.given.get();
  const auto elements = given == nullptr ? elements_ : std::optional<std::uint64_t>(given->values.size());
  wish.elements = elements.value_or(0);
  auto checked = engine::checkedExperiment(wish, elements.has_value());
  if (!checked) {
    message_ = messageOf(checked.error());
    return false;
  }
  const bool otherReduction = checked->type != experiment_.type || checked->op != experiment_.op;
  experiment_ = *checked;
  elements_ = elements;
  if (given == nullptr) dataPath_.clear();
  settings_.lastExperiment = experiment_;
  if (otherReduction && isTiming()) startTiming(timingSweep_);
  startRecording();
  if (leaving) message_ = std::move(leaving);
  return true;
}

// Where a GPU stepped aside for the CPU executor, the reason; else the message that there is.
std::optional<Message> Session::whyOnTheCpu(const model::Executor& asked, const model::Experiment& experiment,
                                            std::optional<Message> otherwise) {
  std::string reason = engine::refusalOf(asked, experiment);
  if (reason.empty()) return otherwise;
  return Message{.kind = MessageKind::Fine,
                 .sentence = std::move(reason) + " The CPU executor stepped it.",
                 .details = {},
                 .actionLabel = {},
                 .action = {}};
}

void Session::startRecording() {
  message_.reset();                             // of what was asked for before; what is said meanwhile stays
  if (codeQuestion_) overlay_ = Overlay::None;  // it was about that, too
  codeQuestion_.reset();
  auto experiment = experiment_;
  jobs_.start("Recording " + experiment.variant,
              [this, experiment, id = engineId_, slot = engineSlot_, services = services_,
               listEngines = engines_.empty()](engine::JobControl& control) -> Jobs::Delivery {
                std::vector<EngineChoice> engines;
                std::optional<Message> greeting;
                if (listEngines && services.listEngines) engines = services.listEngines();
                if (listEngines && services.greet) greeting = services.greet();
                Result<std::shared_ptr<const Run>> run = cancelled();
                if (slot->id != id || !slot->engine) {
                  auto engine = services.makeEngine(id);
                  slot->id = id;
                  slot->engine = engine ? *engine : nullptr;
                  if (!engine) run = tl::unexpected(engine.error());
                }
                if (slot->engine) {
                  measure::TimingBoard::Hold hold;  // recording would disturb what is timed, and be disturbed
                  if (services.timings && slot->engine->executor().kind == model::EngineKind::Gpu)
                    hold = services.timings->holdGpu();
                  auto trace = slot->engine->record(experiment, control);
                  if (trace && trace->executor.kind == model::EngineKind::Host)
                    greeting = whyOnTheCpu(slot->engine->executor(), experiment, std::move(greeting));
                  if (trace)
                    run = makeRun(std::move(*trace));
                  else
                    run = tl::unexpected(trace.error());
                }
                return [this, run = std::move(run), engines = std::move(engines),
                        greeting = std::move(greeting)]() mutable {
                  if (!engines.empty()) engines_ = std::move(engines);
                  show(std::move(run));
                  if (greeting && !message_) message_ = std::move(greeting);
                };
              });
}

void Session::show(Result<std::shared_ptr<const Run>> run) {
  if (!run) {
    if (run.error().kind == ErrorKind::Cancelled) return;
    if (engine::asksForTrust(run.error())) return askAboutCode(run.error());
    message_ = messageOf(run.error());
    if (run.error().cause == ErrorCause::CombineText) {
      takeBackWish();  // the text is at fault; customOperator() keeps it
      message_->actionLabel = "Mend it";
      message_->action = ShowOverlay{Overlay::CustomOperator};
    } else if (engineId_ != "host") {
      message_->actionLabel = "Step on the CPU";
      message_->action = ChooseEngine{"host"};
    }
    return;
  }
  const bool otherText = run_ && run_->trace.kernelText != (*run)->trace.kernelText;
  run_ = std::move(*run);
  if (run_->trace.experiment.op == model::Operator::Custom) {
    custom_ = run_->trace.experiment.custom;
    if (run_->trace.executor.kind == model::EngineKind::Recorded)
      fileCode_ = CodeQuestion{.text = custom_.combine, .from = engineId_, .unconfined = {}};
  }
  playhead_ = nearest(wished_);
  shown_ = {experiment_, elements_, engineId_, recording_, dataPath_};
  // A site is a place in one kernel's text.
  for (auto* hover : {&hovered_, &pinned_})
    if (*hover && (!exists(**hover) || ((*hover)->kind == HoverKind::Site && otherText))) hover->reset();
}

}  // namespace stridescope::session
