// What a session is given in a page.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lab/sources/sources.h"
#include "measure/timing_board.h"
#include "model/quantities.h"
#include "session/services.h"

namespace stridescope::web {

// What the shipped recordings have measured: nothing until the page has fetched them.
struct FetchedRecordings {
  lab::sources::RecordSet records{};
};

session::SessionServices pageServices(const std::shared_ptr<FetchedRecordings>& fetched,
                                      const std::function<void()>& wake);

// Reads what the recordings in their folder have measured: a table of a file in each turn, because a page
// does nothing else meanwhile.
class RecordingsReader {
 public:
  RecordingsReader();
  // True once all is read. The records are then those of `fetched`, and their timings are on the board.
  bool takeTurn(FetchedRecordings& fetched, measure::TimingBoard& board);

 private:
  template <class Record>
  using List = std::vector<Record>;
  model::PerQuantity<List> read_{};
  std::vector<std::function<void()>> turns_;  // the last comes first
};

}  // namespace stridescope::web
