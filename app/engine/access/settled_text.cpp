#include "settled_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "declarations.h"
#include "kernel_tokens.h"
#include "preprocessor_condition.h"
#include "settled_macros.h"

namespace stridescope::engine::access {
namespace {

constexpr std::size_t kMaxBytes = 64 << 10;  // what the text pass takes

// ---- Conditions

// Decides the text's conditions one after the other, with the macros that are defined by then.
class ConditionSettler {
 public:
  ConditionSettler(std::string& text, const std::vector<Directive>& directives)
      : text_(text), directives_(directives) {}

  // Whether all could be decided; else the text stays as it was.
  bool settle() {
    std::string settled = text_;
    std::size_t inactiveFrom = 0;
    for (const Directive& directive : directives_) {
      const bool wasActive = isActive();
      if (!read(directive)) return false;
      if (isCondition_) blank(settled, directive.begin, directive.end);
      if (wasActive && !isActive()) inactiveFrom = directive.end;
      if (!wasActive && (isActive() || isCondition_)) {
        blank(settled, inactiveFrom, directive.begin);
        inactiveFrom = directive.end;
      }
    }
    if (!open_.empty()) return false;
    text_ = std::move(settled);
    return true;
  }

  const std::set<std::string>& undefined() const { return undefined_; }

 private:
  struct Open {
    bool wasActive = true;  // what is around it
    bool isActive = true, hasBeen = false, hasElse = false;
  };
  bool isActive() const { return open_.empty() || open_.back().isActive; }

  // False: it cannot be decided.
  bool read(const Directive& directive) {
    const std::string &name = directive.name, &rest = directive.rest;
    isCondition_ = true;
    if (name == "ifdef" || name == "ifndef" || name == "if") {
      Open next{.wasActive = isActive()};
      const auto value = next.wasActive ? valueOf(name, rest) : std::optional<bool>(false);
      if (!value) return false;
      next.isActive = next.wasActive && *value;
      next.hasBeen = *value;
      open_.push_back(next);
      return true;
    }
    if (name == "elif" || name == "else") {
      if (open_.empty() || open_.back().hasElse) return false;
      Open& last = open_.back();
      last.hasElse = name == "else";
      const bool isAsked = last.wasActive && !last.hasBeen;
      const auto value = !isAsked         ? std::optional<bool>(false)
                         : name == "else" ? std::optional<bool>(true)
                                          : valueOf("if", rest);
      if (!value) return false;
      last.isActive = *value;
      last.hasBeen = last.hasBeen || *value;
      return true;
    }
    if (name == "endif") {
      if (open_.empty()) return false;
      open_.pop_back();
      return true;
    }
    isCondition_ = false;
    if (!isActive()) return true;
    if (name == "undef") return false;
    if (name == "define") {
      const auto [word, body] = macroOf(rest);
      values_[word] = body;
    }
    return true;
  }

  std::optional<bool> valueOf(const std::string& name, const std::string& rest) {
    std::string expression = rest;
    if (name == "ifdef") expression = "defined(" + rest + ")";
    if (name == "ifndef") expression = "!defined(" + rest + ")";
    const auto value = valueOfCondition(expression, values_, undefined_);
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }

  std::string& text_;
  const std::vector<Directive>& directives_;
  std::vector<Open> open_;
  // What kernels/access/cuda_device.h defines.
  std::map<std::string, std::string> values_{{"__CUDA_ARCH__", "900"}, {"__CUDACC__", "1"}};
  std::set<std::string> undefined_;
  bool isCondition_ = false;
};

// ---- Kernels and types

class KernelSettler {
 public:
  KernelSettler(std::string& text, const NamedKernels& kernels, std::vector<bool>& isPlain)
      : text_(text), kernels_(kernels), isPlain_(isPlain) {}

