// Reads the launches of one trace from a recording's tables.
#pragma once

#include <cstdint>
#include <vector>

#include "archive/database.h"
#include "archive/recording_open.h"
#include "model/trace.h"

namespace stridescope::archive {

class LaunchReader {
 public:
  LaunchReader(const OpenRecording& recording, std::int64_t trace, ReadState& state);

  // Appends the launches, `count` of them as the trace says. After the first fault everything reads as empty.
  // Rows that are one too many end the reading, so that no file can fill the memory.
  void read(std::vector<model::LaunchTrace>& launches, std::size_t count);

 private:
  void readArrays(model::LaunchTrace& launch, std::int64_t number);
  void readEvents(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readBarrierCopies(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readCopiedWords(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readProblems(model::LaunchTrace& launch, std::int64_t number);

  const OpenRecording& recording_;
  std::int64_t trace_;
  ReadState& state_;
  RowReader launches_, arrays_, barrierCopies_, copiedWords_, problems_;
};

}  // namespace stridescope::archive
