#include <gtest/gtest.h>

#include "analysis/compared_sides.h"

namespace stridescope::analysis {
namespace {

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
