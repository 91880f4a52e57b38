#include "views/source_lines.h"

#include <algorithm>
#include <bit>
#include <sstream>

#include "trace/value.h"

namespace stridescope {
namespace {

// Loads and stores of one text (a[i] += x) are one access that shows what was written.
SourceAccess& accessAt(SourceLine& line, const Site& site) {
  const auto place = std::ranges::lower_bound(line.accesses, site.column, {}, &SourceAccess::column);
  if (place != line.accesses.end() && place->column == site.column) return *place;
  return *line.accesses.insert(place,
                               {.column = site.column, .length = site.length, .writes = false, .value = {}});
}

}  // namespace

unsigned shownThread(const Session& session) {
  if (const auto hovered = session.hoveredThread()) return *hovered;
  const auto& lanes = session.round().lanes;
  const auto active = std::ranges::find(lanes, LaneState::Active);
  return active == lanes.end() ? 0 : unsigned(active - lanes.begin());
}

std::map<int, SourceLine> executingLines(const Session& session, unsigned thread) {
  const Trace& trace = session.run()->trace;
  const LaunchTrace& launch = session.launch();
  std::map<int, SourceLine> lines;
  for (const WarpOperation& operation : session.round().operations) {
    const Site& site = trace.sites[operation.site];
    SourceLine& line = lines[site.line];
    if (operation.kind == EventKind::Branch) {
      line.branchTrue += unsigned(std::popcount(operation.taken));
      line.branchAll += unsigned(std::popcount(operation.mask));
    }
    if (operation.kind > EventKind::Atomic) continue;
    if (operation.kind == EventKind::Branch) continue;
    line.way = std::max(line.way, operation.banks.way);
    SourceAccess& access = accessAt(line, site);
    access.writes |= operation.kind != EventKind::Load;
    const unsigned lane = thread % kWarpSize;
    if (operation.warp == thread / kWarpSize && (operation.mask >> lane & 1))
      access.value = printElement(trace.experiment.type, launch.events[operation.event[lane]].value);
  }
  return lines;
}

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace stridescope
