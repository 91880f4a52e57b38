#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "analysis/compared_sides.h"

namespace stridescope::analysis {
namespace {

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// "12=13" the same, "12~13" beside each other, "12-" and "-13" alone; lines from 1.
std::string told(const std::vector<LinePair>& pairs) {
  std::string text;
  for (const LinePair& pair : pairs) {
    if (!text.empty()) text += " ";
    if (pair.left) text += std::to_string(*pair.left + 1);
    text += !pair.left || !pair.right ? "-" : pair.same ? "=" : "~";
    if (pair.right) text += std::to_string(*pair.right + 1);
  }
  return text;
}

std::string difference(std::string_view left, std::string_view right, SameWord name = {}) {
  return told(lineDifference(linesOf(left), linesOf(right), name));
}

std::vector<std::string> marked(std::string_view line, const std::vector<TextSpan>& spans) {
  std::vector<std::string> words;
  for (const TextSpan& span : spans) words.emplace_back(line.substr(span.begin, span.end - span.begin));
  return words;
}

using Words = std::vector<std::string>;

TEST(LineDifference, EqualTextsHaveNone) {
  EXPECT_EQ(difference("a\nb\n\nc", "a\nb\n\nc"), "1=1 2=2 3=3 4=4");
  EXPECT_EQ(difference("", ""), "");
}

TEST(LineDifference, BlanksDoNotCount) {
  EXPECT_EQ(difference("if (a<b)\n  c;", "if(a < b)\n\t\tc ;"), "1=1 2=2");
  EXPECT_EQ(difference("int a", "inta"), "1- -1") << "but words do not grow together";
}

TEST(LineDifference, LinesThatOneTextLacks) {
  EXPECT_EQ(difference("a\nb\nc", "a\nc"), "1=1 2- 3=2");
  EXPECT_EQ(difference("a\nc", "a\nb\nc"), "1=1 -2 2=3");
  EXPECT_EQ(difference("a b c", ""), "1-");
  EXPECT_EQ(difference("", "a b c"), "-1");
}

// The kernels' own lines, as interleaved_contiguous and sequential have them.
TEST(LineDifference, OfTwoKernels) {
  const std::string_view left =
      "    for (unsigned s = 1; s < blockDim.x; s *= 2) {\n"
      "        unsigned index = 2 * s * tid;\n"
      "        if (index < blockDim.x)\n"
      "            data[index] = combine(data[index], data[index + s]);\n"
      "        __syncthreads();";
  const std::string_view right =
      "    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {\n"
      "        if (tid < s)\n"
      "            data[tid] = combine(data[tid], data[tid + s]);\n"
      "        __syncthreads();";
  const auto leftLines = linesOf(left), rightLines = linesOf(right);
  const auto pairs = lineDifference(leftLines, rightLines);
  ASSERT_EQ(told(pairs), "1~1 2- 3~2 4~3 5=4");
  EXPECT_EQ(marked(leftLines[0], pairs[0].leftSpans), (Words{"1; s < blockDim.x; s *="}));
  EXPECT_EQ(marked(rightLines[0], pairs[0].rightSpans), (Words{"blockDim.x / 2; s > 0; s /="}));
  EXPECT_EQ(marked(leftLines[2], pairs[2].leftSpans), (Words{"index < blockDim.x"}));
  EXPECT_EQ(marked(rightLines[1], pairs[2].rightSpans), (Words{"tid < s"}));
  EXPECT_EQ(marked(leftLines[3], pairs[3].leftSpans), (Words{"index", "index", "index"}));
  EXPECT_EQ(marked(rightLines[2], pairs[3].rightSpans), (Words{"tid", "tid", "tid"}));
}

TEST(LineDifference, LinesWithLittleInCommonStandAlone) {
  EXPECT_EQ(difference("a b c d", "e f g d"), "1- -1");
  EXPECT_EQ(difference("a b c d", "a f g d"), "1~1") << "half of the words";
}

TEST(LineDifference, OneLineOfSeveralFindsTheMostAlike) {
  EXPECT_EQ(difference("f(a, b);", "g(x);\nf(a, c);\nh(y, z);"), "-1 1~2 -3");
}

TEST(LineDifference, TheTextsOwnNamesCountAsOne) {
  EXPECT_EQ(difference("void left(int a)", "void right(int a)"), "1~1");
  EXPECT_EQ(difference("void left(int a)", "void right(int a)", {"left", "right"}), "1=1");
  EXPECT_EQ(difference("void right(int a)", "void left(int a)", {"left", "right"}), "1~1") << "one way only";
}

TEST(LineDifference, LettersBeyondAsciiAreNotCut) {
  const std::string left = "x = \"größe\";", right = "x = \"grüße\";";
  const auto pairs = lineDifference(linesOf(left), linesOf(right));
  ASSERT_EQ(told(pairs), "1~1");
  EXPECT_EQ(marked(left, pairs[0].leftSpans), (Words{"größe"}));
  EXPECT_EQ(marked(right, pairs[0].rightSpans), (Words{"grüße"}));
}

// A damaged or hostile recording may bring any text.
TEST(LineDifference, HugeTextsTakeNoTime) {
  std::string left, right, wide;
  for (int i = 0; i < 20000; ++i) {
    left += "a" + std::to_string(i) + " b c d e\n";
    right += "a" + std::to_string(-i) + " b c d f\n";
  }
  for (int i = 0; i < 200000; ++i) wide += "w" + std::to_string(i) + " ";
  const auto begin = std::chrono::steady_clock::now();
  const auto pairs = lineDifference(linesOf(left), linesOf(right));
  EXPECT_EQ(pairs.size(), 40000u) << "none is set beside another";
  const std::string other = wide + "x";
  EXPECT_EQ(difference(wide, other), "1- -1");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(LineDifference, EveryLineComesOnceAndInOrder) {
  std::uint64_t seed = 1;
  const auto next = [&](unsigned below) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return unsigned(seed >> 33) % below;
  };
  for (int round = 0; round < 200; ++round) {
    std::string texts[2];
    for (std::string& text : texts)
      for (unsigned line = next(12); line-- > 0;) {
        for (unsigned word = next(5); word-- > 0;) text += std::string(1, char('a' + next(3))) + " ";
        text += "\n";
      }
    const auto left = linesOf(texts[0]), right = linesOf(texts[1]);
    std::size_t nextLeft = 0, nextRight = 0;
    for (const LinePair& pair : lineDifference(left, right)) {
      if (pair.left) {
        EXPECT_EQ(*pair.left, nextLeft++);
      }
      if (pair.right) {
        EXPECT_EQ(*pair.right, nextRight++);
      }
      EXPECT_TRUE(pair.left || pair.right);
      if (!pair.same || !pair.left || !pair.right) continue;
      EXPECT_EQ(left[*pair.left], right[*pair.right]) << "of single letters and one blank between";
    }
    EXPECT_EQ(nextLeft, left.size());
    EXPECT_EQ(nextRight, right.size());
  }
}

}  // namespace
}  // namespace stridescope::analysis