  TextEdits settle() {
    if (tokens_.read(text_)) return {};
    std::string settled = text_;
    for (const Declaration& declared : declarationsOf(tokens_)) {
      if (!declared.isKernel || declared.owner >= 0) continue;
      const auto launched = std::ranges::find_if(kernels_.all, [&](const NamedKernel& kernel) {
        return kernel.declaration.name == declared.name &&
               kernel.declaration.line == tokens_[declared.list].line;
      });
      if (launched == kernels_.all.end()) {
        if (!declared.isSpecialization)
          blank(settled, tokens_[declared.begin].begin, tokens_[declared.end].end);
        continue;
      }
      leaveOutDefaults(declared, settled);
      if (declared.isTemplate) giveArguments(declared, *launched);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) leaveOutAt(i, settled);
    giveNames(settled);
    text_ = edits_.applyTo(settled);
    return std::move(edits_);
  }

 private:
  // Who launches the kernel gives all arguments.
  void leaveOutDefaults(const Declaration& declared, std::string& settled) const {
    const std::size_t close = tokens_.partner(declared.list);
    for (std::size_t i = declared.list + 1; i < close; ++i) {
      if (!tokens_.is(i, "=")) continue;
      std::size_t end = i;
      while (end < close && !tokens_.is(end, ",") && !tokens_.is(end, "<"))
        end = tokens_.is(end, "(") || tokens_.is(end, "{") ? tokens_.partner(end) + 1 : end + 1;
      if (tokens_.is(end, "<")) return;
      blank(settled, tokens_[i].begin, tokens_[end].begin);
      i = end;
    }
  }

  // template void k<int>(int*); using namespace std; and the static of static __shared__.
  void leaveOutAt(std::size_t i, std::string& settled) const {
    const bool isInstantiation =
        tokens_.is(i, "template") && !tokens_.is(i + 1, "<") && isAtNamespaceScope(i);
    const bool isOfStd = tokens_.is(i, "using") && tokens_.is(i + 1, "namespace") &&
                         tokens_.is(i + 2, "std") && tokens_.is(i + 3, ";");
    if (isInstantiation || isOfStd) {
      std::size_t end = i;
      while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, "{")) ++end;
      if (tokens_.is(end, ";")) blank(settled, tokens_[i].begin, tokens_[end].end);
    }
    if (tokens_.is(i, "static") && tokens_.is(i + 1, "__shared__"))
      blank(settled, tokens_[i].begin, tokens_[i].end);
  }
  bool isAtNamespaceScope(std::size_t i) const {
    return i == 0 || tokens_.is(i - 1, ";") || tokens_.is(i - 1, "}");
  }

  // "int, Pair<int, 4>" as its parts.
  static std::vector<std::string> partsOf(const std::string& arguments) {
    std::vector<std::string> parts;
    int depth = 0;
    for (std::size_t i = 0, begin = 0; i <= arguments.size(); ++i) {
      const char c = i < arguments.size() ? arguments[i] : ',';
      if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
      if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
      if (c != ',' || (depth != 0 && i < arguments.size())) continue;
      if (arguments.find_first_not_of(' ', begin) < i) parts.push_back(arguments.substr(begin, i - begin));
      begin = i + 1;
    }
    return parts;
  }

  // template <class T, int N = 4> of a kernel that is launched with one list of arguments.
  void giveArguments(const Declaration& declared, const NamedKernel& kernel) {
    const auto isSame = [&](const NamedKernel& other) {
      return other.declaration.name == kernel.declaration.name &&
             other.declaration.line == kernel.declaration.line;
    };
    if (std::ranges::count_if(kernels_.all, isSame) != 1) return;
    const std::vector<std::string> given = partsOf(kernel.templateArguments);
    std::string names;
    std::size_t place = 0, begin = declared.begin + 2;
    int depth = 1;
    for (std::size_t i = begin; depth > 0; ++i) {
      if (i >= declared.list) return;
      if (tokens_.is(i, "<")) ++depth;
      if (tokens_.is(i, ">")) --depth;
      if (depth > 1 || (depth == 1 && !tokens_.is(i, ","))) continue;
      const auto name = nameOf(begin, i, place < given.size() ? &given[place] : nullptr);
      if (!name) return;
      names += *name;
      ++place;
      begin = i + 1;
    }
    if (place < given.size()) return;
    for (const std::string& each : named_)
      if (each == names) names.clear();  // two kernels with the same parameters and arguments
    if (!names.empty()) named_.push_back(names);
    edits_.replace(tokens_[declared.begin].begin, tokens_[begin - 1].end, names);
    isPlain_[std::size_t(&kernel - kernels_.all.data())] = true;
  }

