#include "session/workspace.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <utility>

#include "archive/recording_file.h"
#include "base/plain_text.h"
#include "engine/code_trust.h"
#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "lab/known/known.h"
#include "lab/known/recorded.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"
#include "session/experiment_choices.h"

namespace stridescope::session {

// The engine in use, and the one that a session begins with: a driver may take its time, or never answer.

// The engine that takes a GPU where one works. A session that begins with it opens it beside its other work.
constexpr const char* kAutoEngine = "auto";

using MadeEngine = Result<std::shared_ptr<engine::Engine>>;

// Shared by the thread that opens the first engine and the one that records.
class FirstEngine {
 public:
  // `cpuMeanwhile`: as Start has it.
  explicit FirstEngine(bool cpuMeanwhile) : cpuMeanwhile_(cpuMeanwhile) {}

  // nullopt: a session begins with another, which whoever records makes.
  void setOpened(std::optional<MadeEngine> engine);

  // Until it is opened. False: the CPU executor is to run meanwhile, or `job` was cancelled.
  bool wait(const engine::JobControl& job);

  // What was opened, once; nullopt: nothing was, or it was taken.
  std::optional<MadeEngine> take();

 private:
  const bool cpuMeanwhile_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool opened_ = false;
  std::optional<MadeEngine> engine_;
};

// Touched by the thread that records alone.
class EngineSlot {
 public:
  // The engine of that name, made if another is in use; `recording`: the index of a recording that was read
  // already. Errors: it could not be made; Cancelled.
  MadeEngine use(const std::string& id, const archive::RecordingIndex* recording, FirstEngine& first,
                 const SessionServices& services, const engine::JobControl& job);

  // The engine is the CPU executor, because the one that is asked for is not opened yet.
  bool standsIn() const { return engine_ != nullptr && id_.empty(); }

 private:
  std::string id_;  // empty: none, or it stands in
  std::shared_ptr<engine::Engine> engine_;
};

namespace {

// Where jobs are done in turns, each of which keeps the window waiting, the run is shown before.
bool isLookedUpLater() { return defaultJobsRunner() == JobsRunner::Turns; }

// n is found where nobody chose it.
Result<model::Experiment> checked(const model::Experiment& experiment, const ExperimentChoices& choices) {
  return engine::checkedExperiment(experiment, choices.elements || experiment.elements > 0);
}

// What the next start begins with: the choices, and what stands for those that nobody made.
model::Experiment kept(const ExperimentChoices& choices, const model::Experiment& experiment) {
  model::Experiment all = choices.experiment;
  if (!choices.threads) all.threads = experiment.threads;
  if (!choices.elements) all.elements = experiment.elements;
  if (!choices.data) all.data = experiment.data;
  return all;
}

std::string notRecorded(const std::string& path, const model::Experiment& experiment) {
  return printable(std::filesystem::path(path).filename().string()) + " has no trace of " +
         engine::summaryOf(experiment) + ".";
}

// Where the CPU executor stood in for a GPU, the reason.
std::optional<Message> noteOn(const engine::Engine& engine) {
  const std::string why = engine::whyOnTheCpu(engine);
  if (why.empty()) return std::nullopt;
  return Message{.kind = MessageKind::Fine, .sentence = why + " The CPU executor stepped it."};
}

constexpr const char* kMeanwhile =
    "NVIDIA's driver has not answered yet. The CPU executor runs the kernels meanwhile.";

std::shared_ptr<lab::Known> knownOf(const SessionServices& services) {
  lab::KnownFrom from = services.known;
  from.timings = services.timings;
  from.makeHost = [make = services.makeEngine] { return make("host"); };
  return std::make_shared<lab::Known>(std::move(from));
}

// Everything else names a recording's file.
bool isEngineName(const std::string& id) {
  const auto name = engine::parseEngineName(id);
  return name && name->kind != engine::EngineNameKind::Recording;
}

}  // namespace

Workspace::Workspace(SessionServices services, AppState& app, const Start& start, Listener listener,
                     std::shared_ptr<lab::Known> known)
    : services_(std::move(services)),
      app_(app),
      listener_(std::move(listener)),
      asked_{.choices = choicesOf(start.experiment, start.elementsGiven),
             .experiment = start.experiment,
             .engineId = start.engine,
             .recording = {},
             .before = {}},
      executing_(isEngineName(start.engine) ? start.engine : std::string(kAutoEngine)),
      engineSlot_(std::make_shared<EngineSlot>()),
      firstEngine_(std::make_shared<FirstEngine>(start.cpuMeanwhile)),
      known_(known ? std::move(known) : knownOf(services_)),
      remembered_(start.remembered),
      opens_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      jobs_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      measuring_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      saves_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }) {
  // What was kept of the last time may be choices that its variant cannot have.
  if (!engine::checkedExperiment(start.experiment, true))
    if (const auto experiment = checked(experimentFor(asked_.choices), asked_.choices))
      asked_.experiment = *experiment;
  startOpening(start);
  startRecording();
}

