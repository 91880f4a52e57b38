#include "model/trace_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sample_traces.h"

namespace stridescope::model {
namespace {

using recording::eventHead;

TEST(FaultOf, FindsNoneInALegalTrace) {
  EXPECT_EQ(faultOf(sample::everyField()), std::nullopt);
  EXPECT_EQ(faultOf(sample::empty()), std::nullopt);
  EXPECT_EQ(faultOf(sample::withEvents(1024, 39)), std::nullopt);
}

struct Break {
  const char* what;  // a piece of the clause
  std::function<void(Trace&)> apply;
};

LaunchTrace& launch(Trace& trace) { return trace.launches[0]; }
void setEvent(Trace& trace, EventKind kind, unsigned space, std::uint64_t offset, unsigned log2Width,
              unsigned site = 1) {
  launch(trace).recorded().events[0] = {eventHead(offset, site, kind, space, log2Width), 0};
}
constexpr std::uint64_t kUpper = 1ull << 63;
// An upper half of another kind or in another array.
void move(Trace& trace, std::size_t index, EventKind kind, unsigned space, std::uint64_t offset,
          unsigned site) {
  launch(trace).recorded().events[index] = {eventHead(offset, site, kind, space, 4, true), 0};
}
// The lower half becomes thread 0's last event, the upper half thread 2's first.
void splitHalves(Trace& trace) {
  auto& events = launch(trace).recorded().events;
  std::rotate(events.begin() + 2, events.begin() + 4, events.begin() + 11);  // both to the end of thread 0
  launch(trace).recorded().first = {0, 10, 10, 15, 15};
}

TEST(FaultOfShape, HoldsGridAndBlockAgainstCudasLimits) {
  const Dim3 row{32};
  for (const Dim3& block : {Dim3(1), Dim3(1024), Dim3(1, 1024), Dim3(16, 1, 64), Dim3(32, 32)})
    EXPECT_EQ(faultOfShape(row, block), std::nullopt) << text(block);
  for (const Dim3& grid : {Dim3(2147483647, 65535, 65535), Dim3(1)})
    EXPECT_EQ(faultOfShape(grid, row), std::nullopt) << text(grid);
  for (const Dim3& block : {Dim3(0), Dim3(1, 0), Dim3(1, 1, 0), Dim3(1025), Dim3(1, 1025), Dim3(8, 1, 65),
                            Dim3(33, 32), Dim3(1ull << 63, 2)})
    EXPECT_NE(faultOfShape(row, block).value_or("").find("block of " + text(block) + " threads"),
              std::string::npos);
  for (const Dim3& grid :
       {Dim3(0), Dim3(1, 0), Dim3(1, 1, 0), Dim3(2147483648), Dim3(1, 65536), Dim3(1, 1, 65536)})
    EXPECT_NE(faultOfShape(grid, row).value_or("").find("grid of " + text(grid) + " blocks"),
              std::string::npos);
}

// Each change alone makes the legal trace illegal.
// The same block as it ran on another GPU.
void addSecondBlock(Trace& trace) {
  launch(trace).blocks.push_back(launch(trace).recorded());
  launch(trace).blocks[1].device = 1;
}

TEST(FaultOf, TakesSeveralRecordedBlocks) {
  Trace trace = sample::everyField();
  addSecondBlock(trace);
  EXPECT_EQ(faultOf(trace), std::nullopt);
}

TEST(FaultOf, FindsEachFault) {
  const Break breaks[] = {
      {"variant", [](Trace& t) { t.experiment.variant.clear(); }},
      {"variant's name", [](Trace& t) { t.experiment.variant += "\xff"; }},
      {"element type", [](Trace& t) { t.experiment.type = ElementType(5); }},
      {"operator", [](Trace& t) { t.experiment.op = Operator(9); }},
      {"data pattern", [](Trace& t) { t.experiment.data = DataPattern(6); }},
      {"schedule", [](Trace& t) { t.experiment.schedule = Schedule(4); }},
      {"block order", [](Trace& t) { t.experiment.blockOrder = BlockOrder(4); }},
      {"engine", [](Trace& t) { t.executor.kind = EngineKind(3); }},
      {"block size is 0", [](Trace& t) { t.experiment.threads = 0; }},
      {"block size is 1025", [](Trace& t) { t.experiment.threads = 1025; }},
      {"kernel's text", [](Trace& t) { t.kernelText += "\xc3"; }},
      {"kernel's text is longer", [](Trace& t) { t.kernelText.assign((1 << 20) + 1, 'x'); }},
      {"result", [](Trace& t) { t.result = std::string(1, '\0'); }},
      {"device", [](Trace& t) { t.executor.device += "\xed\xa0\x80"; }},
      {"site 1 carries", [](Trace& t) { t.sites[1].id = 2; }},
      {"site 0 is of", [](Trace& t) { t.sites[0].kind = SiteKind(9); }},
      {"site 0 lies", [](Trace& t) { t.sites[0].line = 0; }},
      {"site 0 lies", [](Trace& t) { t.sites[0].line = 1000; }},
      {"site 0 lies", [](Trace& t) { t.sites[0].column = 0; }},
      {"site 0 lies", [](Trace& t) { t.sites[0].length = 10'000; }},
      {"site 0 lies", [](Trace& t) { t.sites[0].length = -1; }},
      {"loop", [](Trace& t) { t.sites[1].loops = {1}; }},
      {"loop", [](Trace& t) { t.sites[1].loops = {-1}; }},
      {"loop", [](Trace& t) { t.sites[1].loops = {5}; }},
      {"too many sites", [](Trace& t) { t.sites.resize(4097); }},
      {"too many launches", [](Trace& t) { t.launches.resize(1025); }},
      {"block of 0", [](Trace& t) { launch(t).block = 0; }},
      {"blocks, which 0 x 2 rows", [](Trace& t) { launch(t).gridY = 0; }},
      {"blocks, which 5 x 7 rows", [](Trace& t) { launch(t).gridZ = 7; }},
      {"blocks, which 5 x 0 rows", [](Trace& t) { launch(t).gridZ = 0; }},
      {"threads, which 3 x 2 rows", [](Trace& t) { launch(t).blockY = 3; }},
      {"threads, which 0 x 2 rows", [](Trace& t) { launch(t).blockY = 0; }},
      {"threads, which 1 x 8 rows", [](Trace& t) { launch(t).blockZ = 8; }},
      {"a grid of 5000000000 blocks",
       [](Trace& t) { launch(t).grid = 5'000'000'000, launch(t).gridY = launch(t).gridZ = 1; }},
      {"a grid of 10000 x 100000 x 2 blocks", [](Trace& t) { launch(t).gridY = 100'000; }},
      {"outside its grid", [](Trace& t) { launch(t).recorded().block = launch(t).grid; }},
      {"no recorded block", [](Trace& t) { launch(t).blocks.clear(); }},
      {"too many recorded blocks", [](Trace& t) { launch(t).blocks.resize(65); }},
      {"another order", [](Trace& t) { launch(t).blocks.push_back(launch(t).recorded()); }},
      {"another order",
       [](Trace& t) {
         launch(t).blocks.push_back(launch(t).recorded());
         launch(t).blocks[0].device = 1;
       }},
      {"barrier copy",
       [](Trace& t) {
         addSecondBlock(t);
         launch(t).blocks[1].barrierCopies[0].pop_back();
       }},
      {"too many shared", [](Trace& t) { launch(t).recorded().shared.resize(8); }},
      {"too many buffers", [](Trace& t) { launch(t).buffers.resize(9); }},
      {"more shared memory", [](Trace& t) { launch(t).recorded().shared[1].bytes = 232448; }},
      {"buffer of", [](Trace& t) { launch(t).buffers[0].bytes = ~0ull; }},
      {"elements of 0", [](Trace& t) { launch(t).buffers[1].elementBytes = 0; }},
      {"unknown element type", [](Trace& t) { launch(t).buffers[0].type = ElementType(5); }},
      {"array of int with elements of 8", [](Trace& t) { launch(t).buffers[0].type = ElementType::Int; }},
      {"array of double with elements of 4",
       [](Trace& t) { launch(t).recorded().shared[0].type = ElementType::Double; }},
      {"an array of 1 dimensions", [](Trace& t) { launch(t).recorded().shared[0].extents = {8}; }},
      {"an array of 9 dimensions",
       [](Trace& t) { launch(t).recorded().shared[0].extents.assign(9, 1); }},
      {"smaller than its extents", [](Trace& t) { launch(t).recorded().shared[0].extents = {2, 5}; }},
      {"smaller than its extents", [](Trace& t) { launch(t).recorded().shared[0].extents = {2, 1ull << 62}; }},
      {"smaller than its extents", [](Trace& t) { launch(t).recorded().shared[0].extents = {0, 8}; }},
      {"larger than its extents", [](Trace& t) { launch(t).recorded().shared[0].extents = {2, 3}; }},
      {"too many members", [](Trace& t) { launch(t).recorded().shared[1].members.resize(257); }},
      {"a type and members", [](Trace& t) { launch(t).buffers[0].members = {{NumberKind::Signed, 8, 0, ""}}; }},
      {"member of an unknown kind",
       [](Trace& t) { launch(t).recorded().shared[1].members[0].kind = NumberKind(7); }},
      {"member outside its place",
       [](Trace& t) { launch(t).recorded().shared[1].members[2].offset = 9; }},
      {"member outside its place",
       [](Trace& t) { launch(t).recorded().shared[1].members[2].offset = ~0u; }},
      {"member outside its place", [](Trace& t) { launch(t).recorded().shared[1].members[1].offset = 0; }},
      {"member outside its place", [](Trace& t) { launch(t).recorded().shared[1].members[0].bytes = 0; }},
      {"member whose name is none", [](Trace& t) { launch(t).recorded().shared[1].members[0].name = ""; }},
      {"member whose name is none",
       [](Trace& t) { launch(t).recorded().shared[1].members[0].name = "a b"; }},
      {"unknown role", [](Trace& t) { launch(t).buffers[0].role = ParameterRole(kParameterRoles.size()); }},
      {"unknown role", [](Trace& t) { launch(t).recorded().shared[0].role = ParameterRole(255); }},
      {"role is input", [](Trace& t) { launch(t).recorded().shared[0].role = ParameterRole::Input; }},
      {"role is count", [](Trace& t) { launch(t).buffers[0].role = ParameterRole::Count; }},
      {"role is scalar", [](Trace& t) { launch(t).buffers[1].role = ParameterRole::Scalar; }},
      {"which thread", [](Trace& t) { launch(t).recorded().first.pop_back(); }},
      {"which thread", [](Trace& t) { launch(t).recorded().first[0] = 1; }},
      {"which thread", [](Trace& t) { launch(t).recorded().first[2] = 3; }},
      {"which thread", [](Trace& t) { launch(t).recorded().events.pop_back(); }},
      {"unknown kind", [](Trace& t) { setEvent(t, EventKind::Copied, 1, 0, 2); }},
      {"unknown kind", [](Trace& t) { setEvent(t, EventKind(15), 1, 0, 2); }},
      {"32 bytes wide", [](Trace& t) { setEvent(t, EventKind::Load, 1, 0, 5); }},
      {"names no array", [](Trace& t) { setEvent(t, EventKind::Load, 0, 0, 2); }},
      {"array that there is not", [](Trace& t) { setEvent(t, EventKind::Load, 3, 0, 2); }},
      {"array that there is not", [](Trace& t) { setEvent(t, EventKind::Load, 10, 0, 2); }},
      {"byte 29 of 32", [](Trace& t) { setEvent(t, EventKind::Load, 1, 29, 2); }},
      {"byte 25 of 32", [](Trace& t) { setEvent(t, EventKind::Store, 1, 25, 3); }},
      {"byte 0 of 4", [](Trace& t) { setEvent(t, EventKind::Store, 9, 0, 4); }},
      {"more than 32 lanes", [](Trace& t) { setEvent(t, EventKind::Vote, 0, 1ull << 32, 2, 3); }},
      {"reads lane 32", [](Trace& t) { setEvent(t, EventKind::Shuffle, 0, 32ull << 32, 2, 3); }},
      {"but names an array", [](Trace& t) { setEvent(t, EventKind::Branch, 1, 0, 0, 0); }},
      {"16 bytes wide", [](Trace& t) { setEvent(t, EventKind::Give, 0, 0, 4, 3); }},
      {"half of one", [](Trace& t) { launch(t).recorded().events[0].head |= kUpper; }},
      {"what site 0 does", [](Trace& t) { setEvent(t, EventKind::Load, 1, 0, 2, 0); }},
      {"what site 1 does", [](Trace& t) { setEvent(t, EventKind::Branch, 0, 0, 0, 1); }},
      {"what site 4 does", [](Trace& t) { setEvent(t, EventKind::Store, 1, 0, 2, 4); }},
      {"what site 3 does", [](Trace& t) { setEvent(t, EventKind::BlockBarrier, 0, 0, 2, 3); }},
      // Events 2 and 3 are the halves of one access.
      {"event 3 of thread 0 stands where", [](Trace& t) { launch(t).recorded().events[3].head &= ~kUpper; }},
      {"event 3 of thread 0 stands where", [](Trace& t) { launch(t).recorded().events[3].head -= 4; }},
      {"event 3 of thread 0 stands where", [](Trace& t) { move(t, 3, EventKind::Store, 2, 56, 1); }},
      {"event 3 of thread 0 stands where", [](Trace& t) { move(t, 3, EventKind::Load, 8, 56, 1); }},
      {"event 2 of thread 0 is the second", [](Trace& t) { launch(t).recorded().events[2].head |= kUpper; }},
      {"event 1 of thread 0 is the second", [](Trace& t) { launch(t).recorded().events[1].head |= kUpper; }},
      {"event 0 of thread 2 is the second", [](Trace& t) { splitHalves(t); }},
      {"called right", [](Trace& t) { t.experiment.type = ElementType::Int, t.result = "1", t.expected = "7"; }},
      {"is no number", [](Trace& t) { t.ok = true, t.result = t.expected = ""; }},
      {"its result is 'banana', which is no double",
       [](Trace& t) { t.ok = true, t.result = t.expected = "banana"; }},
      {"its result is '134 (checked by a plain loop)', which",
       [](Trace& t) { t.result = t.expected = "134 (checked by a plain loop)"; }},
      {"its result is '1e+300 ', which", [](Trace& t) { t.result += ' '; }},
      {"its result is '+1', which", [](Trace& t) { t.result = "+1"; }},
      {"its result is '1 ... (all values)', which", [](Trace& t) { t.result = "1 ... (all values)"; }},
      {"its result is '5.5', which is no int",
       [](Trace& t) { t.experiment.type = ElementType::Int, t.result = t.expected = "5.5"; }},
      {"its result is '2147483648', which is no int",
       [](Trace& t) { t.experiment.type = ElementType::Int, t.result = t.expected = "2147483648"; }},
      {"its expected result is 'e\\u001b[31mvil', which", [](Trace& t) { t.expected = "e\x1b[31mvil"; }},
      {"called wrong, but is the one expected",
       [](Trace& t) {
         t.experiment.op = Operator::Custom, t.experiment.custom = {"a + b", "0", 0};
         t.ok = false;
       }},
      {"4 threads where", [](Trace& t) { t.experiment.threads = 8; }},
      {"neither taken", [](Trace& t) { launch(t).recorded().events[0].value = 2; }},
      {"not a word", [](Trace& t) { launch(t).recorded().copied[0].event = launch(t).recorded().events[1]; }},
      {"thread 4", [](Trace& t) { launch(t).recorded().copied[0].thread = 4; }},
      {"warp barrier that", [](Trace& t) { launch(t).recorded().copied[0].barrier = 2; }},
      {"copied word 0 lies", [](Trace& t) { launch(t).recorded().copied[0].event.head |= 0xfff; }},
      {"barrier copy", [](Trace& t) { launch(t).recorded().barrierCopies[0].pop_back(); }},
      {"problem of an", [](Trace& t) { launch(t).recorded().problems[0].kind = ProblemKind(7); }},
      {"problem at a site", [](Trace& t) { launch(t).recorded().problems[0].site = 5; }},
      {"problem at a site", [](Trace& t) { launch(t).recorded().problems[0].site = -2; }},
      {"tells of 1 sites of 5", [](Trace& t) { t.kernel.sites.resize(1); }},
      {"site 0 does something unknown", [](Trace& t) { t.kernel.sites[0].operation = Operation(99); }},
      {"site 0 does store", [](Trace& t) { t.kernel.sites[0].operation = Operation::Store; }},
      {"site 1 stands in a function", [](Trace& t) { t.kernel.sites[1].function = 1; }},
      {"site 1 assigns", [](Trace& t) { t.kernel.sites[1].variable = 0; }},
      {"site 0 has an unknown memory order",
       [](Trace& t) { t.kernel.sites[0].order = model::MemoryOrder(8); }},
      {"site 1 has an unknown memory order",
       [](Trace& t) { t.kernel.sites[1].scope = model::MemoryScope(7); }},
      {"site 1 has a negative step", [](Trace& t) { t.kernel.sites[1].step = -1; }},
      {"operand of its kernel", [](Trace& t) { t.kernel.operands[0].source = 5; }},
      {"operand of its kernel", [](Trace& t) { t.kernel.operands[0].variable = 1; }},
      {"operand of its kernel", [](Trace& t) { t.kernel.operands[0].callee = 1; }},
      {"operand of its kernel", [](Trace& t) { t.kernel.operands[0].site = -1; }},
      {"call of its kernel", [](Trace& t) { t.kernel.calls[0].callee = -1; }},
      {"call of its kernel", [](Trace& t) { t.kernel.calls[0].sitesBefore = 6; }},
      {"call of its kernel", [](Trace& t) { t.kernel.calls[0].loop = 1; }},
      {"variable stands in a function", [](Trace& t) { t.kernel.variables[0].function = 1; }},
      {"variable is of an unknown kind", [](Trace& t) { t.kernel.variables[0].kind = VariableKind(3); }},
      {"too many parts", [](Trace& t) { t.kernel.operands.resize((1 << 16) + 1); }},
      {"name of a function is not UTF-8", [](Trace& t) { t.kernel.functions[0].name = "\xc3"; }},
      {"name of a function is longer than 512", [](Trace& t) { t.kernel.functions[0].name.assign(513, 'k'); }},
      {"name of a variable has a control", [](Trace& t) { t.kernel.variables[0].name = "a\tb"; }},
      {"array whose name has a control", [](Trace& t) { launch(t).recorded().shared[0].name += '\n'; }},
      {"array whose name is no name of C++", [](Trace& t) { launch(t).buffers[1].name = "=1+1"; }},
      {"other act 0 names thread 4", [](Trace& t) { launch(t).recorded().others[0].thread = 4; }},
      {"more events than its thread", [](Trace& t) { launch(t).recorded().others[0].eventsBefore = 5; }},
      {"negative line", [](Trace& t) { launch(t).recorded().others[1].line = -1; }},
      {"other act 1 has no text", [](Trace& t) { launch(t).recorded().others[1].sentence = "\xc3"; }},
      {"a block outside its grid", [](Trace& t) { launch(t).arrivals[0].block = launch(t).grid; }},
      {"on 9 devices", [](Trace& t) { launch(t).devices = 9; }},
      {"shows a block that is not recorded", [](Trace& t) { launch(t).shown = 7; }},
      {"a buffer that its devices have no copies of", [](Trace& t) { launch(t).buffers[0].devices = 2; }},
      {"it has 9 GPUs", [](Trace& t) { t.experiment.gpus = 9; }},
      {"it has 0 GPUs", [](Trace& t) { t.experiment.gpus = 0; }},
      {"too many arrivals", [](Trace& t) { launch(t).arrivals.resize(kMaxArrivals + 1); }},
      {"a meeting stands behind more events", [](Trace& t) { launch(t).recorded().meetings[2].eventsBefore = 5; }},
      {"out of order", [](Trace& t) { std::swap(launch(t).recorded().meetings[0].meeting, launch(t).recorded().meetings[1].meeting); }},
      {"out of order", [](Trace& t) { std::swap(launch(t).recorded().meetings[0], launch(t).recorded().meetings[2]); }},
      {"out of order", [](Trace& t) { launch(t).recorded().meetings[0].eventsBefore = 11; }},
      {"meeting of an unknown kind", [](Trace& t) { launch(t).recorded().meetings[0].part = MeetingPart(3); }},
      {"too many acts", [](Trace& t) { launch(t).recorded().others.resize(kMaxOtherActs + 1); }},
      {"problem in a thread", [](Trace& t) { launch(t).recorded().problems[0].thread = 4; }},
  };
  for (const Break& each : breaks) {
    Trace trace = sample::everyField();
    each.apply(trace);
    const auto fault = faultOf(trace);
    ASSERT_TRUE(fault) << each.what;
    EXPECT_NE(fault->find(each.what), std::string::npos) << each.what << " / " << *fault;
  }
}

// Where the log ended between the two.
TEST(FaultOf, TakesALowerHalfAloneAsAThreadsLastEvent) {
  Trace trace = sample::everyField();
  auto& events = launch(trace).recorded().events;
  std::rotate(events.begin() + 2, events.begin() + 4, events.begin() + 11);
  events.erase(events.begin() + 10);
  launch(trace).recorded().first = {0, 10, 10, 14, 14};
  launch(trace).recorded().issues.pop_back();
  launch(trace).recorded().others.clear();
  EXPECT_EQ(faultOf(trace), std::nullopt);
}

// The Unicode Standard, table 3-7: well-formed byte sequences.
TEST(PlainUtf8, KnowsWellFormedSequences) {
  for (const char* text :
       {"", "plain", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(isPlainUtf8(text)) << text;
  for (const char* text : {"\x80", "\xc0\x80", "\xc2", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xff", "a\xe2\x88"})
    EXPECT_FALSE(isPlainUtf8(text));
  EXPECT_FALSE(isPlainUtf8(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace stridescope::model
