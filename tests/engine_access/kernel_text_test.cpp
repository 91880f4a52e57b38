#include "engine/access/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stridescope::engine::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

KernelText read(const std::string& text) {
  const auto result = readKernelText("k.cu", text);
  EXPECT_TRUE(result) << result.error().sentence;
  return result ? *result : KernelText();
}

TEST(KernelTextReader, FindsKernelsAndTheNamesOfTheirParameters) {
  const KernelText text = read(
      "template <class T, int N = 4>\n__global__ void __launch_bounds__(256, 2) first(const T* __restrict__ "
      "in, T out[N],\n"
      "    int n = (1, 2)) {}\n"
      "namespace a { extern \"C\" __global__ void second(void) {} }\n"
      "__global__ void declared(int n);\n"
      "__device__ int helper(int x) { return x; }\n"
      "__global__ static void third(float4 (&rows)[2], Pair<int, 3> pair) {}\n");
  ASSERT_EQ(text.kernels.size(), 3u);
  EXPECT_EQ(text.kernels[0].name, "first");
  EXPECT_TRUE(text.kernels[0].isTemplate);
  EXPECT_EQ(text.kernels[0].line, 2);
  EXPECT_THAT(text.kernels[0].parameters, ElementsAre("in", "out", "n"));
  EXPECT_EQ(text.kernels[1].name, "second");
  EXPECT_THAT(text.kernels[1].parameters, IsEmpty());
  EXPECT_EQ(text.kernels[2].name, "third");
  EXPECT_EQ(text.kernels[2].parameters.size(), 2u);
  EXPECT_EQ(text.kernels[2].parameters[1], "pair");
}

TEST(KernelTextReader, LeavesOutTheHostsFunctionsAndKeepsLines) {
  const std::string before =
      "__global__ void k(int* p) { p[0] = 1; }\n"
      "void run(int* p) {\n  k<<<1, 1>>>(p);\n}\n"
      "static int rounded(int n) { return (n + 31) / 32; }\n"
      "int main() { cudaMalloc(nullptr, 4); }\n"
      "__device__ int late() { return 1; }\n";
  const KernelText text = read(before);
  EXPECT_THAT(text.leftOut, ElementsAre("run", "main"));
  EXPECT_EQ(text.text.size(), before.size());
  EXPECT_EQ(std::count(text.text.begin(), text.text.end(), '\n'), 7);
  EXPECT_THAT(text.text, Not(HasSubstr("<<<")));
  EXPECT_THAT(text.text, HasSubstr("rounded"));
  EXPECT_THAT(text.text, HasSubstr("late"));
}

TEST(KernelTextReader, DynamicSharedMemoryIsAPointerInAFunctionAndAValueOutsideOfOne) {
  const KernelText text = read(
      "extern __shared__ float outside[];\n"
      "namespace n { template <class T> __global__ void k() {\n"
      "  extern __shared__ __align__(16) unsigned char raw[];\n"
      "  __shared__ static int fixed[4];\n"
      "} }\n");
  EXPECT_THAT(text.text, HasSubstr("static const accesses::DynamicShared<float> outside;"));
  EXPECT_THAT(text.text, HasSubstr("unsigned char* const raw = static_cast<unsigned char*>("));
  EXPECT_THAT(text.text, Not(HasSubstr("static int fixed")));
  EXPECT_EQ(text.dynamicName, "outside");
}

TEST(KernelTextReader, CommentsStringsAndDirectivesAreNoCode) {
  const KernelText text = read(
      "// __global__ void no() {}\n/* { */ #define TWICE(x) \\\n  { (x) * 2\n"
      "#include \"mine.h\"\n#include <stdio.h>\n"
      "const char* s = \"{ __global__\"; const char c = '{'; const char* r = R\"x({)x\";\n"
      "__global__ void yes() { printf(\"}\"); int big = 1'000'000; }\n");
  ASSERT_EQ(text.kernels.size(), 1u);
  EXPECT_EQ(text.kernels[0].name, "yes");
  EXPECT_THAT(text.includes, ElementsAre("mine.h"));
}

TEST(KernelTextReader, WhatHasNoEndIsRefusedByItsLine) {
  for (const auto& [text, line] :
       std::vector<std::pair<std::string, std::string>>{{"\n/* no end", "line 2"},
                                                        {"\n\n\"no end\n", "line 3"},
                                                        {"void f() {\n", "line 1"},
                                                        {"}", "line 1"}}) {
    const auto result = readKernelText("k.cu", text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().kind, ErrorKind::Usage);
    EXPECT_THAT(result.error().sentence, HasSubstr("k.cu, " + line));
  }
}

TEST(PieceOfAText, IsTheAccessAtItsColumn) {
  const std::string text = "x\n  tile[threadIdx.y][threadIdx.x] = in[i * n + j];\n  *p = a.b[2].c;\n\n";
  EXPECT_EQ(pieceAt(text, 2, 3).text, "tile[threadIdx.y][threadIdx.x]");
  EXPECT_EQ(pieceAt(text, 2, 36).text, "in[i * n + j]");
  EXPECT_EQ(pieceAt(text, 2, 38).text, "in[i * n + j]") << "the bracket's column";
  EXPECT_EQ(pieceAt(text, 3, 3).text, "*p");
  EXPECT_EQ(pieceAt(text, 3, 8).text, "a.b[2].c");
  EXPECT_EQ(pieceAt(text, 3, 0).text, "*p") << "no column";
  EXPECT_EQ(pieceAt(text, 4, 1).text, "");
  EXPECT_EQ(pieceAt(text, 99, 1).text, "");
}

}  // namespace
}  // namespace stridescope::engine::access
