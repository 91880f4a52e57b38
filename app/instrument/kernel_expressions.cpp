// The conditions of a kernel's text, and what the names in them stand for.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "instrument/constructs.h"
#include "instrument/instrument.h"
#include "instrument/statements.h"
#include "instrument/tokens.h"
#include "instrument/variables.h"
#include "instrument/vocabulary.h"
#include "model/kernel_model.h"

namespace stridescope::instrument {
namespace {

// Expressions of whole numbers, read into trees.

// Per token: the index into KernelExpressions::names of the name that it stands for; -1: none.
using NamesAt = std::vector<int>;

using model::Expression;
using model::ExpressionKind;
using model::ExpressionNode;

struct BinaryOperator {
  std::string_view text;
  int precedence = 0;  // a higher one binds tighter
  ExpressionKind kind{};
};

constexpr std::array<BinaryOperator, 18> kBinaryOperators{{{"||", 1, ExpressionKind::LogicalOr},
                                                           {"&&", 2, ExpressionKind::LogicalAnd},
                                                           {"|", 3, ExpressionKind::Or},
                                                           {"^", 4, ExpressionKind::Xor},
                                                           {"&", 5, ExpressionKind::And},
                                                           {"==", 6, ExpressionKind::Equal},
                                                           {"!=", 6, ExpressionKind::NotEqual},
                                                           {"<", 7, ExpressionKind::Less},
                                                           {">", 7, ExpressionKind::Greater},
                                                           {"<=", 7, ExpressionKind::LessOrEqual},
                                                           {">=", 7, ExpressionKind::GreaterOrEqual},
                                                           {"<<", 8, ExpressionKind::ShiftLeft},
                                                           {">>", 8, ExpressionKind::ShiftRight},
                                                           {"+", 9, ExpressionKind::Add},
                                                           {"-", 9, ExpressionKind::Subtract},
                                                           {"*", 10, ExpressionKind::Multiply},
                                                           {"/", 10, ExpressionKind::Divide},
                                                           {"%", 10, ExpressionKind::Remainder}}};

const BinaryOperator* operatorOf(std::string_view text) {
  for (const BinaryOperator& each : kBinaryOperators)
    if (each.text == text) return &each;
  return nullptr;
}

// 256, 0xffffffff, 32u
std::optional<std::uint32_t> literal(std::string_view text) {
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U')) text.remove_suffix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Reads the words from `first` on; its functions return the index of the node that they made.
class TreeReader {
 public:
  TreeReader(Expression& expression, std::size_t first) : expression_(expression), at_(first) {}

  // nullopt, and no nodes: this is no expression of whole numbers.
  std::optional<std::size_t> whole() {
    const std::size_t root = choice(0);
    if (!failed_ && at_ == expression_.words.size()) return root;
    expression_.nodes.clear();
    return std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 64;

  std::string_view word(std::size_t ahead = 0) const {
    return at_ + ahead < expression_.words.size() ? expression_.words[at_ + ahead].text : std::string_view();
  }
  bool take(std::string_view wanted) { return word() == wanted ? (++at_, true) : false; }
  std::size_t fail() {
    failed_ = true;
    at_ = expression_.words.size();
    return 0;
  }
  std::size_t add(ExpressionNode node) {
    expression_.nodes.push_back(node);
    return expression_.nodes.size() - 1;
  }

  std::size_t choice(int depth) {
    const std::size_t condition = binary(1, depth);
    if (!take("?")) return condition;
    const std::size_t yes = choice(depth + 1);
    if (!take(":")) return fail();
    const std::size_t no = choice(depth + 1);
    return add({.kind = ExpressionKind::Choice, .operands = {condition, yes, no}});
  }

  // A >> is two tokens, because it may close two template lists.
  bool isShiftRight() const { return word() == ">" && word(1) == ">" && !expression_.words[at_ + 1].spaced; }

  std::size_t binary(int lowest, int depth) {
    std::size_t left = unary(depth);
    while (!failed_) {
      const bool shift = isShiftRight();
      const BinaryOperator* const op = operatorOf(shift ? ">>" : word());
      if (op == nullptr || op->precedence < lowest) break;
      at_ += shift ? 2 : 1;
      const std::size_t right = binary(op->precedence + 1, depth + 1);
      left = add({.kind = op->kind, .operands = {left, right}});
    }
    return left;
  }

  std::size_t unary(int depth) {
    if (depth > kMaxDepth || at_ >= expression_.words.size()) return fail();
    for (const auto& [text, kind] :
         {std::pair{"!", ExpressionKind::Not}, std::pair{"-", ExpressionKind::Negate},
          std::pair{"+", ExpressionKind::Plus}, std::pair{"~", ExpressionKind::Complement}})
      if (take(text)) {
        const std::size_t operand = unary(depth + 1);
        return add({.kind = kind, .operands = {operand}});
      }
    if (take("(")) {
      const std::size_t inner = choice(depth + 1);
      return take(")") ? inner : fail();
    }
    const std::size_t index = at_++;
    // The brackets of a call or a subscript are no operator: they are left over, and whole() fails.
    if (expression_.words[index].isName)
      return add({.kind = ExpressionKind::Name, .value = std::uint32_t(index)});
    const auto value = literal(expression_.words[index].text);
    return value ? add({.kind = ExpressionKind::Number, .value = *value}) : fail();
  }

  Expression& expression_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// The words alone. `plain` becomes false where a template list is among them.
Expression wordsOf(const Source& source, TokenRange range, const NamesAt& names, bool& plain) {
  Expression expression;
  for (int i = range.first; i <= range.last; ++i) {
    model::ExpressionWord word{.text = std::string(source[i].text),
                               .spaced = i > range.first && source[i].offset > source[i - 1].end(),
                               .isName = source.isIdentifier(i),
                               .name = names[std::size_t(i)]};
    plain = plain && !(source.is(i, "<") && source.opens(i));
    if (word.isName && source.is(i + 1, ".") && source.isIdentifier(i + 2)) {
      word.text += "." + std::string(source[i + 2].text);
      word.name = -1;
      i += 2;
    }
    expression.words.push_back(std::move(word));
  }
  return expression;
}

// The words of the range, and its nodes where it is an expression of whole numbers.
model::Expression readExpression(const Source& source, TokenRange range, const NamesAt& names) {
  bool plain = true;
  Expression expression = wordsOf(source, range, names, plain);
  if (plain) TreeReader(expression, 0).whole();
  return expression;
}

// What a for's step makes of its variable, the name `stepped`: of ++s, s--, s *= 2 and s = 2 * s + 1. Without
// nodes where the step does anything else.
model::Expression readStep(const Source& source, TokenRange step, const NamesAt& names, int stepped) {
  bool plain = true;
  Expression expression = wordsOf(source, step, names, plain);
  auto& words = expression.words;
  auto& nodes = expression.nodes;
  if (!plain || words.size() < 2) return expression;
  const auto nameAt = [](std::size_t word) {
    return ExpressionNode{.kind = ExpressionKind::Name, .value = std::uint32_t(word)};
  };
  const std::size_t target = words[0].isName ? 0 : 1;
  if (words[target].name != stepped) return expression;
  const std::string_view op = words[1 - target].text;
  if (words.size() == 2 && (op == "++" || op == "--")) {
    nodes = {nameAt(target),
             {.kind = ExpressionKind::Number, .value = 1},
             {.kind = op == "++" ? ExpressionKind::Add : ExpressionKind::Subtract, .operands = {0, 1}}};
    return expression;
  }
  if (target != 0 || words.size() < 3 || (op != "=" && !isCompoundAssignment(op))) return expression;
  const BinaryOperator* const combines = operatorOf(op.substr(0, op.size() - 1));
  const auto by = TreeReader(expression, 2).whole();
  if (!by || combines == nullptr) return expression;
  nodes.push_back(nameAt(0));
  nodes.push_back({.kind = combines->kind, .operands = {nodes.size() - 1, *by}});
  return expression;
}

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
                                         const std::vector<recording::Site>& sites, Preamble preamble) {
  const auto reading = readText(kernelText, preamble);
  return reading ? ExpressionFinder(*reading, sites).find() : model::KernelExpressions();
}

}  // namespace stridescope::instrument
