// The CPU executor of the browser edition: a module of its own, in a worker of the page, that is asked for
// one run at a time. It is given an experiment as bytes, and answers with a trace or an error as bytes
// (engine/worker/trace_answer.h).
#include <emscripten/emscripten.h>

#include <cstddef>
#include <memory>
#include <span>

#include "engine/engine.h"
#include "engine/host/host_engine.h"
#include "engine/worker/byte_archive.h"
#include "engine/worker/trace_answer.h"
#include "model/trace.h"
#include "worker_question.h"

EM_JS(void, workerProgress, (double fraction), { postMessage({fraction}); });

namespace stridescope::web {
namespace {

// A browser gives a page less memory than a machine gives a program.
constexpr engine::RecordLimits kLimits{.traceBytes = 32ull << 20};

Result<model::Trace> record(std::span<const std::byte> question) {
  static const std::unique_ptr<engine::Engine> executor = engine::host::makeHostEngine(kLimits);
  engine::worker::ByteReader reader(question);
  model::Experiment experiment;
  reader(experiment);
  if (!reader.isComplete()) return unavailable("The executor was sent no experiment. Load the page again.");
  engine::JobControl job;
  job.progress = [](float fraction, const std::string&) { workerProgress(double(fraction)); };
  return executor->record(experiment, job);
}

}  // namespace

engine::worker::ByteWriter answerTo(std::span<const std::byte> question) {
  return engine::worker::traceAnswer(record(question));
}

}  // namespace stridescope::web

int main() { return 0; }
