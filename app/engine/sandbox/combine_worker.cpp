#include "combine_worker.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "engine/reference.h"
#include "engine/sandbox/combine_compiler.h"
#include "engine/sandbox/combine_guard.h"
#include "engine/sandbox/confinement.h"
#include "engine/sandbox/try_operator.h"
#include "engine/worker/serve_engine.h"
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

tl::unexpected<Error> notForbidden(const char* what) {
  return unavailable(std::string("The process that runs your combine could not give up ") + what +
                         ", so it was not run. Close other programs.",
                     ::strerror(errno));
}

// Nobody but this process knows the variables from now on, and this one does not either.
void forgetEnvironment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    ::memset(*variable, 0, ::strlen(*variable));
  ::clearenv();
}

// Killed with the thread that started it, which waits for it (custom_engine.cpp), whatever a person's code
// does.
void endWithTheProgram() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char byte = 0;
  if (::recv(worker::kWorkerSocket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
    std::_Exit(EXIT_SUCCESS);  // it is gone already
}

// What holds for the thread that calls it and those that it starts: before the process has a second one.
Result<void> confineFiles(const std::string& library) {
  endWithTheProgram();
  ::tzset();  // reads a file, for the date of a trace
  forgetEnvironment();
  // What the library depends on is loaded: this program needs it, too.
  const auto rules = FileRules::make({{library, FileAccess::Read}});
  if (!rules) return tl::unexpected(rules.error());
  if (!giveUpPrivileges()) return notForbidden("its privileges");
  if (!rules->enforce()) return notForbidden("your files");
  return {};
}

Result<void> forbid(const Result<CallFilter>& filter) {
  if (!filter) return tl::unexpected(filter.error());
  if (!filter->enforce()) return notForbidden("system calls");
  return {};
}

Result<host::AnyFunction> loadCombine(const std::string& library) {
  const auto calling = callingFilter();  // built now: it needs a file in memory
  if (!calling) return tl::unexpected(calling.error());
  guardLoading();
  if (auto forbidden = forbid(loadingFilter()); !forbidden) return tl::unexpected(forbidden.error());
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the process's life
  void* const symbol = opened == nullptr ? nullptr : ::dlsym(opened, kCombineSymbol);
  if (symbol == nullptr) {
    const char* const why = ::dlerror();
    return unavailable("The compiled combine could not be loaded from " +
                           std::filesystem::path(library).parent_path().native() +
                           ". If programs may not run there, name another folder in TMPDIR.",
                       why == nullptr ? "" : why);
  }
  if (auto forbidden = forbid(calling); !forbidden) return tl::unexpected(forbidden.error());
  return reinterpret_cast<host::AnyFunction>(symbol);
}

// What this program may need to start; the sanitizers' are tests'. The process forgets them, too.
std::vector<std::string> variablesOfTheLoader() {
  std::vector<std::string> variables;
  for (const std::string name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* const value = std::getenv(name.c_str())) variables.push_back(name + "=" + value);
  return variables;
}

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
  const auto confined = confineFiles(arguments.file);
  return worker::serveEngine([&]() -> Result<std::unique_ptr<Engine>> {
    if (!confined) return tl::unexpected(confined.error());
    const auto combine = loadCombine(arguments.file);
    if (!combine) return tl::unexpected(combine.error());
    guardCalls(*combine);
    return std::move(engine);
  });
}

}  // namespace stridescope::engine::sandbox
