#include "sample_traces.h"

#include <stdlib.h>

#include <array>
#include <bit>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "archive/printable_labels.h"
#include "model/arithmetic.h"

namespace stridescope::model::sample {
namespace {

constexpr std::string_view kKernel =
    "extern \"C\" __global__ void reduce(T* in, T* out, unsigned n) {\n"
    "  extern __shared__ T data[];\n"
    "  while (s > 0) data[tid] += data[tid + s];  // \xce\xa3\n"
    "  out[blockIdx.x] = data[0];\n"
    "}\n";

Event event(EventKind kind, unsigned site, unsigned space = 0, std::uint64_t offset = 0, unsigned bytes = 4,
            std::uint64_t value = 0, bool secondHalf = false) {
  return {recording::eventHead(offset, site, kind, space, std::uint32_t(std::countr_zero(bytes)), secondHalf),
          value};
}

std::vector<Site> sampleSites() {
  return {
      {0, SiteKind::Loop, 3, 10, 5, 1, {}, "s > 0"},
      {1, SiteKind::Update, 3, 17, 9, 2, {0}, "data[tid]", true},
      {2, SiteKind::BlockBarrier, 4, 3, 3, 3, {0, 0}, "__syncthreads()"},
      {3, SiteKind::WarpOperation, 4, 3, 3, 4, {}, "__shfl_down_sync(\xe2\x88\x9e)"},
      {4, SiteKind::Atomic, 4, 3, 0, 5, {}, ""},
  };
}

KernelModel sampleModel() {
  return {.functions = {{"k", true, 3}},
          .variables = {{"data", VariableKind::Shared, "T", "[8]", true, false, 0, 2}},
          .calls = {{0, 0, 4, 0}},
          .sites = {{Operation::Loop, 0, -1, false, 0},
                    {Operation::Update, 0, -1, true, 0},
                    {Operation::SyncThreads, 0, -1, false, 2},
                    {Operation::ShflDown, -1, -1, false, 0},
                    {Operation::AtomicCas, 0, -1, false, 0}},
          .operands = {{1, 1, -1, -1}, {1, -1, 0, 0}}};
}

LaunchTrace fullLaunch() {
  constexpr std::uint64_t kTop = 1ull << 63;
  LaunchTrace launch;
  launch.setShape({200'000'000, 5, 2}, {2, 1, 2});
  launch.recorded().block = 1'999'999'999;
  launch.elements = ~0ull;
  launch.recorded().shared = {{.name = "data", .elementBytes = 4, .bytes = 32, .extents = {2, 4}},
                              {.name = "wide",
                               .elementBytes = 16,
                               .bytes = 64,
                               .members = {{NumberKind::Signed, 1, 0, "tag"},
                                           {NumberKind::Half, 2, 2, "w[0]"},
                                           {NumberKind::Floating, 8, 8, "size.x"}}}};
  launch.buffers = {{"in", 8, 1ull << 40, ElementType::Double, ParameterRole::InPlace},
                    {"out", 4, 4, std::nullopt, ParameterRole::Ticket}};
  const unsigned data = recording::kSharedSpace, wide = data + 1, in = recording::kGlobalSpace, out = in + 1;
  launch.recorded().events = {
      // thread 0
      event(EventKind::Branch, 0, 0, 0, 1, 1),
      event(EventKind::Load, 1, data, 28, 4, 0xffffffff),
      event(EventKind::Load, 1, wide, 48, 16, kTop),
      event(EventKind::Load, 1, wide, 56, 16, ~0ull, true),
      event(EventKind::Store, 1, in, (1ull << 40) - 8, 8, kTop | 1),
      event(EventKind::Atomic, 4, out, 0, 4, 7),
      event(EventKind::BlockBarrier, 2),
      event(EventKind::WarpBarrier, 3, 0, 0xffffffff),
      event(EventKind::WarpBarrier, 3, 0, 1),
      event(EventKind::Give, 3, 0, 0, 8, kTop - 1),
      event(EventKind::Shuffle, 3, 0, 0xffffffff | 31ull << 32, 8, kTop),
      // thread 2; 1 and 3 did nothing
      event(EventKind::Vote, 3, 0, 0x80000000, 4, 0),
      event(EventKind::WarpReduce, 3, 0, 4, 4, 12),
      event(EventKind::Load, 1, data, 3, 1, 255),
      event(EventKind::Load, 1, data, 2, 2, 65535),
  };
  launch.recorded().first = {0, 11, 11, 15, 15};
  launch.recorded().issues = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, ~0u, 9, 7, 0};
  launch.recorded().barrierCopies = {std::vector<std::uint8_t>(96, 0), std::vector<std::uint8_t>(96, 0xff)};
  launch.recorded().copied = {{0, 0, event(EventKind::Copied, 0, data, 4, 4, 9)},
                              {0, 1, event(EventKind::Copied, 3, wide, 0, 8, ~0ull)}};
  launch.recorded().others = {{.kind = "remote load",
                               .line = 2,
                               .clusterRank = 7,
                               .threads = 2,
                               .times = ~0ull >> 1,
                               .bytes = 1,
                               .sentence = "\xc3\xa9",
                               .thread = 2,
                               .eventsBefore = 4},
                              {.kind = "barrier wait", .line = 0}};
  launch.recorded().meetings = {{0, 1, 0}, {0, 10, 3}, {2, 0, 3, MeetingPart::Arrives}};
  launch.arrivals = {{0}};
  launch.recorded().cut = true;
  launch.recorded().problems = {{ProblemKind::Deadlock, "Thread 3 waits.", 2, 3},
                                {ProblemKind::OutOfBounds, "", -1, 0},
                                {ProblemKind::DivergentBarrier, "\xc3\xa9", 0, 1},
                                {ProblemKind::UndefinedShuffle, "x", 3, 2},
                                {ProblemKind::Limit, "Stopped.", -1, 0}};
  return launch;
}

LaunchTrace idleLaunch() {
  LaunchTrace launch;
  launch.block = 4;
  launch.recorded().first.assign(5, 0);
  launch.recorded().barrierCopies = {{}, {}};  // no shared memory
  return launch;
}

class Dice {
 public:
  explicit Dice(std::mt19937_64& generator) : generator_(generator) {}
  std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }
  bool flip() { return below(2) == 1; }
  // Small, huge or any.
  std::uint64_t bits() {
    constexpr std::array<std::uint64_t, 6> corners{0, 1, 0x7fffffff, 0x80000000, 1ull << 63, ~0ull};
    return flip() ? corners[below(corners.size())] : generator_() >> below(64);
  }
  std::string text() {
    constexpr std::array<std::string_view, 6> pieces{"a", " ", "'", "\"; DROP TABLE events;", "\xe2\x88\x91",
                                                     "\n"};
    std::string text;
    for (std::uint64_t i = below(6); i > 0; --i) text += pieces[below(pieces.size())];
    return text;
  }
  // An array, a function or a variable has it.
  std::string name() {
    constexpr std::array<std::string_view, 6> names{"data",
                                                    "\xce\xa3_1",
                                                    "ns::Sum<float, 4u>::operator()(float)",
                                                    "(anonymous namespace)::f",
                                                    "main::{lambda(int)#1}",
                                                    "size[abi:cxx11]"};
    return std::string(names[below(names.size())]);
  }
  std::string value(ElementType type) { return printElement(type, bits()); }

