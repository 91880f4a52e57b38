// What the page asks of a worker that exports, as bytes: the same in both.
#pragma once

#include "session/exported_traces.h"

namespace stridescope::web {

// `archive`: a ByteWriter of engine/worker/byte_archive.h, or a ByteReader.
template <class Archive, class File>
void exchangeFile(Archive& archive, File& file) {
  archive(file.as, file.path, file.panel, file.width, file.height, file.scale, file.rounds, file.questions,
          file.presented, file.values);
}

template <class Archive, class Traces>
void exchangeTraces(Archive& archive, Traces& traces) {
  archive(traces.traces, traces.clocks, traces.counters);
}

}  // namespace stridescope::web