void Workspace::poll() {
  opens_.poll();
  jobs_.poll();
  measuring_.poll();
  saves_.poll();
}

std::optional<JobStatus> Workspace::job() const {
  const auto request = jobs_.status();
  return request ? request : saves_.status();
}

void Workspace::waitForJobs() {
  for (bool delivered = true; delivered;) {
    opens_.wait();
    jobs_.wait();  // what a job brings may start the next
    delivered = opens_.poll();
    delivered = jobs_.poll() || delivered;
  }
  measuring_.wait();
  measuring_.poll();
  saves_.wait();
  saves_.poll();
}

void Workspace::cancelJob() {
  jobs_.cancel();
  measuring_.cancel();
  takeBackRequest();
}

// What is asked for is again what was delivered.
void Workspace::takeBackRequest() {
  if (!delivered_) return;
  asked_ = *delivered_;
  remember();
  // What was being looked up of it gave way to what is taken back.
  if (!isLookedUpLater()) return;
  if (const auto run = lastRun_.lock()) lookUp(run);
}

void Workspace::remember() {
  if (remembered_) app_.keepExperiment(kept(asked_.choices, asked_.experiment));
}

// From a recording to an engine: what it showed is stepped there, but for what was borrowed from it.
void Workspace::chooseEngine(const std::string& id) {
  if (!isEngineName(id)) return openRecording(id);
  if (refused_ && app_.message()) asked_ = *refused_;  // which offers that
  if (asked_.recording) {
    if (const auto experiment = checked(experimentFor(asked_.choices), asked_.choices))
      asked_.experiment = *experiment;
    remember();
  }
  asked_.engineId = executing_ = id;
  asked_.recording.reset();
  asked_.before.reset();
  startRecording();
}

bool Workspace::oneBlockLoad() const { return !asked_.choices.elements && isOneBlockLoad(asked_.experiment); }

void Workspace::choose(const std::function<void(ExperimentChoices&)>& change) {
  ExperimentChoices choices = asked_.choices;
  change(choices);
  const auto required = chosenAnew(asked_.choices, choices);
  take(std::move(choices), required);
}

void Workspace::resetExperiment() { take(resetChoices(asked_.choices.experiment.variant), {}); }

bool Workspace::take(ExperimentChoices choices, const FieldSet<model::Experiment>& required) {
  if (asked_.recording) return takeRecorded(std::move(choices), required);
  model::Experiment experiment = experimentFor(choices);
  const model::GivenData* const numbers = choices.experiment.given.get();
  if (numbers == nullptr || choices.numbersType == experiment.type)
    return takeChecked(std::move(choices), experiment);
  if (!choices.numbersPath.empty()) {
    readNumbers(std::move(choices), experiment.type);
    return false;
  }
  const Message told = tellLeft(*numbers, experiment.type);
  ExperimentChoices without = choices;
  leaveOwnNumbers(without);
  experiment = experimentFor(without);
  // If the type is borrowed, the numbers come back with it.
  const bool chosen = choices.experiment.type == experiment.type;
  if (!takeChecked(chosen ? std::move(without) : std::move(choices), experiment)) return false;
  app_.tell(told);
  return true;
}

// A person's own kernel has no other variants: who chooses one leaves it, for what was chosen before it.
bool Workspace::leavesOwnKernel(const ExperimentChoices& choices) const {
  return asked_.recording && model::isKernelFile(asked_.experiment.variant) &&
         !model::isKernelFile(choices.experiment.variant);
}

bool Workspace::takeRecorded(ExperimentChoices choices, const FieldSet<model::Experiment>& required) {
  if (leavesOwnKernel(choices)) {
    ExperimentChoices other = asked_.before.value_or(choices);
    other.experiment.variant = choices.experiment.variant;
    other.experiment.kernel = {};
    const auto request = checked(experimentFor(other), other);
    if (!request) {
      app_.tell(messageOf(request.error()));
      return false;
    }
    asked_.engineId = executing_;
    asked_.recording.reset();
    asked_.before.reset();
    ask(std::move(other), *request);
    return true;
  }
  const auto wanted = checked(experimentFor(choices), choices);
  if (!wanted) {
    app_.tell(messageOf(wanted.error()));
    return false;
  }
  if (const auto* const experiment = nearestRecorded(*asked_.recording, *wanted, required)) {
    ask(std::move(choices), *experiment);
    return true;
  }
  refused_ = Asked{
      .choices = std::move(choices), .experiment = *wanted, .engineId = {}, .recording = {}, .before = {}};
  Message message = messageOf({.kind = ErrorKind::Usage, .sentence = notRecorded(asked_.engineId, *wanted)});
  message.actionLabel = "Step on the CPU";
  message.action = ChooseEngine{"host"};
  app_.tell(std::move(message));
  return false;
}

