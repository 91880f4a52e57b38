#include "teaching/kernel_text.h"

#include <algorithm>
#include <array>

namespace stridescope::teaching {
namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Longer ones first.
constexpr std::array<std::string_view, 22> kOperators{
    "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "->"};
constexpr std::array<std::string_view, 5> kWholeNumbers{"unsigned", "int", "bool", "long", "auto"};
constexpr std::array<std::string_view, 3> kBeforeTypes{"const", "constexpr", "static"};
constexpr std::array<std::string_view, 5> kControl{"if", "for", "while", "switch", "return"};

template <class List>
bool isAmong(const List& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool assigns(std::string_view text) {
  return text.size() > 1 && text.back() == '=' && text != "==" && text != "!=" && text != "<=" &&
         text != ">=";
}

}  // namespace

KernelText::KernelText(std::string_view text) {
  cut(text);
  findFunctions();
  findLoops();
  findDeclarations();
}

void KernelText::cut(std::string_view text) {
  int line = 1;
  std::size_t lineStart = 0;
  bool spaced = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '\n') {
      ++line, lineStart = ++i, spaced = true;
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      ++i, spaced = true;
    } else if (rest.starts_with("//") || rest[0] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", i), text.size());
      for (; i < end; ++i)
        if (text[i] == '\n') ++line, lineStart = i + 1;
      i = std::min(end + 2, text.size());
      spaced = true;
    } else {
      std::size_t length = 1;
      if (isLetter(rest[0]) || isDigit(rest[0])) {
        while (length < rest.size() && (isLetter(rest[length]) || isDigit(rest[length]))) ++length;
      } else if (const auto found = std::ranges::find_if(
                     kOperators, [&](std::string_view each) { return rest.starts_with(each); });
                 found != kOperators.end()) {
        length = found->size();
      }
      words_.push_back({rest.substr(0, length), line, int(i - lineStart) + 1, spaced});
      i += length, spaced = false;
    }
  }
}

bool KernelText::isName(std::size_t word) const { return !at(word).empty() && isLetter(at(word)[0]); }

std::string KernelText::nameAt(std::size_t word) const {
  std::string name(at(word));
  if (isName(word) && lengthAt(word) == 3) name += "." + std::string(at(word + 2));
  return name;
}

std::optional<std::size_t> KernelText::wordAt(int line, int column) const {
  const auto found = std::ranges::find_if(words_, [&](const Word& word) {
    return word.line > line || (word.line == line && word.column >= column);
  });
  if (found == words_.end()) return std::nullopt;
  return std::size_t(found - words_.begin());
}

Words KernelText::wordsAt(int line, int column, int length) const {
  const auto first = wordAt(line, column);
  if (!first) return {};
  // Words are views into one text, so that their places tell how far they are apart.
  const char* const end = words_[*first].text.data() + length;
  Words words{*first, *first};
  while (words.last < words_.size() && words_[words.last].text.data() < end) ++words.last;
  return words;
}

std::size_t KernelText::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t i = open; i < words_.size(); ++i) {
    const std::string_view text = at(i);
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (depth == 0) return i;
  }
  return words_.empty() ? 0 : words_.size() - 1;
}

std::vector<Words> KernelText::splitAtCommas(Words words) const {
  std::vector<Words> parts;
  if (words.empty()) return parts;
  std::size_t begin = words.first;
  for (std::size_t i = words.first; i < words.last; ++i) {
    if (at(i) == "(" || at(i) == "[" || at(i) == "{") i = closing(i);
    if (at(i) != ",") continue;
    parts.push_back({begin, i});
    begin = i + 1;
  }
  parts.push_back({begin, words.last});
  return parts;
}

// Behind the ; or the } that ends the statement which begins there.
std::size_t KernelText::endOfStatement(std::size_t word) const {
  for (std::size_t i = word; i < words_.size(); ++i) {
    if (at(i) == "{") return closing(i) + 1;
    if (at(i) == "(" || at(i) == "[") i = closing(i);
    if (at(i) == ";") return i + 1;
  }
  return words_.size();
}

// name ( ... ) {
void KernelText::findFunctions() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (!isName(i) || isAmong(kControl, at(i)) || at(i + 1) != "(") continue;
    const std::size_t close = closing(i + 1);
    if (at(close + 1) != "{") continue;
    Function function{.name = at(i), .parameters = {}, .body = {close + 1, closing(close + 1) + 1}};
    for (const Words& parameter : splitAtCommas({i + 2, close}))
      function.parameters.push_back(at(parameter.last - 1));
    functions_.push_back(std::move(function));
    i = functions_.back().body.last - 1;
  }
}

