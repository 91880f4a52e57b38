#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "instrument/steps.h"
#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::Operation;

bool isAccess(Operation operation) {
  return operation == Operation::Load || operation == Operation::Store || operation == Operation::Update;
}

bool isOneOf(const Source& source, int i, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return source.is(i, word); });
}

// Where in the text something recorded happens.
class RecordedPlaces {
 public:
  RecordedPlaces(const Source& source, const Declarations& declarations, const Expressions& expressions,
                 const Variables& variables, const Findings& findings)
      : source_(source), declarations_(declarations), expressions_(expressions), variables_(variables) {
    const auto count = static_cast<std::size_t>(source.size());
    std::vector<bool> recorded(count, false);
    for (const FoundSite& site : findings.sites) {
      if (isParameter(site))
        recording_.insert(nameOf(variables.all()[static_cast<std::size_t>(site.variable)].function));
      else
        recorded[static_cast<std::size_t>(placeOf(site))] = true;
      if (const int function = variables.functionAt(site.first); function >= 0)
        recording_.insert(nameOf(function));
    }
    findRecordingFunctions();
    for (int i = 0; i < source.size(); ++i)
      if (const auto open = recordingCall(i)) recorded[static_cast<std::size_t>(*open)] = true;
    before_.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) before_[i + 1] = before_[i] + (recorded[i] ? 1 : 0);
  }

  int countIn(TokenRange range) const {
    if (range.empty()) return 0;
    return before_[static_cast<std::size_t>(range.last + 1)] - before_[static_cast<std::size_t>(range.first)];
  }
  bool anyIn(TokenRange range) const { return countIn(range) > 0; }

 private:
  std::string_view nameOf(int function) const {
    return source_[variables_.functions()[static_cast<std::size_t>(function)].name].text;
  }

  // The bracket of a[i] and of f(x), so that neither a nor f is taken for something recorded.
  int placeOf(const FoundSite& site) const {
    // An atomic load or store is an access and a call.
    const bool named = source_.isIdentifier(site.first) && source_.is(site.first + 1, "(") &&
                       source_.partnerOf(site.first + 1) == site.last;
    const bool call = source_.is(site.last, ")") && (named || !isAccess(site.operation));
    const bool subscript = isAccess(site.operation) && source_.is(site.last, "]");
    return call || subscript ? source_.partnerOf(site.last) : site.first;
  }

  // What a caller gave is recorded where the body begins.
  bool isParameter(const FoundSite& site) const {
    return site.operation == Operation::Assign && site.rightSide.empty() &&
           declarations_.roleOf(site.first) == Role::Name;
  }

  // A function records if it calls one that does.
  void findRecordingFunctions() {
    std::vector<std::pair<std::string_view, std::string_view>> calls;
    for (int i = 0; i < source_.size(); ++i)
      if (variables_.functionNamed(i))
        if (const int caller = variables_.functionAt(i); caller >= 0)
          calls.emplace_back(nameOf(caller), source_[i].text);
    for (bool found = true; found;) {
      found = false;
      for (const auto& [caller, called] : calls)
        if (recording_.contains(called)) found = recording_.insert(caller).second || found;
    }
  }

  // The parenthesis of a call that token i names, if what is called may record. Of what the text declares
  // otherwise, a lambda, nothing is known.
  std::optional<int> recordingCall(int i) const {
    if (!source_.isIdentifier(i) || expressions_.isUnevaluated(i)) return {};
    if (declarations_.roleOf(i) != Role::Expression) return {};
    const auto named = variables_.functionNamed(i);
    if (named && !recording_.contains(source_[i].text)) return {};
    if (named) return named->open;
    const bool lambda = source_.is(i + 1, "(") && declarations_.names.contains(source_[i].text);
    return lambda ? std::optional(i + 1) : std::nullopt;
  }

  const Source& source_;
  const Declarations& declarations_;
  const Expressions& expressions_;
  const Variables& variables_;
  std::unordered_set<std::string_view> recording_;  // names of functions
  std::vector<int> before_;                         // of each token how many recorded places come before it
};

class OrderFixer {
 public:
  OrderFixer(const Source& source, const Declarations& declarations, const Expressions& expressions,
             const Variables& variables, Findings& findings)
      : source_(source),
        declarations_(declarations),
        expressions_(expressions),
        variables_(variables),
        findings_(findings),
        recorded_(source, declarations, expressions, variables, findings) {}

  Accepted<std::vector<LateTarget>> run() {
    readList({0, source_.size() - 1});
    if (refusal_) return tl::unexpected(*std::move(refusal_));
    fixSubscripts();
    return std::move(lateTargets_);
  }

