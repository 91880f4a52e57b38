// What recordings have measured: those that come with the program, beside it in a package and in the source
// folder in a build, and any other file. Each table is read when it is first asked for, once.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/quantities.h"

namespace stridescope::lab::sources {

// The records of one quantity. Copies share what was read; calls may come from several threads.
template <class Record>
class Records {
 public:
  using List = Result<std::vector<Record>>;
  Records() : Records([] { return std::vector<Record>(); }) {}
  template <std::invocable Read>
  requires std::convertible_to<std::invoke_result_t<Read>, List> Records(Read read)
      : shared_(std::make_shared<Shared>(std::move(read))) {}

  // As long as this or a copy of it lives. An error: the file cannot be read.
  const List& list() const {
    std::call_once(shared_->once, [&] { shared_->list = shared_->read(); });
    return *shared_->list;
  }
  // Where they cannot be read there are none.
  const std::vector<Record>& all() const {
    static const std::vector<Record> none;
    const List& read = list();
    return read ? *read : none;
  }

 private:
  struct Shared {
    explicit Shared(std::function<List()> how) : read(std::move(how)) {}
    std::function<List()> read;
    std::once_flag once;
    std::optional<List> list;
  };
  std::shared_ptr<Shared> shared_;
};

// The records of every quantity; one that is not set has none.
using RecordSet = model::PerQuantity<Records>;

// A recording's.
RecordSet recordsIn(const std::filesystem::path& file);

// The recordings that come with the program, in the order of their names.
std::vector<std::string> shippedRecordings();

// All that those have. A file that cannot be read has nothing: who opens it is told why.
RecordSet shippedRecords();

}  // namespace stridescope::lab::sources
