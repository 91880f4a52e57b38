#include "worker_question.h"

#include <emscripten/emscripten.h>

using namespace stridescope;

namespace {

engine::worker::ByteWriter& answer() {
  static engine::worker::ByteWriter writer;
  return writer;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void worker_ask(const std::byte* question, std::size_t bytes) {
  answer() = {};  // the one before may take much memory
  answer() = web::answerTo({question, bytes});
}

// Until the next question.
EMSCRIPTEN_KEEPALIVE const std::byte* worker_answer() { return answer().bytes().data(); }
EMSCRIPTEN_KEEPALIVE std::size_t worker_answer_bytes() { return answer().bytes().size(); }
}
