#include "views/shared/fuzzy_match.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace stridescope::views {
namespace {

constexpr int kWholeWord = 100, kBeginning = 80, kInside = 50, kScattered = 30, kWholeQuery = 20;
constexpr int kMaxLeftOut = 2;  // letters between those of a scattered word, for each of these

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool beginsWord(std::string_view text, std::size_t at) {
  return at == 0 || !isOfWord(text[at - 1]) || !isOfWord(text[at]);
}
bool endsWord(std::string_view text, std::size_t end) {
  return end == text.size() || !isOfWord(text[end]) || !isOfWord(text[end - 1]);
}

// The best of the places where the word stands as it is; 0: nowhere.
int scoreTogether(std::string_view word, std::string_view text) {
  int best = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = beginsWord(text, at), ends = endsWord(text, at + word.size());
    best = std::max(best, begins && ends ? kWholeWord : begins ? kBeginning : kInside);
  }
  return best;
}

// Its letters one after another, each as early as can be; less for each letter that is left out between.
int scoreScattered(std::string_view word, std::string_view text) {
  if (word.size() < 2 || !std::ranges::all_of(word, isLetter)) return 0;
  int best = 0;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (text[from] != word[0] || !beginsWord(text, from)) continue;
    std::size_t at = from, found = 1;
    while (found < word.size() && ++at < text.size())
      if (text[at] == word[found]) ++found;
    if (found < word.size()) continue;
    const int leftOut = int(at + 1 - from - word.size());
    if (leftOut > kMaxLeftOut * int(word.size())) continue;
    best = std::max(best, std::max(1, kScattered - leftOut));
  }
  return best;
}

}  // namespace

int matchScore(std::string_view query, std::string_view text) {
  const std::string asked = lowerCase(query), in = lowerCase(text);
  int sum = 0, words = 0;
  for (std::size_t at = 0; at < asked.size();) {
    const std::size_t from = asked.find_first_not_of(' ', at);
    if (from == asked.npos) break;
    at = std::min(asked.find(' ', from), asked.size());
    const std::string_view word(asked.data() + from, at - from);
    const int together = scoreTogether(word, in);
    const int score = together > 0 ? together : scoreScattered(word, in);
    if (score == 0) return 0;
    sum += score;
    ++words;
  }
  if (words == 0) return 1;
  return sum / words + (words > 1 && in.find(asked) != in.npos ? kWholeQuery : 0);
}

}  // namespace stridescope::views
