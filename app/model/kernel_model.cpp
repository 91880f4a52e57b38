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
    "load",       "store",       "update",     "branch",     "loop",           "syncthreads",
    "syncwarp",   "shfl",        "shfl_up",    "shfl_down",  "shfl_xor",       "ballot",
    "any",        "all",         "activemask", "reduce",     "group reduce",   "warp operation",
    "atomic add", "atomic sub",  "atomic min", "atomic max", "atomic and",     "atomic or",
    "atomic xor", "atomic exch", "atomic cas", "atomic inc", "atomic combine", "atomic",
    "assign"};

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
      return SiteKind::BlockBarrier;
    case Operation::Assign:
      return SiteKind::Assign;
    default:
      return operation >= Operation::AtomicAdd ? SiteKind::Atomic : SiteKind::WarpOperation;
  }
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

}  // namespace stridescope::model
