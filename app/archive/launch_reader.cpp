#include "archive/launch_reader.h"

#include <bit>

#include "archive/row_shapes.h"
#include "model/trace_check.h"

namespace stridescope::archive {
namespace {

constexpr std::int64_t kMaxSpace = recording::kGlobalSpace + recording::kMaxBuffers - 1;
constexpr std::int64_t kMaxOffset = (std::int64_t{1} << 40) - 1;

// The columns site, space, offset, width, second_half and value, from `column` on.
model::Event readEvent(RowReader& row, int column, model::EventKind kind) {
  const auto site = std::uint32_t(row.integer(column, 0, kMaxSite));
  const auto space = std::uint32_t(row.integer(column + 1, 0, kMaxSpace));
  const auto offset = std::uint64_t(row.integer(column + 2, 0, kMaxOffset));
  const auto width = unsigned(row.integer(column + 3, 1, 16));
  if (!std::has_single_bit(width)) row.fault(column + 3, "holds " + std::to_string(width));
  const bool secondHalf = row.flag(column + 4);
  const auto log2Width = std::uint32_t(std::countr_zero(width));
  return {recording::eventHead(offset, site, kind, space, log2Width, secondHalf), row.bits(column + 5)};
}

}  // namespace

LaunchReader::LaunchReader(sqlite3* database, std::int64_t trace, ReadState& state)
    : trace_(trace),
      launches_(database, "launches", "SELECT * FROM launches WHERE trace = ?1 ORDER BY launch", state),
      arrays_(database, "arrays", "SELECT * FROM arrays WHERE trace = ?1 AND launch = ?2 ORDER BY space",
              state),
      events_(database, "events",
              "SELECT thread, ordinal, kind, site, space, offset, width, second_half, value FROM events"
              " WHERE trace = ?1 AND launch = ?2 ORDER BY thread, ordinal",
              state),
      barrierCopies_(database, "barrier_copies",
                     "SELECT barrier, shared FROM barrier_copies"
                     " WHERE trace = ?1 AND launch = ?2 ORDER BY barrier",
                     state),
      copiedWords_(database, "copied_words",
                   "SELECT ordinal, thread, barrier, site, space, offset, width, second_half, value"
                   " FROM copied_words WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal",
                   state),
      problems_(database, "problems",
                "SELECT * FROM problems WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal", state) {}

void LaunchReader::read(std::vector<model::LaunchTrace>& launches, std::size_t count) {
  bool more = false;
  for (launches_.start({trace_}); (more = launches_.next()) && launches.size() < count;) {
    const auto number = std::int64_t(launches.size());
    launches_.expect(launches_.column("launch"), launches.size());
    model::LaunchTrace& launch = launches.emplace_back();
    readFields(launches_, launch, kLaunchRow);
    const auto events = launches_.count("event_count", model::kMaxTraceEvents);
    const auto copies = launches_.count("barrier_copy_count", kMaxInt);
    const auto words = launches_.count("copied_word_count", model::kMaxTraceEvents);
    readArrays(launch, number);
    readEvents(launch, number, events);
    readBarrierCopies(launch, number, copies);
    readCopiedWords(launch, number, words);
    readProblems(launch, number);
  }
  launches_.expectCount(launches.size() + (more ? 1 : 0), count);
}

void LaunchReader::readArrays(model::LaunchTrace& launch, std::int64_t number) {
  arrays_.start({trace_, number});
  while (arrays_.next()) {
    const int space = arrays_.column("space");
    const bool shared = arrays_.integer(space, recording::kSharedSpace, kMaxSpace) < recording::kGlobalSpace;
    std::vector<model::Array>& arrays = shared ? launch.shared : launch.buffers;
    arrays_.expect(space, (shared ? recording::kSharedSpace : recording::kGlobalSpace) + arrays.size());
    readFields(arrays_, arrays.emplace_back(), kArrayRow);
  }
}

void LaunchReader::readEvents(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  std::vector<model::Event>& events = launch.events;
  std::vector<std::uint32_t>& first = launch.first;
  first.push_back(0);
  bool more = false;
  for (events_.start({trace_, number}); (more = events_.next()) && events.size() < count;) {
    const auto thread = std::size_t(events_.integer(0, 0, launch.block - 1));
    // Threads without events begin where the next one does.
    while (first.size() <= thread) first.push_back(std::uint32_t(events.size()));
    if (thread + 1 < first.size()) events_.fault(0, "is out of order");
    events_.expect(1, events.size() - first[thread]);
    const auto kind = model::EventKind(events_.integer(2, 0, std::int64_t(model::EventKind::Value)));
    events.push_back(readEvent(events_, 3, kind));
  }
  first.resize(std::size_t(launch.block) + 1, std::uint32_t(events.size()));
  events_.expectCount(events.size() + (more ? 1 : 0), count);
}

void LaunchReader::readBarrierCopies(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  barrierCopies_.start({trace_, number});
  while (barrierCopies_.next()) {
    barrierCopies_.expect(0, launch.barrierCopies.size());
    launch.barrierCopies.push_back(barrierCopies_.blob(1));
  }
  barrierCopies_.expectCount(launch.barrierCopies.size(), count);
}

void LaunchReader::readCopiedWords(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  bool more = false;
  for (copiedWords_.start({trace_, number}); (more = copiedWords_.next()) && launch.copied.size() < count;) {
    copiedWords_.expect(0, launch.copied.size());
    model::LaunchTrace::CopiedWord& word = launch.copied.emplace_back();
    word.thread = std::uint32_t(copiedWords_.integer(1, 0, launch.block - 1));
    word.barrier = std::uint32_t(copiedWords_.integer(2, 0, kMaxInt));
    word.event = readEvent(copiedWords_, 3, model::EventKind::Copied);
  }
  copiedWords_.expectCount(launch.copied.size() + (more ? 1 : 0), count);
}

void LaunchReader::readProblems(model::LaunchTrace& launch, std::int64_t number) {
  problems_.start({trace_, number});
  while (launch.problems.size() <= model::kMaxProblems && problems_.next()) {
    problems_.expect(problems_.column("ordinal"), launch.problems.size());
    model::Problem& problem = launch.problems.emplace_back();
    readFields(problems_, problem, kProblemRow);
    const int site = problems_.column("site"), thread = problems_.column("thread");
    problem.site = problems_.isNull(site) ? -1 : int(problems_.integer(site, 0, kMaxSite));
    problems_.integer(thread, 0, launch.block - 1);
  }
}

}  // namespace stridescope::archive