std::string Workspace::whyNotRecorded(const std::function<void(ExperimentChoices&)>& change) const {
  if (!asked_.recording) return {};
  ExperimentChoices choices = asked_.choices;
  change(choices);
  if (leavesOwnKernel(choices)) return {};
  const auto wanted = checked(experimentFor(choices), choices);
  if (!wanted) return wanted.error().sentence;
  const bool has =
      nearestRecorded(*asked_.recording, *wanted, chosenAnew(asked_.choices, choices)) != nullptr;
  return has ? std::string() : notRecorded(asked_.engineId, *wanted);
}

std::string Workspace::whyNotRecorded(std::string_view variant) const {
  return whyNotRecorded([&](ExperimentChoices& choices) { choices.experiment.variant = variant; });
}

bool Workspace::takeChecked(ExperimentChoices choices, const model::Experiment& experiment) {
  const auto request = checked(experiment, choices);
  if (request)
    ask(std::move(choices), *request);
  else
    app_.tell(messageOf(request.error()));
  return request.has_value();
}

void Workspace::ask(ExperimentChoices choices, const model::Experiment& experiment) {
  const bool otherReduction = experiment.type != asked_.experiment.type ||
                              experiment.op != asked_.experiment.op ||
                              measure::timedElements(experiment) != measure::timedElements(asked_.experiment);
  asked_.choices = std::move(choices);
  asked_.experiment = experiment;
  remember();
  if (otherReduction) listener_.otherReduction();
  startRecording();
}

void Workspace::startOpening(const Start& start) {
  opens_.start(
      "Looking for GPUs",
      [this, id = start.engine, first = firstEngine_,
       services = services_](engine::JobControl&) -> Jobs::Delivery {
        std::optional<MadeEngine> engine;
        if (id == kAutoEngine) engine = services.makeEngine(id);
        const bool onCpu = engine && *engine && (**engine)->executor().kind == model::EngineKind::Host;
        first->setOpened(std::move(engine));
        std::vector<EngineChoice> engines;
        std::optional<Message> greeting;
        if (services.listEngines) engines = services.listEngines();
        if (services.greet) greeting = services.greet();
        return [this, onCpu, engines = std::move(engines), greeting = std::move(greeting)]() mutable {
          engines_ = std::move(engines);
          openedOnCpu_ = onCpu;
          if (greeting && (!app_.message() || app_.message()->sentence == kMeanwhile))
            app_.tell(*std::move(greeting));
          leaveStandIn();
        };
      });
}

// Once the engine that was waited for stands, what the CPU executor ran meanwhile is run there.
void Workspace::leaveStandIn() {
  if (!openedOnCpu_ || !std::exchange(cpuStandsIn_, false)) return;
  if (app_.message() && app_.message()->sentence == kMeanwhile) app_.dismissMessage();
  if (asked_.engineId != kAutoEngine) return;
  if (!*openedOnCpu_) return startRecording();
  for (const EngineChoice& choice : engines_)
    if (!choice.why.empty() && !app_.message())
      return app_.tell(
          {.kind = MessageKind::Fine,
           .sentence = "The CPU executor runs the kernels, because no GPU can be used: " + choice.why});
}

void Workspace::startRecording() {
  refused_.reset();
  // Dismisses the message about what was asked for before; what is said meanwhile stays.
  if (!app_.message() || !app_.message()->stays) app_.dismissMessage();
  if (codeQuestion_) app_.closeOverlay();  // it was about that, too
  codeQuestion_.reset();
  measuring_.cancel();
  auto experiment = asked_.experiment;
  jobs_.start("Recording " + experiment.variant,
              [this, experiment, id = asked_.engineId, index = asked_.recording, slot = engineSlot_,
               first = firstEngine_, known = known_,
               services = services_](engine::JobControl& control) -> Jobs::Delivery {
                std::optional<Message> note;
                Result<std::shared_ptr<const lab::Run>> run = cancelled();
                lab::RunMeasured measured;
                const auto engine = slot->use(id, index.get(), *first, services, control);
                if (engine) {
                  measure::TimingBoard::Hold hold;  // recording would disturb what is timed, and be disturbed
                  if (services.timings && (*engine)->executor().kind == model::EngineKind::Gpu)
                    hold = services.timings->holdGpu();
                  auto trace = (*engine)->record(experiment, control);
                  if (trace) note = noteOn(**engine);
                  if (trace)
                    run = lab::steppedRun(std::move(*trace));
                  else
                    run = tl::unexpected(trace.error());
                } else {
                  run = tl::unexpected(engine.error());
                }
                if (run && !isLookedUpLater()) measured = known->recorded(**run, id, control);
                return [this, standsIn = slot->standsIn(), run = std::move(run),
                        measured = std::move(measured), note = std::move(note)]() mutable {
                  cpuStandsIn_ = standsIn && run;
                  if (cpuStandsIn_) note = {.kind = MessageKind::Fine, .sentence = kMeanwhile};
                  deliver(std::move(run), std::move(measured));
                  if (note && !app_.message()) app_.tell(*std::move(note));
                  leaveStandIn();
                };
              });
}

