#include "branch_conditions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stridescope::engine::access {
namespace {

constexpr std::array<std::string_view, 5> kControls{"if", "while", "for", "do", "switch"};

class BranchTeller {
 public:
  BranchTeller(const KernelTokens& tokens, const HostParts& host, unsigned first, TextEdits& edits)
      : tokens_(tokens), host_(host), first_(first), edits_(edits), ends_(tokens.size(), kUnknown) {
    const std::string_view text = tokens.text();
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') lineEnds_.push_back(at);
    for (const Macro& macro : tokens.macros())
      if (hasControl(macro.body)) branching_.insert(macro.name);
  }

  BranchConditions tell() {
    for (std::size_t i = 0; i < tokens_.size() && told_.isComplete; ++i) {
      if (!tokens_[i].isWord || host_.hold(tokens_[i].begin)) continue;
      const std::string_view word = tokens_.word(i);
      const bool hasList = tokens_.is(i + 1, "(");
      if (word == "do") {
        const std::size_t last = endOfStatement(i + 1);
        if (tokens_.is(last + 1, "while")) doOf_[last + 1] = i;
      } else if (word == "if" && hasList) {
        tellIf(i);
      } else if (word == "while" && hasList) {
        tellWhile(i);
      } else if (word == "for" && hasList) {
        tellFor(i);
      } else if (word == "switch" && hasList) {
        tellSwitch(i);
      } else if (word == "goto" || branching_.contains(word)) {
        told_.isComplete = false;
      }
    }
    return std::move(told_);
  }

 private:
  static bool hasControl(std::string_view text) {
    return std::ranges::any_of(kControls, [&](std::string_view control) {
      for (auto at = text.find(control); at != std::string::npos; at = text.find(control, at + 1)) {
        const auto end = at + control.size();
        const bool begins = at == 0 || !isWordCharacter(text[at - 1]);
        if (begins && (end == text.size() || !isWordCharacter(text[end]))) return true;
      }
      return false;
    });
  }

  void tellIf(std::size_t i) {
    const std::size_t open = i + 1, close = tokens_.partner(open);
    const auto semicolon = find(";", open + 1, close);
    const std::size_t begin = semicolon ? *semicolon + 1 : open + 1;
    if (const auto name = nameOfDeclaration(begin, close)) {
      if (semicolon) return void(told_.isComplete = false);
      // if (T p = f()) becomes if (T p = f(); p).
      const unsigned number = add(tokens_[begin].begin, tokens_[close].begin, std::nullopt);
      edits_.insert(tokens_[close].begin, "; accesses::branch(" + std::to_string(number) +
                                              ",static_cast<bool>(" + std::string(tokens_.word(*name)) +
                                              "))");
      return;
    }
    wrap(tokens_[begin - 1].end, tokens_[close].begin, std::nullopt);
  }

  void tellWhile(std::size_t i) {
    const std::size_t open = i + 1, close = tokens_.partner(open);
    if (nameOfDeclaration(open + 1, close)) return void(told_.isComplete = false);
    const auto start = doOf_.find(i);
    const Loop loop = start == doOf_.end() ? Loop{i, endOfStatement(close + 1)} : Loop{start->second, close};
    wrap(tokens_[open].end, tokens_[close].begin, loop);
  }

  void tellFor(std::size_t i) {
    const std::size_t open = i + 1, close = tokens_.partner(open);
    const auto first = find(";", open + 1, close);
    const auto second = first ? find(";", *first + 1, close) : std::nullopt;
    if (!second) return void(told_.isComplete = false);  // for (T each : all)
    if (nameOfDeclaration(*first + 1, *second)) return void(told_.isComplete = false);
    wrap(tokens_[*first].end, tokens_[*second].begin, Loop{i, endOfStatement(close + 1)});
  }

