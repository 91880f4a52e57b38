#include "archive/launch_reader.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "archive/row_shapes.h"
#include "base/in_parallel.h"
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

// Some threads of a launch, from `begin` to before `end`.
struct Threads {
  std::uint32_t begin, end;
};

// Their rows, and those that belong to no thread of a block of `block`: what a file should not hold is read,
// and refused, with the first threads and the last.
std::string eventsSql(const Threads& threads, unsigned block) {
  return "SELECT thread, ordinal, kind, site, space, offset, width, second_half, value FROM events"
         " WHERE trace = ?1 AND launch = ?2" +
         (threads.begin == 0 ? "" : " AND thread >= " + std::to_string(threads.begin)) +
         (threads.end == block ? "" : " AND thread < " + std::to_string(threads.end)) +
         " ORDER BY thread, ordinal";
}

struct ReadEvents {
  std::vector<model::Event> events;
  std::vector<std::uint32_t> first;  // an entry for each thread: where its events begin in `events`
  bool more = false;                 // there are more than were to be read
};

// At most `count` events, from `rows` of eventsSql, which has started.
ReadEvents readEventsOf(const Threads& threads, RowReader& rows, std::size_t count) {
  ReadEvents read;
  std::vector<model::Event>& events = read.events;
  std::vector<std::uint32_t>& first = read.first;
  while ((read.more = rows.next()) && events.size() < count) {
    const auto thread = std::size_t(rows.integer(0, threads.begin, threads.end - 1)) - threads.begin;
    if (thread + 1 < first.size()) rows.fault(0, "is out of order");
    // Threads without events begin where the next one does.
    while (first.size() <= thread) first.push_back(std::uint32_t(events.size()));
    rows.expect(1, events.size() - first[thread]);
    const auto kind = model::EventKind(rows.integer(2, 0, std::int64_t(model::EventKind::Value)));
    events.push_back(readEvent(rows, 3, kind));
  }
  first.resize(threads.end - threads.begin, std::uint32_t(events.size()));
  return read;
}

// From this many events on several threads read them: one takes about a second for four million. Threads of a
// block differ in how many they have, so the parts are more than those who read.
constexpr std::size_t kManyEvents = std::size_t{1} << 18;
constexpr std::size_t kParts = 16;

}  // namespace

LaunchReader::LaunchReader(const OpenRecording& recording, std::int64_t trace, ReadState& state)
    : recording_(recording),
      trace_(trace),
      state_(state),
      launches_(recording.database(), "launches", "SELECT * FROM launches WHERE trace = ?1 ORDER BY launch",
                state),
      arrays_(recording.database(), "arrays",
              "SELECT * FROM arrays WHERE trace = ?1 AND launch = ?2 ORDER BY space", state),
      barrierCopies_(recording.database(), "barrier_copies",
                     "SELECT barrier, shared FROM barrier_copies"
                     " WHERE trace = ?1 AND launch = ?2 ORDER BY barrier",
                     state),
      copiedWords_(recording.database(), "copied_words",
                   "SELECT ordinal, thread, barrier, site, space, offset, width, second_half, value"
                   " FROM copied_words WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal",
                   state),
      problems_(recording.database(), "problems",
                "SELECT * FROM problems WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal", state) {
  if (recording.hasAll("instruction issues", kIssueTables, state))
    issues_.emplace(
        recording.database(), kIssueTables.front().name,
        "SELECT part, issues FROM instruction_issues WHERE trace = ?1 AND launch = ?2 ORDER BY part", state);
  if (recording.hasAll("acts that no event shows", kOtherActTables, state))
    others_.emplace(recording.database(), kOtherActTables.front().name,
                    "SELECT * FROM other_acts WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal", state);
  const std::string_view ofMeetings = "barriers of a part of the block";
  if (recording.hasAll(ofMeetings, kMeetingTables, state))
    meetings_.emplace(recording.database(), kMeetingTables.front().name,
                      "SELECT * FROM barrier_meetings WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal",
                      state);
  else if (recording.hasAll(ofMeetings, kPartMeetingTables, state))
    meetings_.emplace(recording.database(), kPartMeetingTables.front().name,
                      "SELECT * FROM part_meetings WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal", state);
  if (recording.hasAll("the order in which blocks arrive", kArrivalTables, state))
    arrivals_.emplace(recording.database(), kArrivalTables.front().name,
                      "SELECT * FROM arrivals WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal", state);
  if (recording.hasAll("the shapes of arrays", kExtentTables, state))
    extents_.emplace(recording.database(), kExtentTables.front().name,
                     "SELECT space, dimension, extent FROM array_extents WHERE trace = ?1 AND launch = ?2"
                     " ORDER BY space, dimension",
                     state);
  if (recording.hasAll("the members of arrays' elements", kMemberTables, state))
    members_.emplace(recording.database(), kMemberTables.front().name,
                     "SELECT * FROM array_members WHERE trace = ?1 AND launch = ?2 ORDER BY space, member",
                     state);
  if (recording.hasAll("the blocks of several devices", kDeviceBlockTables, state))
    deviceBlocks_.emplace(recording.database(), kDeviceBlockTables.front().name,
                          "SELECT * FROM device_blocks WHERE trace = ?1 AND launch = ?2 ORDER BY ordinal",
                          state);
}

