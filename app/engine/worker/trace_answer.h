// What the browser edition's executor answers to an experiment: a trace, or why there is none, as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "base/result.h"
#include "engine/worker/byte_archive.h"
#include "model/trace.h"

namespace stridescope::engine::worker {

inline ByteWriter traceAnswer(const Result<model::Trace>& trace) {
  ByteWriter answer;
  answer(trace.has_value());
  if (trace)
    answer(*trace);
  else
    answer(trace.error());
  return answer;
}

// `nonsense`: the sentence for bytes that are no answer.
inline Result<model::Trace> readTraceAnswer(std::span<const std::byte> bytes, const char* nonsense) {
  ByteReader reader(bytes);
  bool isRecorded = false;
  model::Trace trace;
  Error error;
  reader(isRecorded);
  if (isRecorded)
    reader(trace);
  else
    reader(error);
  if (!reader.isComplete()) return unavailable(nonsense);
  if (!isRecorded) return tl::unexpected(std::move(error));
  return trace;
}

}  // namespace stridescope::engine::worker