 private:
  std::mt19937_64& generator_;
};

EventKind randomKind(Dice& dice, SiteKind site) {
  switch (site) {
    case SiteKind::Load:
      return EventKind::Load;
    case SiteKind::Store:
      return EventKind::Store;
    case SiteKind::Update:
      return dice.flip() ? EventKind::Load : EventKind::Store;
    case SiteKind::Atomic:
      return EventKind::Atomic;
    case SiteKind::Branch:
    case SiteKind::Loop:
      return EventKind::Branch;
    case SiteKind::BlockBarrier:
      return EventKind::BlockBarrier;
    case SiteKind::Assign:
      return EventKind::Value;
    case SiteKind::WarpOperation:
      break;
  }
  constexpr std::array kinds{EventKind::WarpBarrier, EventKind::Shuffle, EventKind::Vote,
                             EventKind::WarpReduce, EventKind::Give};
  return kinds[dice.below(kinds.size())];
}

// The access lies at least 16 bytes from the end of the array.
Event randomAccess(Dice& dice, EventKind kind, unsigned site, const LaunchTrace& launch, unsigned bytes) {
  const bool shared = kind == EventKind::Copied || dice.flip();
  const std::vector<Array>& arrays = shared ? launch.recorded().shared : launch.buffers;
  const std::uint64_t index = dice.below(arrays.size());
  const unsigned space = unsigned((shared ? recording::kSharedSpace : recording::kGlobalSpace) + index);
  return event(kind, site, space, dice.below(arrays[index].bytes - 15), bytes, dice.bits());
}

