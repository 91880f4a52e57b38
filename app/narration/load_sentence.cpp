#include "narration/load_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analysis/event_groups.h"
#include "base/numbers.h"
#include "model/arithmetic.h"
#include "model/array_names.h"
#include "narration/devices.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// The loads from device memory: how many elements each thread brings, and the distance of two.
struct DeviceLoads {
  unsigned threads = 0;
  std::optional<std::uint64_t> each;   // the same for all threads
  std::optional<std::uint64_t> apart;  // how far two elements are apart, the same for all threads
  std::uint64_t elements = 0;
  std::uint64_t filledUp = 0;  // how many of these lie behind the launch's input: identities
  unsigned widest = 0;         // bytes of one load
};

// A buffer that was filled up with identities to whole blocks.
bool isFilledUp(const model::Array& buffer) {
  if (buffer.devices > 1) return false;  // each device has its own count
  return buffer.role == model::ParameterRole::Input || buffer.role == model::ParameterRole::InPlace;
}

bool isOfWords(const model::Array& buffer) {
  return buffer.role == model::ParameterRole::Messages || buffer.role == model::ParameterRole::Inbox;
}

// The words that threads wait for are no elements that they load.
DeviceLoads deviceLoads(const RoundAt& at) {
  struct Loaded {
    std::uint64_t elements = 0, least = ~std::uint64_t{0}, most = 0;
  };
  std::map<std::uint32_t, Loaded> byThread;
  DeviceLoads loads;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load || !analysis::firstEventOf(operation, at.launch).inGlobal())
      continue;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = at.launch.recorded().events[operation.event[lane]];
      const model::Array& buffer = at.launch.buffers[event.buffer()];
      if (isOfWords(buffer)) return;
      const unsigned bytes = std::max(1u, buffer.elementBytes);
      Loaded& loaded = byThread[operation.warp * model::kWarpSize + lane];
      const std::uint64_t first = event.offset() / bytes, end = first + std::max(1u, event.width() / bytes);
      loaded.elements += end - first;
      if (isFilledUp(buffer) && end > at.launch.elements)
        loads.filledUp += end - std::max(first, at.launch.elements);
      loaded.least = std::min<std::uint64_t>(loaded.least, event.offset() / bytes);
      loaded.most = std::max<std::uint64_t>(loaded.most, event.offset() / bytes);
      loads.widest = std::max(loads.widest, event.width());
    });
  }
  std::set<std::uint64_t> counts, distances;
  for (const auto& [thread, loaded] : byThread) {
    counts.insert(loaded.elements);
    distances.insert(loaded.most - loaded.least);
    loads.elements += loaded.elements;
  }
  loads.threads = unsigned(byThread.size());
  if (counts.size() == 1) loads.each = *counts.begin();
  if (loads.each == 2u && distances.size() == 1) loads.apart = *distances.begin();
  return loads;
}

// Where the values go: what each thread stores to shared memory, else a register.
struct Destination {
  bool shared = false;
  std::uint64_t storesEach = 0;  // what the thread with the most stores
  unsigned behind = 0;           // threads that store behind the loop that the pass is a trip of
};

Destination destinationOf(const RoundAt& at) {
  std::map<std::uint32_t, std::uint64_t> stores;
  Destination destination;
  // A warp reduction's result goes to shared memory, but not what was loaded.
  if (takesPart(at.round(), model::EventKind::WarpReduce)) return destination;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Store || !analysis::firstEventOf(operation, at.launch).inShared())
      continue;
    if (at.pass != nullptr && !operation.inPass) {
      destination.behind += unsigned(std::popcount(operation.mask));
      continue;
    }
    destination.shared = true;
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint64_t number = ++stores[operation.warp * model::kWarpSize + lane];
      destination.storesEach = std::max(destination.storesEach, number);
    });
  }
  return destination;
}

struct LaunchBefore {
  std::size_t number = 0;    // from 0
  std::uint64_t blocks = 0;  // whose results this launch takes, one each
};

std::optional<LaunchBefore> launchBefore(const RoundAt& at) {
  const auto number = std::size_t(&at.launch - at.trace.launches.data());
  if (number == 0 || number >= at.trace.launches.size() || at.launch.devices > 1) return std::nullopt;
  const model::LaunchTrace& before = at.trace.launches[number - 1];
  if (before.grid != at.launch.elements) return std::nullopt;
  return LaunchBefore{number - 1, before.grid};
}

