// Kernels with tokens deleted, doubled, exchanged and put in: whatever a person is in the midst of typing.
// The text pass must answer, and its answer must hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "instrument/instrument.h"
#include "kernel_generator.h"
#include "strip_recording.h"
#include "torture_text.h"

namespace stridescope::instrument {
namespace {

constexpr std::array<std::string_view, 46> kInserted{
    "(",          ")",      "[",        "]",      "{",          "}",      ";",  ",",    "*",      "&",
    "<",          ">",      "=",        "++",     "--",         "->",     ".",  "::",   "?",      ":",
    "/*",         "*/",     "//",       "\"",     "'",          "#",      "\\", "\n",   "if",     "else",
    "for",        "while",  "do",       "return", "__shared__", "extern", "T",  "data", "struct", "template",
    "__global__", "sizeof", "operator", "[&]",    "using",      "\0"};

// Words, runs of blanks, and single characters: cut without regard for C++, unlike the text pass's own
// tokens.
std::vector<std::string> cut(std::string_view text) {
  const auto kindOf = [](char c) {
    if (c == ' ') return 0;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ? 1 : 2;
  };
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool joins = i > 0 && kindOf(text[i]) != 2 && kindOf(text[i]) == kindOf(text[i - 1]);
    if (!joins) pieces.emplace_back();
    pieces.back() += text[i];
  }
  return pieces;
}

std::string withoutBlanks(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\t') result += c;
  return result;
}

void expectAnswer(const std::string& text, int& accepted) {
  const auto result = instrument(text);
  if (result) {
    ++accepted;
    // Declarations of shared memory come back with other blanks.
    ASSERT_EQ(withoutBlanks(stripRecording(*result)), withoutBlanks(text));
    ASSERT_EQ(std::ranges::count(result->text, '\n'), std::ranges::count(text, '\n'));
    return;
  }
  const Refusal& refusal = result.error();
  ASSERT_GE(refusal.line, 1) << text;
  ASSERT_LE(refusal.line, 1 + std::ranges::count(text, '\n')) << text;
  std::size_t start = 0;
  for (int line = 1; line < refusal.line; ++line) start = text.find('\n', start) + 1;
  const std::size_t end = std::min(text.find('\n', start), text.size());
  ASSERT_GE(refusal.column, 1) << text;
  ASSERT_LE(static_cast<std::size_t>(refusal.column), end - start + 1) << refusal.reason << "\n" << text;
  ASSERT_FALSE(refusal.reason.empty());
}

void mutate(std::string_view original, unsigned seed, int rounds, int& accepted) {
  const std::vector<std::string> pieces = cut(original);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> mutated = pieces;
    const std::size_t changes = 1 + below(3);
    for (std::size_t change = 0; change < changes; ++change) {
      const std::size_t at = below(mutated.size());
      const auto place = mutated.begin() + static_cast<std::ptrdiff_t>(at);
      switch (below(4)) {
        case 0:
          mutated.erase(place);
          break;
        case 1:
          mutated.insert(place, std::string(kInserted[below(kInserted.size())]));
          break;
        case 2:
          std::swap(mutated[at], mutated[below(mutated.size())]);
          break;
        default:
          mutated.insert(place, mutated[below(mutated.size())]);
          break;
      }
      if (mutated.empty()) mutated.emplace_back();
    }
    std::string text;
    for (const std::string& piece : mutated) text += piece;
    if (below(10) == 0) text.resize(below(text.size() + 1));
    expectAnswer(text, accepted);
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "seed " << seed << ", round " << round << "\n" << text;
      return;
    }
  }
}

TEST(Mutations, OfTheTortureText) {
  int accepted = 0;
  mutate(kTortureText, 1, 5000, accepted);
  EXPECT_GT(accepted, 100);  // else only refusals were tried
}

TEST(Mutations, OfGeneratedKernels) {
  int accepted = 0;
  for (unsigned seed = 1; seed <= 200 && !HasFatalFailure(); ++seed)
    mutate(generateKernel(seed).text, seed, 40, accepted);
  EXPECT_GT(accepted, 100);
}

TEST(Mutations, DeepAndLongTexts) {
  for (const char* piece :
       {"(",      "[",    "{",    "if (x) ", "else ",   "do ",     "for (;;) ",  "*",
        "&",      "a[",   "a[0]", "T<",      "<",       "-> ",     "template <", "struct S { ",
        "[&] { ", "x ? ", "= ",   "::",      "sizeof ", "operator"}) {
    for (const char* head : {"", "__global__ void k(T* a, int x) { "}) {
      std::string text = head;
      while (text.size() < 65'000) text += piece;
      int accepted = 0;
      expectAnswer(text, accepted);
    }
  }
  EXPECT_FALSE(instrument(std::string((64 << 10) + 1, ' ')));
  EXPECT_FALSE(instrument(""));
}

}  // namespace
}  // namespace stridescope::instrument
