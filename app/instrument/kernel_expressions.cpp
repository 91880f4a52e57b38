// The conditions of a kernel's text, and what the names in them stand for.
#include <algorithm>
#include <array>

#include "instrument/expression_reader.h"
#include "instrument/expressions.h"
#include "instrument/instrument.h"
#include "instrument/reading.h"
#include "instrument/variables.h"
#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

using model::NamedNumber;
using model::NameKind;

constexpr std::array<std::string_view, 5> kWholeTypes{"unsigned", "int", "bool", "long", "auto"};
constexpr std::array<std::string_view, 3> kBeforeWholeTypes{"const", "constexpr", "static"};

template <class List>
bool isAmong(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Where a name of KernelExpressions::names stands in the text.
struct Place {
  int token = 0;
  bool ofFile = false;            // outside of all functions
  int parameterOf = -1;           // index into Variables::functions()
  std::size_t position = 0;       // which of its parameters
  TokenRange value{};             // empty: it is a parameter
  const Control* loop = nullptr;  // whose variable it is
};

class ExpressionFinder {
 public:
  ExpressionFinder(const Reading& reading, const std::vector<recording::Site>& sites)
      : source_(reading.source),
        declarations_(reading.declarations),
        statements_(reading.statements),
        sites_(sites),
        expressions_(source_, declarations_, statements_),
        variables_(source_, reading.types, declarations_, statements_, expressions_) {}

  model::KernelExpressions find() {
    findNames();
    markNames();
    findCalls();
    for (std::size_t name = 0; name < places_.size(); ++name) complete(name);
    for (const recording::Site& site : sites_)
      found_.conditions.push_back(isCondition(site) ? readExpression(source_, tokensOf(site), namesAt_)
                                                    : model::Expression());
    return std::move(found_);
  }

 private:
  static bool isCondition(const recording::Site& site) {
    return site.kind == recording::SiteKind::Branch || site.kind == recording::SiteKind::Loop;
  }

  void findNames() {
    const std::vector<int> enclosing = enclosingBrackets(source_);
    for (const DeclaredName& declared : declarations_.declared) {
      const int bracket = enclosing[std::size_t(declared.token)];
      if (const int function = functionWithParameters(bracket); function >= 0)
        addParameter(declared, bracket, function);
      else if (isWholeNumber(declared) && source_.is(declared.token + 1, "="))
        addDeclared(declared, bracket);
    }
  }

  // The function whose parameters stand in the parentheses that open there; -1: none's do.
  int functionWithParameters(int open) const {
    const auto found = std::ranges::find(variables_.functions(), open - 1, &Function::name);
    return open < 0 || found == variables_.functions().end() ? -1
                                                             : int(found - variables_.functions().begin());
  }

  bool isWholeNumber(const DeclaredName& declared) const {
    if (declared.type < 0 || declared.pointer || declared.dimensions > 0) return false;
    bool whole = false;
    for (int i = declared.type; i < declared.token && declarations_.roleOf(i) == Role::Type; ++i) {
      const std::string_view word = source_[i].text;
      if (!isAmong(kWholeTypes, word) && !isAmong(kBeforeWholeTypes, word)) return false;
      whole = whole || isAmong(kWholeTypes, word);
    }
    return whole;
  }

  void addParameter(const DeclaredName& declared, int open, int function) {
    if (declared.pointer || declared.dimensions > 0) return;
    Place place{.token = declared.token, .parameterOf = function};
    for (int i = open + 1; i < declared.token; ++i) {
      if (source_.is(i, ",")) ++place.position;
      if (source_.opens(i)) i = source_.partnerOf(i);
    }
    add(place, NameKind::Parameter);
    found_.names.back().ofKernel = variables_.functions()[std::size_t(function)].isKernel;
  }

  void addDeclared(const DeclaredName& declared, int bracket) {
    Place place{.token = declared.token, .ofFile = bracket < 0};
    place.value = {declared.token + 2, expressions_.endOfFullExpression(declared.token + 2) - 1};
    const auto loop = std::ranges::find_if(statements_.controls, [&](const Control& control) {
      return control.kind == ControlKind::For && control.open == bracket;
    });
    if (loop != statements_.controls.end()) place.loop = &*loop;
    add(place, place.loop == nullptr ? NameKind::Declared : NameKind::Stepped);
    for (int i = declared.type; declarations_.roleOf(i) == Role::Type; ++i)
      found_.names.back().isBool |= source_.is(i, "bool");
  }

  void add(const Place& place, NameKind kind) {
    places_.push_back(place);
    found_.names.push_back({.kind = kind, .name = std::string(source_[place.token].text)});
  }

  // What stands for which name. A name of the file reaches to the text's end, but for a variable of that
  // name.
  void markNames() {
    namesAt_.assign(std::size_t(source_.size()), -1);
    for (int i = 0; i < source_.size(); ++i) {
      if (!source_.isIdentifier(i) || source_.is(i - 1, ".") || source_.is(i - 1, "->")) continue;
      const auto variable = variables_.variableAt(i);
      for (std::size_t name = 0; name < places_.size() && places_[name].token <= i; ++name) {
        const Place& place = places_[name];
        const bool stands = variable ? variables_.all()[std::size_t(*variable)].token == place.token
                                     : place.ofFile && source_[place.token].text == source_[i].text;
        if (stands) namesAt_[std::size_t(i)] = int(name);
      }
    }
  }

  void findCalls() {
    for (int i = 0; i < source_.size(); ++i)
      if (const auto called = variables_.functionNamed(i); called && declarations_.roleOf(i) != Role::Name)
        calls_.push_back(*called);
  }

  void complete(std::size_t index) {
    const Place& place = places_[index];
    NamedNumber& name = found_.names[index];
    name.reassigned = isReassigned(int(index));
    if (!place.value.empty()) name.value = readExpression(source_, place.value, namesAt_);
    if (place.loop != nullptr) {
      const Control& loop = *place.loop;
      name.next = readStep(source_, {loop.incrementFirst, loop.incrementLast}, namesAt_, int(index));
      name.loop = siteOf(loop);
    }
    if (place.parameterOf >= 0) name.arguments = argumentsFor(place);
  }

  bool isReassigned(int name) const {
    const Place& place = places_[std::size_t(name)];
    for (int i = place.token + 1; i < source_.size(); ++i) {
      if (namesAt_[std::size_t(i)] != name) continue;
      if (place.loop != nullptr && i >= place.loop->incrementFirst && i <= place.loop->incrementLast)
        continue;
      const bool counted = source_.is(i + 1, "++") || source_.is(i + 1, "--") || source_.is(i - 1, "++") ||
                           source_.is(i - 1, "--");
      const bool assigned =
          source_.is(i + 1, "=") || (source_.has(i + 1) && isCompoundAssignment(source_[i + 1].text));
      if (counted || assigned) return true;
    }
    return false;
  }

  int siteOf(const Control& loop) const {
    if (!loop.hasCondition()) return -1;
    const auto site = std::ranges::find_if(sites_, [&](const recording::Site& each) {
      return each.kind == recording::SiteKind::Loop && tokensOf(each).first == loop.conditionFirst;
    });
    return site == sites_.end() ? -1 : int(site - sites_.begin());
  }

  std::vector<model::Expression> argumentsFor(const Place& place) const {
    std::vector<model::Expression> arguments;
    for (const FunctionName& call : calls_) {
      if (call.function != place.parameterOf) continue;
      const int close = source_.partnerOf(call.open);
      int first = call.open + 1;
      for (std::size_t i = 0; i < place.position && first < close; ++i)
        first = expressions_.endOfFullExpression(first) + 1;
      arguments.push_back(
          first < close
              ? readExpression(source_, {first, expressions_.endOfFullExpression(first) - 1}, namesAt_)
              : model::Expression());
    }
    return arguments;
  }

  // Empty where the text has no token at the site's place.
  TokenRange tokensOf(const recording::Site& site) const {
    const auto first = std::ranges::find_if(source_.tokens, [&](const Token& token) {
      return token.line == site.line && token.column == site.column;
    });
    if (first == source_.tokens.end()) return {};
    TokenRange range{int(first - source_.tokens.begin()), int(first - source_.tokens.begin()) - 1};
    while (source_.has(range.last + 1) && source_[range.last + 1].end() - first->offset <= site.length)
      ++range.last;
    return range;
  }

  const Source& source_;
  const Declarations& declarations_;
  const Statements& statements_;
  const std::vector<recording::Site>& sites_;
  const Expressions expressions_;
  const Variables variables_;
  std::vector<Place> places_;  // one per name
  NamesAt namesAt_;
  std::vector<FunctionName> calls_;
  model::KernelExpressions found_;
};

}  // namespace

model::KernelExpressions readExpressions(std::string_view kernelText,
                                         const std::vector<recording::Site>& sites) {
  const auto reading = readText(kernelText);
  return reading ? ExpressionFinder(*reading, sites).find() : model::KernelExpressions();
}

}  // namespace stridescope::instrument
