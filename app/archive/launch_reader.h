// Reads the launches of one trace from a recording's tables.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "archive/database.h"
#include "archive/recording_read.h"
#include "archive/row_shapes.h"
#include "model/trace.h"

namespace stridescope::archive {

class LaunchReader {
 public:
  LaunchReader(const OpenRecording& recording, std::int64_t trace, ReadState& state);

  // Appends the launches, `count` of them as the trace says. After the first fault everything reads as empty.
  // Rows that are one too many end the reading, so that no file can fill the memory.
  void read(std::vector<model::LaunchTrace>& launches, std::size_t count);

 private:
  void readBlock(RowReader& row, model::LaunchTrace& launch, std::int64_t number);
  void readOtherBlocks(model::LaunchTrace& launch, std::int64_t number);
  void readArrays(model::LaunchTrace& launch, std::int64_t number);
  void readShapes(model::LaunchTrace& launch, std::int64_t number);
  void readEvents(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readBarrierCopies(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readCopiedWords(model::LaunchTrace& launch, std::int64_t number, std::size_t count);
  void readProblems(model::LaunchTrace& launch, std::int64_t number);
  void readIssues(model::LaunchTrace& launch, std::int64_t number);
  template <class Each>
  void readList(std::optional<RowReader>& rows, const RowShape& shape, std::size_t most, std::int64_t number,
                std::vector<Each>& list);

  const OpenRecording& recording_;
  std::int64_t trace_;
  ReadState& state_;
  RowReader launches_, arrays_, barrierCopies_, copiedWords_, problems_;
  std::optional<RowReader> issues_, others_, meetings_, arrivals_, extents_, members_,
      deviceBlocks_;  // nothing: the recording does not tell them
};

// Before format 8 a trace had the loads within an expression in the order that the compiler of the time had
// chosen for them. Where such a trace is read, they are put in the order of the text, as a new trace has them
// from the start; nothing else in the program knows of the other order.

// Sorts, in each thread, each run of loads of one statement in which every site comes once: by site. All
// other events stay where they are, and the two halves of a 16-byte load stay together. `sites` are those of
// the launch's trace, which holds together (model::faultOf).
void putLoadsInOrder(model::LaunchTrace& launch, const std::vector<model::Site>& sites);

}  // namespace stridescope::archive
