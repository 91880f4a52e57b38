#include "executor_engine.h"

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "engine/worker/byte_archive.h"
#include "engine/worker/trace_answer.h"
#include "model/trace.h"
#include "model/trace_check.h"
#include "on_a_machine.h"

// The functions of workers.js that this calls. `run`: the number that executorAsk() has given.
EM_JS(int, executorAsk, (const void* question, unsigned bytes),
      { return Module.executors.ask(HEAPU8.slice(question, question + bytes)); });
// The answer's bytes; -1: it is not there yet; -2: there will be none; -3: there will be none, because a
// stack was full.
EM_JS(int, executorAnswerBytes, (int run), { return Module.executors.answerBytes(run); });
EM_JS(void, executorTakeAnswer, (int run, void* to), { HEAPU8.set(Module.executors.reply(run).answer, to); });
EM_JS(double, executorFraction, (int run), { return Module.executors.progress(run).fraction; });
EM_JS(void, executorEnd, (int run), { Module.executors.end(run); });

namespace stridescope::web {
namespace {

constexpr int kNotYet = -1, kLost = -2, kStackFull = -3, kNeverStarted = -4;
// A job that asks for several runs is done again after each, and finds those before.
constexpr std::size_t kKept = 4;
constexpr double kForgottenAfter = 1000;  // ms: who waits for a run asks for it in every frame

// The runs that all engines of the page have asked for: an engine may be made anew for each question.
class Runs {
 public:
  Result<model::Trace> of(const model::Experiment& experiment, engine::JobControl& job) {
    for (const auto& [asked, trace] : kept_)
      if (asked == experiment) return trace;
    auto run = std::ranges::find(asked_, experiment, &Asked::experiment);
    if (run == asked_.end()) run = ask(experiment);
    run->lastWanted = emscripten_get_now();
    const int number = run->number, bytes = executorAnswerBytes(number);
    if (bytes == kNotYet) {
      job.awaits = true;
      if (job.progress) job.progress(float(executorFraction(number)), "Recording " + experiment.variant);
      return cancelled();
    }
    asked_.erase(run);
    if (bytes == kStackFull) {
      executorEnd(number);
      return onAMachine(
          "A thread of the kernel has filled its stack, and the CPU executor has ended in the middle of the "
          "run: in "
          "a page a thread's stack has 8 KiB. The program on a machine gives it more.");
    }
    if (bytes == kNeverStarted) {
      executorEnd(number);
      return unavailable(
          "The CPU executor could not be loaded: a file of the page is missing or damaged. Look at the "
          "network, and load the page again.");
    }
    if (bytes == kLost) {
      executorEnd(number);
      return limitMet(
          "The CPU executor has ended in the middle of the run, most likely for want of memory. Take fewer "
          "elements.");
    }
    std::vector<std::byte> answer(std::size_t(bytes), std::byte{});
    executorTakeAnswer(number, answer.data());
    executorEnd(number);
    auto trace = engine::worker::readTraceAnswer(
        answer, "What the CPU executor answered makes no sense. Load the page again.");
    if (trace) kept_.emplace_front(experiment, *trace);
    if (kept_.size() > kKept) kept_.pop_back();
    return trace;
  }

 private:
  struct Asked {
    model::Experiment experiment;
    int number = 0;
    double lastWanted = 0;
  };

  std::vector<Asked>::iterator ask(const model::Experiment& experiment) {
    std::erase_if(asked_, [](const Asked& run) {
      const bool isForgotten = emscripten_get_now() - run.lastWanted > kForgottenAfter;
      if (isForgotten) executorEnd(run.number);
      return isForgotten;
    });
    engine::worker::ByteWriter question;
    question(experiment);
    asked_.push_back({experiment, executorAsk(question.bytes().data(), unsigned(question.bytes().size()))});
    return asked_.end() - 1;
  }

  std::vector<Asked> asked_;  // under way
  std::deque<std::pair<model::Experiment, model::Trace>> kept_;
};

Runs& runs() {
  static Runs all;
  return all;
}

class ExecutorEngine final : public engine::Engine {
 public:
  model::Executor executor() const override {
    return {.kind = model::EngineKind::Host,
            .device = "CPU executor",
            .computeCapability = {},
            .driver = {},
            .compiler = "clang, for WebAssembly",
            .recordedOn = {}};
  }

  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    if (experiment.op == model::Operator::Custom)
      return onAMachine(
          "A page has no compiler for an operator of your own. The program on a machine has one.");
    if (job.cancel) return cancelled();
    return runs().of(experiment, job);
  }
};

}  // namespace

std::unique_ptr<engine::Engine> makeExecutorEngine() { return std::make_unique<ExecutorEngine>(); }

}  // namespace stridescope::web
