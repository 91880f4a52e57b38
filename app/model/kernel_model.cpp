#include "model/kernel_model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/plain_text.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

constexpr std::array<std::string_view, std::size_t(Operation::Assign) + 1> kOperationNames{
    "load",           "store",      "update",      "branch",     "loop",       "syncthreads",
    "synccluster",    "syncwarp",   "shfl",        "shfl_up",    "shfl_down",  "shfl_xor",
    "ballot",         "any",        "all",         "activemask", "reduce",     "group reduce",
    "warp operation", "atomic add", "atomic sub",  "atomic min", "atomic max", "atomic and",
    "atomic or",      "atomic xor", "atomic exch", "atomic cas", "atomic inc", "atomic combine",
    "atomic",         "assign"};

using Number = std::optional<std::uint32_t>;

constexpr std::uint32_t kBits = 32;

Number applied(ExpressionKind kind, std::uint32_t a) {
  switch (kind) {
    case ExpressionKind::Not:
      return a == 0;
    case ExpressionKind::Negate:
      return 0 - a;
    case ExpressionKind::Complement:
      return ~a;
    default:
      return a;
  }
}

Number applied(ExpressionKind kind, std::uint32_t a, std::uint32_t b) {
  switch (kind) {
    case ExpressionKind::LogicalOr:
      return a != 0 || b != 0;
    case ExpressionKind::LogicalAnd:
      return a != 0 && b != 0;
    case ExpressionKind::Or:
      return a | b;
    case ExpressionKind::Xor:
      return a ^ b;
    case ExpressionKind::And:
      return a & b;
    case ExpressionKind::Equal:
      return a == b;
    case ExpressionKind::NotEqual:
      return a != b;
    case ExpressionKind::Less:
      return a < b;
    case ExpressionKind::Greater:
      return a > b;
    case ExpressionKind::LessOrEqual:
      return a <= b;
    case ExpressionKind::GreaterOrEqual:
      return a >= b;
    case ExpressionKind::ShiftLeft:
      return b < kBits ? Number(a << b) : Number();
    case ExpressionKind::ShiftRight:
      return b < kBits ? Number(a >> b) : Number();
    case ExpressionKind::Add:
      return a + b;
    case ExpressionKind::Subtract:
      return a - b;
    case ExpressionKind::Multiply:
      return a * b;
    case ExpressionKind::Divide:
      return b == 0 ? Number() : Number(a / b);
    case ExpressionKind::Remainder:
      return b == 0 ? Number() : Number(a % b);
    default:
      return {};
  }
}

}  // namespace

std::string_view nameOf(Operation operation) { return kOperationNames[std::size_t(operation)]; }

recording::SiteKind kindOf(Operation operation) {
  using recording::SiteKind;
  switch (operation) {
    case Operation::Load:
      return SiteKind::Load;
    case Operation::Store:
      return SiteKind::Store;
    case Operation::Update:
      return SiteKind::Update;
    case Operation::Branch:
      return SiteKind::Branch;
    case Operation::Loop:
      return SiteKind::Loop;
    case Operation::SyncThreads:
    case Operation::SyncCluster:
      return SiteKind::BlockBarrier;
    case Operation::Assign:
      return SiteKind::Assign;
    default:
      return operation >= Operation::AtomicAdd ? SiteKind::Atomic : SiteKind::WarpOperation;
  }
}

