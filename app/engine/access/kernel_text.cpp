#include "kernel_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace stridescope::engine::access {
namespace {

struct Token {
  std::size_t begin = 0, end = 0;
  int line = 1;
  bool isWord = false;  // an identifier or a number
};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

// Cuts a text into words and single signs. Comments, directives and literals are passed over; a directive's
// lines that end in a backslash go on.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The fault's line and what is wrong; nothing: all is well.
  std::optional<std::pair<int, std::string>> scan() {
    bool atLineStart = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, ++at_;
        atLineStart = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || (c == '\\' && peek(1) == '\n')) {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        if (!skipComment()) return std::pair(line_, std::string("a comment has no end"));
      } else if (c == '#' && atLineStart) {
        directive();
      } else if (c == 'R' && peek(1) == '"' && (at_ == 0 || !isWordCharacter(text_[at_ - 1]))) {
        if (!skipRaw()) return std::pair(line_, std::string("a raw string has no end"));
      } else if (c == '"' || c == '\'') {
        if (!skipLiteral(c)) return std::pair(line_, std::string("a string has no end"));
        atLineStart = false;
      } else {
        atLineStart = false;
        token();
      }
    }
    return std::nullopt;
  }

  std::vector<Token> tokens;
  std::vector<std::string> includes;  // those in quotes

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void advanceTo(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += int(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
    at_ = end;
  }

  bool skipComment() {
    const auto end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return false;
    advanceTo(end + 2);
    return true;
  }

  void directive() {
    std::size_t end = at_;
    do {
      end = text_.find('\n', end);
      if (end == std::string_view::npos) end = text_.size();
      const bool goesOn = end > 0 && end < text_.size() && text_[end - 1] == '\\';
      if (!goesOn) break;
      ++end;
    } while (end < text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    if (const auto name = line.find("include"); name != std::string_view::npos) {
      const auto open = line.find('"', name), close = line.find('"', open + 1);
      if (open != std::string_view::npos && close != std::string_view::npos)
        includes.emplace_back(line.substr(open + 1, close - open - 1));
    }
    advanceTo(end);
  }

  bool skipRaw() {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return false;
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const auto end = text_.find(close, open);
    if (end == std::string_view::npos) return false;
    advanceTo(end + close.size());
    return true;
  }

  bool skipLiteral(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] == '\n') return false;
    advanceTo(end + 1);
    return true;
  }

  void token() {
    Token next{at_, at_ + 1, line_, isWordCharacter(text_[at_])};
    if (next.isWord)
      while (next.end < text_.size() &&
             (isWordCharacter(text_[next.end]) ||
              (text_[next.end] == '\'' && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)))
        ++next.end;
    tokens.push_back(next);
    at_ = next.end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class TextReader {
 public:
  TextReader(std::string_view text, const std::vector<Token>& tokens, KernelText& result)
      : text_(text), tokens_(tokens), result_(result) {}

  std::optional<std::pair<int, std::string>> read() {
    result_.text = text_;
    if (auto fault = matchBrackets()) return fault;
    declarations(0, tokens_.size(), "");
    result_.deviceText = result_.text;
    dynamicShared();
    return std::nullopt;
  }

 private:
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                              : std::string_view();
  }
  bool is(std::size_t i, std::string_view what) const { return word(i) == what; }

  std::optional<std::pair<int, std::string>> matchBrackets() {
    partner_.assign(tokens_.size(), 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view sign = word(i);
      if (sign == "(" || sign == "[" || sign == "{") open.push_back(i);
      if (sign != ")" && sign != "]" && sign != "}") continue;
      const char wanted = sign == ")" ? '(' : sign == "]" ? '[' : '{';
      if (open.empty() || text_[tokens_[open.back()].begin] != wanted)
        return std::pair(tokens_[i].line, "the bracket " + std::string(sign) + " has no other one");
      partner_[open.back()] = i;
      partner_[i] = open.back();
      open.pop_back();
    }
    if (open.empty()) return std::nullopt;
    return std::pair(tokens_[open.back()].line,
                     "the bracket " + std::string(word(open.back())) + " has no end");
  }

  // What stands at namespace scope, from token to token.
  void declarations(std::size_t first, std::size_t last, const std::string& scope) {
    std::size_t begin = first;
    for (std::size_t i = first; i < last; ++i) {
      if (is(i, ";")) {
        begin = i + 1;
      } else if (is(i, "(") || is(i, "[")) {
        i = partner_[i];
      } else if (is(i, "{")) {
        const std::size_t end = partner_[i];
        if (isNamespace(begin, i))
          declarations(i + 1, end, scope + scopeOf(begin, i));
        else if (isFunction(begin, i))
          function(begin, i, end, scope);
        const bool goesOn = !isNamespace(begin, i) && !isFunction(begin, i);  // struct S { ... } s;
        i = end;
        if (!goesOn) begin = i + 1;
      }
    }
  }

  bool isNamespace(std::size_t begin, std::size_t body) const {
    for (std::size_t i = begin; i < body; ++i) {
      if (is(i, "namespace")) return true;
      if (is(i, "(") || is(i, "struct") || is(i, "class") || is(i, "enum") || is(i, "union") || is(i, "="))
        return false;
    }
    return body > begin && is(begin, "extern");  // extern "C" {
  }

  // "a::b::" of `namespace a::b {`; empty of an anonymous one.
  std::string scopeOf(std::size_t begin, std::size_t body) const {
    std::string scope;
    bool isNamed = false;
    for (std::size_t i = begin; i < body; ++i) {
      if (isNamed) scope += word(i);
      isNamed = isNamed || is(i, "namespace");
    }
    return scope.empty() ? scope : scope + "::";
  }

  std::size_t parameterList(std::size_t begin, std::size_t body) const {  // its bracket, or `body`
    for (std::size_t i = begin; i < body; ++i) {
      if (is(i, "__launch_bounds__") || is(i, "__align__") || is(i, "__attribute__") || is(i, "decltype") ||
          is(i, "__maxnreg__") || is(i, "alignas")) {
        if (is(i + 1, "(")) i = partner_[i + 1];
        continue;
      }
      if (is(i, "=") || is(i, "struct") || is(i, "class") || is(i, "union") || is(i, "enum")) {
        if (!isInTemplateHead(begin, i)) return body;
      }
      if (is(i, "(") && i > begin && (tokens_[i - 1].isWord || is(i - 1, ">") || is(i - 1, "]"))) return i;
      if (is(i, "(") || is(i, "[")) i = partner_[i];
    }
    return body;
  }

  // template <class T, int N = 4>
  bool isInTemplateHead(std::size_t begin, std::size_t i) const {
    if (!is(begin, "template")) return false;
    int depth = 0;
    for (std::size_t k = begin + 1; k < tokens_.size(); ++k) {
      if (is(k, "<")) ++depth;
      if (is(k, ">") && --depth == 0) return i < k;
      if (is(k, "{") || is(k, ";")) return false;
    }
    return false;
  }

  bool isFunction(std::size_t begin, std::size_t body) const { return parameterList(begin, body) != body; }

  bool has(std::size_t begin, std::size_t end, std::string_view what) const {
    for (std::size_t i = begin; i < end; ++i)
      if (is(i, what)) return true;
    return false;
  }

  void function(std::size_t begin, std::size_t body, std::size_t end, const std::string& scope) {
    const std::size_t list = parameterList(begin, body);
    const bool isKernel = has(begin, list, "__global__");
    if (isKernel) {
      KernelDeclaration kernel{.name = std::string(word(list - 1)),
                               .qualified = scope + std::string(word(list - 1)),
                               .isTemplate = is(begin, "template"),
                               .line = tokens_[list].line,
                               .parameters = {}};
      parameters(list + 1, partner_[list], kernel.parameters);
      result_.kernels.push_back(std::move(kernel));
      return;
    }
    if (has(begin, list, "__device__")) return;
    if (!isHosts(list - 1, body, end)) return;
    result_.leftOut.emplace_back(word(list - 1));
    for (std::size_t at = tokens_[begin].begin; at < tokens_[end].end; ++at)
      if (result_.text[at] != '\n') result_.text[at] = ' ';
  }

  // It launches kernels, calls CUDA's host API, or is main.
  bool isHosts(std::size_t name, std::size_t body, std::size_t end) const {
    if (is(name, "main")) return true;
    for (std::size_t i = body; i < end; ++i) {
      const std::string_view each = word(i);
      const bool isLaunch =
          each == "<" && is(i + 1, "<") && is(i + 2, "<") && tokens_[i + 2].begin == tokens_[i].begin + 2;
      const bool isApi = each.size() > 4 && each.starts_with("cuda") &&
                         std::isupper(static_cast<unsigned char>(each[4])) != 0;
      if (isLaunch || isApi || each == "cout" || each == "cerr" || each == "malloc" || each == "fopen" ||
          each == "vector" || each == "thrust")
        return true;
    }
    return false;
  }

  void parameters(std::size_t first, std::size_t last, std::vector<std::string>& names) const {
    if (first >= last || (last == first + 1 && is(first, "void"))) return;
    std::size_t begin = first;
    int angles = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (i < last && (is(i, "(") || is(i, "[") || is(i, "{"))) {
        i = partner_[i];
        continue;
      }
      if (is(i, "<")) ++angles;
      if (is(i, ">")) --angles;
      if (i != last && (!is(i, ",") || angles > 0)) continue;
      std::size_t end = i;
      for (std::size_t k = begin; k < i; ++k)
        if (is(k, "=") || is(k, "[")) {
          end = k;
          break;
        }
      const bool isNamed = end > begin + 1 && tokens_[end - 1].isWord;
      names.emplace_back(isNamed ? word(end - 1) : std::string_view());
      begin = i + 1;
    }
  }

  // extern __shared__ T name[]; becomes T* of where the block's dynamic shared memory is. At namespace scope
  // it is a value that converts to that.
  void dynamicShared() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!is(i, "__shared__")) continue;
      std::size_t begin = i;
      while (begin > 0 && (is(begin - 1, "extern") || is(begin - 1, "static") || is(begin - 1, "volatile")))
        --begin;
      const bool isExtern = has(begin, i, "extern");
      if (!isExtern) {
        for (std::size_t k = begin; k < i + 2; ++k)
          if (is(k, "static")) blank(k);  // __shared__ is static itself
        continue;
      }
      std::size_t end = i + 1;
      while (end < tokens_.size() && !is(end, ";")) end = is(end, "(") ? partner_[end] + 1 : end + 1;
      const std::size_t bracket = end >= 2 && is(end - 1, "]") ? partner_[end - 1] : end;
      if (bracket == end || bracket <= i + 1) continue;
      std::string type;
      for (std::size_t k = begin; k + 1 < bracket; ++k) {
        if (is(k, "extern") || is(k, "static") || is(k, "__shared__")) continue;
        if ((is(k, "__align__") || is(k, "alignas") || is(k, "__attribute__")) && is(k + 1, "(")) {
          k = partner_[k + 1];
          continue;
        }
        type += std::string(type.empty() ? "" : " ") + std::string(word(k));
      }
      const std::string name(word(bracket - 1));
      if (result_.dynamicName.empty()) result_.dynamicName = name;
      const bool isInFunction = depthOf(begin) > 0;
      const std::string declared =
          isInFunction ? type + "* const " + name + " = static_cast<" + type + "*>(accesses::dynamicShared())"
                       : "static const accesses::DynamicShared<" + type + "> " + name;
      edits_.push_back({tokens_[begin].begin, tokens_[end - 1].end, declared});
      i = end;
    }
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {
      std::string text = edit->text;
      for (std::size_t at = edit->begin; at < edit->end; ++at)
        if (text_[at] == '\n') text += '\n';
      result_.text.replace(edit->begin, edit->end - edit->begin, text);
    }
  }

  void blank(std::size_t token) {
    for (std::size_t at = tokens_[token].begin; at < tokens_[token].end; ++at) result_.text[at] = ' ';
  }

  // How many function bodies are around it: 0 at namespace scope.
  int depthOf(std::size_t token) const {
    int depth = 0;
    for (std::size_t i = 0; i < token; ++i)
      if (is(i, "{") && partner_[i] > token) {
        std::size_t begin = i;
        while (begin > 0 && !is(begin - 1, ";") && !is(begin - 1, "}") && !is(begin - 1, "{")) --begin;
        depth += isNamespace(begin, i) ? 0 : 1;
      }
    return depth;
  }

  struct Edit {
    std::size_t begin, end;
    std::string text;
  };

  std::string_view text_;
  const std::vector<Token>& tokens_;
  KernelText& result_;
  std::vector<std::size_t> partner_;
  std::vector<Edit> edits_;
};

