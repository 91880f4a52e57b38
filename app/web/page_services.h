// What a session is given in a page.
#pragma once

#include <functional>
#include <memory>

#include "lab/sources/records.h"
#include "session/services.h"

namespace stridescope::web {

// What the shipped recordings have measured: nothing until the page has fetched them.
struct FetchedRecordings {
  lab::sources::RecordSet records{};
};

session::SessionServices pageServices(const std::shared_ptr<FetchedRecordings>& fetched,
                                      const std::function<void()>& wake);

// The recordings are in their folder: their records are read when they are asked for, and their timings are
// on the board.
void takeRecordings(FetchedRecordings& fetched, measure::TimingBoard& board);

}  // namespace stridescope::web
