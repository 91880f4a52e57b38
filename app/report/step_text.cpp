#include <fmt/format.h>

#include <algorithm>

#include "analysis/requests.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "narration/arrivals.h"
#include "narration/caption.h"
#include "narration/devices.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/runs.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

// "-" where the number is not known.
std::string known(bool isKnown, unsigned number) { return isKnown ? figure(number) : "-"; }

const std::vector<Column>& requestColumns() {
  static const std::vector<Column> columns{
      {.heading = "site", .width = 7, .gap = 0},
      {.heading = "kind", .isText = true, .width = 6, .gap = 2},
      {.heading = "space", .isText = true, .width = 6},
      {.heading = "requests", .width = 8},
      {.heading = "wavefronts", .width = 10},
      {.heading = "ideal", .width = 5},
      {.heading = "conflicts", .width = 9},
      {.heading = "way", .width = 4},
      {.heading = "sectors", .width = 7},
      {.heading = "ideal", .width = 5},
      {.heading = "text", .isText = true, .gap = 2},
  };
  return columns;
}

std::string requestsTable(const narration::RoundAt& at) {
  if (at.round().requests.empty()) return {};
  std::string text = headLine(requestColumns()) + "\n";
  for (const analysis::Request& request : at.round().requests) {
    const bool banks = request.hasWavefronts();
    const model::Site site =
        request.site < at.trace.sites.size() ? at.trace.sites[request.site] : model::Site{};
    const std::string row = textLine(
        requestColumns(),
        {fmt::format("{}:{}", site.line, site.column), std::string(accessName(request.kind)),
         request.shared ? "shared" : "global", figure(request.requests), known(banks, request.wavefronts),
         known(banks, request.ideal), known(banks, request.conflicts()), known(banks, request.way),
         known(!request.shared, request.sectors), known(!request.shared, request.idealSectors),
         inOneLine(site.text)});
    text += std::string(narration::firstCharacters(row, narration::kTextColumns)) + "\n";
  }
  return text;
}

std::string figuresLine(const narration::RoundAt& at) {
  std::string text;
  for (const narration::Figure& entry : narration::figuresOf(at)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", entry.label, figure(entry.value));
    if (entry.of != 0) text += " of " + figure(entry.of);
  }
  return paragraph(text);
}

std::string whereOf(const model::ClockRecord& record) {
  return record.company == model::ClockedGrid::Alone
             ? std::string("alone")
             : fmt::format("block {} of {}", figure(record.block), figure(record.grid));
}

// "cycles: 158 (quartiles 155 and 160) alone, 206 (quartiles 203 and 209) in a full grid"; empty: nothing is
// known.
std::string roundCyclesLine(const analysis::LaunchCycles& cycles, std::size_t round) {
  const auto part = [](const analysis::Cycles& own, std::string_view where) {
    return fmt::format("{} (quartiles {} and {}) {}", figure(own.median), figure(own.low), figure(own.high),
                       where);
  };
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return {};
  std::string text = "cycles: ";
  if (alone != nullptr) text += part(*alone, "alone");
  if (inGrid != nullptr) text += (alone != nullptr ? ", " : "") + part(*inGrid, "in a full grid");
  return paragraph(text);
}

// What was clocked, where, and what the marks cost, as lines.
std::string clockedText(const lab::RunCycles& cycles) {
  std::string text;
  for (const model::ClockRecord& record : cycles.clocks)
    text += paragraph(
        fmt::format("cycles of warp 0, {}, on {}: medians of {} runs; the launch takes {} µs "
                    "without marks of the clock and {} with them",
                    whereOf(record), record.executor.device, figure(record.firstWarp.size()),
                    decimalText(record.cleanMicroseconds, 2), decimalText(record.clockedMicroseconds, 2)));
  return text;
}

std::string mapsOf(const narration::RoundAt& at, narration::InStep place, bool inDetail) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (map.inStep == place) text += (inDetail || map.brief == nullptr ? map.text : map.brief)(at);
  return text;
}

std::string roundText(const narration::RoundAt& at, bool inDetail, const analysis::LaunchCycles* cycles) {
  std::string text = fmt::format("\nround {} ({}), ends with {}\n", figure(at.index), narration::tickOf(at),
                                 analysis::nameOf(at.round().endsWith));
  text += paragraph(narration::captionOf(at).text());
  if (cycles != nullptr) text += roundCyclesLine(*cycles, at.index);
  text += mapsOf(at, narration::InStep::EachRound, inDetail);
  text += requestsTable(at);
  if (inDetail) text += figuresLine(at) + mapsOf(at, narration::InStep::ChosenRound, inDetail);
  return text;
}

// " (4 x 2 x 1)" for a shape of more rows than one, else empty.
std::string rowsOf(const model::Dim3& shape) {
  return shape.isOneRow() ? "" : " (" + model::text(shape) + ")";
}

// Where the blocks' results are joined; else empty.
std::string arrivalLine(const model::LaunchTrace& launch) {
  constexpr std::size_t kMaxBlocks = 16;
  if (launch.arrivals.empty()) return {};
  return "order of arrival of the blocks: " + narration::arrivalOrder(launch, kMaxBlocks) + "\n";
}

// Who has which blocks; empty where there is one device.
std::string devicesLine(const model::LaunchTrace& launch) {
  if (launch.devices == 1) return {};
  return fmt::format("{} GPUs with {} each; block {} is of GPU {}\n", launch.devices,
                     narration::count(launch.blocksOfDevice(), "block"), figure(launch.recorded().block),
                     launch.recorded().device);
}