std::string whatIsDone(const RoundAt& at, const DeviceLoads& loads, const Destination& destination) {
  const bool plural = loads.threads != 1;
  if (!loads.each)
    return fmt::format(
        "{} {}",
        destination.shared ? (plural ? "bring" : "brings") : combines(model::operatorOf(at.trace), plural),
        count(loads.elements, "element"));
  const bool combined = accumulates(at) || (*loads.each > 1 && destination.storesEach < *loads.each);
  if (combined) return combinesEach(model::operatorOf(at.trace), *loads.each, plural);
  const std::string_view verb =
      destination.shared ? (plural ? "copy" : "copies") : (plural ? "load" : "loads");
  return fmt::format("{} {} element{}{}", verb, smallNumber(*loads.each), *loads.each == 1 ? "" : "s",
                     plural ? " each" : "");
}

}  // namespace

std::optional<std::uint64_t> elementsLoadedEach(const RoundAt& at) { return deviceLoads(at).each; }

namespace {

std::string threadsOf(const RoundAt& at, std::uint64_t threads) {
  return threads == at.launch.block
             ? count(threads, "thread")
             : fmt::format("{} of {}", figure(threads), count(at.launch.block, "thread"));
}

// "3 of 512 threads wait for the words of 3 other blocks, and combine what these bring"; empty: nobody waits.
// Each wait has left one load. An element of 8 bytes comes in two words, and a pass may have one of them.
std::string waitClause(const RoundAt& at) {
  constexpr unsigned kWordBytes = 8;
  const std::uint64_t wordsOfBlock = model::bytesOf(at.trace.experiment.type) / 4;
  std::set<std::uint32_t> threads;
  std::set<std::uint64_t> words, blocks;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::Load) continue;
    const model::Event& first = analysis::firstEventOf(operation, at.launch);
    if (!first.inGlobal() || !isOfWords(at.launch.buffers[first.buffer()])) continue;
    if (at.launch.buffers[first.buffer()].role == model::ParameterRole::Inbox) continue;  // messageClause()
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      threads.insert(operation.warp * model::kWarpSize + lane);
      words.insert(at.launch.recorded().events[operation.event[lane]].offset() / kWordBytes);
    });
  }
  if (words.empty()) return {};
  for (const std::uint64_t word : words) blocks.insert(word / wordsOfBlock);
  const bool plural = threads.size() != 1, isWhole = words.size() == blocks.size() * wordsOfBlock;
  const std::string wait =
      fmt::format("{} {} for {} of {}", threadsOf(at, threads.size()), plural ? "wait" : "waits",
                  words.size() == 1 ? "a word" : "words", count(blocks.size(), "other block"));
  return isWhole ? fmt::format("{}, and {} the {}", wait, plural ? "combine" : "combines",
                               blocks.size() == 1 ? "result" : "results")
                 : wait;
}

}  // namespace

std::string loadClause(const RoundAt& at) {
  const DeviceLoads loads = deviceLoads(at);
  const std::string waiting = waitClause(at);
  if (loads.threads == 0 && !waiting.empty()) return waiting;
  if (loads.threads == 0 && waitsForDevices(at)) return messageClause(at);
  const Destination destination = destinationOf(at);
  const std::string who = threadsOf(at, loads.threads);
  std::string text = fmt::format("{} {}", who, whatIsDone(at, loads, destination));
  if (loads.apart && *loads.apart > 1) text += fmt::format(", {} apart,", figure(*loads.apart));
  const bool combined = loads.elements > loads.threads || accumulates(at);
  text += destination.shared ? " into shared memory" : combined ? " in registers" : " into registers";
  if (loads.widest > model::bytesOf(at.trace.experiment.type))
    text += fmt::format(", in loads of {} bytes", loads.widest);
  const DeviceReads reads = deviceReads(at);
  if (reads.ownWork && !reads.input) text += ": the blocks' results, as this block is the last to finish";
  if (const auto before = launchBefore(at); before && reads.input && !reads.ownWork)
    text += fmt::format(": the results of the {} of launch {}", count(before->blocks, "block"),
                        figure(before->number));
  if (loads.filledUp > 0 && loads.filledUp < loads.elements)
    text +=
        fmt::format("; {} of the {} elements {} up the block", figure(loads.filledUp), figure(loads.elements),
                    loads.filledUp == 1 ? "is an identity, which fills" : "are identities, which fill");
  else if (loads.filledUp > 0)
    text += ": identities, which fill up the block";
  if (destination.behind > 0)
    text += fmt::format("; then {} {} in shared memory", count(destination.behind, "thread"),
                        destination.behind == 1 ? "stores its value" : "store their values");
  return waiting.empty() ? text : text + "; then " + waiting;
}