std::string_view nameOf(MemoryOrder order) {
  constexpr std::array<std::string_view, allOf(MemoryOrder{}).size()> kNames{
      "none", "unnamed", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[std::size_t(order)];
}
bool acquires(MemoryOrder order) {
  using enum MemoryOrder;
  return order == Acquire || order == AcquireRelease || order == SequentiallyConsistent;
}
bool releases(MemoryOrder order) {
  using enum MemoryOrder;
  return order == Release || order == AcquireRelease || order == SequentiallyConsistent;
}

std::string_view nameOf(MemoryScope scope) {
  constexpr std::array<std::string_view, allOf(MemoryScope{}).size()> kNames{
      "none", "unnamed", "thread", "block", "cluster", "device", "system"};
  return kNames[std::size_t(scope)];
}

std::string_view nameOf(VariableKind kind) {
  constexpr std::array<std::string_view, 3> names{"parameter", "local", "shared"};
  return names[std::size_t(kind)];
}

namespace {

bool isLetter(char c) {
  const bool isAscii = static_cast<unsigned char>(c) < 0x80;
  return !isAscii || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

// What stands in place of a name where namespaces, closures and types have none.
constexpr std::array<std::string_view, 12> kUnnamed{"(anonymous ", "(lambda",   "(unnamed", "{lambda",
                                                    "{unnamed",    "{default ", "<lambda",  "<unnamed",
                                                    "<anonymous",  "'lambda",   "'unnamed", "{closure"};

bool beginsAsAName(std::string_view name) {
  const std::string_view first = name.starts_with("::") ? name.substr(2) : name;
  if (first.empty()) return false;
  if (isLetter(first.front()) || (first.front() == '~' && first.size() > 1)) return true;
  return std::ranges::any_of(kUnnamed, [&](std::string_view unnamed) { return first.starts_with(unnamed); });
}

// The bytes of 'c' or '\n' as a template's argument; 0: the quote begins none, as in 'lambda'(int).
std::size_t characterLiteralAt(std::string_view name) {
  const std::size_t length = name.size() > 1 && name[1] == '\\' ? 4 : 3;
  return name.size() >= length && name[length - 1] == '\'' ? length : 0;
}

bool isOfAName(char c) {
  constexpr std::string_view kMarks = " :<>()[]{},.*&~#'\"+-/%^|!=?";
  return isLetter(c) || isDigit(c) || kMarks.find(c) != std::string_view::npos;
}

// Characters that names have; round, square and curly brackets close each other in turn. Those of templates
// are left out: < and > are operators, too.
bool isMadeOfNames(std::string_view name) {
  constexpr std::string_view kOpening = "([{", kClosing = ")]}";
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (const std::size_t literal = name[i] == '\'' ? characterLiteralAt(name.substr(i)) : 0; literal > 0) {
      i += literal - 1;
      continue;
    }
    if (!isOfAName(name[i])) return false;
    if (const std::size_t kind = kOpening.find(name[i]); kind != std::string_view::npos) open.push_back(kind);
    const std::size_t kind = kClosing.find(name[i]);
    if (kind == std::string_view::npos) continue;
    if (open.empty() || open.back() != kind) return false;
    open.pop_back();
  }
  return open.empty();
}

}  // namespace

std::optional<std::string> faultOfName(std::string_view name) {
  if (name.size() > kMaxNameBytes) return "is longer than " + std::to_string(kMaxNameBytes) + " bytes";
  if (!isPlainUtf8(name)) return "is not UTF-8 text";
  if (printableLength(name, Lines::One) < name.size()) return "has a control character";
  if (!beginsAsAName(name) || !isMadeOfNames(name)) return "is no name of C++";
  return {};
}

std::optional<std::uint32_t> valueOf(const Expression& expression, const ValueOfName& valueOfName) {
  std::vector<Number> values;
  for (const ExpressionNode& node : expression.nodes) {
    const auto operand = [&](std::size_t i) { return values[node.operands[i]]; };
    switch (node.kind) {
      case ExpressionKind::Number:
        values.emplace_back(node.value);
        break;
      case ExpressionKind::Name:
        values.push_back(valueOfName(expression.words[node.value]));
        break;
      case ExpressionKind::Not:
      case ExpressionKind::Negate:
      case ExpressionKind::Plus:
      case ExpressionKind::Complement:
        values.push_back(operand(0) ? applied(node.kind, *operand(0)) : Number());
        break;
      case ExpressionKind::Choice:
        values.push_back(operand(0) ? operand(*operand(0) != 0 ? 1 : 2) : Number());
        break;
      default:
        values.push_back(operand(0) && operand(1) ? applied(node.kind, *operand(0), *operand(1)) : Number());
    }
  }
  return values.empty() ? Number() : values.back();
}

std::string printed(const Expression& expression,
                    const std::function<std::optional<std::string>(const ExpressionWord&)>& replaced) {
  std::string text;
  for (const ExpressionWord& word : expression.words) {
    if (word.spaced) text += ' ';
    const auto other = word.isName ? replaced(word) : std::nullopt;
    text += other ? *other : word.text;
  }
  return text;
}

}  // namespace stridescope::model
