#include "archive/recording_check.h"

#include <string>
#include <type_traits>

#include "archive/recording_codes.h"
#include "archive/recording_limits.h"
#include "base/numbers.h"

namespace stridescope::archive {
namespace {

using Checked = Result<std::monostate>;

tl::unexpected<Error> beyond(const std::string& what, std::uint64_t has, std::uint64_t most,
                             const std::string& advice) {
  return usageError("There are " + figure(has) + " " + what + ", and one recording holds at most " +
                    figure(most) + ". " + advice);
}

constexpr const char* kRecordFewer = "Record fewer experiments at once.";

Checked checkCount(const std::string& what, std::uint64_t has, std::uint64_t most,
                   const char* advice = kRecordFewer) {
  if (has > most) return beyond(what, has, most, advice);
  return std::monostate{};
}

// Each record by itself, their number, and their texts. `many`: "timelines"; `one`: "timeline".
template <class Record, class NameOf>
Checked checkRecords(std::span<const Record> records, std::size_t most, const std::string& one,
                     const std::string& many, const NameOf& nameOf) {
  if (auto checked = checkCount(many, records.size(), most); !checked) return checked;
  std::size_t texts = 0;
  for (const Record& record : records) {
    texts += textBytes(record);
    if (const auto fault = model::faultOf(record))
      return unavailable("The " + one + " of '" + nameOf(record) + "' cannot be recorded: " + *fault + ".");
  }
  // A listing is no label, and has a limit of its own.
  if constexpr (std::is_same_v<Record, model::MachineCode>)
    for (const Record& record : records) texts -= textBytes(record.lines);
  return checkCount("bytes of names and other texts of " + many, texts, kMaxRecordTextBytes);
}

template <class Record>
Checked checkMeasured(std::span<const Record> records, std::size_t most, const std::string& one,
                      const std::string& many) {
  return checkRecords(records, most, one, many,
                      [](const Record& record) { return record.experiment.variant; });
}

Checked checkTimings(std::span<const model::TimingRecord> timings) {
  std::uint64_t samples = 0;
  for (const model::TimingRecord& timing : timings) samples += timing.samples.size();
  if (auto checked = checkRecords(timings, model::kMaxTimings, "timing", "timings",
                                  [](const model::TimingRecord& timing) { return timing.subject.id; });
      !checked)
    return checked;
  return checkCount("samples of timings", samples, model::kMaxRecordedSamples);
}

Checked checkClocks(std::span<const model::ClockRecord> clocks) {
  std::uint64_t marks = 0;
  for (const model::ClockRecord& clock : clocks) marks += model::markCount(clock);
  if (auto checked = checkRecords(clocks, model::kMaxClocks, "cycles", "blocks with cycles",
                                  [](const model::ClockRecord& clock) { return clock.variant; });
      !checked)
    return checked;
  return checkCount("marks of the clock", marks, model::kMaxMarksOfClocks);
}

Checked checkCounters(std::span<const model::CounterRecord> counters) {
  for (const model::CounterRecord& record : counters)
    if (record.experiment.given.get() != nullptr)
      return usageError("The counters of '" + record.experiment.variant +
                        "' cannot be recorded: they are of a person's input data.");
  return checkMeasured(counters, model::kMaxCounterRecords, "counters", "runs with counters");
}

Checked checkTimelines(std::span<const model::TimelineRecord> timelines) {
  std::uint64_t blocks = 0;
  for (const model::TimelineRecord& record : timelines) blocks += model::blockCount(record);
  if (auto checked = checkMeasured(timelines, model::kMaxTimelines, "timeline", "timelines"); !checked)
    return checked;
  return checkCount("blocks in timelines", blocks, model::kMaxRecordedBlocks);
}

Checked checkCodes(std::span<const model::MachineCode> codes) {
  if (auto checked = checkMeasured(codes, model::kMaxMachineCodes, "machine code", "machine codes"); !checked)
    return checked;
  std::uint64_t bytes = 0;
  for (const model::MachineCode& code : codes) bytes += listingOf(code).size();
  return checkCount("bytes of machine code", bytes, kMaxListingBytes);
}

Checked checkTraces(std::span<const model::Trace> traces, const std::atomic<bool>* cancel) {
  std::uint64_t texts = 0, numbers = 0;
  for (const model::Trace& trace : traces) {
    if (cancel && *cancel) return cancelled();
    if (const auto fault = model::faultOf(trace))
      return unavailable("The trace of '" + trace.experiment.variant + "' cannot be recorded: " + *fault +
                         ".");
    for (const model::LaunchTrace& launch : trace.launches)
      if (auto checked = checkCount("recorded blocks in a launch of '" + trace.experiment.variant + "'",
                                    launch.blocks.size(), 1, "Record one of them.");
          !checked)
        return checked;
    const model::GivenData* const given = trace.experiment.given.get();
    if (given != nullptr) numbers += given->values.size();
    texts += textBytes(trace.experiment) + textBytes(trace.executor) + model::hashOf({}).size() +
             (given != nullptr ? given->name.size() : 0);
  }
  if (auto checked = checkCount("numbers of input data in all traces", numbers, kMaxAllGivenValues,
                                "Record fewer variants at once, or fewer numbers.");
      !checked)
    return checked;
  return checkCount("bytes of names and other texts of traces", texts, kMaxRecordTextBytes);
}

}  // namespace

Result<std::monostate> checkWritable(std::span<const model::Trace> traces, const Measured& measured,
                                     const std::atomic<bool>* cancel) {
  if (auto checked = checkTraces(traces, cancel); !checked) return checked;
  if (auto checked = checkTimings(measured.timings); !checked) return checked;
  if (auto checked = checkClocks(measured.clocks); !checked) return checked;
  if (auto checked = checkCounters(measured.counters); !checked) return checked;
  if (auto checked = checkTimelines(measured.timelines); !checked) return checked;
  if (auto checked = checkMeasured(measured.costs, model::kMaxCosts, "cost", "costs"); !checked)
    return checked;
  return checkCodes(measured.codes);
}

}  // namespace stridescope::archive