void LaunchReader::read(std::vector<model::LaunchTrace>& launches, std::size_t count) {
  bool more = false;
  for (launches_.start({trace_}); (more = launches_.next()) && launches.size() < count;) {
    const auto number = std::int64_t(launches.size());
    launches_.expect(launches_.column("launch"), launches.size());
    model::LaunchTrace& launch = launches.emplace_back();
    readFields(launches_, launch, kLaunchRow);
    readFields(launches_, launch.recorded(), kBlockRow);
    readBlock(launches_, launch, number);
    readList(arrivals_, {}, model::kMaxArrivals, number, launch.arrivals);
    readOtherBlocks(launch, number);
  }
  launches_.expectCount(launches.size() + (more ? 1 : 0), count);
}

// What stands in other tables as that of the launch of this number, of which `row` has the counts.
void LaunchReader::readBlock(RowReader& row, model::LaunchTrace& launch, std::int64_t number) {
  const auto events = row.count("event_count", model::kMaxTraceEvents);
  const auto copies = row.count("barrier_copy_count", kMaxInt);
  const auto words = row.count("copied_word_count", model::kMaxTraceEvents);
  readArrays(launch, number);
  readShapes(launch, number);
  readEvents(launch, number, events);
  readBarrierCopies(launch, number, copies);
  readCopiedWords(launch, number, words);
  readProblems(launch, number);
  readIssues(launch, number);
  readList(others_, kOtherActRow, model::kMaxOtherActs, number, launch.recorded().others);
  readList(meetings_, kMeetingRow, model::kMaxPartMeetings, number, launch.recorded().meetings);
}

void LaunchReader::readOtherBlocks(model::LaunchTrace& launch, std::int64_t number) {
  if (!deviceBlocks_) return;
  std::vector<model::BlockTrace> others;
  for (deviceBlocks_->start({trace_, number}); others.size() < model::kMaxGpus && deviceBlocks_->next();) {
    deviceBlocks_->expect(deviceBlocks_->column("ordinal"), others.size());
    model::LaunchTrace one;
    one.block = launch.block;
    readFields(*deviceBlocks_, one.recorded(), kBlockRow);
    readBlock(*deviceBlocks_, one, deviceBlocks_->integer(deviceBlocks_->column("number"), 0, kMaxInt));
    others.push_back(std::move(one.recorded()));
  }
  // By their numbers among all devices' blocks, which the devices follow (model::faultOf).
  for (model::BlockTrace& block : others) {
    const auto place = std::ranges::lower_bound(launch.blocks, block.block, {}, &model::BlockTrace::block);
    if (place - launch.blocks.begin() <= std::ptrdiff_t(launch.shown)) ++launch.shown;
    launch.blocks.insert(place, std::move(block));
  }
}

void LaunchReader::readArrays(model::LaunchTrace& launch, std::int64_t number) {
  arrays_.start({trace_, number});
  while (arrays_.next()) {
    const int space = arrays_.column("space");
    const bool shared = arrays_.integer(space, recording::kSharedSpace, kMaxSpace) < recording::kGlobalSpace;
    std::vector<model::Array>& arrays = shared ? launch.recorded().shared : launch.buffers;
    arrays_.expect(space, (shared ? recording::kSharedSpace : recording::kGlobalSpace) + arrays.size());
    readFields(arrays_, arrays.emplace_back(), kArrayRow);
  }
}

