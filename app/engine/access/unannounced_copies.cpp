#include "unannounced_copies.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace stridescope::engine::access {
namespace {

using TokenRange = std::pair<std::size_t, std::size_t>;  // from the first to behind the last

class UnannouncedCopies {
 public:
  UnannouncedCopies(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                    const HostParts& host, TextEdits& edits)
      : tokens_(tokens), declarations_(declarations), host_(host), edits_(edits) {}

  void tell() {
    findFunctions();
    findOperators();
    findSharedVariables();
    const bool hasClasses =
        std::ranges::count(declarations_, DeclarationKind::Class, &Declaration::kind) != 0 ||
        std::ranges::count(tokens_.includes(), true, &Include::isQuoted) != 0;
    if (!hasClasses) return;
    for (const Declaration& declared : declarations_)
      if (declared.kind == DeclarationKind::Function && !host_.hold(tokens_[declared.begin].begin))
        tellIn(declared);
  }

 private:
  void tellIn(const Declaration& function) {
    findVariables(function);
    for (std::size_t i = function.body + 1; i < function.end; ++i) {
      tellCall(i);
      tellCallOfObject(i);
      tellOperands(i);
      tellAssignment(i);
    }
  }

  // What stands between the commas of a list's brackets.
  std::vector<TokenRange> partsOf(std::size_t open) const {
    std::vector<TokenRange> parts;
    const std::size_t close = tokens_.partner(open);
    int angles = 0;
    std::size_t begin = open + 1;
    for (std::size_t i = begin; i <= close; ++i) {
      if (i < close && (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{"))) {
        i = tokens_.partner(i);
        continue;
      }
      if (tokens_.is(i, "<")) ++angles;
      if (tokens_.is(i, ">") && angles > 0) --angles;
      if (i != close && (!tokens_.is(i, ",") || angles > 0)) continue;
      if (i > begin) parts.emplace_back(begin, i);
      begin = i + 1;
    }
    return parts;
  }

  // Whether a class may be passed there by value.
  bool mayBeClass(const TokenRange& parameter) const {
    constexpr std::array<std::string_view, 11> kNumbers{
        "int", "float", "double", "unsigned", "long", "short", "char", "bool", "signed", "size_t", "void"};
    const auto& [begin, end] = parameter;
    for (std::size_t i = begin; i < end; ++i)
      if (tokens_.is(i, "*") || tokens_.is(i, "&") || tokens_.is(i, "[") || tokens_.is(i, ".") ||
          std::ranges::count(kNumbers, tokens_.word(i)) != 0)
        return false;
    return true;
  }

  // Several functions with a name count for what all of them take by value.
  void findFunctions() {
    for (const Declaration& declared : declarations_) {
      if (declared.kind != DeclarationKind::Function || declared.isKernel) continue;
      std::vector<bool> places;
      for (const TokenRange& parameter : partsOf(declared.list)) places.push_back(mayBeClass(parameter));
      const auto [known, isNew] = functions_.try_emplace({declared.owner >= 0, declared.name}, places);
      if (isNew) continue;
      known->second.resize(std::min(known->second.size(), places.size()));
      for (std::size_t p = 0; p < known->second.size(); ++p) known->second[p] = known->second[p] && places[p];
    }
    std::erase_if(functions_, [](const auto& each) { return std::ranges::count(each.second, true) == 0; });
  }

  // The signs of the operators that the text defines, and what all of a sign take by value.
  void findOperators() {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!tokens_.is(i, "operator") || tokens_[i + 1].isWord || tokens_.is(i + 1, "(") ||
          tokens_.is(i + 1, "[") || tokens_.is(i + 1, "="))
        continue;
      operators_.insert(tokens_.word(i + 1));
      if (!tokens_.is(i + 2, "(")) continue;
      const std::vector<TokenRange> parameters = partsOf(i + 2);
      if (parameters.empty()) continue;
      Operands& takes = operands_.try_emplace(tokens_.word(i + 1)).first->second;
      takes.left = takes.left && parameters.size() > 1 && mayBeClass(parameters.front());
      takes.right = takes.right && mayBeClass(parameters.back());
    }
  }

  // Whether the value may be what a call gives: of a function, a member, a functor or a lambda, or of an
  // operator. Where there is a choice between two values, g++ stores each by itself.
  bool mayGiveResult(const TokenRange& value) const {
    for (std::size_t i = value.first + 1; i < value.second; ++i) {
      const bool isCall = tokens_.is(i, "(") && (tokens_[i - 1].isWord || tokens_.is(i - 1, ">") ||
                                                 tokens_.is(i - 1, ")") || tokens_.is(i - 1, "]"));
      if (isCall || tokens_.is(i, "?") || operators_.contains(tokens_.word(i))) return true;
    }
    return false;
  }

