// The CPU executor of the browser edition: a module of its own, in a worker of the page, that is asked for
// one run at a time. It is given an experiment as bytes, and answers with a trace or an error as bytes
// (engine/worker/trace_answer.h).
#include <emscripten/emscripten.h>

#include <cstddef>
#include <memory>

#include "engine/engine.h"
#include "engine/host/host_engine.h"
#include "engine/worker/byte_archive.h"
#include "engine/worker/trace_answer.h"
#include "model/trace.h"

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

engine::worker::ByteWriter& answer() {
  static engine::worker::ByteWriter writer;
  return writer;
}

}  // namespace
}  // namespace stridescope::web

using namespace stridescope;

extern "C" {

EMSCRIPTEN_KEEPALIVE void executor_record(const std::byte* question, std::size_t bytes) {
  web::answer() = engine::worker::traceAnswer(web::record({question, bytes}));
}

// Until the next question.
EMSCRIPTEN_KEEPALIVE const std::byte* executor_answer() { return web::answer().bytes().data(); }
EMSCRIPTEN_KEEPALIVE std::size_t executor_answer_bytes() { return web::answer().bytes().size(); }
}

int main() { return 0; }
