#include "views/source/source_lines.h"

#include <algorithm>
#include <bit>
#include <sstream>

#include "base/plain_text.h"
#include "model/array_names.h"
#include "narration/memory_words.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

// Loads and stores of one text (a[i] += x) are one access that shows what was written.
SourceAccess& accessAt(SourceLine& line, const model::Site& site) {
  const auto place = std::ranges::lower_bound(line.accesses, site.column, {}, &SourceAccess::column);
  if (place != line.accesses.end() && place->column == site.column) return *place;
  return *line.accesses.insert(place, {.site = std::uint32_t(site.id),
                                       .column = site.column,
                                       .length = site.length,
                                       .writes = false,
                                       .value = {},
                                       .array = {}});
}

// The lowest that gives or takes a register in the round; nullopt: none does.
std::optional<unsigned> exchangingThread(const session::Replay& replay) {
  const auto& exchanges = replay.round().exchanges;
  const auto lowest =
      std::ranges::find_if(exchanges, [](const auto& exchange) { return exchange.has_value(); });
  return lowest == exchanges.end() ? std::nullopt : std::optional(unsigned(lowest - exchanges.begin()));
}

// What is pointed at has no part in the round; empty: nothing is to be said.
std::string withoutPart(const session::Replay& replay, const session::Hover& hover,
                        const LinkedHighlight& linked) {
  switch (hover.kind) {
    case session::HoverKind::Thread:
      return "thread " + std::to_string(hover.index) + " is idle";
    case session::HoverKind::Warp:
      return "warp " + std::to_string(hover.index) + " is idle";
    case session::HoverKind::Element: {
      const MemoryStage stage(replay.launch(), replay.launchAnalysis(), hover.array);
      return stage.exists() ? stage.nameOf(hover.index) + " is not touched" : std::string();
    }
    case session::HoverKind::Bank:
      return "bank " + std::to_string(hover.index) + " is not touched";
    case session::HoverKind::Site:
      if (linked.lowestThread()) break;  // by threads that touch nothing
      return "line " + std::to_string(replay.run()->trace.sites[hover.index].line) + " is not executed";
    case session::HoverKind::Round:
      break;
  }
  return {};
}

// Why it is this thread, behind its number; empty: because it is pointed at itself.
std::string whyThisOne(const session::Replay& replay, const session::Hover& hover,
                       const LinkedHighlight& linked) {
  switch (hover.kind) {
    case session::HoverKind::Thread:
      return {};
    case session::HoverKind::Warp:
      return ", the lowest active one of warp " + std::to_string(hover.index);
    case session::HoverKind::Element: {
      const MemoryStage stage(replay.launch(), replay.launchAnalysis(), hover.array);
      return (linked.ownerWrites() ? ", which writes " : ", which reads ") + stage.nameOf(hover.index);
    }
    case session::HoverKind::Bank:
      return ", the lowest that accesses bank " + std::to_string(hover.index);
    case session::HoverKind::Site:
      return ", the lowest active one that executes line " +
             std::to_string(replay.run()->trace.sites[hover.index].line);
    case session::HoverKind::Round:
      break;
  }
  return ", the lowest active one";
}

// What is assigned to variables between an operation and the thread's next one, by site; empty of other
// threads than the shown one.
void addAssignments(const model::LaunchTrace& launch, const analysis::WarpOperation& operation,
                    unsigned thread, const narration::WordPrinter& printer,
                    std::map<std::uint32_t, std::string>& assigned) {
  const unsigned first = unsigned(std::countr_zero(operation.mask)), lane = thread % model::kWarpSize;
  const bool isShown = operation.warp == thread / model::kWarpSize && (operation.mask >> lane & 1) != 0;
  const unsigned of = operation.warp * model::kWarpSize + (isShown ? lane : first);
  for (std::uint32_t next = operation.event[isShown ? lane : first] + 1;
       next < launch.recorded().first[of + 1]; ++next) {
    const model::Event& event = launch.recorded().events[next];
    if (event.kind() != model::EventKind::Value && event.kind() != model::EventKind::Give) return;
    if (event.kind() == model::EventKind::Give) continue;
    std::string& value = assigned[event.site()];
    if (isShown) value = printer.brief(event.value);
  }
}

// On a line that reads or writes memory an assignment is told if it combines: a copy is what was read.
void addAssignment(const model::Trace& trace, std::uint32_t site, const std::string& value,
                   std::map<int, SourceLine>& lines) {
  SourceLine& line = lines[trace.sites[site].line];
  const auto& models = trace.kernel.sites;
  if (!line.accesses.empty() && (site >= models.size() || !models[site].combines)) return;
  SourceAccess& access = accessAt(line, trace.sites[site]);
  access.writes = true;
  access.value = value;
}

}  // namespace

unsigned shownThread(const session::Replay& replay, const LinkedHighlight& linked) {
  if (linked.owner()) return *linked.owner();
  const auto& work = replay.flow().work;  // ascending
  return work.empty() ? exchangingThread(replay).value_or(0) : work.front().thread;
}

