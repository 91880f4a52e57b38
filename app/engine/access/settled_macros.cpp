#include "settled_macros.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel_tokens.h"
#include "preprocessor_condition.h"

namespace stridescope::engine::access {
namespace {

struct ExpandableMacro {
  bool hasParameters = true;
  std::vector<std::string> parameters;
  std::string body;
};

// One without parameters that the text pass takes as it is: of numbers, other macros of that kind, and signs
// that keep them one operand.
bool isPlain(const std::string& body, const std::map<std::string, std::size_t>& definitions,
             const std::map<std::string, ExpandableMacro>& expanded) {
  constexpr std::string_view kSigns = "*&[]{};,=?!|^\\";
  KernelTokens words;
  if (words.read(body) || words.size() == 0 || body.find_first_of(kSigns) != std::string::npos) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word(words.word(i));
    const bool isName = words[i].isWord && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
    if (isName && (!definitions.contains(word) || expanded.contains(word))) return false;
  }
  return true;
}

// Nothing: it has none, or its body does more than name them.
std::optional<ExpandableMacro> expandableMacro(const std::string& afterName) {
  if (!afterName.starts_with('(')) {
    if (afterName.find_first_of("#\"'") != std::string::npos) return std::nullopt;
    return ExpandableMacro{.hasParameters = false, .parameters = {}, .body = afterName};
  }
  const auto close = afterName.find(')');
  if (close == std::string::npos) return std::nullopt;
  ExpandableMacro macro{.hasParameters = true, .parameters = {}, .body = afterName.substr(close + 1)};
  if (macro.body.find_first_of("#\"'") != std::string::npos) return std::nullopt;
  KernelTokens words;
  const std::string list = afterName.substr(1, close - 1);
  if (words.read(list)) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % 2 == 1 && words.is(i, ",")) continue;
    if (i % 2 == 1 || !words[i].isWord) return std::nullopt;
    macro.parameters.emplace_back(words.word(i));
  }
  return macro;
}

class MacroExpander {
 public:
  explicit MacroExpander(std::map<std::string, ExpandableMacro> macros) : macros_(std::move(macros)) {}

  // What takes the place of the use that begins at token `name`, and its last token. Nothing: it is no use,
  // or none that can be expanded.
  std::optional<std::pair<std::string, std::size_t>> expanded(const KernelTokens& tokens, std::size_t name,
                                                              int depth = 0) {
    constexpr int kMostNested = 8, kMaxSteps = 1 << 14;
    constexpr std::size_t kMaxExpanded = 4096;
    const auto found = macros_.find(std::string(tokens.word(name)));
    if (found == macros_.end() || depth == kMostNested || ++steps_ > kMaxSteps) return std::nullopt;
    const ExpandableMacro& macro = found->second;
    std::size_t close = name;
    std::vector<std::string> given;
    if (macro.hasParameters) {
      if (!tokens.is(name + 1, "(")) return std::nullopt;
      close = tokens.partner(name + 1);
      if (tokens[close].line != tokens[name].line || !readGiven(tokens, name + 1, given)) return std::nullopt;
    }
    if (given.size() != macro.parameters.size()) return std::nullopt;
    auto text = substituted(macro, given);
    if (!text || text->size() > kMaxExpanded) return std::nullopt;
    // What the body uses is expanded, too.
    KernelTokens inner;
    if (inner.read(*text)) return std::nullopt;
    TextEdits edits;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      if (!macros_.contains(std::string(inner.word(i)))) continue;
      const auto next = expanded(inner, i, depth + 1);
      if (!next) return std::nullopt;
      edits.replace(inner[i].begin, inner[next->second].end, next->first);
      i = next->second;
    }
    std::string whole = edits.applyTo(*text);
    if (whole.size() > kMaxExpanded) return std::nullopt;
    return std::pair(std::move(whole), close);
  }

 private:
  // What stands between the commas of a use's brackets.
  static bool readGiven(const KernelTokens& tokens, std::size_t open, std::vector<std::string>& given) {
    const std::size_t close = tokens.partner(open);
    std::size_t begin = tokens[open].end;
    for (std::size_t i = open + 1; i <= close; ++i) {
      if (i < close && tokens.is(i, "(")) {
        i = tokens.partner(i);
        continue;
      }
      if (i != close && !tokens.is(i, ",")) continue;
      if (i == close && close == open + 1) break;
      given.emplace_back(tokens.text().substr(begin, tokens[i].begin - begin));
      if (given.back().find_first_of("\"'#") != std::string::npos) return false;
      begin = tokens[i].end;
    }
    return true;
  }

  static std::optional<std::string> substituted(const ExpandableMacro& macro,
                                                const std::vector<std::string>& given) {
    KernelTokens body;
    if (body.read(macro.body)) return std::nullopt;
    TextEdits edits;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const auto parameter = std::ranges::find(macro.parameters, body.word(i));
      if (parameter == macro.parameters.end()) continue;
      // Signs at its ends stay signs of their own.
      edits.replace(body[i].begin, body[i].end,
                    " " + given[std::size_t(parameter - macro.parameters.begin())] + " ");
    }
    return " " + edits.applyTo(macro.body) + " ";
  }

  std::map<std::string, ExpandableMacro> macros_;
  int steps_ = 0;  // of all uses, so that macros within macros come to an end
};

}  // namespace

