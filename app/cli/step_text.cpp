#include "cli/step_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/data_flow.h"
#include "engine/experiment_summary.h"
#include "kernels/catalog.h"
#include "base/plain_text.h"
#include "narration/caption.h"
#include "narration/figures.h"
#include "narration/result_words.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"
#include "narration/wording.h"
#include "narration/wrapped.h"

namespace stridescope {
namespace {

std::string engineLine(const Executor& executor) {
  std::string text =
      executor.kind == EngineKind::Recorded ? "recorded on " + executor.device : executor.device;
  if (executor.kind == EngineKind::Recorded && !executor.recordedOn.empty())
    text += ", " + executor.recordedOn;
  if (!executor.computeCapability.empty()) text += ", compute capability " + executor.computeCapability;
  if (!executor.driver.empty()) text += ", driver " + executor.driver;
  if (!executor.compiler.empty()) text += ", " + executor.compiler;
  return text;
}

std::string header(const Trace& trace) {
  const Variant* variant = findVariant(trace.experiment.variant);
  std::string text;
  if (variant) text += wrapped(fmt::format("{}. {}", variant->title, variant->changed), kTextColumns) + "\n";
  return text + wrapped(summaryOf(trace.experiment), kTextColumns) + "\n" +
         wrapped("engine: " + engineLine(trace.executor), kTextColumns) + "\n";
}

// "-" where the number is not known.
std::string known(bool isKnown, unsigned number) { return isKnown ? std::to_string(number) : "-"; }

std::string_view kindName(EventKind kind) {
  return kind == EventKind::Load ? "load" : kind == EventKind::Store ? "store" : "atomic";
}

std::string requestsTable(const RoundAt& at) {
  if (at.round().requests.empty()) return {};
  std::string text =
      fmt::format("{:>7}  {:<6} {:<6} {:>8} {:>10} {:>5} {:>9} {:>4} {:>7} {:>5}  {}\n", "site", "kind",
                  "space", "requests", "wavefronts", "ideal", "conflicts", "way", "sectors", "ideal", "text");
  for (const Request& request : at.round().requests) {
    const bool banks = request.shared && request.kind != EventKind::Atomic;
    const Site site = request.site < at.trace.sites.size() ? at.trace.sites[request.site] : Site{};
    const std::string row =
        fmt::format("{:>7}  {:<6} {:<6} {:>8} {:>10} {:>5} {:>9} {:>4} {:>7} {:>5}  {}",
                    fmt::format("{}:{}", site.line, site.column), kindName(request.kind),
                    request.shared ? "shared" : "global", request.requests, known(banks, request.wavefronts),
                    known(banks, request.ideal), known(banks, request.conflicts()), known(banks, request.way),
                    known(!request.shared, request.sectors), known(!request.shared, request.idealSectors),
                    inOneLine(site.text));
    text += std::string(firstCharacters(row, kTextColumns)) + "\n";
  }
  return text;
}

std::string figuresLine(const RoundAt& at) {
  std::string text;
  for (const Figure& entry : figuresOf(at)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", entry.label, figure(entry.value));
    if (entry.of != 0) text += " of " + figure(entry.of);
  }
  return wrapped(text, kTextColumns) + "\n";
}

std::string roundText(const RoundAt& at, bool inDetail) {
  std::string text =
      fmt::format("\nround {} ({}), ends with {}\n", at.index, tickOf(at), nameOf(at.round().endsWith));
  text += wrapped(captionOf(at).text(), kTextColumns) + "\n";
  text += valuesMap(at) + laneMap(at);
  text += inDetail ? bankMaps(at) : bankRows(at);
  text += sectorRows(at);
  text += requestsTable(at);
  if (inDetail) text += figuresLine(at) + sourceMap(at);
  return text;
}

std::string launchHeading(const LaunchTrace& launch, std::size_t index) {
  return fmt::format("\nlaunch {}: {} of {}, {} in; block {} inspected\n", index, count(launch.grid, "block"),
                     count(launch.block, "thread"), count(launch.elements, "element"),
                     figure(launch.inspected));
}

std::string wholeLaunch(const RoundAt& at) {
  std::string text = "\nactive lanes by round\n" + divergenceMap(at);
  if (usesShared(at.analysis))
    return text + "\nmost words asked of a bank by one warp's request, by round\n" + banksByRound(at);
  return text + "\nmost sectors touched by one request of a warp, by round\n" + sectorsByRound(at);
}

std::string totalsLine(const Totals& totals) {
  const std::string text =
      fmt::format("totals in shared memory: loads {}, {}; stores {}, {}",
                  count(totals.loadWavefronts, "wavefront"), count(totals.loadConflicts, "conflict"),
                  count(totals.storeWavefronts, "wavefront"), count(totals.storeConflicts, "conflict"));
  return wrapped(text, kTextColumns) + "\n";
}

std::string resultLine(const Trace& trace) {
  std::string text = wrapped(resultAndExpected(trace), kTextColumns) + "\n";
  if (!trace.checkNote.empty()) text += wrapped(trace.checkNote, kTextColumns) + "\n";
  return text;
}

}  // namespace

std::string stepText(const Trace& trace, const Analysis& analysis, const std::optional<RoundRange>& rounds) {
  std::string text = header(trace);
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const LaunchTrace& launch = trace.launches[i];
    const std::vector<RoundFlow> flow = findDataFlow(launch, analysis.launches[i]);
    text += launchHeading(launch, i);
    for (std::size_t index = 0; index < flow.size(); ++index)
      if (!rounds || rounds->contains(index))
        text += roundText({trace, launch, analysis.launches[i], flow, index}, rounds.has_value());
    const RoundAt whole{trace, launch, analysis.launches[i], flow, 0};
    if (!rounds && !flow.empty()) text += wholeLaunch(whole);
    for (const std::string& sentence : troubleOf(whole))
      text += fmt::format("\n{}\n", wrapped(sentence, kTextColumns));
  }
  return text + "\n" + totalsLine(analysis.totals) + resultLine(trace);
}

}  // namespace stridescope