namespace {

std::string placeOf(const RoundAt& at, const DeviceWrite& write) {
  return model::elementName(at.launch.buffers[write.buffer], write.element);
}

// What thread 0 writes at the end is what the operator gives of the block's elements, as far as is known.
bool isSound(const RoundAt& at) {
  return at.analysis.races.empty() && at.analysis.problems.empty() &&
         !(hasEnded(at.trace) && isWrong(at.trace));
}

// The blocks tell each other what they have, and one of them writes the result.
bool isOfAllBlocks(const RoundAt& at, const model::Array& buffer) {
  using enum model::ParameterRole;
  const auto has = [&](model::ParameterRole role) {
    return model::indexOfRole(at.launch.buffers, role).has_value();
  };
  return buffer.role == Output && at.launch.grid > 1 && (has(Ticket) || has(CountedSum) || has(Messages)) &&
         (at.launch.devices == 1 || has(Inbox));
}

// "sum"; "result" where it is not known to be right.
std::string nounOfResult(const RoundAt& at) {
  return isSound(at) ? std::string(nounOf(model::operatorOf(at.trace))) : "result";
}

std::string verbOf(const RoundAt& at, const DeviceWrite& write) {
  const model::Array& buffer = at.launch.buffers[write.buffer];
  const bool isTicket = buffer.role == model::ParameterRole::Ticket,
             isSum = buffer.role == model::ParameterRole::CountedSum;
  if (write.atomic && isTicket) return fmt::format("counts this block in {}", placeOf(at, write));
  if (write.atomic && isSum)
    return fmt::format("adds the {} of this block to {}, and counts the block there", nounOfResult(at),
                       placeOf(at, write));
  if ((isTicket || isSum) && write.bits == 0)
    return fmt::format("sets {} back to 0, for the next launch", placeOf(at, write));
  if (isOfWords(buffer))
    return write.bits == 0
               ? fmt::format("takes {} away", placeOf(at, write))
               : fmt::format("sends the {} of this block in {}", nounOfResult(at), placeOf(at, write));
  const WordPrinter printer(buffer);
  const std::string value = grouped(printer.brief(write.bits));
  const std::string what = printer.holdsElements() ? fmt::format(", the {} of {}{}", nounOfResult(at),
                                                                 !isOfAllBlocks(at, buffer) ? "this block"
                                                                 : at.launch.devices > 1    ? "all GPUs"
                                                                                            : "all blocks",
                                                                 hasWrapped(at) ? ", which has wrapped" : "")
                                                   : std::string();
  return fmt::format("{} {}{} {}{}", write.atomic ? "combines" : "writes", value,
                     write.atomic ? " atomically into" : " to", placeOf(at, write), what);
}

// The sentence about all of one thread's writes.
std::string ofOneThread(const RoundAt& at, const std::vector<DeviceWrite>& writes) {
  std::string text = fmt::format("thread {} ", figure(writes[0].thread));
  for (std::size_t i = 0; i < writes.size(); ++i) text += (i == 0 ? "" : ", and ") + verbOf(at, writes[i]);
  return text;
}

std::string ofManyThreads(const RoundAt& at, const std::vector<DeviceWrite>& writes) {
  std::set<std::uint32_t> threads;
  std::set<std::pair<std::uint32_t, std::uint64_t>> places;
  for (const DeviceWrite& write : writes) {
    threads.insert(write.thread);
    places.insert({write.buffer, write.element});
  }
  const bool takesAway = std::ranges::all_of(writes, [&](const DeviceWrite& write) {
    return isOfWords(at.launch.buffers[write.buffer]) && write.bits == 0;
  });
  if (takesAway)
    return fmt::format("{} {} the words away, for the next launch", count(threads.size(), "thread"),
                       threads.size() == 1 ? "takes" : "take");
  const bool atomic = std::ranges::all_of(writes, &DeviceWrite::atomic);
  const std::string verb = atomic ? "each combine a value atomically into" : "write to";
  if (places.size() == 1)
    return fmt::format("{} {} {}", count(threads.size(), "thread"), verb, placeOf(at, writes[0]));
  return fmt::format("{} {} device memory", count(threads.size(), "thread"), verb);
}

}  // namespace

std::string writeClause(const RoundAt& at) {
  const std::vector<DeviceWrite> writes = deviceWrites(at);
  if (writes.empty()) return {};
  const bool one = writes.front().thread == writes.back().thread;
  return one ? ofOneThread(at, writes) : ofManyThreads(at, writes);
}

