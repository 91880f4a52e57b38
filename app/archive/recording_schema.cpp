#include "archive/recording_schema.h"

#include <algorithm>

namespace stridescope::archive {
namespace {

// The comments stay in the file: `.schema` of the sqlite3 tool shows them.
constexpr std::array<RecordingTable, 9> kTables{{
    {"traces", R"(CREATE TABLE traces(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,               -- int, unsigned, int64, float, double
  op TEXT NOT NULL,                 -- + * min max & | ^
  threads INTEGER NOT NULL,         -- of a block
  elements INTEGER NOT NULL,        -- of the input
  data TEXT NOT NULL,               -- ramp, ones, alternating, random
  seed INTEGER NOT NULL,
  launch INTEGER NOT NULL,          -- in which launch a block was chosen, and
  block INTEGER NOT NULL,           -- which
  engine TEXT NOT NULL,             -- host, gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  result TEXT NOT NULL,             -- empty: the run did not end
  expected TEXT NOT NULL,
  ok INTEGER NOT NULL,              -- 1: the result is right
  check_note TEXT NOT NULL,
  site_count INTEGER NOT NULL,
  launch_count INTEGER NOT NULL,
  kernel_sha256 TEXT NOT NULL,
  preamble TEXT NOT NULL,
  kernel_text TEXT NOT NULL
))"},
    {"sites", R"(CREATE TABLE sites(
  trace INTEGER NOT NULL,
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,            -- of kernel_text, from 1
  column INTEGER NOT NULL,          -- in bytes, from 1
  length INTEGER NOT NULL,          -- bytes
  statement INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(trace, id)
) WITHOUT ROWID)"},
    {"site_loops", R"(CREATE TABLE site_loops(
  trace INTEGER NOT NULL,
  site INTEGER NOT NULL,
  depth INTEGER NOT NULL,           -- 0: the outermost
  loop INTEGER NOT NULL,            -- the site of the loop's condition
  PRIMARY KEY(trace, site, depth)
) WITHOUT ROWID)"},
    {"launches", R"(CREATE TABLE launches(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,          -- from 0
  grid INTEGER NOT NULL,            -- blocks
  block INTEGER NOT NULL,           -- threads of a block
  inspected INTEGER NOT NULL,       -- the block that was recorded
  elements INTEGER NOT NULL,
  cut INTEGER NOT NULL,             -- 1: events were dropped at a limit
  event_count INTEGER NOT NULL,
  barrier_copy_count INTEGER NOT NULL,
  copied_word_count INTEGER NOT NULL,
  PRIMARY KEY(trace, launch)
) WITHOUT ROWID)"},
    {"arrays", R"(CREATE TABLE arrays(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  space INTEGER NOT NULL,           -- 1 to 7: __shared__ arrays; 8 to 15: buffers in device memory
  name TEXT NOT NULL,
  element_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  type TEXT,                        -- of its elements; NULL: unsigned numbers
  role TEXT,                        -- of a buffer: input, in place, output, ...; NULL: shared or unknown
  PRIMARY KEY(trace, launch, space)
) WITHOUT ROWID)"},
    {"events", R"(CREATE TABLE events(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  thread INTEGER NOT NULL,          -- in the block
  ordinal INTEGER NOT NULL,         -- of the thread's events, from 0
  site INTEGER NOT NULL,
  kind INTEGER NOT NULL,            -- see event_kinds
  space INTEGER NOT NULL,           -- see arrays; 0: none
  offset INTEGER NOT NULL,          -- bytes from the array's start; of warp operations the mask of lanes
  width INTEGER NOT NULL,           -- bytes
  second_half INTEGER NOT NULL,     -- 1: the upper half of a 16-byte access
  value INTEGER NOT NULL,           -- the element's bits
  PRIMARY KEY(trace, launch, thread, ordinal)
) WITHOUT ROWID)"},
    {"barrier_copies", R"(CREATE TABLE barrier_copies(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  barrier INTEGER NOT NULL,         -- block barriers that completed, from 0
  shared BLOB NOT NULL,             -- the shared arrays one after another
  PRIMARY KEY(trace, launch, barrier)
) WITHOUT ROWID)"},
    {"copied_words", R"(CREATE TABLE copied_words(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  thread INTEGER NOT NULL,
  barrier INTEGER NOT NULL,         -- of the thread's warp barriers, from 0
  site INTEGER NOT NULL,
  space INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  width INTEGER NOT NULL,
  second_half INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"},
    {"problems", R"(CREATE TABLE problems(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  site INTEGER,                     -- NULL: none
  thread INTEGER NOT NULL,
  PRIMARY KEY(trace, launch, ordinal)
) WITHOUT ROWID)"},
}};

// Before format 4 nothing said what the arrays hold.
constexpr RecordingTable kOlderArrays{"arrays", R"(CREATE TABLE arrays(
  trace INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  space INTEGER NOT NULL,           -- 1 to 7: __shared__ arrays; 8 to 15: buffers in device memory
  name TEXT NOT NULL,
  element_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY(trace, launch, space)
) WITHOUT ROWID)"};

constexpr std::string_view kRecordingConveniences = R"(
CREATE TABLE event_kinds(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);

CREATE VIEW readable_events AS
SELECT e.trace, e.launch, e.thread, e.thread / 32 AS warp, e.thread % 32 AS lane, e.ordinal,
       k.name AS kind, s.line, s.column, s.text AS source, a.name AS array,
       CASE WHEN a.space < 8 THEN 'shared' WHEN a.space >= 8 THEN 'global' END AS memory,
       e.offset / a.element_bytes AS element, e.width,
       CASE WHEN k.name IN ('warp barrier', 'shuffle', 'vote', 'warp reduce')
            THEN printf('%08x', e.offset & 0xffffffff) END AS lane_mask,
       CASE WHEN k.name = 'shuffle' THEN e.offset >> 32 END AS source_lane,
       e.value
FROM events e
JOIN event_kinds k ON k.kind = e.kind
LEFT JOIN sites s ON s.trace = e.trace AND s.id = e.site
LEFT JOIN arrays a ON a.trace = e.trace AND a.launch = e.launch AND a.space = e.space;

CREATE VIEW readable_traces AS
SELECT id, variant, type || ' ' || op AS reduction, threads, elements, data, device, recorded_on, result,
       CASE ok WHEN 1 THEN 'right' ELSE 'wrong' END AS verdict,
       (SELECT sum(event_count) FROM launches l WHERE l.trace = traces.id) AS events
FROM traces;
)";

}  // namespace

std::vector<RecordingTable> recordingTables(std::uint32_t format) {
  std::vector<RecordingTable> tables(kTables.begin(), kTables.end());
  if (format < kModelFormat)
    *std::ranges::find(tables, kOlderArrays.name, &RecordingTable::name) = kOlderArrays;
  return tables;
}
std::string_view recordingConveniences() { return kRecordingConveniences; }

}  // namespace stridescope::archive
