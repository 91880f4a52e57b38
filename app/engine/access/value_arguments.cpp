#include "value_arguments.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace stridescope::engine::access {
namespace {

using TokenRange = std::pair<std::size_t, std::size_t>;  // from the first to behind the last

class ValueArguments {
 public:
  ValueArguments(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                 const HostParts& host, TextEdits& edits)
      : tokens_(tokens), declarations_(declarations), host_(host), edits_(edits) {}

  void tell() {
    findFunctions();
    findSharedVariables();
    if (functions_.empty()) return;
    for (const Declaration& declared : declarations_)
      if (declared.kind == DeclarationKind::Function && !host_.hold(tokens_[declared.begin].begin))
        for (std::size_t i = declared.body + 1; i < declared.end; ++i) tellCall(i);
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
    std::set<std::string> several;
    for (const Declaration& declared : declarations_) {
      if (declared.kind != DeclarationKind::Function || declared.owner >= 0 || declared.isKernel) continue;
      std::vector<bool> places;
      for (const TokenRange& parameter : partsOf(declared.list)) places.push_back(mayBeClass(parameter));
      if (!functions_.emplace(declared.name, places).second) several.insert(declared.name);
    }
    for (const std::string& name : several) functions_.erase(name);
    std::erase_if(functions_, [](const auto& each) { return std::ranges::count(each.second, true) == 0; });
  }

  // __shared__ Pair last;
  void findSharedVariables() {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!tokens_.is(i, "__shared__")) continue;
      std::size_t end = i;
      while (end + 1 < tokens_.size() && tokens_[end + 1].isWord) ++end;
      if (tokens_.is(end + 1, ";")) shared_.insert(tokens_.word(end));
    }
  }

  bool isOfMemory(const TokenRange& argument) const {
    const auto& [begin, end] = argument;
    if (tokens_.is(begin, "{")) return false;
    const bool isName = end == begin + 1 && shared_.contains(tokens_.word(begin));
    return isName || tokens_.is(begin, "*") || tokens_.has(begin, end, "[");
  }

  void tellCall(std::size_t name) {
    const auto function = functions_.find(std::string(tokens_.word(name)));
    if (function == functions_.end() || !tokens_.is(name + 1, "(")) return;
    // A member's name, or a variable's that is declared.
    const bool isOther = tokens_.is(name - 1, ".") || tokens_.is(name - 1, ">") ||
                         tokens_.is(name - 1, ":") ||
                         (tokens_[name - 1].isWord && !tokens_.is(name - 1, "return"));
    if (isOther) return;
    const std::vector<TokenRange> given = partsOf(name + 1);
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
  std::map<std::string, std::vector<bool>> functions_;  // by parameter
  std::set<std::string_view> shared_;
};

}  // namespace

void tellValueArguments(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                        const HostParts& host, TextEdits& edits) {
  ValueArguments(tokens, declarations, host, edits).tell();
}

}  // namespace stridescope::engine::access