std::string launchHeading(const model::LaunchTrace& launch, std::size_t index) {
  // A person's own kernel has arrays, and none of them is the input.
  const std::string in =
      launch.elements == 0 ? "" : ", " + narration::count(launch.elements, "element") + " in";
  return fmt::format("\nlaunch {}: {}{} of {}{}{}; block {} inspected\n", index,
                     narration::count(launch.grid, "block"), rowsOf(launch.gridShape()),
                     narration::count(launch.block, "thread"), rowsOf(launch.blockShape()), in,
                     figure(launch.recorded().block)) +
         devicesLine(launch) + arrivalLine(launch);
}

std::string wholeLaunch(const narration::RoundAt& at) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (const std::string drawn = map.inStep == narration::InStep::Launch ? map.text(at) : ""; !drawn.empty())
      text += fmt::format("\n{}\n{}", map.heading, drawn);
  return text;
}

std::string totalsLine(const analysis::Totals& totals) {
  const std::string text = fmt::format("totals in shared memory: loads {}, {}; stores {}, {}",
                                       narration::count(totals.loadWavefronts, "wavefront"),
                                       narration::count(totals.loadConflicts, "conflict"),
                                       narration::count(totals.storeWavefronts, "wavefront"),
                                       narration::count(totals.storeConflicts, "conflict"));
  return paragraph(text);
}

}  // namespace

std::string headingOf(const model::Trace& trace) {
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  std::string text;
  if (kernel) text += paragraph(fmt::format("{}. {}", kernel->title, kernel->changed));
  return text + paragraph(engine::summaryOf(trace.experiment)) +
         paragraph("engine: " + narration::executorInWords(trace.executor));
}

std::string resultLine(const model::Trace& trace) {
  std::string text = paragraph(narration::resultAndExpected(trace));
  if (const std::string note = narration::noteOf(trace); !note.empty()) text += paragraph(note);
  return text;
}

// A block that was recorded beside the first: how many rounds it has, its totals, and what went wrong in it.
std::string otherBlock(std::size_t launch, const lab::Run& run) {
  const model::LaunchTrace& only = run.trace.launches.front();
  std::string text = fmt::format("\nlaunch {}, block {}: {}; {}", launch, figure(only.recorded().block),
                                 narration::count(run.analysis.launches.front().rounds.size(), "round"),
                                 totalsLine(run.analysis.totals));
  if (only.devices > 1)  // shared memory is not what such a launch is about
    text = fmt::format("\nlaunch {}, GPU {}, block {}: {}\n", launch, only.recorded().device,
                       figure(only.recorded().block),
                       narration::count(run.analysis.launches.front().rounds.size(), "round"));
  const narration::RoundAt whole{run.trace, only, run.analysis.launches.front(), run.flow.front(), 0};
  for (const std::string& sentence : narration::troubleOf(whole))
    text += narration::wrapped(sentence, narration::kTextColumns) + "\n";
  return text;
}

std::string whatHappened(const lab::Run& run, const std::optional<RoundRange>& rounds,
                         const lab::RunCycles* cycles) {
  const model::Trace& trace = run.trace;
  const analysis::Analysis& analysis = run.analysis;
  std::string text;
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    const std::vector<analysis::RoundFlow>& flow = run.flow[i];
    text += launchHeading(launch, i);
    for (std::size_t index = 0; index < flow.size(); ++index)
      if (!rounds || rounds->contains(index))
        text += roundText({trace, launch, analysis.launches[i], flow, index}, rounds.has_value(),
                          cycles == nullptr ? nullptr : &cycles->launches[i]);
    const narration::RoundAt whole{trace, launch, analysis.launches[i], flow, 0};
    if (!rounds && !flow.empty()) text += wholeLaunch(whole);
    for (const std::string& sentence : narration::troubleOf(whole))
      text += fmt::format("\n{}\n", narration::wrapped(sentence, narration::kTextColumns));
    for (const std::string& sentence : narration::deviceRaceSentences(whole))
      text += fmt::format("\n{}\n", narration::wrapped(sentence, narration::kTextColumns));
  }
  analysis::Totals totals = analysis.totals;
  eachOtherBlock(trace, [&](std::size_t launch, const lab::Run& other) {
    totals = totals + other.analysis.totals;
    text += otherBlock(launch, other);
  });
  text += "\n" + totalsLine(totals);
  if (cycles != nullptr) text += clockedText(*cycles);
  return text;
}

std::string stepText(const lab::Run& run, const std::optional<RoundRange>& rounds,
                     const lab::RunCycles* cycles) {
  return headingOf(run.trace) + whatHappened(run, rounds, cycles) + resultLine(run.trace);
}

lab::Run runOfBlock(const model::Trace& trace, std::size_t launch, std::size_t block) {
  const model::LaunchTrace& all = trace.launches[launch];
  model::Trace one = model::beforeTheRun(trace);
  one.ok = trace.ok;
  one.checkNote = trace.checkNote;
  model::LaunchTrace& only = one.launches.emplace_back();
  only.elements = all.elements;
  only.buffers = all.buffers;
  only.setShape(all.gridShape(), all.blockShape());
  only.devices = all.devices;
  only.blocks = {all.blocks[block]};
  return lab::runOf(std::move(one));
}

void eachOtherBlock(const model::Trace& trace,
                    const std::function<void(std::size_t launch, const lab::Run& run)>& visit) {
  for (std::size_t launch = 0; launch < trace.launches.size(); ++launch)
    for (std::size_t block = 0; block < trace.launches[launch].blocks.size(); ++block)
      if (block != trace.launches[launch].shown) visit(launch, runOfBlock(trace, launch, block));
}

}  // namespace stridescope::report