void Workspace::deliver(Result<std::shared_ptr<const lab::Run>> run, lab::RunMeasured measured) {
  if (!run) return tellNotRecorded(run.error());
  const model::Trace& trace = (*run)->trace;
  if (trace.experiment.op == model::Operator::Custom) {
    custom_ = trace.experiment.custom;
    if (trace.executor.kind == model::EngineKind::Recorded)
      fileCode_ = CodeQuestion{.text = custom_.combine, .from = asked_.engineId, .unconfined = {}};
  }
  delivered_ = asked_;
  lastRun_ = *run;
  startMeasuring(*run, measured);
  listener_.recorded(*std::move(run), std::move(measured));
}

void Workspace::lookUp(const std::shared_ptr<const lab::Run>& run) {
  measuring_.start(
      "Looking at recordings of " + run->trace.experiment.variant,
      [this, run, id = asked_.engineId, known = known_](engine::JobControl& control) -> Jobs::Delivery {
        return [this, run, measured = known->recorded(*run, id, control)]() mutable {
          listener_.measured(run, std::move(measured));
        };
      });
}

void Workspace::startMeasuring(const std::shared_ptr<const lab::Run>& run, const lab::RunMeasured& recorded) {
  using Asks = lab::Known::Asks;
  if (isLookedUpLater()) return lookUp(run);
  const Asks asks = known_->asks(*run, recorded);
  if (asks == Asks::Nobody) return;
  measuring_.start((asks == Asks::Gpu ? "Measuring " : "Compiling ") + run->trace.experiment.variant,
                   [this, run, recorded, id = asked_.engineId,
                    known = known_](engine::JobControl& control) -> Jobs::Delivery {
                     auto measured = known->measured(*run, id, recorded, control);
                     if (!measured) return {};
                     return [this, run, measured = std::move(*measured)]() mutable {
                       listener_.measured(run, std::move(measured));
                     };
                   });
}

void Workspace::tellNotRecorded(const Error& error) {
  if (error.kind == ErrorKind::Cancelled) return;
  if (engine::asksForTrust(error)) return askAboutCode(error);
  Message message = messageOf(error);
  const Asked asked = asked_;
  takeBackRequest();  // customOperator() keeps a text that is at fault
  if (error.cause == ErrorCause::CombineText) {
    message.form = Overlay::CustomOperator;
    message.actionLabel = "Fix it";
    message.action = ShowOverlay{Overlay::CustomOperator};
  } else if (asked.engineId != "host") {
    refused_ = asked;
    message.actionLabel = "Step on the CPU";
    message.action = ChooseEngine{"host"};
  }
  app_.tell(std::move(message));
}

namespace {

constexpr std::chrono::milliseconds kMoment{1000};  // a driver that is well takes less
constexpr std::chrono::milliseconds kLookAtCancel{5};

}  // namespace

void FirstEngine::setOpened(std::optional<MadeEngine> engine) {
  const std::scoped_lock lock(mutex_);
  engine_ = std::move(engine);
  opened_ = true;
  changed_.notify_all();
}

bool FirstEngine::wait(const engine::JobControl& job) {
  std::unique_lock lock(mutex_);
  const auto mayWait = [this] {
    return !cpuMeanwhile_ || std::chrono::steady_clock::now() - began_ < kMoment;
  };
  while (!opened_ && !job.cancel && mayWait()) changed_.wait_for(lock, kLookAtCancel);
  return opened_;
}

std::optional<MadeEngine> FirstEngine::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(engine_, std::nullopt);
}

MadeEngine EngineSlot::use(const std::string& id, const archive::RecordingIndex* recording,
                           FirstEngine& first, const SessionServices& services,
                           const engine::JobControl& job) {
  if (engine_ && id_ == id) return engine_;
  std::optional<MadeEngine> made;
  bool meanwhile = false;
  if (id == kAutoEngine) {
    meanwhile = !first.wait(job);
    if (job.cancel) return cancelled();
    if (!meanwhile) made = first.take();
  }
  id_.clear();
  engine_ = nullptr;
  if (!made && recording && services.makeRecorded) made = services.makeRecorded(id, *recording);
  if (!made) made = services.makeEngine(meanwhile ? "host" : id);
  if (!*made) return *made;
  engine_ = **made;
  if (!meanwhile) id_ = id;
  return engine_;
}

}  // namespace stridescope::session
