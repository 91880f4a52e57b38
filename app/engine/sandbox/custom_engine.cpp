#include "engine/sandbox/custom_engine.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/experiment_check.h"
#include "engine/reference.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/worker/worker_engine.h"
#include "instrument/instrument.h"
#include "kernels/catalog.h"
#include "model/quantity.h"

namespace stridescope::engine::sandbox {
namespace {

// combine compiled.
struct Compiled {
  std::string combine;
  model::ElementType type{};
  ObjectFile file;
};

constexpr std::chrono::milliseconds kStart{20'000}, kBetweenWorkerReports{1'000};
// Together what a trace may take in any place of the program (base/memory_limits.h).
constexpr std::uint64_t kTraceBytes = 192ull << 20, kDecodedBytes = 320ull << 20;

// What a person's text, or its code, had a hand in writing.
Error plain(Error error) {
  error.sentence = plainLine(std::move(error.sentence));
  error.details = plainLines(std::move(error.details));
  return error;
}

// In place of what became of the process: what combine did to it. Whatever the process says of a person's
// request to end, or of what is to be asked of a person, is not believed.
Error explained(Error error, const JobControl& job) {
  if (job.cancel) return cancelled().value();
  const std::string word = lastWordOf(error.details);
  if (word.empty()) {
    if (error.kind != ErrorKind::Usage && error.kind != ErrorKind::Limit) error.kind = ErrorKind::Unavailable;
    error.cause = ErrorCause::Other;
    return plain(std::move(error));
  }
  const bool isLimit = word.ends_with(kStoppedAtLimit);
  return {isLimit ? ErrorKind::Limit : ErrorKind::Unavailable,
          word + ". Fix its text, or take other numbers.",
          {},
          ErrorCause::CombineText};
}

// " (line 2)", counted in combine, where NVRTC names a line of the preamble that holds it; else empty.
// `place`: the compiler's line up to what it says.
std::string placeInCombine(std::string_view place, const model::Experiment& experiment) {
  constexpr std::string_view kPreamble = "preamble(";
  const std::size_t at = place.rfind(kPreamble);
  if (at == place.npos) return {};
  place.remove_prefix(at + kPreamble.size());
  std::ptrdiff_t row = 0;
  std::from_chars(place.data(), place.data() + place.size(), row);
  const std::string& combine = experiment.custom.combine;
  const std::string preamble = kernels::preambleOf(kernels::kernelText(experiment), experiment);
  const std::size_t begin = preamble.find(kernels::combineBody(combine));
  if (begin == preamble.npos) return {};
  const auto above = std::count(preamble.begin(), preamble.begin() + std::ptrdiff_t(begin), '\n');
  const auto lines = 1 + std::count(combine.begin(), combine.end(), '\n');
  if (row <= above || row > above + lines) return {};
  return " (line " + std::to_string(row - above) + ")";
}

// Our kernels compile with every operator of ours, so it is combine that NVRTC refuses: as the CPU's compiler
// did (`onTheCpu`), whose words name the place in combine, or alone.
Error refusedByNvrtc(const Error& error, const std::optional<Error>& onTheCpu,
                     const model::Experiment& experiment) {
  if (error.cause != ErrorCause::KernelText) return error;
  if (onTheCpu && onTheCpu->cause == ErrorCause::CombineText) return *onTheCpu;
  constexpr std::string_view kMark = "error: ";
  const std::string log = error.details.empty() ? error.sentence : error.details;
  const auto mark = log.find(kMark);
  const std::string said = mark == std::string::npos ? log : log.substr(mark + kMark.size());
  return {
      ErrorKind::Usage,
      "combine does not compile for the GPU: " + said.substr(0, said.find('\n')) +
          (mark == std::string::npos ? std::string()
                                     : placeInCombine(std::string_view(log).substr(0, mark), experiment)) +
          ". Fix its text, or step it on the CPU executor.",
      error.details, ErrorCause::CombineText};
}

class CustomEngine final : public Engine {
 public:
  CustomEngine(std::unique_ptr<Engine> engine, std::shared_ptr<const CodeTrust> trust,
               CustomEngineOptions options)
      : engine_(std::move(engine)), trust_(std::move(trust)), options_(std::move(options)) {}

  model::Executor executor() const override { return engine_->executor(); }
  bool isUsable() const override { return engine_->isUsable(); }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    return engine_->prepare(experiments, job);
  }

