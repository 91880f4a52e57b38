// Reads the launches of one trace from a recording's tables.
#pragma once

#include <cstdint>
#include <vector>

#include "archive/database.h"
#include "model/trace.h"

namespace stridescope {

class LaunchReader {
 public:
  LaunchReader(sqlite3* database, std::int64_t trace, ReadState& state);

  // Appends the launches, `count` of them as the trace says. After the first fault everything reads as empty.
  // Rows that are one too many end the reading, so that no file can fill the memory.
  void read(std::vector<LaunchTrace>& launches, std::size_t count);

 private:
  void readArrays(LaunchTrace& launch, std::int64_t number);
  void readEvents(LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readBarrierCopies(LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readCopiedWords(LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readProblems(LaunchTrace& launch, std::int64_t number);

  std::int64_t trace_;
  RowReader launches_, arrays_, events_, barrierCopies_, copiedWords_, problems_;
};

}  // namespace stridescope