  // Where what is assigned at the sign begins: an element, what a pointer points to or a shared variable. A
  // member may be a bit-field, which nothing can refer to. The sign itself: it is something else.
  std::size_t elementBefore(std::size_t equals) const {
    const auto isPart = [&](std::size_t i) {
      return tokens_[i].isWord || tokens_.is(i, ".") || tokens_.is(i, ":");
    };
    std::size_t begin = equals - 1;
    if (tokens_.is(begin, "]")) {
      while (tokens_.is(begin, "]") || tokens_.is(begin, ")")) begin = tokens_.partner(begin) - 1;
    } else if (tokens_.is(begin, ")")) {
      begin = tokens_.partner(begin) - 1;
      return tokens_.is(begin, "*") && isStatementsBegin(begin) ? begin : equals;
    } else if (!tokens_[begin].isWord) {
      return equals;
    } else if (tokens_.is(begin - 1, "*")) {
      return isStatementsBegin(begin - 1) ? begin - 1 : equals;
    } else if (!shared_.contains(tokens_.word(begin))) {
      return equals;
    }
    // (p + 1)[i]
    if (!tokens_[begin].isWord)
      return tokens_.is(begin + 1, "(") && isStatementsBegin(begin + 1) ? begin + 1 : equals;
    while (isPart(begin - 1) && isPart(begin) && !(tokens_[begin - 1].isWord && tokens_[begin].isWord))
      --begin;
    return isStatementsBegin(begin) ? begin : equals;
  }
  bool isStatementsBegin(std::size_t i) const {
    return tokens_.is(i - 1, ";") || tokens_.is(i - 1, "{") || tokens_.is(i - 1, "}") ||
           tokens_.is(i - 1, ")") || tokens_.is(i - 1, "else");
  }

  void tellAssignment(std::size_t equals) {
    if (!tokens_.is(equals, "=") || tokens_.is(equals + 1, "=") || tokens_.is(equals + 1, "{")) return;
    std::size_t end = equals + 1;
    while (end < tokens_.size() && !tokens_.is(end, ";")) {
      const bool opens = tokens_.is(end, "(") || tokens_.is(end, "[") || tokens_.is(end, "{");
      end = opens ? tokens_.partner(end) + 1 : end + 1;
    }
    if (!mayGiveResult({equals + 1, end})) return;
    const std::size_t begin = elementBefore(equals);
    if (begin == equals) return;
    edits_.insert(tokens_[begin].begin, "accesses::element(");
    edits_.insert(tokens_[equals - 1].end, ")");
  }