// One event, or the two of a 16-byte access.
std::vector<Event> randomEvents(Dice& dice, const LaunchTrace& launch, const Site& site) {
  const auto id = unsigned(site.id);
  const unsigned bytes = 1u << dice.below(4);
  const EventKind kind = randomKind(dice, site.kind);
  switch (kind) {
    case EventKind::Branch:
      return {event(kind, id, 0, 0, bytes, dice.below(2))};
    case EventKind::WarpBarrier:
    case EventKind::Vote:
    case EventKind::WarpReduce:
      return {event(kind, id, 0, dice.bits() & 0xffffffff, bytes, dice.bits())};
    case EventKind::Shuffle:
      return {event(kind, id, 0, (dice.bits() & 0xffffffff) | dice.below(32) << 32, bytes, dice.bits())};
    case EventKind::BlockBarrier:
    case EventKind::Give:
    case EventKind::Value:
      return {event(kind, id, 0, 0, bytes, dice.bits())};
    default:
      break;
  }
  if (dice.flip()) return {randomAccess(dice, kind, id, launch, bytes)};
  const Event lower = randomAccess(dice, kind, id, launch, 16);
  return {lower, event(kind, id, lower.space(), lower.offset() + 8, 16, dice.bits(), true)};
}

Array randomArray(Dice& dice, std::uint64_t bytes) {
  Array array{dice.name(), unsigned(1 + dice.below(16)), bytes};
  if (dice.flip()) {
    array.type = kElementTypes[dice.below(kElementTypes.size())];
    array.elementBytes = bytesOf(*array.type);
  }
  return array;
}

LaunchTrace randomLaunch(Dice& dice, unsigned threads, const std::vector<Site>& sites) {
  LaunchTrace launch;
  const Dim3 rows =
      dice.flip() ? Dim3(1, 1 + unsigned(dice.below(65535)), 1 + unsigned(dice.below(65535))) : Dim3();
  const unsigned blockRows = threads % 2 == 0 && dice.flip() ? 2 : 1;
  launch.setShape({1 + dice.below(2147483647), rows.y, rows.z}, {threads / blockRows, 1, blockRows});
  launch.recorded().block = dice.below(launch.grid);
  launch.elements = dice.bits();
  launch.recorded().cut = dice.flip();
  for (std::uint64_t i = 1 + dice.below(7); i > 0; --i)
    launch.recorded().shared.push_back(randomArray(dice, 16 + dice.below(1000)));
  for (std::uint64_t i = 1 + dice.below(8); i > 0; --i)
    launch.buffers.push_back(randomArray(dice, 16 + dice.below(1ull << 39)));
  for (Array& buffer : launch.buffers)  // the last three are passed by value
    if (dice.flip()) buffer.role = kParameterRoles[dice.below(std::size_t(ParameterRole::Count))];
  launch.recorded().first.push_back(0);
  for (unsigned thread = 0; thread < launch.block; ++thread) {
    std::uint32_t warpBarriers = 0;
    for (std::uint64_t i = sites.empty() ? 0 : dice.below(6); i > 0; --i) {
      for (const Event& made : randomEvents(dice, launch, sites[dice.below(sites.size())]))
        launch.recorded().events.push_back(made);
      if (launch.recorded().events.back().kind() != EventKind::WarpBarrier) continue;
      launch.recorded().copied.push_back(
          {thread, warpBarriers++,
           randomAccess(dice, EventKind::Copied, launch.recorded().events.back().site(), launch,
                        1u << dice.below(4))});
    }
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  if (dice.flip())
    for (std::size_t i = 0; i < launch.recorded().events.size(); ++i)
      launch.recorded().issues.push_back(std::uint32_t(dice.below(1ull << 32)));
  std::uint64_t sharedBytes = 0;
  for (const Array& array : launch.recorded().shared) sharedBytes += array.bytes;
  for (std::uint64_t i = dice.below(4); i > 0; --i) {
    launch.recorded().barrierCopies.emplace_back(sharedBytes);
    for (std::uint8_t& byte : launch.recorded().barrierCopies.back()) byte = std::uint8_t(dice.below(256));
  }
  for (std::uint64_t i = dice.below(3); i > 0; --i)
    launch.recorded().problems.push_back({ProblemKind(dice.below(7)), dice.text(),
                                          int(dice.below(sites.size() + 1)) - 1,
                                          unsigned(dice.below(launch.block))});
  return launch;
}

}  // namespace

Trace everyField() {
  Trace trace;
  trace.experiment = {"interleaved_modulo",
                      ElementType::Double,
                      Operator::Max,
                      4,
                      1ull << 63,
                      DataPattern::Random,
                      ~0ull,
                      4294967295u,
                      ~0ull};
  trace.kernelText = kKernel;
  trace.preamble = "using T = double;\n";
  trace.executor = {EngineKind::Gpu, "A GPU", "9.0", "580.159", "NVRTC 13.0", "2026-01-31T12:00:00Z"};
  trace.sites = sampleSites();
  trace.kernel = sampleModel();
  trace.launches = {fullLaunch(), idleLaunch()};
  trace.result = "1e+300";
  trace.expected = "1e+300";
  trace.ok = true;
  trace.checkNote = "within 1.2e-05 of it";
  return trace;
}

Trace empty() {
  Trace trace;
  trace.experiment.variant = "v";
  return trace;
}

