#include "largest_records.h"

#include <algorithm>
#include <random>

#include "model/quantity.h"
#include "support/grid_records.h"
#include "support/stand_in_clock.h"

namespace stridescope::archive::test {
namespace {

// As much of it as all records have.
template <class Record>
Record recordOf(const model::Trace& trace) {
  const model::Experiment& asked = trace.experiment;
  Record record;
  record.experiment = {.variant = asked.variant,
                       .type = asked.type,
                       .op = asked.op,
                       .threads = asked.threads,
                       .elements = asked.elements};
  record.kernelHash = model::hashOf(trace.kernelText);
  record.executor = support::standInGpu();
  return record;
}

}  // namespace

std::vector<model::ClockRecord> clocksOf(const model::Trace& trace, std::size_t count, std::size_t runs) {
  const auto clock = [&](model::ClockedGrid company, std::uint64_t cycles) {
    return support::standInRecord(trace, company, runs,
                                  [cycles](std::size_t mark) { return cycles * mark * mark; });
  };
  std::vector<model::ClockRecord> clocks;
  for (std::size_t i = 0; i < count; ++i)
    clocks.push_back(clock(model::kClockedGrids[i % model::kClockedGrids.size()], 7 + i));
  return clocks;
}

std::vector<model::CounterRecord> countersOf(const model::Trace& trace, std::size_t count,
                                             std::size_t launches) {
  auto record = recordOf<model::CounterRecord>(trace);
  record.experiment.data = trace.experiment.data;
  model::LaunchCounters launch{.grid = 1, .block = trace.experiment.threads, .values = {}};
  for (const model::Counter counter : model::kCounters) launch.values.push_back({counter, 1e17 / 3});
  record.launches.assign(launches, launch);
  return std::vector(count, record);
}

std::vector<model::TimelineRecord> timelinesOf(const model::Trace& trace, std::size_t count,
                                               std::size_t blocks, bool apart) {
  auto record = recordOf<model::TimelineRecord>(trace);
  constexpr unsigned kMultiprocessors = 132, kResident = 16, kDuration = 3200;
  record.multiprocessors = apart ? model::kMaxMultiprocessors : kMultiprocessors;
  record.runs = 21;
  record.cleanMicroseconds = record.markedMicroseconds = 1000;
  model::LaunchTimeline launch{.block = trace.experiment.threads, .residentBlocks = kResident, .blocks = {}};
  std::mt19937_64 generator(33);
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto place = unsigned(block % (kMultiprocessors * kResident));
    const std::uint64_t turn = block / (kMultiprocessors * kResident);
    if (apart)
      launch.blocks.push_back(
          {block % 2 == 0 ? generator() % 1000 : 1'000'000'000'000'000 - generator() % 1000,
           4'000'000'001u + unsigned(generator() % 1000), 4095 - unsigned(block % 7)});
    else
      launch.blocks.push_back(
          {1000 + turn * kDuration + place % 7 * 32, kDuration - place % 7 * 32, place % kMultiprocessors});
  }
  for (const model::BlockRun& run : launch.blocks)
    record.nanoseconds = std::min(std::max(record.nanoseconds, run.start + run.nanoseconds + 100),
                                  std::uint64_t(model::kMaxMicroseconds) * 1000);
  record.launches = {std::move(launch)};
  return std::vector(count, record);
}

std::vector<model::CostRecord> costsOf(const model::Trace& trace, std::size_t count, std::size_t launches) {
  model::CostRecord record = support::roundCost();
  record.experiment = recordOf<model::CostRecord>(trace).experiment;
  record.kernelHash = model::hashOf(trace.kernelText);
  record.launches.assign(
      launches, {.grid = 1u << 20, .block = trace.experiment.threads, .registers = 16, .residentBlocks = 8});
  return std::vector(count, record);
}

std::vector<model::MachineCode> codesOf(const model::Trace& trace, std::size_t count, std::size_t lines,
                                        std::size_t lineBytes) {
  auto record = recordOf<model::MachineCode>(trace);
  record.experiment.elements = 0;  // it is the same of any
  record.target = "sm_90";
  for (std::size_t line = 0; line < lines; ++line)
    record.lines.push_back({unsigned(line % 20), std::string(lineBytes, char('A' + line % 26))});
  return std::vector(count, record);
}

std::vector<model::TimingRecord> timingsOf(std::size_t count, std::size_t samples) {
  model::TimingRecord record{.subject = {model::SubjectKind::Variant, "sequential"},
                             .timingCase = {},
                             .threads = 256,
                             .executor = support::standInGpu(),
                             .readCeiling = 2000,
                             .copyCeiling = 1800,
                             .samples = {}};
  for (std::size_t i = 0; i < samples; ++i)
    record.samples.push_back({std::uint32_t(i), 10.0f + float(i % 100) / 64});
  std::vector<model::TimingRecord> records(count, record);
  for (std::size_t i = 0; i < count; ++i) records[i].timingCase.elements = i + 1;
  return records;
}

std::vector<model::GroupTimingRecord> groupTimingsOf(std::size_t count, std::size_t others) {
  model::GroupTimingRecord record;
  record.experiment.variant = "nvlink_message";
  record.experiment.elements = 4096;
  record.experiment.gpus = 8;
  record.kernelHash = model::hashOf("a text");
  record.executor = support::standInGpu();
  record.samples = 101;
  record.least = 10, record.lowerQuartile = 11, record.microseconds = 12, record.upperQuartile = 13;
  record.low = 11.5, record.high = 12.5;
  for (std::size_t i = 0; i < others; ++i)
    record.others.push_back({.subject = "other_" + std::to_string(i),
                             .microseconds = 20,
                             .ratio = 1.0 / 3,
                             .low = 0.25,
                             .high = 0.5});
  return std::vector(count, record);
}

std::vector<model::LinkRecord> linksOf(std::size_t count, unsigned gpus) {
  model::LinkRecord record{.executor = support::standInGpu(), .gpus = gpus, .links = {}};
  for (unsigned from = 0; from < gpus; ++from)
    for (unsigned to = 0; to < gpus; ++to)
      if (from != to)
        record.links.push_back({.from = from,
                                .to = to,
                                .copyGigabytesPerSecond = 391.5,
                                .loadGigabytesPerSecond = 366.25,
                                .messageNanoseconds = 740});
  return std::vector(count, record);
}

}  // namespace stridescope::archive::test