void LaunchReader::readShapes(model::LaunchTrace& launch, std::int64_t number) {
  const auto arrayOf = [&](RowReader& rows, int column) -> model::Array* {
    const auto space = std::size_t(rows.integer(column, recording::kSharedSpace, kMaxSpace));
    const bool shared = space < recording::kGlobalSpace;
    std::vector<model::Array>& arrays = shared ? launch.recorded().shared : launch.buffers;
    const std::size_t index = space - (shared ? recording::kSharedSpace : recording::kGlobalSpace);
    if (index < arrays.size()) return &arrays[index];
    rows.fault(column, "names an array that there is not");
    return nullptr;
  };
  if (extents_)
    for (extents_->start({trace_, number}); extents_->next();) {
      model::Array* const array = arrayOf(*extents_, 0);
      if (array == nullptr) return;
      extents_->expect(1, array->extents.size());
      array->extents.push_back(extents_->bits(2));
      if (array->extents.size() > model::kMaxExtents) return extents_->fault(1, "has too many rows");
    }
  if (members_)
    for (members_->start({trace_, number}); members_->next();) {
      model::Array* const array = arrayOf(*members_, members_->column("space"));
      if (array == nullptr) return;
      members_->expect(members_->column("member"), array->members.size());
      readFields(*members_, array->members.emplace_back(), kMemberRow);
      if (array->members.size() > model::kMaxElementBytes)
        return members_->fault(members_->column("member"), "has too many rows");
    }
}

void LaunchReader::readEvents(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  const std::size_t partCount = count < kManyEvents ? 1 : std::min(kParts, std::size_t(launch.block));
  std::vector<ReadEvents> parts(partCount);
  std::vector<ReadState> states(partCount);
  const auto readPart = [&](std::size_t part) {
    const Threads threads{std::uint32_t(launch.block * part / partCount),
                          std::uint32_t(launch.block * (part + 1) / partCount)};
    const auto readFrom = [&](sqlite3* database) {
      RowReader rows(database, "events", eventsSql(threads, launch.block), states[part]);
      rows.start({trace_, number});
      parts[part] = readEventsOf(threads, rows, count);
    };
    if (partCount == 1) return readFrom(recording_.database());
    // A connection is for one thread at a time.
    const Result<OpenRecording> another = recording_.openAgain();
    if (another) return readFrom(another->database());
    states[part].fault = another.error().sentence;
    states[part].databaseCode =
        another.error().kind == ErrorKind::Cancelled ? SQLITE_INTERRUPT : SQLITE_CANTOPEN;
  };
  if (!state_.failed()) inParallel(partCount, readPart);
  std::size_t total = 0;
  for (const ReadEvents& part : parts) total += part.events.size();
  if (partCount > 1) launch.recorded().events.reserve(total);
  bool more = false;
  for (std::size_t i = 0; i < partCount; ++i) {
    if (!state_.failed() && states[i].failed()) {
      state_.fault = states[i].fault;
      state_.databaseCode = states[i].databaseCode;
    }
    const auto before = std::uint32_t(launch.recorded().events.size());
    for (const std::uint32_t first : parts[i].first) launch.recorded().first.push_back(before + first);
    if (partCount == 1)
      launch.recorded().events = std::move(parts[i].events);
    else
      launch.recorded().events.insert(launch.recorded().events.end(), parts[i].events.begin(),
                                      parts[i].events.end());
    more = more || parts[i].more;
    parts[i] = {};
  }
  launch.recorded().first.resize(std::size_t(launch.block) + 1,
                                 std::uint32_t(launch.recorded().events.size()));
  if (!state_.failed() && (more || launch.recorded().events.size() != count))
    state_.fault = "table events has " +
                   std::string(more || launch.recorded().events.size() > count ? "gained" : "lost") + " rows";
}

void LaunchReader::readBarrierCopies(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  barrierCopies_.start({trace_, number});
  while (barrierCopies_.next()) {
    barrierCopies_.expect(0, launch.recorded().barrierCopies.size());
    launch.recorded().barrierCopies.push_back(barrierCopies_.blob(1));
  }
  barrierCopies_.expectCount(launch.recorded().barrierCopies.size(), count);
}

void LaunchReader::readCopiedWords(model::LaunchTrace& launch, std::int64_t number, std::size_t count) {
  bool more = false;
  for (copiedWords_.start({trace_, number});
       (more = copiedWords_.next()) && launch.recorded().copied.size() < count;) {
    copiedWords_.expect(0, launch.recorded().copied.size());
    model::BlockTrace::CopiedWord& word = launch.recorded().copied.emplace_back();
    word.thread = std::uint32_t(copiedWords_.integer(1, 0, launch.block - 1));
    word.barrier = std::uint32_t(copiedWords_.integer(2, 0, kMaxInt));
    word.event = readEvent(copiedWords_, 3, model::EventKind::Copied);
  }
  copiedWords_.expectCount(launch.recorded().copied.size() + (more ? 1 : 0), count);
}