namespace {

using Wide = model::WideInteger;

bool canWrap(const model::Trace& trace) {
  const model::Operator op = model::operatorOf(trace);
  const bool grows = op == model::Operator::Add || op == model::Operator::Multiply;
  return grows && !model::isFloating(trace.experiment.type);
}

// The operands combined without a limit, if that is not the result but what wraps to it.
std::optional<Wide> exactOfWrapped(const model::Experiment& experiment,
                                   std::span<const std::uint64_t> operands, std::uint64_t result) {
  const bool adds = experiment.op == model::Operator::Add;
  Wide exact = adds ? 0 : 1;
  std::uint64_t wrapped = model::bitsOfElement(adds ? 0 : 1);
  for (const std::uint64_t bits : operands) {
    const Wide value = model::wideOf(experiment.type, bits);
    const bool beyond =
        adds ? __builtin_add_overflow(exact, value, &exact) : __builtin_mul_overflow(exact, value, &exact);
    if (beyond) return std::nullopt;
    wrapped = model::combineBits(experiment.type, experiment.op, wrapped, bits);
  }
  if (wrapped != result || exact == model::wideOf(experiment.type, result)) return std::nullopt;
  return exact;
}

struct Wrapped {
  unsigned thread = 0;
  Wide exact = 0;
  std::uint64_t result = 0;
  bool useful = false;
};

// What wraps in the round, in ascending order of the threads.
std::vector<Wrapped> wrappedIn(const model::Experiment& experiment, const analysis::Round& round,
                               const analysis::RoundFlow& flow) {
  std::vector<Wrapped> wrapped;
  const auto add = [&](unsigned thread, std::span<const std::uint64_t> operands, std::uint64_t result,
                       bool useful) {
    if (const auto exact = exactOfWrapped(experiment, operands, result))
      wrapped.push_back({thread, *exact, result, useful});
  };
  std::vector<std::uint64_t> operands;
  for (const analysis::ThreadWork& work : flow.work) {
    if (!work.ofElements || work.operands.size() < 2 || !work.result) continue;
    operands.clear();
    for (const analysis::Operand& operand : work.operands) operands.push_back(operand.bits);
    add(work.thread, operands, work.result->bits, work.useful);
  }
  for (unsigned thread = 0; thread < round.exchanges.size(); ++thread) {
    const auto& exchange = round.exchanges[thread];
    if (!exchange || exchange->kind != model::EventKind::Shuffle || !exchange->after) continue;
    const std::uint64_t both[] = {exchange->given, exchange->received};
    add(thread, both, *exchange->after, thread < flow.registerUseful.size() && flow.registerUseful[thread]);
  }
  std::ranges::stable_sort(wrapped, {}, &Wrapped::thread);
  return wrapped;
}

// How far results of the block that count are from the exact ones, up to and with the round: sums that wrap
// up and down again are right in the end. For products it only says whether there is an error.
Wide errorUpTo(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  Wide error = 0;
  for (std::size_t r = 0; r <= at.index; ++r)
    for (const Wrapped& one : wrappedIn(experiment, at.analysis.rounds[r], at.flow[r])) {
      if (!one.useful) continue;
      if (experiment.op == model::Operator::Multiply) return 1;
      error += one.exact - model::wideOf(experiment.type, one.result);
    }
  return error;
}

}  // namespace

std::string wrapClause(const RoundAt& at) {
  const model::Experiment& experiment = at.trace.experiment;
  if (!canWrap(at.trace)) return {};
  const std::vector<Wrapped> wrapped = wrappedIn(experiment, at.round(), at.work());
  if (wrapped.empty()) return {};
  const Wrapped& first = wrapped.front();
  const std::string others =
      wrapped.size() == 1 ? "" : fmt::format("results of {} threads wrap; ", figure(wrapped.size()));
  return fmt::format("{}in thread {} {}", others, figure(first.thread),
                     model::wrapClause(experiment.type, experiment.op, model::print(first.exact),
                                       WordPrinter(experiment.type).exact(first.result)));
}

bool hasWrapped(const RoundAt& at) {
  if (!canWrap(at.trace)) return false;
  const bool makesTheResult = &at.launch == &at.trace.launches.back() && at.launch.grid == 1;
  if (makesTheResult && model::hasEnded(at.trace) && at.trace.result == at.trace.expected)
    return model::tellsOfAWrap(at.trace.checkNote);
  return errorUpTo(at) != 0;
}

}  // namespace stridescope::narration