bool isHeaderOfHosts(const std::string& rest) {
  constexpr std::array<std::string_view, 24> kHeaders{
      "<iostream>",  "<vector>",  "<string>",     "<fstream>", "<sstream>",   "<iomanip>",
      "<algorithm>", "<numeric>", "<random>",     "<chrono>",  "<memory>",    "<map>",
      "<set>",       "<utility>", "<functional>", "<array>",   "<stdexcept>", "<exception>",
      "<limits>",    "<tuple>",   "<thread>",     "<ctime>",   "<time.h>",    "<cstring>"};
  return std::ranges::count(kHeaders, rest) != 0;
}

TextEdits settleMacros(std::string& text) {
  TextEdits edits;
  KernelTokens tokens;
  if (tokens.read(text)) return edits;
  std::map<std::string, std::size_t> definitions;
  std::map<std::string, ExpandableMacro> macros;
  std::map<std::string, std::string> bodies;
  for (const Directive& directive : directivesOf(tokens)) {
    if (directive.name != "define") continue;
    const auto [name, body] = macroOf(directive.rest);
    ++definitions[name];
    bodies[name] += body + " ";
  }
  // A constant that is made of what is expanded is expanded, too.
  constexpr int kMaxPasses = 32;
  bool isNew = true;
  for (int pass = 0; pass < kMaxPasses && isNew; ++pass) {
    isNew = false;
    for (const auto& [name, count] : definitions) {
      if (count > 1 || macros.contains(name)) continue;
      const std::string body = bodies[name].substr(0, bodies[name].size() - 1);
      auto macro = expandableMacro(body);
      if (!macro || (!macro->hasParameters && isPlain(body, definitions, macros))) continue;
      macros[name] = *std::move(macro);
      isNew = true;
    }
  }
  // What the text uses, by itself or by the body of what it uses.
  std::set<std::string> used;
  std::vector<std::string> waiting;
  const auto use = [&](const KernelTokens& words) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (std::string word(words.word(i)); definitions.contains(word) && used.insert(word).second)
        waiting.push_back(std::move(word));
  };
  use(tokens);
  while (!waiting.empty()) {
    const std::string body = bodies[waiting.back()];
    waiting.pop_back();
    KernelTokens words;
    if (!words.read(body)) use(words);
  }
  std::string settled = text;
  std::set<std::string> kept;  // those with uses that cannot be expanded
  MacroExpander expander(macros);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!macros.contains(std::string(tokens.word(i)))) continue;
    if (const auto expanded = expander.expanded(tokens, i)) {
      edits.replace(tokens[i].begin, tokens[expanded->second].end, expanded->first);
      i = expanded->second;
    } else {
      kept.insert(std::string(tokens.word(i)));
    }
  }
  for (const Directive& directive : directivesOf(tokens)) {
    const std::string name = directive.name == "define" ? macroOf(directive.rest).first : std::string();
    const bool isUnused = directive.name == "define" && !used.contains(name);
    const bool isExpanded = macros.contains(name) && kept.empty();
    const bool isOnce = directive.name == "pragma" && directive.rest == "once";
    const bool isHosts = directive.name == "include" && isHeaderOfHosts(directive.rest);
    if (isUnused || isExpanded || isOnce || isHosts) blank(settled, directive.begin, directive.end);
  }
  text = edits.applyTo(settled);
  return edits;
}

}  // namespace stridescope::engine::access