  // using T = float; or constexpr int N = 256; of the parameter within the tokens. Nothing: it is another
  // kind of parameter, or has no argument.
  std::optional<std::string> nameOf(std::size_t begin, std::size_t end, const std::string* given) const {
    std::size_t equals = begin;
    while (equals < end && !tokens_.is(equals, "=")) ++equals;
    const std::size_t name = equals - 1;
    if (name <= begin || !tokens_[name].isWord || tokens_.is(begin, "template") ||
        tokens_.has(begin, equals, "."))
      return std::nullopt;
    if (given == nullptr && equals == end) return std::nullopt;
    const std::string argument = given != nullptr ? *given : textOf(equals + 1, end);
    if (argument.find(';') != std::string::npos) return std::nullopt;
    const bool isType = tokens_.is(begin, "class") || tokens_.is(begin, "typename");
    if (isType && name != begin + 1) return std::nullopt;
    return isType ? "using " + std::string(tokens_.word(name)) + " = " + argument + "; "
                  : "constexpr " + textOf(begin, name) + " " + std::string(tokens_.word(name)) + " = " +
                        argument + "; ";
  }

  // typedef words name;
  void giveNames(const std::string& settled) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, "typedef") || settled[tokens_[i].begin] == ' ') continue;
      std::size_t end = i + 1;
      while (end < tokens_.size() && tokens_[end].isWord) ++end;
      if (!tokens_.is(end, ";") || end < i + 3 || tokens_[end].line != tokens_[i].line) continue;
      edits_.replace(tokens_[i].begin, tokens_[end].begin,
                     "using " + std::string(tokens_.word(end - 1)) + " = " + textOf(i + 1, end - 1));
      i = end;
    }
  }

  std::string textOf(std::size_t begin, std::size_t end) const {
    return begin >= end ? std::string()
                        : std::string(tokens_.text().substr(tokens_[begin].begin,
                                                            tokens_[end - 1].end - tokens_[begin].begin));
  }

  std::string& text_;
  const NamedKernels& kernels_;
  std::vector<bool>& isPlain_;
  KernelTokens tokens_;
  TextEdits edits_;
  std::vector<std::string> named_;
};

}  // namespace

SettledText::SettledText(const std::string& deviceText, const NamedKernels& kernels) : text_(deviceText) {
  isPlain_.assign(kernels.all.size(), false);
  KernelTokens tokens;
  if (tokens.read(deviceText) || deviceText.size() > kMaxBytes) return;
  const std::vector<Directive> directives = directivesOf(tokens);
  ConditionSettler conditions(text_, directives);
  if (conditions.settle() && !conditions.undefined().empty()) {
    const bool asksOfHeaders = std::ranges::any_of(
        conditions.undefined(), [](const std::string& name) { return name.starts_with('_'); });
    for (const Directive& directive : directives)
      if (directive.name == "include" && text_[directive.begin] == '#' &&
          (asksOfHeaders || !isHeaderOfHosts(directive.rest)))
        check_ += "#include " + directive.rest + "\n";
    for (const std::string& name : conditions.undefined())
      check_ += "#ifdef " + name + "\n#error " + name + " is defined by a header.\n#endif\n";
  }
  steps_.push_back(settleMacros(text_));
  steps_.push_back(KernelSettler(text_, kernels, isPlain_).settle());
}

int SettledText::columnBefore(int line, int column) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) column = step->columnBefore(line, column);
  return column;
}

int SettledText::lastColumnBefore(int line, int column) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
    column = step->lastColumnBefore(line, column);
  return column;
}

}  // namespace stridescope::engine::access