bool isPointedThread(const session::Replay& replay, const LinkedHighlight& linked) {
  const auto hover = replay.hover();
  return hover && linked.owner() &&
         (hover->kind == session::HoverKind::Thread || hover->kind == session::HoverKind::Element);
}

std::string shownThreadNote(const session::Replay& replay, const LinkedHighlight& linked) {
  if (const lab::RoundName* const hidden = replay.hidden())
    return "What runs in " + hidden->inSentence + " is " + kHiddenWords + ".";
  if (replay.flow().work.empty() && !exchangingThread(replay))
    return "No thread touches memory in this round.";
  const std::string values = "values of thread " + std::to_string(shownThread(replay, linked));
  const auto hover = replay.hover();
  if (!hover || hover->kind == session::HoverKind::Round) return values + ", the lowest active one";
  if (linked.owner()) return values + whyThisOne(replay, *hover, linked);
  const std::string without = withoutPart(replay, *hover, linked);
  return without.empty() ? values + ", the lowest active one" : without + ": " + values;
}

std::vector<std::string> valuesAtSite(const session::Replay& replay, std::uint32_t site,
                                      std::size_t mostLines) {
  const model::LaunchTrace& launch = replay.launch();
  std::vector<std::string> lines;
  std::size_t all = 0;
  for (const analysis::WarpOperation& operation : replay.round().operations) {
    if (operation.site != site) continue;
    if (operation.kind != model::EventKind::Load && operation.kind != model::EventKind::Store) continue;
    for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
      if (++all > mostLines) continue;
      const unsigned lane = unsigned(std::countr_zero(lanes));
      const model::Event& event = launch.recorded().events[operation.event[lane]];
      const model::Array& array = launch.arrayOf(event);
      lines.push_back("thread " + std::to_string(operation.warp * model::kWarpSize + lane) + "   " +
                      model::placeName(array, event.offset(), event.width(), model::Digits::Plain) + "   " +
                      narration::printedAccess(launch, event));
    }
  }
  if (all > mostLines) lines.push_back("and " + std::to_string(all - mostLines) + " more");
  return lines;
}

std::optional<session::Playhead> nextRoundOf(const session::Replay& replay, int line) {
  const auto& launches = replay.run()->analysis.launches;
  const auto& sites = replay.run()->trace.sites;
  std::optional<session::Playhead> before;  // the first one that does, up to the shown round
  for (unsigned launch = 0; launch < launches.size(); ++launch)
    for (unsigned round = 0; round < launches[launch].rounds.size(); ++round) {
      const bool runs = std::ranges::any_of(
          launches[launch].rounds[round].operations,
          [&](const analysis::WarpOperation& operation) { return sites[operation.site].line == line; });
      if (!runs) continue;
      const session::Playhead shown = replay.playhead();
      if (launch > shown.launch || (launch == shown.launch && round > shown.round))
        return session::Playhead{launch, round};
      if (!before) before = session::Playhead{launch, round};
    }
  return before;
}

std::map<int, SourceLine> executingLines(const session::Replay& replay, unsigned thread) {
  const model::Trace& trace = replay.run()->trace;
  const model::LaunchTrace& launch = replay.launch();
  const narration::WordPrinter printer(trace.experiment.type);
  std::map<int, SourceLine> lines;
  std::map<std::pair<int, unsigned>, std::uint32_t> branching;  // by line and warp
  std::map<std::uint32_t, std::string> assigned;                // to variables, by site
  for (const analysis::WarpOperation& operation : replay.round().operations) {
    const model::Site& site = trace.sites[operation.site];
    SourceLine& line = lines[site.line];
    if (operation.kind == model::EventKind::Branch) {
      line.branchTrue += unsigned(std::popcount(operation.taken));
      line.branchAll += unsigned(std::popcount(operation.mask));
      std::uint32_t& lanes = branching[{site.line, operation.warp}];
      line.branchThreads += unsigned(std::popcount(operation.mask & ~lanes));
      lanes |= operation.mask;
      if (operation.warp == thread / model::kWarpSize) {
        line.warpTrue += unsigned(std::popcount(operation.taken));
        line.warpAll += unsigned(std::popcount(operation.mask));
      }
      line.branchColumn = site.column;
      line.branchLength = site.length;
      line.branchSite = operation.site;
    }
    addAssignments(launch, operation, thread, printer, assigned);
    if (operation.kind > model::EventKind::Atomic) continue;
    if (operation.kind == model::EventKind::Branch) continue;
    line.way = std::max(line.way, operation.banks.way);
    SourceAccess& access = accessAt(line, site);
    access.writes |= operation.kind != model::EventKind::Load;
    const unsigned lane = thread % model::kWarpSize;
    if (operation.warp != thread / model::kWarpSize || (operation.mask >> lane & 1) == 0) continue;
    const model::Event& event = launch.recorded().events[operation.event[lane]];
    access.value = narration::printedAccess(launch, event);
    access.array = launch.arrayOf(event).name;
  }
  for (const auto& [site, value] : assigned) addAssignment(trace, site, value, lines);
  return lines;
}

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(printable(line, Lines::Many));
  return lines;
}

}  // namespace stridescope::views