 private:
  // Statements, arguments, what an initializer's braces hold: what a ; or a comma separates is in order.
  void readList(TokenRange range) {
    int begin = range.first;
    for (int i = range.first; i <= range.last; ++i) {
      const int close = source_.opens(i) ? source_.partnerOf(i) : -1;
      if (source_.is(i, ";") || source_.is(i, ",")) {
        readElement({begin, i - 1});
        begin = i + 1;
      } else if (isOneOf(source_, i, {"return", "else", "do"})) {
        begin = i + 1;
      } else if ((source_.is(i, "{") && (i == begin || isBody(i))) || isHead(i)) {
        readList({i + 1, close - 1});
        begin = close + 1;
      }
      if (close >= 0) i = close;
    }
    readElement({begin, range.last});
  }

  bool isBody(int open) const {
    return std::ranges::any_of(variables_.functions(),
                               [&](const Function& function) { return function.body.first == open; });
  }
  bool isHead(int open) const {
    return source_.is(open, "(") && isOneOf(source_, open - 1, {"if", "while", "for", "constexpr"});
  }

  // Splits at the operators whose order C++ fixes.
  void readElement(TokenRange range) {
    int begin = range.first;
    for (int i = range.first; i <= range.last; ++i) {
      const bool assigns = source_.is(i, "=") || isCompoundAssignment(source_[i].text);
      if (assigns || isOneOf(source_, i, {"?", ":", "&&", "||"})) {
        if (assigns && recorded_.anyIn({begin, i - 1})) readAssignment({begin, i - 1}, i + 1);
        readOperands({begin, i - 1});
        begin = i + 1;
      } else if (source_.opens(i)) {
        i = source_.partnerOf(i);
      }
    }
    readOperands({begin, range.last});
  }

  void readAssignment(TokenRange target, int firstOfValue) {
    const TokenRange value{firstOfValue, expressions_.endOfFullExpression(firstOfValue) - 1};
    const bool recorded = std::ranges::any_of(findings_.sites, [&](const FoundSite& site) {
      return target.contains(site.first) && site.rightSide.first == value.first && !value.empty();
    });
    if (recorded_.countIn(target) > (recorded ? 1 : 0)) lateTargets_.push_back({target, value});
  }

  // Operators whose operands have no order, and shifts, which bind closer than comparisons and looser than +:
  // of those the left operand comes first.
  enum class Binds { Looser, AsShift, Closer };

  void readOperands(TokenRange range) {
    std::vector<TokenRange> operands;
    for (const TokenRange& loose : split(range, Binds::Looser)) {
      const std::vector<TokenRange> shifted = split(loose, Binds::AsShift);
      for (const TokenRange& part : shifted) {
        const std::vector<TokenRange> close = split(part, Binds::Closer);
        for (const TokenRange& operand : close) readOperand(operand);
        if (shifted.size() > 1)
          putInOrder(part, close);
        else
          operands.insert(operands.end(), close.begin(), close.end());
      }
      if (shifted.size() > 1) operands.push_back(loose);
    }
    putInOrder(range, operands);
  }

  std::vector<TokenRange> split(TokenRange range, Binds binds) const {
    std::vector<TokenRange> operands;
    int begin = range.first;
    for (int i = range.first; i <= range.last; ++i) {
      if (source_.opens(i)) {
        i = source_.partnerOf(i);
      } else if (const auto found = bindingOf(i)) {
        const int last = isRightShift(i) ? i + 1 : i;
        if (*found == binds) {
          operands.push_back({begin, i - 1});
          begin = last + 1;
        }
        i = last;
      }
    }
    operands.push_back({begin, range.last});
    return operands;
  }

  // >> are two tokens.
  bool isRightShift(int i) const { return source_.is(i, ">") && source_.is(i + 1, ">"); }

  // nullopt: the token is no binary operator of these.
  std::optional<Binds> bindingOf(int i) const {
    const bool binary = source_.isKind(i, TokenKind::Punctuation) && source_.partnerOf(i) < 0 &&
                        declarations_.roleOf(i) == Role::Expression && expressions_.endsOperand(i - 1);
    if (!binary) return {};
    if (source_.is(i, "<<") || isRightShift(i)) return Binds::AsShift;
    if (isOneOf(source_, i, {"+", "-", "*", "/", "%"})) return Binds::Closer;
    if (isOneOf(source_, i, {"<", ">", "<=", ">=", "==", "!=", "&", "^", "|"})) return Binds::Looser;
    return {};
  }

  void readOperand(TokenRange range) {
    for (int i = range.first; i <= range.last; ++i) {
      if (!source_.opens(i)) continue;
      const int close = source_.partnerOf(i);
      if (!source_.is(i, "<")) {
        if (i > range.first && source_.is(i, "(") && isCall(i)) readCall(i);
        readList({i + 1, close - 1});
      }
      i = close;
    }
  }

