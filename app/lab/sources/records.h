// What recordings have measured: those that come with the program, beside it in a package and in the source
// folder in a build, and any other file. Each table is read when it is first asked for, once.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "model/timing_record.h"

namespace stridescope::lab::sources {

// The records of one kind. Copies share what was read; calls may come from several threads.
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

// The records of every kind; one that is not set has none.
class RecordSet {
 public:
  template <class Record>
  Records<Record>& of() {
    return std::get<Records<Record>>(kinds_);
  }
  template <class Record>
  const Records<Record>& of() const {
    return std::get<Records<Record>>(kinds_);
  }

  // Calls `visit` with the Records of each kind.
  template <class Visit>
  void forEachKind(const Visit& visit) {
    std::apply([&](auto&... records) { (visit(records), ...); }, kinds_);
  }

 private:
  std::tuple<Records<model::TimingRecord>, Records<model::ClockRecord>, Records<model::CounterRecord>,
             Records<model::TimelineRecord>, Records<model::CostRecord>, Records<model::MachineCode>>
      kinds_;
};

// A recording's.
RecordSet recordsIn(const std::filesystem::path& file);

// The recordings that come with the program, in the order of their names.
std::vector<std::filesystem::path> shippedRecordings();

// All that those have. A file that cannot be read has nothing: who opens it is told why.
RecordSet shippedRecords();

}  // namespace stridescope::lab::sources