  // `last` of __shared__ Pair all[32], last;
  void findSharedVariables() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, "__shared__")) continue;
      for (std::size_t name = i + 1; name + 1 < tokens_.size() && !tokens_.is(name, ";"); ++name) {
        if (tokens_.is(name, "[") || tokens_.is(name, "(") || tokens_.is(name, "{"))
          name = tokens_.partner(name);
        else if (tokens_[name].isWord && (tokens_.is(name + 1, ",") || tokens_.is(name + 1, ";")))
          shared_.insert(tokens_.word(name));
      }
    }
  }

  bool isOfMemory(const TokenRange& argument) const {
    const auto& [begin, end] = argument;
    if (tokens_.is(begin, "{")) return false;
    const bool isName = end == begin + 1 && shared_.contains(tokens_.word(begin));
    return isName || tokens_.is(begin, "*") || tokens_.has(begin, end, "[");
  }

  void tellCall(std::size_t name) {
    const bool isMember =
        tokens_.is(name - 1, ".") || (tokens_.is(name - 1, ">") && tokens_.is(name - 2, "-"));
    const auto function = functions_.find({isMember, std::string(tokens_.word(name))});
    std::size_t list = name + 1;
    if (tokens_.is(list, "<"))  // twice<2>(
      while (list < tokens_.size() && !tokens_.is(list, ">") && !tokens_.is(list, ";")) ++list;
    if (tokens_.is(list, ">")) ++list;
    if (function == functions_.end() || !tokens_.is(list, "(")) return;
    // The name of a function in a namespace, or of a variable that is declared.
    const bool isOther = !isMember && (tokens_.is(name - 1, ">") || tokens_.is(name - 1, ":") ||
                                       (tokens_[name - 1].isWord && !tokens_.is(name - 1, "return")));
    if (isOther) return;
    const std::vector<TokenRange> given = partsOf(list);
    for (std::size_t p = 0; p < std::min(given.size(), function->second.size()); ++p)
      if (function->second[p]) tellArgument(given[p], "accesses::byValue(");
  }
  void tellArgument(const TokenRange& given, std::string call) {
    if (!isOfMemory(given)) return;
    edits_.insert(tokens_[given.first].begin, std::move(call));
    edits_.insert(tokens_[given.second - 1].end, ")");
  }

  // Parameters and local variables of the function: what stands behind a type, and before what ends or begins
  // a declaration's value.
  void findVariables(const Declaration& function) {
    variables_.clear();
    for (std::size_t i = function.list + 1; i + 1 < function.end; ++i) {
      if (!tokens_[i].isWord) continue;
      const bool isBehindType = mayBeType(i - 1) || tokens_.is(i - 1, ">") || tokens_.is(i - 1, "&");
      const bool ends = tokens_.is(i + 1, ",") || tokens_.is(i + 1, ")") || tokens_.is(i + 1, "=") ||
                        tokens_.is(i + 1, ";") || tokens_.is(i + 1, "{");
      if ((isBehindType && ends) || (mayBeType(i - 1) && tokens_.is(i + 1, "(")))
        variables_.insert(tokens_.word(i));
    }
  }
  bool mayBeType(std::size_t i) const {
    constexpr std::array<std::string_view, 8> kOthers{"return", "else",   "case", "throw",
                                                      "new",    "delete", "goto", "do"};
    return tokens_[i].isWord && std::ranges::count(kOthers, tokens_.word(i)) == 0;
  }

  // Where `Op<T>()` begins, which stands before the list of arguments; the list: something else stands there.
  std::size_t objectBefore(std::size_t list) const {
    const bool isMade =
        (tokens_.is(list - 1, ")") || tokens_.is(list - 1, "}")) && tokens_.partner(list - 1) == list - 2;
    if (!isMade) return list;
    std::size_t begin = list - 3;
    if (tokens_.is(begin, ">"))
      while (begin > 0 && !tokens_.is(begin, "<") && !tokens_.is(begin, ";")) --begin;
    if (tokens_.is(begin, "<")) --begin;
    return tokens_[begin].isWord ? begin : list;
  }

  // a[i] + b[i]: elements that are operands by themselves, as far as the signs beside them tell.
  void tellOperands(std::size_t sign) {
    constexpr std::array<std::string_view, 4> kSigns{"+", "-", "*", "/"};
    const auto operands = operands_.find(tokens_.word(sign));
    const bool isOther = operands == operands_.end() || std::ranges::count(kSigns, tokens_.word(sign)) == 0 ||
                         tokens_.is(sign + 1, "=") || tokens_.is(sign + 1, ">") ||
                         tokens_.is(sign + 1, tokens_.word(sign)) || tokens_.is(sign - 1, tokens_.word(sign));
    if (isOther) return;
    const bool isProduct = tokens_.is(sign, "*") || tokens_.is(sign, "/");
    if (operands->second.left && tokens_.is(sign - 1, "]")) {
      std::size_t begin = sign - 1;
      while (tokens_.is(begin, "]")) begin = tokens_.partner(begin) - 1;
      constexpr std::array<std::string_view, 7> kOpening{"=", "(", ",", "return", "?", ":", "{"};
      const bool isWhole = std::ranges::count(kOpening, tokens_.word(begin - 1)) != 0 ||
                           (isProduct && tokens_.is(begin - 1, "+"));
      if (tokens_[begin].isWord && isWhole) tellArgument({begin, sign}, "accesses::byValue(");
    }
    if (!operands->second.right || !tokens_[sign + 1].isWord) return;
    std::size_t end = sign + 2;
    while (tokens_.is(end, "[")) end = tokens_.partner(end) + 1;
    const bool goesOn =
        tokens_.is(end, ".") || tokens_.is(end, "(") || (tokens_.is(end, "-") && tokens_.is(end + 1, ">")) ||
        (!isProduct && (tokens_.is(end, "*") || tokens_.is(end, "/") || tokens_.is(end, "%")));
    if (end > sign + 2 && !goesOn) tellArgument({sign + 1, end}, "accesses::byValue(");
  }

  // What it takes by value, its type tells the compiler.
  void tellCallOfObject(std::size_t list) {
    if (!tokens_.is(list, "(")) return;
    const bool isVariable = tokens_[list - 1].isWord && variables_.contains(tokens_.word(list - 1)) &&
                            !mayBeType(list - 2) && !tokens_.is(list - 2, ".") &&
                            !(tokens_.is(list - 2, ">") && tokens_.is(list - 3, "-"));
    const std::size_t begin = isVariable ? list - 1 : objectBefore(list);
    if (begin == list) return;
    const std::string_view object =
        tokens_.text().substr(tokens_[begin].begin, tokens_[list - 1].end - tokens_[begin].begin);
    const std::vector<TokenRange> given = partsOf(list);
    for (std::size_t p = 0; p < given.size(); ++p)
      tellArgument(given[p],
                   "accesses::argumentOf<decltype(" + std::string(object) + "), " + std::to_string(p) + ">(");
  }

  const KernelTokens& tokens_;
  const std::vector<Declaration>& declarations_;
  const HostParts& host_;
  TextEdits& edits_;
  // Whether each parameter may be a class, by name, and whether it is a member.
  std::map<std::pair<bool, std::string>, std::vector<bool>> functions_;
  struct Operands {
    bool left = true, right = true;
  };
  std::set<std::string_view> operators_;             // "+"
  std::map<std::string_view, Operands> operands_{};  // what those with such a sign take by value
  std::set<std::string_view> shared_, variables_;
};

}  // namespace

void tellUnannouncedCopies(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                           const HostParts& host, TextEdits& edits) {
  UnannouncedCopies(tokens, declarations, host, edits).tell();
}

}  // namespace stridescope::engine::access