  Result<model::Trace> record(const model::Experiment& asked, JobControl& job) override {
    if (asked.op != model::Operator::Custom) return engine_->record(asked, job);
    const auto experiment = runnableExperiment(executor(), asked);
    if (!experiment) return tl::unexpected(experiment.error());
    if (!trust_->allows(experiment->custom.combine))
      return tl::unexpected(untrustedCode(experiment->custom.combine));
    const std::scoped_lock lock(mutex_);
    return engine_->executor().kind == model::EngineKind::Gpu ? recordOnGpu(*experiment, job)
                                                              : recordOnCpu(*experiment, job);
  }

 private:
  Result<void> compile(const model::Experiment& experiment, JobControl& job);
  Result<std::unique_ptr<Engine>> startWorker(const model::Experiment& experiment, JobControl& job);
  Result<model::OperatorTrial> trialOf(Engine& worker, const model::Experiment& experiment, JobControl& job);
  Result<model::Trace> recordOnCpu(const model::Experiment& experiment, JobControl& job);
  Result<model::Trace> recordOnGpu(const model::Experiment& experiment, JobControl& job);

  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const CodeTrust> trust_;
  CustomEngineOptions options_;
  std::mutex mutex_;  // guards what follows
  std::optional<Compiled> compiled_;
};

Result<void> CustomEngine::compile(const model::Experiment& experiment, JobControl& job) {
  const model::CustomOperator& custom = experiment.custom;
  if (compiled_ && compiled_->combine == custom.combine && compiled_->type == experiment.type) return {};
  compiled_.reset();
  if (job.progress) job.progress(0, "compiling combine");
  auto file = compileCombine(custom, experiment.type, job);
  if (!file) return tl::unexpected(plain(file.error()));
  compiled_ = Compiled{custom.combine, experiment.type, std::move(*file)};
  return {};
}

// The process that runs combine: for one record(), whose thread it ends with. Killed with the object, so that
// nothing of a person's code is left to run when nobody waits for it.
Result<std::unique_ptr<Engine>> CustomEngine::startWorker(const model::Experiment& experiment,
                                                          JobControl& job) {
  if (!options_.support.isComplete() && !trust_->allowsUnconfined())
    return tl::unexpected(unconfinedCode(experiment.custom.combine, options_.support.sentence()));
  if (auto compiled = compile(experiment, job); !compiled) return tl::unexpected(compiled.error());
  const worker::WorkerLimits limits{.start = kStart,
                                    .trial = options_.trial,
                                    .run = options_.run,
                                    .report = kBetweenWorkerReports,
                                    .leaving = std::chrono::milliseconds(0),
                                    .traceBytes = kTraceBytes,
                                    .decodedBytes = kDecodedBytes};
  auto worker = worker::makeWorkerEngine(
      combineWorkerCommand(options_.program, {.file = compiled_->file.path(), .type = experiment.type}),
      limits, job);
  if (!worker) return tl::unexpected(explained(worker.error(), job));
  return worker;
}

// A combine that fails on some number of the trial may be right for those of the experiment.
Result<model::OperatorTrial> CustomEngine::trialOf(Engine& worker, const model::Experiment& experiment,
                                                   JobControl& job) {
  if (job.progress) job.progress(0, "trying combine");
  auto trial = worker.tryOperator(experiment, job).and_then(plainTrial);
  if (trial) return trial;
  const Error why = explained(trial.error(), job);
  if (why.kind == ErrorKind::Cancelled) return tl::unexpected(why);
  return model::OperatorTrial{.findings = {},
                              .whyNotTried = "The trial of combine was not finished: " + why.sentence};
}

Result<model::Trace> CustomEngine::recordOnCpu(const model::Experiment& experiment, JobControl& job) {
  const auto worker = startWorker(experiment, job);
  if (!worker) return tl::unexpected(worker.error());
  auto trial = trialOf(**worker, experiment, job);
  if (!trial) return tl::unexpected(trial.error());
  auto trace = (*worker)->record(experiment, job).and_then([&](model::Trace recorded) {
    return plainTrace(std::move(recorded), experiment, executor());
  });
  if (!trace) return tl::unexpected(explained(trace.error(), job));
  auto expected = (*worker)->foldInput(experiment, job).and_then(plainNumber);
  if (!expected) return tl::unexpected(explained(expected.error(), job));
  judge(*trace, *std::move(trial), *std::move(expected));
  return trace;
}

Result<model::Trace> CustomEngine::recordOnGpu(const model::Experiment& experiment, JobControl& job) {
  model::OperatorTrial trial;
  std::string expected;
  std::optional<Error> refusedOnTheCpu;
  if (const auto worker = startWorker(experiment, job)) {
    auto tried = trialOf(**worker, experiment, job);
    if (!tried) return tl::unexpected(tried.error());
    trial = *std::move(tried);
    // A combine that does not end on these numbers on the CPU would not on the GPU.
    auto folded = (*worker)->foldInput(experiment, job).and_then(plainNumber);
    if (!folded) return tl::unexpected(explained(folded.error(), job));
    expected = *std::move(folded);
  } else if (worker.error().kind == ErrorKind::Cancelled) {
    return tl::unexpected(worker.error());
  } else {
    refusedOnTheCpu = worker.error();
    trial.whyNotTried = "combine was not tried: " + worker.error().sentence;
  }
  auto trace = engine_->record(experiment, job);
  if (!trace) return tl::unexpected(refusedByNvrtc(trace.error(), refusedOnTheCpu, experiment));
  judge(*trace, std::move(trial), std::move(expected));
  return trace;
}

}  // namespace

