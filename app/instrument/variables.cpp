#include "instrument/variables.h"

#include <algorithm>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

// The type's own words from token `first` on, up to the declared name: "T" of `const T x`.
std::string typeFrom(const Source& source, const TypeNames& types, const Declarations& declarations,
                     int first, int name) {
  std::string text;
  for (int i = first; i >= 0 && i < name; ++i) {
    if (takesArgument(source[i].text) && source.is(i + 1, "(")) {
      i = source.partnerOf(i + 1);
      continue;
    }
    if (!source.isIdentifier(i) || declarations.roleOf(i) != Role::Type || !types.isType(source[i].text))
      continue;
    if (!text.empty()) text += ' ';
    text += source[i].text;
    if (source.is(i + 1, "<") && source.opens(i + 1)) {
      text += source.slice(i + 1, source.partnerOf(i + 1));
      i = source.partnerOf(i + 1);
    }
  }
  return text;
}

bool hasSpecifier(const Source& source, int first, int name, std::string_view word) {
  for (int i = first; i >= 0 && i < name; ++i)
    if (source.is(i, word)) return true;
  return false;
}

}  // namespace

Variables::Variables(const Source& source, const TypeNames& types, const Declarations& declarations,
                     const Statements& statements, const Expressions& expressions)
    : source_(source) {
  findFunctions(declarations);
  const std::vector<int> enclosing = enclosingBrackets(source);
  for (const DeclaredName& name : declarations.declared) {
    auto variable = read(name, statements, enclosing);
    if (!variable) continue;
    variable->type = typeFrom(source, types, declarations, name.type, name.token);
    const bool fixed = hasSpecifier(source, name.type, name.token, "constexpr") ||
                       hasSpecifier(source, name.type, name.token, "static");
    variable->element = variable->kind != model::VariableKind::Shared && variable->type == "T" &&
                        !name.pointer && name.dimensions == 0 && !fixed;
    variables_.push_back(*std::move(variable));
  }
  std::ranges::sort(variables_, {}, &Variable::token);
  leaveOutThoseWithAddresses(expressions);
}

void Variables::findFunctions(const Declarations& declarations) {
  for (const DeclaredName& declared : declarations.declared) {
    const int open = declared.token + 1;
    if (!source_.is(open, "(")) continue;
    int body = source_.partnerOf(open) + 1;
    while (source_.is(body, "const") || source_.is(body, "noexcept")) ++body;
    if (!source_.is(body, "{")) continue;
    functions_.push_back({.name = declared.token,
                          .body = {body, source_.partnerOf(body)},
                          .isKernel = hasSpecifier(source_, declared.type, declared.token, "__global__")});
  }
  std::ranges::sort(functions_, {}, &Function::name);
}

std::optional<Variable> Variables::read(const DeclaredName& name, const Statements& statements,
                                        const std::vector<int>& enclosing) const {
  if (name.type < 0 || source_.is(name.token + 1, "(")) return {};
  Variable variable{.token = name.token, .dimensions = name.dimensions, .pointer = name.pointer};
  const int bracket = enclosing[std::size_t(name.token)];
  variable.function = functionAt(name.token);
  if (source_.is(bracket, "(") && source_.is(bracket - 1, "for")) {
    const auto loop = std::ranges::find(statements.controls, bracket, &Control::open);
    if (loop == statements.controls.end()) return {};
    variable.kind = model::VariableKind::Local;
    variable.scope = {name.token, std::max(loop->bodyLast, loop->close)};
    return variable;
  }
  if (source_.is(bracket, "(")) {
    const auto function = std::ranges::find(functions_, bracket - 1, &Function::name);
    if (function == functions_.end()) return {};  // it belongs to a lambda, or to a declaration alone
    variable.kind = model::VariableKind::Parameter;
    variable.function = int(function - functions_.begin());
    variable.scope = {name.token, function->body.last};
    return variable;
  }
  if (!source_.is(bracket, "{") || variable.function < 0) return {};  // a member, or at file scope
  variable.kind = hasSpecifier(source_, name.type, name.token, "__shared__") ? model::VariableKind::Shared
                                                                             : model::VariableKind::Local;
  variable.scope = {name.token, source_.partnerOf(bracket)};
  return variable;
}

int Variables::functionAt(int i) const {
  for (std::size_t f = 0; f < functions_.size(); ++f)
    if (functions_[f].body.contains(i)) return int(f);
  return -1;
}

std::optional<FunctionName> Variables::functionNamed(int i) const {
  if (!source_.isIdentifier(i)) return {};
  int open = i + 1;
  if (source_.is(open, "<") && source_.opens(open)) open = source_.partnerOf(open) + 1;
  if (!source_.is(open, "(")) return {};
  const auto named = std::ranges::find(functions_, source_[i].text,
                                       [&](const Function& each) { return source_[each.name].text; });
  if (named == functions_.end()) return {};
  return FunctionName{int(named - functions_.begin()), open};
}

std::optional<int> Variables::variableAt(int i) const {
  if (!source_.isIdentifier(i) || source_.is(i - 1, ".") || source_.is(i - 1, "->")) return {};
  std::optional<int> nearest;  // the inner one of nested scopes begins later
  for (std::size_t v = 0; v < variables_.size() && variables_[v].token <= i; ++v)
    if (variables_[v].scope.contains(i) && source_[variables_[v].token].text == source_[i].text)
      nearest = int(v);
  return nearest;
}

void Variables::leaveOutThoseWithAddresses(const Expressions& expressions) {
  for (int i = 0; i < source_.size(); ++i)
    if (source_.is(i, "&") && expressions.isUnary(i))
      if (const auto variable = variableAt(i + 1)) variables_[std::size_t(*variable)].element = false;
}

}  // namespace stridescope::instrument