Trace recorded(Trace trace) {
  trace.executor.kind = EngineKind::Recorded;
  trace.verdictIsRecorded = true;
  archive::makeLabelsPrintable(trace);
  return trace;
}

// Some operation that a site of the kind does.
Operation operationOf(Dice& dice, SiteKind kind) {
  std::vector<Operation> all;
  for (const Operation operation : allOf(Operation{}))
    if (kindOf(operation) == kind) all.push_back(operation);
  return all[dice.below(all.size())];
}

KernelModel randomModel(Dice& dice, const std::vector<Site>& sites) {
  KernelModel kernel;
  const auto indexOf = [&](const auto& list) { return int(dice.below(list.size() + 1)) - 1; };
  for (std::uint64_t i = dice.below(4); i > 0; --i)
    kernel.functions.push_back({dice.name(), dice.flip(), int(1 + dice.below(9))});
  for (std::uint64_t i = 1 + dice.below(4); i > 0; --i)
    kernel.variables.push_back({dice.name(), VariableKind(dice.below(3)), dice.text(), dice.text(),
                                dice.flip(), dice.flip(), indexOf(kernel.functions), int(1 + dice.below(9))});
  if (!kernel.functions.empty())
    for (std::uint64_t i = dice.below(4); i > 0; --i)
      kernel.calls.push_back({int(dice.below(kernel.functions.size())),
                              int(dice.below(kernel.functions.size())), int(dice.below(sites.size() + 1)),
                              -1});
  for (const Site& site : sites) {
    const Operation operation = operationOf(dice, site.kind);
    const int variable = operation == Operation::Assign ? int(dice.below(kernel.variables.size())) : -1;
    kernel.sites.push_back({operation, indexOf(kernel.functions), variable, dice.flip(), int(dice.below(3))});
  }
  if (!sites.empty())
    for (std::uint64_t i = dice.below(6); i > 0; --i)
      kernel.operands.push_back({int(dice.below(sites.size())), indexOf(sites), indexOf(kernel.variables),
                                 indexOf(kernel.functions)});
  return kernel;
}

Trace random(std::mt19937_64& generator) {
  Dice dice(generator);
  Trace trace;
  trace.experiment = {"v" + dice.text(),
                      kElementTypes[dice.below(kElementTypes.size())],
                      kOperators[dice.below(kOperators.size())],
                      unsigned(1 + dice.below(dice.flip() ? 4 : 1024)),
                      dice.bits(),
                      kDataPatterns[dice.below(kDataPatterns.size())],
                      dice.bits(),
                      unsigned(dice.below(1ull << 32)),
                      dice.bits()};
  trace.kernelText = dice.text() + "\n" + dice.text();
  trace.preamble = dice.text();
  trace.executor = {EngineKind::Recorded, dice.text(), dice.text(), dice.text(), dice.text(), dice.text()};
  for (int id = 0, count = int(dice.below(20)); id < count; ++id) {
    Site site{id, SiteKind(dice.below(9)), 1, 1, 0, int(dice.below(100)), {}, dice.text()};
    for (const Site& other : trace.sites)
      if (other.kind == SiteKind::Loop && dice.flip()) site.loops.push_back(other.id);
    trace.sites.push_back(std::move(site));
  }
  if (dice.flip()) trace.kernel = randomModel(dice, trace.sites);
  for (std::uint64_t i = dice.below(4); i > 0; --i)
    trace.launches.push_back(randomLaunch(dice, trace.experiment.threads, trace.sites));
  trace.result = dice.value(trace.experiment.type);
  trace.expected = dice.flip() ? trace.result : dice.value(trace.experiment.type);
  trace.ok = dice.flip() && (isFloating(trace.experiment.type) || trace.result == trace.expected);
  trace.checkNote = dice.text();
  return trace;
}

Trace withEvents(unsigned threads, unsigned eventsPerThread) {
  Trace trace = everyField();
  trace.experiment.threads = threads;
  LaunchTrace launch;
  launch.block = threads;
  launch.recorded().shared = {{"data", 4, threads * 4}};
  launch.recorded().first.push_back(0);
  for (unsigned thread = 0; thread < threads; ++thread) {
    for (unsigned i = 0; i < eventsPerThread; ++i) {
      const bool load = i % 3 != 0;
      launch.recorded().events.push_back(
          event(load ? EventKind::Load : EventKind::Branch, load ? 1 : 0, load ? recording::kSharedSpace : 0,
                load ? (thread + i) % threads * 4 : 0, 4, load ? thread * i : i % 2));
    }
    launch.recorded().first.push_back(std::uint32_t(launch.recorded().events.size()));
  }
  for (unsigned i = 0; i < 12; ++i)
    launch.recorded().barrierCopies.emplace_back(threads * 4, std::uint8_t(i));
  trace.launches = {launch};
  return trace;
}

}  // namespace stridescope::model::sample
