#include "instrument/findings.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <numeric>
#include <optional>

namespace stridescope::instrument {
namespace {

std::string withId(const std::string& pattern, int site, const std::vector<int>& siteIds) {
  const std::size_t mark = pattern.find('%');
  if (site < 0 || mark == std::string::npos) return pattern;
  std::string text = pattern;
  return text.replace(mark, 1, std::to_string(siteIds[static_cast<std::size_t>(site)]));
}

// The text as it is edited so far.
class EditedText {
 public:
  EditedText(const Source& source, const std::vector<Replacement>& replacements,
             const std::vector<int>& siteIds)
      : source_(source), siteIds_(siteIds) {
    const auto count = static_cast<std::size_t>(source.size());
    before_.resize(count);
    after_.resize(count);
    replaced_.resize(count);
    for (const Replacement& replacement : replacements)
      at(replaced_, replacement.first) =
          Replaced{replacement.last, withId(replacement.text, replacement.site, siteIds)};
  }

  void make(const Wrap& wrap) {
    std::string& opening = at(before_, wrap.first);
    opening = withId(wrap.before, wrap.site, siteIds_) + opening;
    at(after_, wrap.last) += withId(wrap.after, wrap.site, siteIds_);
  }

  // combine(a, b) becomes recording::InOrder{[&](auto recording_1, auto recording_2) { return
  // combine(recording_1, recording_2); }, a, b}().
  void make(const OrderedExpression& ordered) {
    std::string parameters, rest, operands;
    int next = ordered.first;
    for (std::size_t k = 0; k < ordered.operands.size(); ++k) {
      const TokenRange& operand = ordered.operands[k];
      const std::string name = "recording_" + std::to_string(k + 1);
      parameters += (k == 0 ? "auto " : ", auto ") + name;
      operands += ", " + render({operand.first, operand.last});
      rest += render({next, operand.first - 1});
      rest += spaceBefore(operand.first, ordered.first) + name;
      next = operand.last + 1;
      if (next <= ordered.last) rest += spaceBefore(next, ordered.first);
    }
    rest += render({next, ordered.last});
    at(replaced_, ordered.first) =
        Replaced{ordered.last,
                 "recording::InOrder{[&](" + parameters + ") { return " + rest + "; }" + operands + "}()"};
    at(before_, ordered.first).clear();
    at(after_, ordered.last).clear();
  }

  // Without what stands around the tokens.
  std::string render(TokenRange range) const {
    std::string result;
    for (int i = range.first; i <= range.last; ++i) {
      if (i > range.first) result += spaceBefore(i, range.first);
      result += at(before_, i);
      const std::optional<Replaced>& replaced = at(replaced_, i);
      if (replaced) {
        result += replaced->text;
        i = replaced->last;
      } else {
        result += source_[i].text;
      }
      result += at(after_, i);
    }
    return result;
  }

 private:
  struct Replaced {
    int last = 0;
    std::string text;
  };

  template <class Element>
  static Element& at(std::vector<Element>& elements, int i) {
    return elements[static_cast<std::size_t>(i)];
  }
  template <class Element>
  static const Element& at(const std::vector<Element>& elements, int i) {
    return elements[static_cast<std::size_t>(i)];
  }

  // White space and comments; none before the first token.
  std::string spaceBefore(int i, int first) const {
    if (i == first) return {};
    const int end = source_[i - 1].end();
    return std::string(source_.text.substr(static_cast<std::size_t>(end),
                                           static_cast<std::size_t>(source_[i].offset - end)));
  }

  const Source& source_;
  const std::vector<int>& siteIds_;
  std::vector<std::string> before_, after_;
  std::vector<std::optional<Replaced>> replaced_;
};

}  // namespace

std::string applyEdits(const Source& source, Edits edits, const std::vector<int>& siteIds) {
  EditedText text(source, edits.replacements, siteIds);
  // From the innermost outwards, so that each edit goes round what is there already.
  const auto length = [](const auto& edit) { return edit.last - edit.first; };
  std::ranges::stable_sort(edits.wraps, {}, length);
  std::ranges::stable_sort(edits.ordered, {}, length);
  auto ordered = edits.ordered.begin();
  for (const Wrap& wrap : edits.wraps) {
    for (; ordered != edits.ordered.end() && length(*ordered) <= length(wrap); ++ordered) text.make(*ordered);
    text.make(wrap);
  }
  for (; ordered != edits.ordered.end(); ++ordered) text.make(*ordered);

  if (source.tokens.empty()) return std::string(source.text);
  const auto begin = static_cast<std::size_t>(source.tokens.front().offset);
  const auto end = static_cast<std::size_t>(source.tokens.back().end());
  return std::string(source.text.substr(0, begin)) + text.render({0, source.size() - 1}) +
         std::string(source.text.substr(end));
}

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
