// The tables of a recording (docs/recording.md describes them) and the names that stand in them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/trace.h"

namespace stridescope::archive {

// In the database's header, where `file` and `PRAGMA application_id` find it: "Stri".
inline constexpr std::uint32_t kRecordingApplicationId = 0x53747269;
// PRAGMA user_version: the one that is written, and the oldest that is read. From format 3 on there are a
// person's own operator and data, from format 4 on the types and roles of arrays, assignments among the
// events, and the kernel's model (recording_kernel.h). From format 8 on the events of an expression are in
// the order of the text (launch_reader.h). The tables of a measured quantity are there from its own format on
// (model/quantity.h).
inline constexpr std::uint32_t kRecordingFormat = 8, kFirstRecordingFormat = 1;
inline constexpr std::uint32_t kOwnFormat = 3, kModelFormat = 4, kTextOrderFormat = 8;

struct RecordingTable {
  std::string_view name;
  // The CREATE statement, as SQLite keeps it: a recording's table must have this very text.
  std::string_view sql;
};
std::vector<RecordingTable> recordingTables(std::uint32_t format);

// The table of which lanes executed an instruction together (model::BlockTrace::issues). A recording of any
// format has it where a trace tells that. A row has so many events, the last one those that are left.
inline constexpr std::size_t kIssuesPerRow = 1 << 16;
inline constexpr std::array kIssueTables{
    RecordingTable{"instruction_issues", R"(CREATE TABLE instruction_issues(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  part INTEGER NOT NULL,            -- 65536 events each, from 0; events by thread and ordinal
  issues BLOB NOT NULL,             -- 4 bytes per event, little-endian
  PRIMARY KEY(trace, launch, part)
) WITHOUT ROWID)"}};

// The tables of what no event shows (model::OtherAct), of the barriers of a part of the block
// (model::PartMeeting), and of the order of arrival (model::Arrival). A recording of any format has one where
// a trace tells of it.
inline constexpr std::array kOtherActTables{RecordingTable{"other_acts", R"(CREATE TABLE other_acts(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0, in the order in which they began
  kind TEXT NOT NULL,               -- 'remote load', 'bulk copy to shared', 'barrier wait', ...
  line INTEGER NOT NULL,            -- of the kernel's text; 0: it is not known
  cluster_rank INTEGER NOT NULL,    -- of the block whose shared memory it is; -1: its own, or none
  threads INTEGER NOT NULL,         -- that did it
  times INTEGER NOT NULL,           -- over all of them
  bytes INTEGER NOT NULL,
  sentence TEXT NOT NULL,
  thread INTEGER NOT NULL,          -- the first that did it
  events_before INTEGER NOT NULL,   -- so many events of that thread came before
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"}};
inline constexpr std::array kMeetingTables{
    RecordingTable{"barrier_meetings", R"(CREATE TABLE barrier_meetings(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0, by thread and then in its order
  thread INTEGER NOT NULL,
  events_before INTEGER NOT NULL,   -- so many events of the thread came before
  meeting INTEGER NOT NULL,         -- threads with the same number met there
  part TEXT NOT NULL,               -- meets, arrives, waits
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"}};

// In its place in recordings that know of meetings alone; no new one has it.
inline constexpr std::array kPartMeetingTables{RecordingTable{"part_meetings", R"(CREATE TABLE part_meetings(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0, by thread and then in its order
  thread INTEGER NOT NULL,
  events_before INTEGER NOT NULL,   -- so many events of the thread came before
  meeting INTEGER NOT NULL,         -- threads with the same number met there
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"}};

inline constexpr std::array kArrivalTables{RecordingTable{"arrivals", R"(CREATE TABLE arrivals(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0, in the order in which the blocks came
  block INTEGER NOT NULL,
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"}};

// The blocks of a launch on several devices that were recorded beside the shown one, which stands in the row
// of its launch. A recording of any format has the table where a trace has such blocks. What they did stands
// in the tables of events, copies, arrays, problems and so on as that of a launch of its own number, which no
// launch has: programs that do not know of them pass over it.
inline constexpr std::array kDeviceBlockTables{RecordingTable{"device_blocks", R"(CREATE TABLE device_blocks(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0, in the order of their devices
  number INTEGER NOT NULL,          -- the launch as which what it did stands in other tables
  device INTEGER NOT NULL,
  inspected INTEGER NOT NULL,       -- its number among the blocks of all devices
  cut INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  barrier_copy_count INTEGER NOT NULL,
  copied_word_count INTEGER NOT NULL,
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"}};

// The tables of the shapes of arrays (model::Array::extents) and of what their elements are made of
// (model::Array::members). A recording of any format has one where a trace tells of it.
inline constexpr std::array kExtentTables{RecordingTable{"array_extents", R"(CREATE TABLE array_extents(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  space INTEGER NOT NULL,           -- see arrays
  dimension INTEGER NOT NULL,       -- 0: the outermost
  extent INTEGER NOT NULL,          -- how many elements
  PRIMARY KEY(trace, launch, space, dimension)
) WITHOUT ROWID)"}};
inline constexpr std::array kMemberTables{RecordingTable{"array_members", R"(CREATE TABLE array_members(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  space INTEGER NOT NULL,           -- see arrays
  member INTEGER NOT NULL,          -- from 0, in the order of their places
  name TEXT NOT NULL,               -- empty: the element is this number
  kind TEXT NOT NULL,               -- signed, unsigned, floating, half, bfloat, bytes, bool
  bytes INTEGER NOT NULL,
  offset INTEGER NOT NULL,          -- bytes from the element's start
  PRIMARY KEY(trace, launch, space, member)
) WITHOUT ROWID)"}};

// Views and the table of the kinds' names: for people. Reading a recording does not use them.
std::string_view recordingConveniences();

inline constexpr std::array<std::string_view, 12> kEventKindNames{
    "load",    "store", "atomic",      "branch", "block barrier", "warp barrier",
    "shuffle", "vote",  "warp reduce", "give",   "copied",        "value"};
inline constexpr std::array<std::string_view, 9> kSiteKindNames{
    "load", "store", "update", "branch", "loop", "block barrier", "warp operation", "atomic", "assign"};
// An enumerator as the file names it, and all that a file may name.
template <class Enum>
std::string_view nameInFile(Enum value) {
  if constexpr (std::is_same_v<Enum, model::SiteKind>)
    return kSiteKindNames[std::size_t(value)];
  else
    return nameOf(value);
}
template <class Enum>
constexpr auto allInFile(Enum) {
  if constexpr (std::is_same_v<Enum, model::SiteKind>) {
    std::array<model::SiteKind, kSiteKindNames.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = model::SiteKind(i);
    return all;
  } else {
    return allOf(Enum{});
  }
}

static_assert(kEventKindNames.size() == std::size_t(model::EventKind::Value) + 1);
static_assert(kSiteKindNames.size() == std::size_t(model::SiteKind::Assign) + 1);

}  // namespace stridescope::archive
