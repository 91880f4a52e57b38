#include "instrument/accesses.h"

#include <optional>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::Operation;

std::string_view callFor(Operation operation) {
  switch (operation) {
    case Operation::Store:
      return "recording::store(%, ";
    case Operation::Update:
      return "recording::update(%, ";
    default:
      return "recording::load(%, ";
  }
}

class AccessFinder {
 public:
  AccessFinder(const Source& source, const Declarations& declarations, const Expressions& expressions,
               const OwnArrays& ownArrays, const SharedArrays& shared, Findings& findings)
      : source_(source),
        declarations_(declarations),
        expressions_(expressions),
        ownArrays_(ownArrays),
        shared_(shared),
        findings_(findings) {}

  Accepted<void> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (shared_.replacedTokens[static_cast<std::size_t>(i)] || expressions_.isUnevaluated(i)) continue;
      if (declarations_.roleOf(i) != Role::Expression) continue;
      Accepted<void> read;
      if (source_.is(i, "[")) read = readSubscript(i);
      if (source_.is(i, "*") && expressions_.isUnary(i)) read = readDereference(i);
      if (isSharedVariable(i)) read = readSharedVariable(i);
      if (!read) return read;
    }
    return {};
  }

 private:
  Accepted<void> readSubscript(int open) {
    const int close = source_.partnerOf(open);
    if (source_.is(open - 1, "}"))
      return refuse(source_[open], "What stands before this [ cannot be read. Give it a name first.");
    if (!expressions_.endsOperand(open - 1)) return {};  // a lambda's captures
    if (source_.is(close + 1, "[")) return {};  // only the last subscript of a[i][j] reaches an element
    const int first = operandStartOrMinusOne(open - 1);
    if (first < 0)
      return refuse(source_[open], "What stands before this [ cannot be read. Give it a name first.");
    if (close == open + 1) return refuse(source_[open], "This subscript is empty. Write an index.");
    for (int i = open + 1; i < close; ++i) {
      if (source_.is(i, ","))
        return refuse(source_[i],
                      "A comma in a subscript is not supported yet. Write what precedes it as a statement.");
      if (source_.opens(i)) i = source_.partnerOf(i);
    }
    if (ownArrays_.contains(first, close)) return {};
    const auto use = useOf(first, close);
    if (!use) return tl::unexpected(use.error());
    if (!*use) return {};
    if (isRow(first, close))
      return refuse(source_[first],
                    "This is a row of an array, not an element. Write the other subscripts too, or "
                    "& before the row's first element.");
    const int site = addSite(**use, first, close);
    findings_.edits.wraps.push_back({first, close, std::string(callFor(**use)), ")", site});
    findings_.edits.replacements.push_back({open, open, ", ", -1});
    findings_.edits.replacements.push_back({close, close, "", -1});
    return {};
  }

  int operandStartOrMinusOne(int last) const {
    const bool literal = source_.isKind(last, TokenKind::Number) || source_.isKind(last, TokenKind::Text) ||
                         source_.is(last, "this");
    return literal ? -1 : expressions_.operandStart(last);
  }

  Accepted<void> readDereference(int star) {
    const int last = expressions_.operandEnd(star + 1);
    if (last < 0)
      return refuse(source_[star], "What stands after this * cannot be read. Write p[0] or give it a name.");
    const auto use = useOf(star, last);
    if (!use) return tl::unexpected(use.error());
    if (!*use) return {};
    const bool names = last == star + 1 && source_.isIdentifier(last);
    const auto dimensions =
        names ? declarations_.dimensions.find(source_[last].text) : declarations_.dimensions.end();
    if (dimensions != declarations_.dimensions.end() && dimensions->second >= 2)
      return refuse(source_[star], "This is a row of an array, not an element. Write a[i][j].");
    const int site = addSite(**use, star, last);
    findings_.edits.wraps.push_back({star, last, std::string(callFor(**use)), ", 0)", site});
    findings_.edits.replacements.push_back({star, star, "", -1});
    return {};
  }

  bool isSharedVariable(int i) const {
    return source_.isIdentifier(i) && !source_.is(i - 1, ".") && !source_.is(i - 1, "->") &&
           shared_.variables.contains(source_[i].text);
  }

  // __shared__ T x; is recorded as an array of one element.
  Accepted<void> readSharedVariable(int name) {
    const std::string word(source_[name].text);
    if (isCapture(name))
      return refuse(source_[name],
                    "A capture of a shared variable is not supported yet. Write [&] or pass its value.");
    const auto use = useOf(name, name);
    if (!use) return tl::unexpected(use.error());
    if (!*use) {
      findings_.edits.replacements.push_back({name, name, word + "[0]", -1});
      return {};
    }
    const int site = addSite(**use, name, name);
    findings_.edits.wraps.push_back({name, name, std::string(callFor(**use)), ", 0)", site});
    return {};
  }

  // x in [x], [&x] and [a, x].
  bool isCapture(int name) const {
    int i = source_.is(name - 1, "&") ? name - 2 : name - 1;
    while (source_.is(i, ",") || source_.is(i, "&") || source_.is(i, "=") || source_.isIdentifier(i)) --i;
    return source_.is(i, "[") && source_.opens(i) && !expressions_.endsOperand(i - 1);
  }

  // A name with fewer subscripts than its declaration has.
  bool isRow(int first, int close) const {
    if (!source_.isIdentifier(first)) return false;
    const auto declared = declarations_.dimensions.find(source_[first].text);
    if (declared == declarations_.dimensions.end() || declared->second < 2) return false;
    int subscripts = 0;
    for (int i = first + 1; i < close; i = source_.partnerOf(i) + 1) {
      if (!source_.is(i, "[")) return false;
      ++subscripts;
    }
    return subscripts < declared->second;
  }

  bool isGroup(int open, int close) const {
    if (!source_.is(open, "(") || source_.partnerOf(open) != close) return false;
    const int before = open - 1;
    if (!source_.has(before)) return true;
    const bool typeOrTemplate = declarations_.roleOf(before) == Role::Type ||
                                (source_.is(before, ">") && source_.closes(before)) ||
                                stridescope::instrument::isUnevaluated(source_[before].text);
    if (typeOrTemplate || expressions_.endsOperand(before)) return false;
    for (std::string_view control : {"if", "while", "for", "constexpr"})
      if (source_.is(before, control)) return false;
    return true;
  }

  // How the access first..last is used; nullopt: only its address is taken.
  Accepted<std::optional<Operation>> useOf(int first, int last) const {
    while (isGroup(first - 1, last + 1)) {
      --first;
      ++last;
    }
    const int before = first - 1;
    const int after = last + 1;
    if (source_.is(after, "[")) return std::nullopt;  // a row
    if (source_.is(before, "&") && expressions_.isUnary(before)) {
      if (source_.is(after, ".")) return refuseMember(after);
      return std::nullopt;
    }
    if (source_.is(after, ".")) return refuseMember(after);
    if ((source_.is(before, "++") || source_.is(before, "--")) && !expressions_.endsOperand(before))
      return Operation::Update;
    if (source_.is(after, "++") || source_.is(after, "--")) return Operation::Update;
    if (source_.is(after, "=")) return Operation::Store;
    if (source_.has(after) && isCompoundAssignment(source_[after].text)) return Operation::Update;
    return Operation::Load;
  }

  tl::unexpected<Refusal> refuseMember(int dot) const {
    return refuse(source_[dot],
                  "An access to one member of an element is not supported yet. Copy the element into a "
                  "variable, or keep an array for each member.");
  }

  int addSite(Operation operation, int first, int last) {
    FoundSite site{.operation = operation, .first = first, .last = last, .end = source_[last].end()};
    if (operation == Operation::Load) return findings_.add(site);
    int group = 1;
    while (isGroup(first - group, last + group)) ++group;
    const int assignment = last + group;
    const auto isStep = [&](int i) { return source_.is(i, "++") || source_.is(i, "--"); };
    if (isStep(assignment) || isStep(first - group)) {
      site.end = source_[isStep(assignment) ? assignment : assignment - 1].end();
      return findings_.add(site);
    }
    const int end = expressions_.endOfFullExpression(assignment);
    site.end = source_.has(end) ? source_[end].offset : static_cast<int>(source_.text.size());
    if (end > assignment) site.rightSide = {assignment + 1, end - 1};
    return findings_.add(site);
  }

  const Source& source_;
  const Declarations& declarations_;
  const Expressions& expressions_;
  const OwnArrays& ownArrays_;
  const SharedArrays& shared_;
  Findings& findings_;
};

}  // namespace

Accepted<void> findAccesses(const Source& source, const Declarations& declarations,
                            const Expressions& expressions, const OwnArrays& ownArrays,
                            const SharedArrays& shared, Findings& findings) {
  return AccessFinder(source, declarations, expressions, ownArrays, shared, findings).run();
}

}  // namespace stridescope::instrument
