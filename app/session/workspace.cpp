#include "session/workspace.h"

#include <utility>

#include "engine/engine_limits.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "session/legal_choices.h"

namespace stridescope::session {

struct Workspace::EngineSlot {
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

void leaveOwnData(model::Experiment& experiment) {
  if (experiment.given.get() == nullptr) return;
  experiment.data = kernels::defaultData(experiment.variant, experiment.op);
  experiment.given = {};
  experiment.lists = 0;
}

Workspace::Workspace(SessionServices services, AppState& app, const Start& start, Listener listener)
    : services_(std::move(services)),
      app_(app),
      listener_(std::move(listener)),
      asked_{.experiment = start.experiment,
             .elements = start.elementsGiven ? std::optional(start.experiment.elements) : std::nullopt,
             .data = chosenData(start.experiment),
             .engineId = start.engine,
             .recording = {},
             .dataPath = {}},
      engineSlot_(std::make_shared<EngineSlot>()),
      jobs_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      saves_(services_.wake, [this](const Error& error) { app_.tell(messageOf(error)); }) {
  startRecording();
}

void Workspace::poll() {
  jobs_.poll();
  saves_.poll();
}

std::optional<JobStatus> Workspace::job() const {
  const auto request = jobs_.status();
  return request ? request : saves_.status();
}

void Workspace::waitForJobs() {
  do jobs_.wait();  // what a job brings may start the next
  while (jobs_.poll());
  saves_.wait();
  saves_.poll();
}

void Workspace::cancelJob() {
  jobs_.cancel();
  takeBackRequest();
}

// What is asked for is again what was delivered.
void Workspace::takeBackRequest() {
  if (!delivered_) return;
  asked_ = *delivered_;
  app_.keepExperiment(asked_.experiment);
}

void Workspace::chooseElements(std::optional<std::uint64_t> elements) {
  asked_.elements = elements;
  changeExperiment([](model::Experiment& experiment) {
    experiment.launch = 0, experiment.block = 0;
    leaveOwnData(experiment);
  });
}

void Workspace::chooseData(model::DataPattern data) {
  asked_.data = data;
  changeExperiment([](model::Experiment& experiment) { leaveOwnData(experiment); });
}

void Workspace::chooseEngine(const std::string& id) {
  if (!isEngineName(id)) return openRecording(id);
  asked_.engineId = id;
  asked_.recording.reset();
  startRecording();
}

bool Workspace::changeExperiment(const std::function<void(model::Experiment&)>& change) {
  model::Experiment request = asked_.experiment;
  change(request);
  // Own numbers are bits of the type in which they were read: just now, or before.
  const bool asBefore = request.given.get() == asked_.experiment.given.get();
  const model::ElementType typeOfNumbers = asBefore ? asked_.experiment.type : request.type;
  makeLegal(request);
  std::optional<Message> leaving;
  if (request.given.get() != nullptr && request.type != typeOfNumbers) {
    if (!asked_.dataPath.empty()) {
      readData(asked_.dataPath, std::move(request));
      return false;
    }
    leaving = tellLeft(*request.given.get(), request.type);
    leaveOwnData(request);
  }
  const model::GivenData* const given = request.given.get();
  const auto elements =
      given == nullptr ? asked_.elements : std::optional<std::uint64_t>(given->values.size());
  request.elements = elements.value_or(0);
  if (given == nullptr)
    request.data = asked_.data.value_or(kernels::defaultData(request.variant, request.op));
  auto checked = engine::checkedExperiment(request, elements.has_value());
  if (!checked) {
    app_.tell(messageOf(checked.error()));
    return false;
  }
  const bool otherReduction = checked->type != asked_.experiment.type || checked->op != asked_.experiment.op;
  asked_.experiment = *checked;
  asked_.elements = elements;
  if (given == nullptr) asked_.dataPath.clear();
  app_.keepExperiment(asked_.experiment);
  if (otherReduction) listener_.otherReduction();
  startRecording();
  if (leaving) app_.tell(*std::move(leaving));
  return true;
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
  app_.dismissMessage();                   // of what was asked for before; what is said meanwhile stays
  if (codeQuestion_) app_.closeOverlay();  // it was about that, too
  codeQuestion_.reset();
  auto experiment = asked_.experiment;
  jobs_.start("Recording " + experiment.variant,
              [this, experiment, id = asked_.engineId, slot = engineSlot_, services = services_,
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
                  deliver(std::move(run));
                  if (greeting && !app_.message()) app_.tell(*std::move(greeting));
                };
              });
}

void Workspace::deliver(Result<std::shared_ptr<const Run>> run) {
  if (!run) return tellNotRecorded(run.error());
  const model::Trace& trace = (*run)->trace;
  if (trace.experiment.op == model::Operator::Custom) {
    custom_ = trace.experiment.custom;
    if (trace.executor.kind == model::EngineKind::Recorded)
      fileCode_ = CodeQuestion{.text = custom_.combine, .from = asked_.engineId, .unconfined = {}};
  }
  delivered_ = asked_;
  listener_.recorded(*std::move(run));
}

void Workspace::tellNotRecorded(const Error& error) {
  if (error.kind == ErrorKind::Cancelled) return;
  if (engine::asksForTrust(error)) return askAboutCode(error);
  Message message = messageOf(error);
  if (error.cause == ErrorCause::CombineText) {
    takeBackRequest();  // the text is at fault; customOperator() keeps it
    message.form = Overlay::CustomOperator;
    message.actionLabel = "Fix it";
    message.action = ShowOverlay{Overlay::CustomOperator};
  } else if (asked_.engineId != "host") {
    message.actionLabel = "Step on the CPU";
    message.action = ChooseEngine{"host"};
  }
  app_.tell(std::move(message));
}

}  // namespace stridescope::session