  bool isCall(int open) const {
    const int before = open - 1;
    if (source_.isIdentifier(before)) return !isOperatorKeyword(source_[before].text);
    return (source_.is(before, ">") && source_.closes(before)) || source_.is(before, "}") ||
           expressions_.endsOperand(before);
  }

  void readCall(int open) {
    const int close = source_.partnerOf(open);
    std::vector<TokenRange> operands;
    int begin = open + 1;
    for (int i = open + 1; i <= close; ++i) {
      if (source_.is(i, ",") || i == close) {
        operands.push_back({begin, i - 1});
        begin = i + 1;
      } else if (source_.opens(i)) {
        i = source_.partnerOf(i);
      }
    }
    const auto recordedOf = [&] {
      return std::ranges::count_if(operands, [&](TokenRange range) { return recorded_.anyIn(range); });
    };
    const bool declares = declarations_.roleOf(open - 1) == Role::Name;
    const int first = declares ? open - 1 : expressions_.operandStart(close);
    if (first >= 0) operands.insert(operands.begin(), calledObject(first, open));
    if (recordedOf() < 2) return;
    if (declares)
      return refuseAt(open, "C++ leaves the order of these accesses open. Write braces for the parentheses.");
    if (first < 0) return refuseAt(open, "What stands before this ( cannot be read. Give it a name first.");
    for (const TokenRange& operand : operands)
      if (source_.is(operand.first, "{") && recorded_.anyIn(operand))
        return refuseAt(operand.first, "C++ leaves open when this list is evaluated. Give it a name first.");
    putInOrder({first, close}, operands);
  }

  // What stands before the parenthesis of a call, without a member's name.
  TokenRange calledObject(int first, int open) const {
    int name = open - 1;
    if (source_.is(name, ">") && source_.closes(name)) name = source_.partnerOf(name) - 1;
    if (source_.is(name - 1, ".") || source_.is(name - 1, "->")) return {first, name - 2};
    return {first, open - 1};
  }

  void putInOrder(TokenRange expression, const std::vector<TokenRange>& operands) {
    OrderedExpression ordered{.first = expression.first, .last = expression.last};
    for (const TokenRange& operand : operands)
      if (recorded_.anyIn(operand)) ordered.operands.push_back(operand);
    if (ordered.operands.size() < 2) return;
    for (const Wrap& wrap : findings_.edits.wraps)
      if (!fits(wrap, ordered))
        return refuseAt(wrap.first,
                        "An operator or a semicolon is missing before this or after it. Write it.");
    findings_.edits.ordered.push_back(std::move(ordered));
  }

  // In C++ that compiles, whatever is recorded is apart from the expression, round it, or in one operand.
  static bool fits(const Wrap& wrap, const OrderedExpression& ordered) {
    const bool apart = wrap.last < ordered.first || wrap.first > ordered.last;
    const bool around = wrap.first <= ordered.first && wrap.last >= ordered.last;
    return apart || around || std::ranges::any_of(ordered.operands, [&](const TokenRange& operand) {
             return operand.contains(wrap.first) && operand.contains(wrap.last);
           });
  }

  // recording::load(S, a, i) is a call, which a[i] is not: there the array comes before its index.
  void fixSubscripts() {
    std::vector<Wrap> wraps;
    for (const FoundSite& site : findings_.sites) {
      if (!isAccess(site.operation) || !source_.is(site.last, "]")) continue;
      const int open = source_.partnerOf(site.last);
      if (recorded_.anyIn({site.first, open - 1}) && recorded_.anyIn({open + 1, site.last - 1}))
        wraps.push_back({site.first, site.last, "recording::At{", "}", -1});
    }
    auto& all = findings_.edits.wraps;
    all.insert(all.begin(), wraps.begin(), wraps.end());  // within the access's own
  }

  void refuseAt(int i, const char* reason) {
    if (!refusal_) refusal_ = Refusal{source_[i].line, source_[i].column, reason};
  }

  const Source& source_;
  const Declarations& declarations_;
  const Expressions& expressions_;
  const Variables& variables_;
  Findings& findings_;
  RecordedPlaces recorded_;
  std::vector<LateTarget> lateTargets_;
  std::optional<Refusal> refusal_;
};

}  // namespace

Accepted<std::vector<LateTarget>> fixOrder(const Source& source, const Declarations& declarations,
                                           const Expressions& expressions, const Variables& variables,
                                           Findings& findings) {
  return OrderFixer(source, declarations, expressions, variables, findings).run();
}

}  // namespace stridescope::instrument
