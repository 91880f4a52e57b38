#include "combine_worker.h"

#include <dlfcn.h>

#include <chrono>
#include <string_view>

#include "engine/custom/combine_compiler.h"
#include "engine/custom/combine_guard.h"
#include "engine/custom/try_operator.h"
#include "engine/reference.h"
#include "engine/worker/serve_engine.h"
#include "trace/value.h"

namespace stridescope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCommand = "combine-worker";
constexpr std::uint64_t kElementsBetweenLooks = 256;  // at the clock
constexpr std::chrono::milliseconds kBetweenReports{100};

class CombineEngine final : public Engine {
 public:
  explicit CombineEngine(const CompiledCombine& combine)
      : host_(makeHostEngine({}, combine)), combine_(onBits(combine)) {}

  Executor executor() const override { return host_->executor(); }
  Result<Trace> record(const Experiment& experiment, JobControl& job) override {
    return host_->record(experiment, job);
  }
  Result<OperatorTrial> tryOperator(const Experiment& experiment, JobControl& job) override {
    return tryCombine(experiment, combine_, job);
  }
  // Begins with the first element, as a person would: a wrong identity does not change what must come out.
  Result<std::string> foldInput(const Experiment& experiment, JobControl& job) override {
    std::uint64_t value = experiment.elements == 0 ? identityOf(experiment) : inputElement(experiment, 0);
    auto reported = Clock::now();
    for (std::uint64_t i = 1; i < experiment.elements; ++i) {
      value = combine_(value, inputElement(experiment, i));
      if (i % kElementsBetweenLooks != 0 || Clock::now() - reported < kBetweenReports) continue;
      reported = Clock::now();
      if (job.cancel) return cancelled();
      if (job.progress)
        job.progress(float(double(i) / double(experiment.elements)), "a plain loop to compare with");
    }
    return printElement(experiment.type, value);
  }

 private:
  std::unique_ptr<Engine> host_;
  BitsCombine combine_;
};

Result<std::unique_ptr<Engine>> openCombine(const CombineWorkerArguments& arguments) {
  void* const library = ::dlopen(arguments.file.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the process's life
  void* const symbol = library == nullptr ? nullptr : ::dlsym(library, kCombineSymbol);
  if (symbol == nullptr) {
    const char* const why = ::dlerror();
    return unavailable("The compiled combine could not be loaded from " +
                           std::filesystem::path(arguments.file).parent_path().native() +
                           ". If programs may not run there, name another folder in TMPDIR.",
                       why == nullptr ? "" : why);
  }
  return std::make_unique<CombineEngine>(
      guarded({.type = arguments.type, .function = reinterpret_cast<AnyFunction>(symbol)}));
}

}  // namespace

WorkerCommand combineWorkerCommand(const std::string& program, const CombineWorkerArguments& arguments) {
  return {.program = program,
          .arguments = {std::string(kCommand), arguments.file, std::string(nameOf(arguments.type))},
          .name = "stridescope",
          .subject = "The process that runs your combine",
          .causeOfSilence = "combine is too slow, or does not end",
          .advice = "Mend its text, or take other numbers."};
}

std::optional<CombineWorkerArguments> combineWorkerArguments(int argc, const char* const* argv) {
  if (argc != 4 || argv[1] != kCommand) return std::nullopt;
  const auto type = parseElementType(argv[3]);
  if (!type) return std::nullopt;
  return CombineWorkerArguments{.file = argv[2], .type = *type};
}

int serveCombine(const CombineWorkerArguments& arguments) {
  return serveEngine([&] { return openCombine(arguments); });
}

}  // namespace stridescope