std::string_view lineOf(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

Result<KernelText> readKernelText(const std::string& fileName, std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Scanner scanner(text);
  auto fault = scanner.scan();
  KernelText result;
  if (!fault) {
    result.includes = scanner.includes;
    fault = TextReader(text, scanner.tokens, result).read();
  }
  if (fault)
    return usageError(fileName + ", line " + std::to_string(fault->first) + ": " + fault->second +
                      ". Fix its text.");
  return result;
}

TextPiece pieceAt(std::string_view text, int line, int column) {
  const std::string_view whole = lineOf(text, line);
  std::size_t first = whole.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  std::size_t begin = column > 0 ? std::size_t(column) - 1 : first;
  if (begin >= whole.size()) begin = first;
  const auto isPart = [&](std::size_t at) { return at < whole.size() && isWordCharacter(whole[at]); };
  // A column may point at the bracket or the dot of an access.
  std::size_t from = begin;
  if (whole[from] == '[' || whole[from] == '.') {
    int depth = 0;
    while (from > 0) {
      const char before = whole[from - 1];
      if (before == ']') ++depth;
      if (before == '[') --depth;
      if (depth == 0 && !isWordCharacter(before) && before != ']' && before != '[' && before != '.') break;
      --from;
    }
  }
  std::size_t end = from;
  if (isPart(end) || whole[end] == '*') {
    while (end < whole.size() && whole[end] == '*') ++end;
    bool goesOn = true;
    while (goesOn) {
      goesOn = false;
      while (isPart(end)) ++end, goesOn = true;
      if (end < whole.size() && whole[end] == '.') ++end, goesOn = true;
      if (end < whole.size() && (whole[end] == '[' || whole[end] == '(')) {
        const char open = whole[end], close = open == '[' ? ']' : ')';
        int depth = 0;
        std::size_t at = end;
        for (; at < whole.size(); ++at) {
          if (whole[at] == open) ++depth;
          if (whole[at] == close && --depth == 0) break;
        }
        if (at == whole.size()) break;
        end = at + 1;
        goesOn = true;
      }
    }
  }
  if (end > from) return {int(from) + 1, int(end - from), std::string(whole.substr(from, end - from))};
  std::string_view statement = whole.substr(first);
  while (!statement.empty() && (statement.back() == ' ' || statement.back() == '\r'))
    statement.remove_suffix(1);
  return {int(first) + 1, int(statement.size()), std::string(statement)};
}

}  // namespace stridescope::engine::access