const KernelText::Function* KernelText::functionOf(std::size_t word) const {
  const auto found = std::ranges::find_if(functions_, [&](const Function& function) {
    return word >= function.body.first && word < function.body.last;
  });
  return found == functions_.end() ? nullptr : &*found;
}

void KernelText::findLoops() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (at(i) != "for" || at(i + 1) != "(") continue;
    const std::size_t close = closing(i + 1);
    std::vector<std::size_t> semicolons;
    for (std::size_t j = i + 2; j < close; ++j) {
      if (at(j) == "(" || at(j) == "[") j = closing(j);
      if (at(j) == ";") semicolons.push_back(j);
    }
    if (semicolons.size() != 2) continue;
    loops_.push_back({.start = {i + 2, semicolons[0]},
                      .condition = {semicolons[0] + 1, semicolons[1]},
                      .step = {semicolons[1] + 1, close},
                      .body = {i, endOfStatement(close + 1)}});
  }
}

// const unsigned a = 1, b = 2;
void KernelText::findDeclarations() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    const bool begins = i == 0 || at(i - 1) == ";" || at(i - 1) == "{" || at(i - 1) == "}" ||
                        at(i - 1) == "(" || at(i - 1) == ")";
    if (!begins) continue;
    std::size_t type = i;
    while (isAmong(kBeforeTypes, at(type))) ++type;
    if (!isAmong(kWholeNumbers, at(type))) continue;
    std::size_t name = type;
    while (isAmong(kWholeNumbers, at(name + 1))) ++name;
    const auto loop = std::ranges::find(loops_, i, [](const ForLoop& each) { return each.start.first; });
    std::size_t end = name + 1;
    while (end < words_.size() && at(end) != ";" && at(end) != "{" && at(end) != ")") {
      if (at(end) == "(" || at(end) == "[") end = closing(end);
      ++end;
    }
    for (const Words& part : splitAtCommas({name + 1, end})) {
      if (!isName(part.first) || at(part.first + 1) != "=") continue;
      declarations_.push_back({.type = at(type),
                               .name = at(part.first),
                               .value = {part.first + 2, part.last},
                               .at = part.first,
                               .loop = loop == loops_.end() ? nullptr : &*loop});
    }
  }
}

const KernelText::Declaration* KernelText::declarationOf(std::string_view name, std::size_t word) const {
  const Function* const function = functionOf(word);
  const Declaration* found = nullptr;
  for (const Declaration& declaration : declarations_) {
    const bool inReach = functionOf(declaration.at) == function || functionOf(declaration.at) == nullptr;
    const bool inLoop = declaration.loop == nullptr || word < declaration.loop->body.last;
    if (declaration.name == name && declaration.at < word && inReach && inLoop) found = &declaration;
  }
  return found;
}

bool KernelText::isChanged(const Declaration& declaration) const {
  const Function* const function = functionOf(declaration.at);
  const Words body = function == nullptr ? Words{0, words_.size()} : function->body;
  for (std::size_t i = body.first; i < body.last; ++i) {
    if (at(i) != declaration.name || i == declaration.at) continue;
    const bool inStep =
        declaration.loop != nullptr && i >= declaration.loop->step.first && i < declaration.loop->step.last;
    const bool counted =
        at(i + 1) == "++" || at(i + 1) == "--" || (i > 0 && (at(i - 1) == "++" || at(i - 1) == "--"));
    // Another declaration of the name is not a change of this one.
    const bool declared = std::ranges::find(declarations_, i, &Declaration::at) != declarations_.end();
    if (!inStep && !declared && (counted || at(i + 1) == "=" || assigns(at(i + 1)))) return true;
  }
  return false;
}

std::vector<KernelText::Call> KernelText::callsOf(std::string_view function) const {
  std::vector<Call> calls;
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (at(i) != function || at(i + 1) != "(") continue;
    const std::size_t close = closing(i + 1);
    if (at(close + 1) == "{") continue;  // where it is defined
    calls.push_back({i, splitAtCommas({i + 2, close})});
  }
  return calls;
}

}  // namespace stridescope::teaching
