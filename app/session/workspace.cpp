#include "session/workspace.h"

#include <filesystem>
#include <utility>

#include "base/plain_text.h"
#include "engine/engine_limits.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "engine/experiment_summary.h"
#include "session/legal_choices.h"
#include "session/recorded_choices.h"
#include "session/run_costs.h"

namespace stridescope::session {

struct Workspace::EngineSlot {
  std::string id;
  std::shared_ptr<engine::Engine> engine;
};

namespace {

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

Result<std::shared_ptr<engine::Engine>> makeEngine(const SessionServices& services, const std::string& id,
                                                   const std::optional<archive::RecordingIndex>& recording) {
  if (recording && services.makeRecorded) return services.makeRecorded(id, *recording);
  return services.makeEngine(id);
}

// Everything else names a recording's file.
bool isEngineName(const std::string& id) {
  const auto name = engine::parseEngineName(id);
  return name && name->kind != engine::EngineNameKind::Recording;
}

}  // namespace

Workspace::Workspace(SessionServices services, AppState& app, const Start& start, Listener listener,
                     std::shared_ptr<LiveGpu> liveGpu)
    : services_(std::move(services)),
      app_(app),
      listener_(std::move(listener)),
      asked_{.choices = choicesOf(start.experiment, start.elementsGiven),
             .experiment = start.experiment,
             .engineId = start.engine,
             .recording = {},
             .before = {}},
      engineSlot_(std::make_shared<EngineSlot>()),
      liveGpu_(liveGpu || !services_.measuringGpu ? std::move(liveGpu)
                                                  : std::make_shared<LiveGpu>(services_.measuringGpu)),
      remembered_(start.remembered),
      jobs_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      measuring_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      saves_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }) {
  // What was kept of the last time may be choices that its variant cannot have.
  if (!engine::checkedExperiment(start.experiment, true))
    if (const auto experiment = checked(experimentFor(asked_.choices), asked_.choices))
      asked_.experiment = *experiment;
  startRecording();
}

void Workspace::poll() {
  jobs_.poll();
  measuring_.poll();
  saves_.poll();
}

std::optional<JobStatus> Workspace::job() const {
  const auto request = jobs_.status();
  return request ? request : saves_.status();
}

void Workspace::waitForJobs() {
  do jobs_.wait();  // what a job brings may start the next
  while (jobs_.poll());
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
}

void Workspace::remember() {
  if (remembered_) app_.keepExperiment(kept(asked_.choices, asked_.experiment));
}

// From a recording to an engine: what it showed is stepped there, but for what it had lent.
void Workspace::chooseEngine(const std::string& id) {
  if (!isEngineName(id)) return openRecording(id);
  if (refused_ && app_.message()) asked_ = *refused_;  // which offers that
  if (asked_.recording) {
    if (const auto experiment = checked(experimentFor(asked_.choices), asked_.choices))
      asked_.experiment = *experiment;
    remember();
  }
  asked_.engineId = id;
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
  // Where the type is lent, the numbers come back with it.
  const bool chosen = choices.experiment.type == experiment.type;
  if (!takeChecked(chosen ? std::move(without) : std::move(choices), experiment)) return false;
  app_.tell(told);
  return true;
}

bool Workspace::takeRecorded(ExperimentChoices choices, const FieldSet<model::Experiment>& required) {
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
  const bool otherReduction =
      experiment.type != asked_.experiment.type || experiment.op != asked_.experiment.op;
  asked_.choices = std::move(choices);
  asked_.experiment = experiment;
  remember();
  if (otherReduction) listener_.otherReduction();
  startRecording();
}

// Where a GPU stepped aside for the CPU executor, the reason; else the message that there is.
std::optional<Message> Workspace::whyOnTheCpu(const model::Executor& asked,
                                              const model::Experiment& experiment,
                                              std::optional<Message> otherwise) {
  std::string reason = engine::refusalOf(asked, experiment);
  if (reason.empty()) return otherwise;
  return Message{.kind = MessageKind::Fine, .sentence = std::move(reason) + " The CPU executor stepped it."};
}

void Workspace::startRecording() {
  refused_.reset();
  // Of what was asked for before; what is said meanwhile stays.
  if (!app_.message() || !app_.message()->stays) app_.dismissMessage();
  if (codeQuestion_) app_.closeOverlay();  // it was about that, too
  codeQuestion_.reset();
  measuring_.cancel();
  auto experiment = asked_.experiment;
  jobs_.start(
      "Recording " + experiment.variant,
      [this, experiment, id = asked_.engineId, index = asked_.recording, slot = engineSlot_,
       services = services_, listEngines = engines_.empty()](engine::JobControl& control) -> Jobs::Delivery {
        std::vector<EngineChoice> engines;
        std::optional<Message> greeting;
        if (listEngines && services.listEngines) engines = services.listEngines();
        if (listEngines && services.greet) greeting = services.greet();
        Result<std::shared_ptr<const Run>> run = cancelled();
        RunMeasured measured;
        if (slot->id != id || !slot->engine) {
          auto engine = makeEngine(services, id, index);
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
        if (run) measured = recordedMeasurements(**run, id, services, control);
        return [this, run = std::move(run), measured = std::move(measured), engines = std::move(engines),
                greeting = std::move(greeting)]() mutable {
          if (!engines.empty()) engines_ = std::move(engines);
          deliver(std::move(run), std::move(measured));
          if (greeting && !app_.message()) app_.tell(*std::move(greeting));
        };
      });
}

void Workspace::deliver(Result<std::shared_ptr<const Run>> run, RunMeasured measured) {
  if (!run) return tellNotRecorded(run.error());
  const model::Trace& trace = (*run)->trace;
  if (trace.experiment.op == model::Operator::Custom) {
    custom_ = trace.experiment.custom;
    if (trace.executor.kind == model::EngineKind::Recorded)
      fileCode_ = CodeQuestion{.text = custom_.combine, .from = asked_.engineId, .unconfined = {}};
  }
  delivered_ = asked_;
  startMeasuring(*run, measured);
  listener_.recorded(*std::move(run), std::move(measured));
}

void Workspace::startMeasuring(const std::shared_ptr<const Run>& run, const RunMeasured& recorded) {
  const auto live = run->trace.executor.kind == model::EngineKind::Gpu ? liveGpu_ : nullptr;
  if (!live && (!services_.compileCode || recorded.code.record)) return;
  measuring_.start((live ? "Measuring " : "Compiling ") + run->trace.experiment.variant,
                   [this, run, recorded, id = asked_.engineId, live,
                    services = services_](engine::JobControl& control) -> Jobs::Delivery {
                     auto measured = measuredLive(live.get(), id, *run, recorded, services, control);
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

}  // namespace stridescope::session
