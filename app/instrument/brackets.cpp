#include "instrument/brackets.h"

namespace stridescope::instrument {
namespace {

// Deeper than any kernel a person writes; keeps the recursion of the later steps bounded.
constexpr std::size_t kDeepestNesting = 200;

char closerOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

std::string_view Source::slice(int first, int last) const {
  const auto begin = static_cast<std::size_t>((*this)[first].offset);
  return text.substr(begin, static_cast<std::size_t>((*this)[last].end()) - begin);
}

Accepted<Source> matchBrackets(std::string_view text, std::vector<Token> tokens) {
  Source source{text, std::move(tokens), {}};
  source.partner.assign(source.tokens.size(), -1);
  std::vector<int> open;
  for (int i = 0; i < source.size(); ++i) {
    const Token& token = source[i];
    if (token.kind != TokenKind::Punctuation || token.text.size() != 1) continue;
    const char c = token.text.front();
    if (c == '(' || c == '[' || c == '{') {
      if (open.size() == kDeepestNesting)
        return refuse(token, "The brackets are nested too deeply. Split the expression.");
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || closerOf(source[open.back()].text.front()) != c)
        return refuse(token, "This " + std::string(1, c) + " closes nothing. Balance the brackets.");
      source.partner[static_cast<std::size_t>(i)] = open.back();
      source.partner[static_cast<std::size_t>(open.back())] = i;
      open.pop_back();
    }
  }
  if (!open.empty())
    return refuse(source[open.back()],
                  "This " + std::string(source[open.back()].text) + " is not closed. Balance the brackets.");
  return source;
}

int findTemplateClose(const Source& source, int open) {
  int depth = 0;
  for (int i = open; i < source.size(); ++i) {
    if (source.is(i, "<")) {
      ++depth;
    } else if (source.is(i, ">")) {
      if (--depth == 0) return i;
    } else if (source.is(i, "(") || source.is(i, "[")) {
      i = source.partnerOf(i);
    } else if (source.is(i, ";") || source.is(i, "{") || source.closes(i)) {
      return -1;
    }
  }
  return -1;
}

std::vector<int> enclosingBrackets(const Source& source) {
  std::vector<int> enclosing, open;
  for (int i = 0; i < source.size(); ++i) {
    if (source.closes(i) && !open.empty()) open.pop_back();
    enclosing.push_back(open.empty() ? -1 : open.back());
    if (source.opens(i)) open.push_back(i);
  }
  return enclosing;
}

}  // namespace stridescope::instrument
