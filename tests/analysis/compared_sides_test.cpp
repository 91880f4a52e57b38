#include "analysis/compared_sides.h"

#include <gtest/gtest.h>

namespace stridescope::analysis {
namespace {

Round round(RoundKind kind, std::optional<std::uint64_t> stride = std::nullopt,
            std::optional<std::uint64_t> element = std::nullopt) {
  Round made;
  made.kind = kind;
  made.stride = stride;
  made.outputElement = element;
  return made;
}

LaunchAnalysis launch(std::vector<std::uint64_t> strides, RoundKind kind = RoundKind::Combine) {
  LaunchAnalysis made;
  made.rounds.push_back(round(RoundKind::Load));
  for (const std::uint64_t stride : strides) made.rounds.push_back(round(kind, stride));
  made.rounds.push_back(round(RoundKind::Write));
  return made;
}

Analysis run(std::vector<LaunchAnalysis> launches) {
  Analysis made;
  made.launches = std::move(launches);
  return made;
}

// "0:4|2 0:5|-": launch, the left round, the right round.
std::string told(const std::vector<LockedRound>& locked) {
  std::string text;
  for (const LockedRound& each : locked) {
    const auto number = [](const std::optional<unsigned>& r) { return r ? std::to_string(*r) : "-"; };
    text += (text.empty() ? "" : " ") + std::to_string(each.launch) + ":" + number(each.round.left) + "|" +
            number(each.round.right);
  }
  return text;
}

TEST(LockedRounds, ByRound) {
  const Analysis longer = run({launch({1, 2, 4})}), shorter = run({launch({2, 1})});
  EXPECT_EQ(told(lockedRounds(longer, shorter, LockedBy::Round)), "0:0|0 0:1|1 0:2|2 0:3|3 0:4|-");
  EXPECT_EQ(told(lockedRounds(shorter, longer, LockedBy::Round)), "0:0|0 0:1|1 0:2|2 0:3|3 0:-|4");
}

TEST(LockedRounds, ByStride) {
  const Analysis rising = run({launch({1, 2, 4, 8})}), falling = run({launch({4, 2, 1})});
  // The load, 1 with 1, 2 with 2, 4 with 4, 8 alone, the write.
  EXPECT_EQ(told(lockedRounds(rising, falling, LockedBy::Stride)), "0:0|0 0:1|3 0:2|2 0:3|1 0:4|- 0:5|4");
  // In the left one's order; what the right one has alone comes after what it did before.
  EXPECT_EQ(told(lockedRounds(falling, rising, LockedBy::Stride)), "0:0|0 0:1|3 0:-|4 0:2|2 0:3|1 0:4|5");
}

TEST(LockedRounds, OnlyTheSameStrideIsLocked) {
  const Analysis plain = run({launch({16, 32, 64})}), odd = run({launch({33, 24, 12})});
  EXPECT_EQ(told(lockedRounds(plain, odd, LockedBy::Stride)),
            "0:0|0 0:-|1 0:-|2 0:-|3 0:1|- 0:2|- 0:3|- 0:4|4");
}

TEST(LockedRounds, AStrideOfAnotherKindIsAnother) {
  const Analysis memory = run({launch({2, 1})}), registers = run({launch({2, 1}, RoundKind::Exchange)});
  EXPECT_EQ(told(lockedRounds(memory, registers, LockedBy::Stride)), "0:0|0 0:-|1 0:-|2 0:1|- 0:2|- 0:3|3");
}

// A thread that adds two elements while it loads takes them from a distance.
TEST(LockedRounds, ALoadIsALoad) {
  Analysis adds = run({launch({2, 1})});
  adds.launches[0].rounds[0].stride = 256;
  EXPECT_EQ(told(lockedRounds(adds, run({launch({2, 1})}), LockedBy::Stride)), "0:0|0 0:1|1 0:2|2 0:3|3");
}

TEST(LockedRounds, AStrideThatComesTwiceIsLockedTwice) {
  const Analysis twice = run({launch({2, 1, 2, 1})}), once = run({launch({2, 1})});
  EXPECT_EQ(told(lockedRounds(twice, once, LockedBy::Stride)), "0:0|0 0:1|1 0:2|2 0:3|- 0:4|- 0:5|3");
  EXPECT_EQ(told(lockedRounds(twice, twice, LockedBy::Stride)), "0:0|0 0:1|1 0:2|2 0:3|3 0:4|4 0:5|5");
}

// A merge goes through the same strides for each element.
TEST(LockedRounds, OfAMergeTheElementCounts) {
  LaunchAnalysis merge;
  for (std::uint64_t element = 0; element < 2; ++element)
    for (const std::uint64_t stride : {2, 1})
      merge.rounds.push_back(round(RoundKind::Merge, stride, element));
  LaunchAnalysis second = merge;
  second.rounds.erase(second.rounds.begin());  // element 0 has stride 1 alone
  EXPECT_EQ(told(lockedRounds(run({merge}), run({second}), LockedBy::Stride)), "0:0|- 0:1|0 0:2|1 0:3|2");
}

TEST(LockedRounds, LaunchesStandBesideLaunches) {
  const Analysis two = run({launch({1}), launch({})}), one = run({launch({2, 1})});
  EXPECT_EQ(told(lockedRounds(two, one, LockedBy::Round)), "0:0|0 0:1|1 0:2|2 0:-|3 1:0|- 1:1|-");
  EXPECT_EQ(told(lockedRounds(two, one, LockedBy::Stride)), "0:0|0 0:-|1 0:1|2 0:2|3 1:0|- 1:1|-");
}

TEST(LockedRounds, ManyRoundsTakeNoTime) {
  LaunchAnalysis merge;
  for (std::uint64_t element = 0; element < 20000; ++element)
    merge.rounds.push_back(round(RoundKind::Merge, 1, element));
  LaunchAnalysis backwards = merge;
  std::ranges::reverse(backwards.rounds);
  const auto locked = lockedRounds(run({merge}), run({backwards}), LockedBy::Stride);
  ASSERT_EQ(locked.size(), 20000u);
  EXPECT_EQ(locked.front().round.right, 19999u);
}

TEST(LockedRounds, TheLastState) {
  const Analysis run3 = run({launch({1}), LaunchAnalysis{}, launch({})});
  EXPECT_EQ(lastState(run3, 0), (RoundOfRun{0, 2}));
  EXPECT_EQ(lastState(run3, 1), (RoundOfRun{0, 2})) << "a launch without a round";
  EXPECT_EQ(lastState(run3, 2), (RoundOfRun{2, 1}));
  EXPECT_EQ(lastState(run3, 9), (RoundOfRun{2, 1})) << "beyond the last";
  EXPECT_EQ(lastState(run({LaunchAnalysis{}, launch({})}), 0), (RoundOfRun{1, 0})) << "before the first";
}

std::string codeOf(std::string_view text) {
  std::string code;
  for (const CodeLine& line : codeLines(text)) code += std::to_string(line.number) + ":" + line.text + "\n";
  return code;
}

TEST(CodeLines, LeaveCommentsAndBlankLinesOut) {
  EXPECT_EQ(codeOf("// a\n\nint a;  // b\n  \n/* c\nd */ int e; /* f */ int g;\n"),
            "3:int a;\n6: int e;  int g;\n");
  EXPECT_EQ(codeOf("no newline"), "1:no newline\n");
  EXPECT_EQ(codeOf(""), "");
}

TEST(CodeLines, AStringHasNoComment) {
  EXPECT_EQ(codeOf("f(\"a // b \\\" // c\"); // d"), "1:f(\"a // b \\\" // c\");\n");
  EXPECT_EQ(codeOf("char c = '\"'; // d"), "1:char c = '\"';\n");
}

TEST(CodeLines, ArePrintable) { EXPECT_EQ(codeOf("a\x1b[31m\xff"), "1:a\\u001b[31m\\xff\n"); }

model::Trace traceOf(const std::string& name, std::string text) {
  model::Trace trace;
  trace.kernelText = std::move(text);
  trace.kernel.functions = {{.name = "helper"}, {.name = name, .isKernel = true}};
  return trace;
}

TEST(SourceDifference, OfTwoKernels) {
  const model::Trace left =
      traceOf("a", "// one\n__global__ void a(T* in)\n{\n    x = in[1];\n    y();\n}\n");
  const model::Trace right = traceOf("b", "__global__ void b(T* in)\n{\n\n  x = in[2]; // two\n}\n");
  const SourceDifference difference = sourceDifference(left, right);
  EXPECT_EQ(difference.countOf(Side::Left), 2u);
  EXPECT_EQ(difference.countOf(Side::Right), 1u);
  ASSERT_EQ(difference.pairs.size(), 5u);
  EXPECT_TRUE(difference.pairs[0].same) << "but for their names";
  const LinePair& changed = difference.pairs[2];
  EXPECT_EQ(difference.lineOf(changed, Side::Left)->number, 4);
  EXPECT_EQ(difference.lineOf(changed, Side::Right)->number, 4);
  EXPECT_EQ(spansOf(changed, Side::Left), (std::vector<TextSpan>{{11, 12}}));
  EXPECT_EQ(spansOf(changed, Side::Right), (std::vector<TextSpan>{{9, 10}}));
  EXPECT_EQ(difference.lineOf(difference.pairs[3], Side::Left)->text, "    y();");
  EXPECT_EQ(difference.lineOf(difference.pairs[3], Side::Right), nullptr);
}

TEST(SourceDifference, CommentsAloneAreNone) {
  EXPECT_FALSE(sourceDifference(traceOf("a", "x; // one"), traceOf("a", "// two\n\nx;")).differs());
  EXPECT_TRUE(sourceDifference(traceOf("a", "x;"), traceOf("a", "y;")).differs());
}

}  // namespace
}  // namespace stridescope::analysis