  // Each label is a branch: what is compared with it goes there, or on to the next. Labels that stand right
  // behind one another are one; those beside `default` are none.
  void tellSwitch(std::size_t i) {
    const std::size_t open = i + 1, close = tokens_.partner(open), body = close + 1;
    if (!tokens_.is(body, "{") || nameOfDeclaration(open + 1, close) || find(";", open + 1, close))
      return void(told_.isComplete = false);
    std::string labels;
    std::size_t at = body + 1;
    while (at < tokens_.partner(body)) {
      if (tokens_.is(at, "switch")) {
        at = endOfStatement(at) + 1;
        continue;
      }
      if (!tokens_.is(at, "case") && !isDefault(at)) {
        ++at;
        continue;
      }
      std::string values;
      bool isOtherwise = false;
      const std::size_t begin = tokens_[at].begin;
      std::size_t end = begin;
      while (tokens_.is(at, "case") || isDefault(at)) {
        const std::size_t colon = colonBehind(at);
        if (colon >= tokens_.partner(body)) return void(told_.isComplete = false);
        const std::string_view value =
            tokens_.text().substr(tokens_[at].end, tokens_[colon].begin - tokens_[at].end);
        if (value.find("...") != std::string_view::npos) return void(told_.isComplete = false);
        if (isDefault(at))
          isOtherwise = true;
        else
          values += (values.empty() ? "" : ",") + std::string(value);
        end = tokens_[colon].begin;
        at = colon + 1;
      }
      if (isOtherwise) continue;
      labels += ".label<" + std::to_string(add(begin, end, std::nullopt)) + ">(" + values + ")";
    }
    edits_.insert(tokens_[open].end, "accesses::Switch((");
    edits_.insert(tokens_[close].begin, "))" + oneLine(labels) + ".value()");
  }
  bool isDefault(std::size_t i) const { return tokens_.is(i, "default") && tokens_.is(i + 1, ":"); }
  std::size_t colonBehind(std::size_t i) const {
    for (++i; i < tokens_.size(); ++i) {
      if (tokens_.is(i, "(") || tokens_.is(i, "{")) i = tokens_.partner(i);
      if (!tokens_.is(i, ":")) continue;
      if (!tokens_.is(i + 1, ":")) return i;
      ++i;
    }
    return i;
  }
  static std::string oneLine(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  struct Loop {
    std::size_t first, last;  // tokens of its statement
  };

  void wrap(std::size_t begin, std::size_t end, const std::optional<Loop>& loop) {
    const unsigned number = add(begin, end, loop);
    const bool isEmpty = told_.all.back().text.empty();
    edits_.insert(begin, std::string("accesses::") + (loop ? "loop(" : "branch(") + std::to_string(number) +
                             ",static_cast<bool>(" + (isEmpty ? "true" : ""));
    edits_.insert(end, "))");
  }

  // Gives its number. The bytes are the condition's, with the blanks around it.
  unsigned add(std::size_t begin, std::size_t end, const std::optional<Loop>& loop) {
    const std::string_view text = tokens_.text();
    constexpr std::string_view kBlanks = " \t\r\n";
    while (begin < end && kBlanks.find(text[begin]) != std::string_view::npos) ++begin;
    while (end > begin && kBlanks.find(text[end - 1]) != std::string_view::npos) --end;
    BranchCondition condition{.place = placeOf(begin),
                              .length = int(end - begin),
                              .text = std::string(text.substr(begin, end - begin)),
                              .isLoop = loop.has_value(),
                              .begin = {},
                              .end = {}};
    if (loop) {
      condition.begin = placeOf(tokens_[loop->first].begin);
      condition.end = placeOf(tokens_[std::min(loop->last, tokens_.size() - 1)].begin);
    }
    told_.all.push_back(std::move(condition));
    return first_ + unsigned(told_.all.size() - 1);
  }

  BranchCondition::Place placeOf(std::size_t at) const {
    const auto line = std::ranges::lower_bound(lineEnds_, at);
    const std::size_t begin = line == lineEnds_.begin() ? 0 : *std::prev(line) + 1;
    return {int(line - lineEnds_.begin()) + 1, int(at - begin) + 1};
  }

  // The first one that is in no brackets of its own.
  std::optional<std::size_t> find(std::string_view sign, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens_.is(i, sign)) return i;
      if (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{")) i = tokens_.partner(i);
    }
    return std::nullopt;
  }

  // What `T p = f()` names: two words or more, or a type's signs and a word, before a single `=`.
  std::optional<std::size_t> nameOfDeclaration(std::size_t begin, std::size_t end) const {
    const auto equals = find("=", begin, end);
    if (!equals || *equals < begin + 2 || !tokens_[begin].isWord || !tokens_[*equals - 1].isWord)
      return std::nullopt;
    const bool isComparison = tokens_.is(*equals + 1, "=");
    const std::size_t before = *equals - 2;
    const bool isType = tokens_[before].isWord || tokens_.is(before, "*") || tokens_.is(before, "&") ||
                        (tokens_.is(before, ">") && !tokens_.is(before - 1, "-"));
    return isType && !isComparison ? std::optional(*equals - 1) : std::nullopt;
  }

  // The last token of the statement that begins there. It is kept for all that end with it, because a text
  // may have loops one in another by the thousand.
  std::size_t endOfStatement(std::size_t i) {
    std::vector<std::size_t> begun;
    std::size_t last = kUnknown;
    while (last == kUnknown) {
      if (i >= tokens_.size()) {
        last = tokens_.size() - 1;
        break;
      }
      last = ends_[i];
      if (last != kUnknown) break;
      begun.push_back(i);
      const bool isHeaded = tokens_.is(i, "for") || tokens_.is(i, "while") || tokens_.is(i, "switch");
      if (tokens_.is(i, "{")) {
        last = tokens_.partner(i);
      } else if (tokens_.is(i, "if")) {
        const std::size_t open = tokens_.is(i + 1, "constexpr") ? i + 2 : i + 1;
        const std::size_t then = tokens_.is(open, "(") ? endOfInner(tokens_.partner(open) + 1) : i;
        if (then != i && tokens_.is(then + 1, "else"))
          i = then + 2;
        else
          last = then;
      } else if (isHeaded && tokens_.is(i + 1, "(")) {
        i = tokens_.partner(i + 1) + 1;
      } else if (tokens_.is(i, "do")) {
        const std::size_t body = endOfInner(i + 1);
        last = tokens_.is(body + 2, "(") ? tokens_.partner(body + 2) + 1 : body;
      } else {
        last = find(";", i, tokens_.size()).value_or(tokens_.size() - 1);
      }
    }
    for (const std::size_t each : begun) ends_[each] = last;
    return last;
  }
  // A compiler of C++ need take no more than 256 in one another.
  std::size_t endOfInner(std::size_t i) {
    constexpr int kMaxDepth = 1024;
    if (depth_ == kMaxDepth) told_.isComplete = false;
    if (!told_.isComplete) return i;
    ++depth_;
    const std::size_t last = endOfStatement(i);
    --depth_;
    return last;
  }

  const KernelTokens& tokens_;
  const HostParts& host_;
  const unsigned first_;
  TextEdits& edits_;
  BranchConditions told_;
  std::map<std::size_t, std::size_t> doOf_;  // where a `while` ends a `do`: its token
  static constexpr std::size_t kUnknown = ~std::size_t{0};
  std::vector<std::size_t> ends_;  // by token: that of the statement which begins there
  int depth_ = 0;                  // of statements in one another
  std::vector<std::size_t> lineEnds_;
  std::set<std::string, std::less<>> branching_;  // macros of the text whose own text has a control word
};

}  // namespace

BranchConditions tellBranches(const KernelTokens& tokens, const HostParts& host, unsigned firstBranch,
                              TextEdits& edits) {
  return BranchTeller(tokens, host, firstBranch, edits).tell();
}

}  // namespace stridescope::engine::access
