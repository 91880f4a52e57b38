#include "narration/write_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "narration/memory_words.h"
#include "narration/result_words.h"
#include "narration/round_facts.h"
#include "narration/wording.h"
#include "narration/wrap_clause.h"

namespace stridescope::narration {
namespace {

std::string placeOf(const RoundAt& at, const DeviceWrite& write) {
  return fmt::format("{}[{}]", at.launch.buffers[write.buffer].name, figure(write.element));
}

// What thread 0 writes at the end is what the operator gives of the block's elements, as far as is known.
bool isSound(const RoundAt& at) {
  return at.analysis.races.empty() && at.analysis.problems.empty() &&
         !(hasEnded(at.trace) && isWrong(at.trace));
}

std::string verbOf(const RoundAt& at, const DeviceWrite& write) {
  const model::Array& buffer = at.launch.buffers[write.buffer];
  if (write.atomic && buffer.role == model::ParameterRole::Ticket)
    return fmt::format("counts this block in {}", placeOf(at, write));
  const WordPrinter printer(buffer);
  const std::string value = grouped(printer.brief(write.bits));
  const std::string what =
      printer.holdsElements()
          ? fmt::format(", the {} of this block{}", isSound(at) ? nounOf(at.trace.experiment.op) : "result",
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

}  // namespace stridescope::narration
