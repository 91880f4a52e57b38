#include "instrument/sites.h"

#include <algorithm>
#include <compare>
#include <numeric>

namespace stridescope::instrument {
namespace {

using recording::Site;

// When a site is evaluated: sites are sorted by this. Offsets are bytes of the text.
struct Moment {
  int end = 0;        // where it has been evaluated; for an increment the end of the loop's body
  int innermost = 0;  // if increments' bodies end together, the inner loop's comes first
  int own = 0;        // where it stands itself
  int rank = 0;       // at one place: what reads, then what stores, then the branch
  int latest = 0;     // at one place and rank: the inner one, which begins later, comes first
  auto operator<=>(const Moment&) const = default;  // NOLINT(modernize-use-nullptr): the default is at fault
};

int rankOf(model::Operation operation) {
  switch (operation) {
    case model::Operation::Store:
    case model::Operation::Update:
    case model::Operation::Assign:
      return 1;
    case model::Operation::Branch:
    case model::Operation::Loop:
      return 2;
    default:
      return 0;
  }
}

Moment momentOf(const Source& source, const Statements& statements,
                const std::vector<LateTarget>& lateTargets, const FoundSite& site) {
  const int value = site.rightSide.empty() ? -1 : site.rightSide.first;
  const int end = evaluatedOffset(source, lateTargets, site.first, site.end, value);
  Moment moment{.end = end, .own = end, .rank = rankOf(site.operation), .latest = -source[site.first].offset};
  for (const Control& control : statements.controls) {
    if (control.kind != ControlKind::For) continue;
    if (site.first < control.incrementFirst || site.first > control.incrementLast) continue;
    moment.end = source[control.bodyLast].end();
    moment.innermost = -source[control.keyword].offset;
  }
  return moment;
}

// The tokens that are run again and again by a loop: all of it but what a for does first.
bool isInLoop(const Control& loop, const FoundSite& site) {
  int first = loop.conditionFirst;
  int last = std::max(loop.bodyLast, loop.close);
  if (loop.kind == ControlKind::For && !loop.hasCondition()) first = loop.incrementFirst;
  if (loop.kind == ControlKind::DoWhile) first = loop.bodyFirst;
  return site.first >= first && site.first <= last;
}

}  // namespace

int evaluatedOffset(const Source& source, const std::vector<LateTarget>& lateTargets, int i, int end,
                    int value) {
  int moved = 0, latest = end;
  for (const LateTarget& late : lateTargets) {
    const Token &lastOfTarget = source[late.target.last], &lastOfValue = source[late.value.last];
    if (late.target.contains(i) && late.value.first != value) {
      moved += lastOfValue.end() - lastOfTarget.end();
      latest = std::min(latest, lastOfTarget.end());
    } else if (late.value.contains(i)) {
      moved -= source[late.value.first].offset - source[late.target.first].offset;
      latest = std::min(latest, lastOfValue.end());
    }
  }
  return latest + moved;
}

NumberedSites numberSites(const Source& source, const Statements& statements,
                          const std::vector<LateTarget>& lateTargets, const std::vector<FoundSite>& found) {
  std::vector<Moment> moments;
  moments.reserve(found.size());
  for (const FoundSite& site : found) moments.push_back(momentOf(source, statements, lateTargets, site));

  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return moments[i]; });

  NumberedSites table;
  table.idOf.assign(found.size(), 0);
  for (std::size_t id = 0; id < order.size(); ++id) table.idOf[order[id]] = static_cast<int>(id);

  // Controls are in the order of their keywords, so that an outer loop comes before an inner one.
  std::vector<int> loopSite(statements.controls.size(), -1);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].operation == model::Operation::Loop)
      loopSite[static_cast<std::size_t>(found[i].control)] = table.idOf[i];

  for (const std::size_t i : order) {
    const FoundSite& place = found[i];
    const Token& token = source[place.first];
    Site site{.id = table.idOf[i],
              .kind = model::kindOf(place.operation),
              .line = token.line,
              .column = token.column,
              .statement = statements.statementOf[static_cast<std::size_t>(place.first)],
              .loops = {},
              .text = std::string(source.slice(place.first, place.last))};
    site.length = static_cast<int>(site.text.size());
    for (std::size_t c = 0; c < statements.controls.size(); ++c) {
      const bool own = place.operation == model::Operation::Loop && place.control == static_cast<int>(c);
      if (loopSite[c] >= 0 && (own || isInLoop(statements.controls[c], place)))
        site.loops.push_back(loopSite[c]);
    }
    table.sites.push_back(std::move(site));
    table.evaluatedAt.push_back(moments[i].end);
  }
  return table;
}

}  // namespace stridescope::instrument
