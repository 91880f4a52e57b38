#include "combine_worker.h"

#include <chrono>
#include <string_view>

#include "engine/reference.h"
#include "engine/sandbox/combine_compiler.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/confined_library.h"
#include "engine/sandbox/try_operator.h"
#include "engine/worker/worker_engine.h"
#include "model/arithmetic.h"

namespace stridescope::engine::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCommand = "combine-worker";
constexpr std::uint64_t kElementsBetweenLooks = 16;  // at the clock
constexpr std::chrono::milliseconds kBetweenFoldReports{100};

class CombineEngine final : public Engine {
 public:
  explicit CombineEngine(const host::CompiledCombine& combine)
      : host_(host::makeHostEngine({}, combine)), combine_(host::onBits(combine)) {}

  model::Executor executor() const override { return host_->executor(); }
  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    return host_->record(experiment, job);
  }
  Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) override {
    return tryCombine(experiment, combine_, job);
  }
  // Begins with the first element, as a person would: a wrong identity does not change what must come out.
  Result<std::string> foldInput(const model::Experiment& experiment, JobControl& job) override {
    std::uint64_t value = experiment.elements == 0 ? identityOf(experiment) : inputElement(experiment, 0);
    auto reported = Clock::now();
    for (std::uint64_t i = 1; i < experiment.elements; ++i) {
      value = combine_(value, inputElement(experiment, i));
      if (i % kElementsBetweenLooks != 0 || Clock::now() - reported < kBetweenFoldReports) continue;
      reported = Clock::now();
      if (job.cancel) return cancelled();
      if (job.progress)
        job.progress(float(double(i) / double(experiment.elements)), "a plain loop to compare with");
    }
    return model::printElement(experiment.type, value);
  }

 private:
  std::unique_ptr<Engine> host_;
  BitsCombine combine_;
};

}  // namespace

worker::WorkerCommand combineWorkerCommand(const std::string& program,
                                           const CombineWorkerArguments& arguments) {
  return {.program = program,
          .arguments = {std::string(kCommand), arguments.file, std::string(model::nameOf(arguments.type))},
          .name = "stridescope",
          .environment = variablesOfTheLoader(),
          .subject = "The process that runs your combine",
          .causeOfSilence = "combine is too slow, or does not end",
          .advice = "Fix its text, or take other numbers."};
}

std::optional<CombineWorkerArguments> combineWorkerArguments(int argc, const char* const* argv) {
  if (argc != 4 || argv[1] != kCommand) return std::nullopt;
  const auto type = model::parseElementType(argv[3]);
  if (!type) return std::nullopt;
  return CombineWorkerArguments{.file = argv[2], .type = *type};
}

int serveCombine(const CombineWorkerArguments& arguments, const GuardLimits& limits) {
  // Made while the process may still read about itself.
  guardProcess(arguments.type, limits);
  auto engine = std::make_unique<CombineEngine>(watchedCombine(arguments.type));
  const auto confined = confineFiles(arguments.file, "combine");
  return worker::serveEngine([&]() -> Result<std::unique_ptr<Engine>> {
    if (!confined) return tl::unexpected(confined.error());
    const auto combine = loadConfined(arguments.file, kCombineSymbol, "combine", guardLoading);
    if (!combine) return tl::unexpected(combine.error());
    guardCalls(reinterpret_cast<host::AnyFunction>(*combine));
    return std::move(engine);
  });
}

}  // namespace stridescope::engine::sandbox