std::unique_ptr<Engine> makeCustomEngine(std::unique_ptr<Engine> engine,
                                         std::shared_ptr<const CodeTrust> trust,
                                         CustomEngineOptions options) {
  return std::make_unique<CustomEngine>(std::move(engine), std::move(trust), std::move(options));
}

namespace {

constexpr std::size_t kMaxLineBytes = 1 << 10;
constexpr std::size_t kMaxLinesBytes = 64 << 10;
constexpr std::size_t kMaxNumberBytes = 32;
constexpr unsigned kProperties = 4;  // TrialProperty

bool isPrintable(char c) { return c >= 0x20 && c < 0x7f; }

tl::unexpected<Error> noAnswer(const char* what) {
  return unavailable("The process that runs your combine gave an answer that makes no sense: " +
                     std::string(what) + ". Fix the text of combine.");
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNumberBytes && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
  });
}

}  // namespace

std::string plainLine(std::string text) {
  text.resize(std::min(text.size(), kMaxLineBytes));
  std::ranges::replace_if(
      text, [](char c) { return !isPrintable(c); }, '?');
  return text;
}

std::string plainLines(std::string text) {
  text.resize(std::min(text.size(), kMaxLinesBytes));
  std::ranges::replace(text, '\t', ' ');
  std::ranges::replace_if(
      text, [](char c) { return c != '\n' && !isPrintable(c); }, '?');
  return text;
}

Result<model::Trace> plainTrace(model::Trace trace, const model::Experiment& experiment,
                                model::Executor executor) {
  const std::string_view kernel = kernels::kernelText(experiment);
  const auto text = instrument::instrument(kernel);
  if (trace.experiment != experiment) return noAnswer("it is of another experiment");
  if (!text || trace.kernelText != kernel || trace.preamble != kernels::preambleOf(kernel, experiment) ||
      trace.sites != text->sites || trace.kernel != text->model)
    return noAnswer("it is of another kernel");
  if (!trace.result.empty() && !isNumber(trace.result)) return noAnswer("its result is no number");
  trace.executor = std::move(executor);
  trace.executor.recordedOn = model::utcNow();
  trace.expected.clear();
  trace.ok = false;
  trace.verdictIsRecorded = false;
  trace.checkNote = plainLine(std::move(trace.checkNote));
  for (model::LaunchTrace& launch : trace.launches) {
    for (model::Array& buffer : launch.buffers) buffer.name = plainLine(std::move(buffer.name));
    for (model::BlockTrace& block : launch.blocks) {
      for (model::Array& array : block.shared) array.name = plainLine(std::move(array.name));
      for (model::Problem& problem : block.problems) problem.text = plainLine(std::move(problem.text));
    }
  }
  trace.trial = {};
  return trace;
}

Result<model::OperatorTrial> plainTrial(model::OperatorTrial trial) {
  unsigned property = 0;
  for (model::TrialFinding& finding : trial.findings) {
    if (finding.property != model::TrialProperty(property++) || finding.verdict > model::TrialVerdict::Fails)
      return noAnswer("what it found in the trial is unknown");
    finding.sentence = plainLine(std::move(finding.sentence));
  }
  if (property != kProperties) return noAnswer("it did not try everything");
  trial.whyNotTried = plainLine(std::move(trial.whyNotTried));
  return trial;
}

Result<std::string> plainNumber(std::string text) {
  if (!isNumber(text)) return noAnswer("what the plain loop gave is no number");
  return text;
}

}  // namespace stridescope::engine::sandbox