void LaunchReader::readProblems(model::LaunchTrace& launch, std::int64_t number) {
  problems_.start({trace_, number});
  while (launch.recorded().problems.size() <= model::kMaxProblems && problems_.next()) {
    problems_.expect(problems_.column("ordinal"), launch.recorded().problems.size());
    model::Problem& problem = launch.recorded().problems.emplace_back();
    readFields(problems_, problem, kProblemRow);
    const int site = problems_.column("site"), thread = problems_.column("thread");
    problem.site = problems_.isNull(site) ? -1 : int(problems_.integer(site, 0, kMaxSite));
    problems_.integer(thread, 0, launch.block - 1);
  }
}

void LaunchReader::readIssues(model::LaunchTrace& launch, std::int64_t number) {
  if (!issues_) return;
  std::vector<std::uint32_t>& issues = launch.recorded().issues;
  const std::size_t events = launch.recorded().events.size();
  std::size_t part = 0;
  for (issues_->start({trace_, number}); issues_->next(); ++part) {
    issues_->expect(0, part);
    const std::vector<std::uint8_t> bytes = issues_->blob(1);
    if (bytes.empty() || bytes.size() != 4 * std::min(kIssuesPerRow, events - issues.size()))
      return issues_->fault(1, "holds another number of events than the launch has");
    for (std::size_t i = 0; i < bytes.size(); i += 4)
      issues.push_back(std::uint32_t(bytes[i]) | std::uint32_t(bytes[i + 1]) << 8 |
                       std::uint32_t(bytes[i + 2]) << 16 | std::uint32_t(bytes[i + 3]) << 24);
  }
}

template <class Each>
void LaunchReader::readList(std::optional<RowReader>& rows, const RowShape& shape, std::size_t most,
                            std::int64_t number, std::vector<Each>& list) {
  if (!rows) return;
  for (rows->start({trace_, number}); list.size() <= most && rows->next();) {
    rows->expect(rows->column("ordinal"), list.size());
    readFields(*rows, list.emplace_back(), shape);
  }
}

namespace {

class RunSorter {
 public:
  RunSorter(std::vector<model::Event>& events, const std::vector<model::Site>& sites)
      : events_(events), sites_(sites) {}

  // Sorts the run that begins at `begin` and returns its end, at most `limit`.
  std::size_t sortRun(std::size_t begin, std::size_t limit) {
    const int statement = statementOf(begin);
    bool sorted = true;
    std::size_t end = begin + 1;
    for (; end < limit; ++end) {
      const model::Event& event = events_[end];
      if (event.kind() != model::EventKind::Load || statementOf(end) != statement) break;
      if (event.secondHalf()) continue;
      if (siteComesIn(begin, end, event.site())) break;
      sorted = sorted && event.site() > events_[end - 1].site();
    }
    if (!sorted)
      std::stable_sort(events_.begin() + std::ptrdiff_t(begin), events_.begin() + std::ptrdiff_t(end),
                       [](const model::Event& a, const model::Event& b) { return a.site() < b.site(); });
    return end;
  }

 private:
  int statementOf(std::size_t event) const { return sites_[events_[event].site()].statement; }

  // Runs are as short as a statement, so that searching beats any table.
  bool siteComesIn(std::size_t begin, std::size_t end, std::uint32_t site) const {
    for (std::size_t i = end; i-- > begin;)
      if (events_[i].site() == site) return true;
    return false;
  }

  std::vector<model::Event>& events_;
  const std::vector<model::Site>& sites_;
};

}  // namespace

void putLoadsInOrder(model::LaunchTrace& launch, const std::vector<model::Site>& sites) {
  RunSorter sorter(launch.recorded().events, sites);
  for (std::size_t thread = 0; thread < launch.block; ++thread) {
    const std::size_t end = launch.recorded().first[thread + 1];
    for (std::size_t i = launch.recorded().first[thread]; i < end;)
      i = launch.recorded().events[i].kind() == model::EventKind::Load ? sorter.sortRun(i, end) : i + 1;
  }
}

}  // namespace stridescope::archive
