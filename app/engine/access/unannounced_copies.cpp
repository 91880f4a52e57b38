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
        for (std::size_t i = declared.body + 1; i < declared.end; ++i) {
          tellCall(i);
          tellAssignment(i);
        }
  }

 private:
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

  void findFunctions() {
    std::set<std::pair<bool, std::string>> several;
    for (const Declaration& declared : declarations_) {
      if (declared.kind != DeclarationKind::Function || declared.isKernel) continue;
      std::vector<bool> places;
      for (const TokenRange& parameter : partsOf(declared.list)) places.push_back(mayBeClass(parameter));
      const std::pair<bool, std::string> name(declared.owner >= 0, declared.name);
      if (!functions_.emplace(name, places).second) several.insert(name);
    }
    for (const auto& name : several) functions_.erase(name);
    std::erase_if(functions_, [](const auto& each) { return std::ranges::count(each.second, true) == 0; });
  }

  // The signs of the operators that the text defines.
  void findOperators() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
      if (tokens_.is(i, "operator") && !tokens_[i + 1].isWord && !tokens_.is(i + 1, "(") &&
          !tokens_.is(i + 1, "[") && !tokens_.is(i + 1, "="))
        operators_.insert(tokens_.word(i + 1));
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
    for (std::size_t p = 0; p < std::min(given.size(), function->second.size()); ++p) {
      if (!function->second[p] || !isOfMemory(given[p])) continue;
      edits_.insert(tokens_[given[p].first].begin, "accesses::byValue(");
      edits_.insert(tokens_[given[p].second - 1].end, ")");
    }
  }

  const KernelTokens& tokens_;
  const std::vector<Declaration>& declarations_;
  const HostParts& host_;
  TextEdits& edits_;
  // Whether each parameter may be a class, by name, and whether it is a member.
  std::map<std::pair<bool, std::string>, std::vector<bool>> functions_;
  std::set<std::string_view> operators_;  // "+"
  std::set<std::string_view> shared_;
};

}  // namespace

void tellUnannouncedCopies(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                           const HostParts& host, TextEdits& edits) {
  UnannouncedCopies(tokens, declarations, host, edits).tell();
}

}  // namespace stridescope::engine::access
