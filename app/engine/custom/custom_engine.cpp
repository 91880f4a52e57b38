#include "custom_engine.h"

#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/custom/combine_compiler.h"
#include "engine/custom/combine_guard.h"
#include "engine/custom/combine_worker.h"
#include "engine/custom/judge.h"
#include "engine/engine_limits.h"
#include "engine/experiment_check.h"
#include "engine/worker/worker_engine.h"

namespace stridescope {
namespace {

// combine compiled, and the process that runs it.
struct Compiled {
  std::string combine;
  ElementType type{};
  CombineFile file;
  std::unique_ptr<Engine> engine;
};

// In place of what became of the process: what combine did to it.
Error explained(Error error) {
  const std::string word = lastWordOf(error.details);
  if (word.empty()) return error;
  return {error.kind, word + ". Mend its text, or take other numbers.", {}, ErrorCause::CombineText};
}

// Our kernels compile with every operator of ours, so it is combine that NVRTC refuses: as the CPU's compiler
// did (`onTheCpu`), whose words name the place in combine, or alone.
Error refusedByNvrtc(const Error& error, const std::optional<Error>& onTheCpu) {
  if (error.cause != ErrorCause::KernelText) return error;
  if (onTheCpu && onTheCpu->cause == ErrorCause::CombineText) return *onTheCpu;
  constexpr std::string_view kMark = "error: ";
  const std::string log = error.details.empty() ? error.sentence : error.details;
  const auto mark = log.find(kMark);
  const std::string said = mark == std::string::npos ? log : log.substr(mark + kMark.size());
  return {ErrorKind::Usage,
          "combine does not compile for the GPU: " + said.substr(0, said.find('\n')) +
              ". Mend its text, or step it on the CPU executor.",
          error.details, ErrorCause::CombineText};
}

class CustomEngine final : public Engine {
 public:
  CustomEngine(std::unique_ptr<Engine> engine, std::shared_ptr<const CodeTrust> trust, std::string program)
      : engine_(std::move(engine)), trust_(std::move(trust)), program_(std::move(program)) {}

  Executor executor() const override { return engine_->executor(); }
  bool isUsable() const override { return engine_->isUsable(); }

  Result<void> prepare(std::span<const Experiment> experiments, JobControl& job) override {
    return engine_->prepare(experiments, job);
  }

  Result<Trace> record(const Experiment& asked, JobControl& job) override {
    if (asked.op != Operator::Custom) return engine_->record(asked, job);
    const auto experiment = checkedExperiment(asked, true);
    if (!experiment) return tl::unexpected(experiment.error());
    if (const std::string refusal = refusalOf(executor(), *experiment); !refusal.empty())
      return usageError(refusal + " Step it on the CPU executor.");
    if (!trust_->allows(experiment->custom.combine))
      return tl::unexpected(untrustedCode(experiment->custom.combine));
    const std::scoped_lock lock(mutex_);
    return engine_->executor().kind == EngineKind::Gpu ? recordOnGpu(*experiment, job)
                                                       : recordOnCpu(*experiment, job);
  }

 private:
  Result<Engine*> compiled(const Experiment& experiment, JobControl& job);
  Result<OperatorTrial> trialOf(Engine& engine, const Experiment& experiment, JobControl& job);
  Result<Trace> recordOnCpu(const Experiment& experiment, JobControl& job);
  Result<Trace> recordOnGpu(const Experiment& experiment, JobControl& job);

  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const CodeTrust> trust_;
  std::string program_;
  std::mutex mutex_;  // of what follows
  std::optional<Compiled> compiled_;
};

Result<Engine*> CustomEngine::compiled(const Experiment& experiment, JobControl& job) {
  const CustomOperator& custom = experiment.custom;
  if (compiled_ && compiled_->combine == custom.combine && compiled_->type == experiment.type)
    return compiled_->engine.get();
  compiled_.reset();
  if (job.progress) job.progress(0, "compiling combine");
  auto file = compileCombine(custom, experiment.type, job);
  if (!file) return tl::unexpected(file.error());
  auto engine =
      makeWorkerEngine(combineWorkerCommand(program_, {.file = file->path(), .type = experiment.type}));
  if (!engine) return tl::unexpected(explained(engine.error()));
  compiled_ = Compiled{custom.combine, experiment.type, std::move(*file), std::move(*engine)};
  return compiled_->engine.get();
}

// A combine that fails on some number of the trial may be right for those of the experiment.
Result<OperatorTrial> CustomEngine::trialOf(Engine& engine, const Experiment& experiment, JobControl& job) {
  if (job.progress) job.progress(0, "trying combine");
  auto trial = engine.tryOperator(experiment, job);
  if (trial) return trial;
  if (trial.error().kind == ErrorKind::Cancelled) return trial;
  return OperatorTrial{
      .findings = {},
      .whyNotTried = "The trial of combine was not finished: " + explained(trial.error()).sentence};
}

Result<Trace> CustomEngine::recordOnCpu(const Experiment& experiment, JobControl& job) {
  const auto engine = compiled(experiment, job);
  if (!engine) return tl::unexpected(engine.error());
  auto trial = trialOf(**engine, experiment, job);
  if (!trial) return tl::unexpected(trial.error());
  auto trace = (*engine)->record(experiment, job);
  if (!trace) return tl::unexpected(explained(trace.error()));
  auto expected = (*engine)->foldInput(experiment, job);
  if (!expected) return tl::unexpected(explained(expected.error()));
  judge(*trace, *std::move(trial), *std::move(expected));
  return trace;
}

Result<Trace> CustomEngine::recordOnGpu(const Experiment& experiment, JobControl& job) {
  OperatorTrial trial;
  std::string expected;
  std::optional<Error> refusedOnTheCpu;
  if (const auto engine = compiled(experiment, job)) {
    auto tried = trialOf(**engine, experiment, job);
    if (!tried) return tl::unexpected(tried.error());
    trial = *std::move(tried);
    // A combine that does not end on these numbers on the CPU would not on the GPU.
    auto folded = (*engine)->foldInput(experiment, job);
    if (!folded) return tl::unexpected(explained(folded.error()));
    expected = *std::move(folded);
  } else if (engine.error().kind == ErrorKind::Cancelled) {
    return tl::unexpected(engine.error());
  } else {
    refusedOnTheCpu = engine.error();
    trial.whyNotTried = "combine was not tried: " + engine.error().sentence;
  }
  auto trace = engine_->record(experiment, job);
  if (!trace) return tl::unexpected(refusedByNvrtc(trace.error(), refusedOnTheCpu));
  judge(*trace, std::move(trial), std::move(expected));
  return trace;
}

}  // namespace

std::unique_ptr<Engine> makeCustomEngine(std::unique_ptr<Engine> engine,
                                         std::shared_ptr<const CodeTrust> trust, std::string program) {
  return std::make_unique<CustomEngine>(std::move(engine), std::move(trust), std::move(program));
}

}  // namespace stridescope
