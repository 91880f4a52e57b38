#include <array>
#include <string_view>
#include <utility>

#include "instrument/steps.h"
#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

constexpr std::array<std::pair<std::string_view, model::ElementType>, 16> kNamedTypes{
    {{"int", model::ElementType::Int},
     {"signed", model::ElementType::Int},
     {"signed int", model::ElementType::Int},
     {"int32_t", model::ElementType::Int},
     {"unsigned", model::ElementType::Unsigned},
     {"unsigned int", model::ElementType::Unsigned},
     {"uint", model::ElementType::Unsigned},
     {"uint32_t", model::ElementType::Unsigned},
     {"long", model::ElementType::Int64},
     {"long int", model::ElementType::Int64},
     {"long long", model::ElementType::Int64},
     {"long long int", model::ElementType::Int64},
     {"signed long long", model::ElementType::Int64},
     {"int64_t", model::ElementType::Int64},
     {"float", model::ElementType::Float},
     {"double", model::ElementType::Double}}};

// The words that `using name = words;` gives the name; the name itself where the text has no such alias.
std::string_view withoutAlias(const Source& source, std::string_view name) {
  for (int i = 0; i < source.size(); ++i) {
    if (!source.is(i, "using") || !source.is(i + 1, name) || !source.is(i + 2, "=")) continue;
    int end = i + 3;
    while (source.has(end) && !source.is(end, ";")) ++end;
    if (end > i + 3) return source.slice(i + 3, end - 1);
  }
  return name;
}

std::optional<model::ElementType> typeNamed(const Source& source, std::string_view words) {
  constexpr int kMostAliases = 8;
  for (int k = 0; k < kMostAliases; ++k) {
    for (const auto& [name, type] : kNamedTypes)
      if (name == words) return type;
    const std::string_view meant = withoutAlias(source, words);
    if (meant == words) break;
    words = meant;
  }
  return std::nullopt;
}

class ElementMarker {
 public:
  ElementMarker(const Source& source, const Expressions& expressions, const Findings& findings,
                Variables& variables)
      : source_(source), expressions_(expressions), variables_(variables) {
    const auto tokens = std::size_t(source.size());
    givesElement_.resize(tokens);
    for (const FoundSite& site : findings.sites)
      if (givesElement(site.operation)) givesElement_[std::size_t(site.first)] = true;
    for (int i = 0; i < source.size(); ++i) variableAt_.push_back(variables.variableAt(i));
    nextElement_.resize(tokens + 1);
  }

  void mark(model::ElementType type) {
    const auto& all = variables_.all();
    may_.assign(all.size(), false);
    is_.assign(all.size(), false);
    for (std::size_t v = 0; v < all.size(); ++v)
      may_[v] = variables_.isPlainValue(int(v)) && typeNamed(source_, all[v].type) == type;
    leaveOutIndices();
    const bool isFloating = type == model::ElementType::Float || type == model::ElementType::Double;
    for (std::size_t v = 0; v < all.size() && isFloating; ++v)
      is_[v] = may_[v] && all[v].kind == model::VariableKind::Parameter &&
               !variables_.functions()[std::size_t(all[v].function)].isKernel;
    while (findMore()) {
    }
    for (std::size_t v = 0; v < all.size(); ++v) variables_.setElement(int(v), is_[v]);
  }

 private:
  // What stands in a subscript, is counted, or decides where a loop ends is no element.
  void leaveOutIndices() {
    int subscripts = 0;
    const std::vector<int> enclosing = enclosingBrackets(source_);
    for (int i = 0; i < source_.size(); ++i) {
      if (source_.is(i, "[") && source_.opens(i)) ++subscripts;
      if (source_.is(i, "]") && source_.closes(i)) --subscripts;
      const auto variable = variableAt_[std::size_t(i)];
      if (!variable) continue;
      const auto isStep = [&](int token) { return source_.is(token, "++") || source_.is(token, "--"); };
      const int bracket = enclosing[std::size_t(i)];
      const bool inHead = source_.is(bracket, "(") && source_.is(bracket - 1, "for");
      if (subscripts > 0 || inHead || isStep(i + 1) || isStep(i - 1)) may_[std::size_t(*variable)] = false;
    }
  }

  // Those that an assignment makes of elements. Whether there was one.
  bool findMore() {
    findElements();
    bool found = false;
    for (int i = 0; i < source_.size(); ++i) {
      const auto variable = variableAt_[std::size_t(i)];
      if (!variable || !may_[std::size_t(*variable)] || is_[std::size_t(*variable)]) continue;
      const int after = i + 1;
      const bool assigns =
          source_.is(after, "=") || (source_.has(after) && isCompoundAssignment(source_[after].text));
      if (!assigns || !source_.has(after + 1)) continue;
      const int end = expressions_.endOfFullExpression(after + 1);
      if (nextElement_[std::size_t(after) + 1] >= end) continue;
      is_[std::size_t(*variable)] = found = true;
    }
    return found;
  }

  // By token: the first one from there on that is an element. Subscripts are left out.
  void findElements() {
    const int size = source_.size();
    nextElement_[std::size_t(size)] = size;
    for (int i = size - 1; i >= 0; --i) {
      const auto variable = variableAt_[std::size_t(i)];
      const bool isElement = givesElement_[std::size_t(i)] ||
                             (variable && is_[std::size_t(*variable)] && !expressions_.isUnevaluated(i));
      const int next = source_.is(i, "[") && source_.opens(i) ? source_.partnerOf(i) + 1 : i + 1;
      nextElement_[std::size_t(i)] = isElement ? i : nextElement_[std::size_t(next)];
    }
  }

  static bool givesElement(model::Operation operation) {
    switch (operation) {
      case model::Operation::Load:
      case model::Operation::ShflIdx:
      case model::Operation::ShflUp:
      case model::Operation::ShflDown:
      case model::Operation::ShflXor:
      case model::Operation::Reduce:
        return true;
      default:
        return false;
    }
  }

  const Source& source_;
  const Expressions& expressions_;
  Variables& variables_;
  std::vector<bool> may_, is_;      // by variable
  std::vector<bool> givesElement_;  // by token, as what follows: a load, or an exchange
  std::vector<std::optional<int>> variableAt_;
  std::vector<int> nextElement_;
};

}  // namespace

std::optional<model::ElementType> elementTypeOf(const Source& source, const Variables& variables) {
  const auto firstOf = [&](auto isArray) -> std::optional<model::ElementType> {
    for (const Variable& variable : variables.all())
      if (isArray(variable))
        if (const auto type = typeNamed(source, variable.type)) return type;
    return std::nullopt;
  };
  const auto shared =
      firstOf([](const Variable& variable) { return variable.kind == model::VariableKind::Shared; });
  if (shared) return shared;
  return firstOf([&](const Variable& variable) {
    return variable.kind == model::VariableKind::Parameter && variable.pointer &&
           variables.functions()[std::size_t(variable.function)].isKernel;
  });
}

void markElements(const Source& source, const Expressions& expressions, const Findings& findings,
                  model::ElementType type, Variables& variables) {
  ElementMarker(source, expressions, findings, variables).mark(type);
}

}  // namespace stridescope::instrument
