#include "engine/access/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "engine/access/text_piece.h"

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

std::vector<std::string> namesOf(const KernelDeclaration& kernel) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : kernel.parameters) names.push_back(parameter.name);
  return names;
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
  EXPECT_THAT(namesOf(text.kernels[0]), ElementsAre("in", "out", "n"));
  EXPECT_EQ(text.kernels[1].name, "second");
  EXPECT_THAT(text.kernels[1].parameters, IsEmpty());
  EXPECT_EQ(text.kernels[2].name, "third");
  EXPECT_EQ(text.kernels[2].parameters.size(), 2u);
  EXPECT_EQ(text.kernels[2].parameters[1].name, "pair");
}

TEST(KernelTextReader, AttributesOfAKernelAreNotItsName) {
  const KernelText text = read(
      "__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64) exchange(const int* in, int* out) "
      "{}\n");
  ASSERT_EQ(text.kernels.size(), 1u);
  EXPECT_EQ(text.kernels[0].name, "exchange");
  EXPECT_THAT(namesOf(text.kernels[0]), ElementsAre("in", "out"));
}

TEST(KernelTextReader, TellsTypesDefaultsAndParametersWithoutAName) {
  const KernelText text = read(
      "#define KERNEL extern \"C\" __global__ void\n"
      "KERNEL k(const float*, unsigned int, Pair<int, 3> p = {1, 2},\n  std::size_t, int n = 5) {}\n"
      "template <class T> __global__ void g(T* x) {}\n"
      "template <> __global__ void g<int>(int* x) {}\n");
  ASSERT_EQ(text.kernels.size(), 2u) << "a specialization is no kernel of its own";
  EXPECT_THAT(namesOf(text.kernels[0]), ElementsAre("arg1", "arg2", "p", "arg4", "n"));
  EXPECT_EQ(text.kernels[0].signature(), "k(const float*, unsigned int, Pair<int, 3>, std::size_t, int)");
  EXPECT_EQ(text.kernels[0].parameters[2].otherwise, "{1, 2}");
  EXPECT_EQ(text.kernels[0].parameters[4].otherwise, "5");
  EXPECT_EQ(text.kernels[0].parameters[4].line, 3);
  EXPECT_EQ(text.kernels[1].templateHead, "template <class T>");
}

TEST(KernelTextReader, APointerToRowsHasItsName) {
  const KernelText text = read("__global__ void k(const float (*rows)[32], int n) {}");
  ASSERT_EQ(text.kernels.front().parameters.size(), 2u);
  EXPECT_EQ(text.kernels.front().parameters[0].name, "rows");
  EXPECT_EQ(text.kernels.front().parameters[0].type, "const float (*)[32]");
}

TEST(KernelTextReader, LeavesOutTheHostsFunctionsAndKeepsLines) {
  const std::string before =
      "__global__ void k(int* p) { p[0] = 1; }\n"
      "void run(int* p) {\n  k<<<1, 1>>>(p);\n}\n"
      "static int rounded(int n) { return (n + 31) / 32; }\n"
      "int main() { cudaMalloc(nullptr, 4); }\n"
      "__device__ int late() { return 1; }\n";
  const KernelText text = read(before);
  EXPECT_THAT(text.leftOut, ElementsAre("run()", "main()"));
  EXPECT_EQ(std::count(text.text.begin(), text.text.end(), '\n'), 7);
  EXPECT_THAT(text.text, Not(HasSubstr("<<<")));
  EXPECT_THAT(text.text, HasSubstr("rounded"));
  EXPECT_THAT(text.text, HasSubstr("late"));
}

TEST(KernelTextReader, LeavesOutClassesOfTheHostsAndWhatUsesThem) {
  const KernelText text = read(
      "#include <thrust/device_vector.h>\n#include <cstdio>\n"
      "struct Timer {\n  cudaEvent_t a;\n  Timer() { cudaEventCreate(&a); }\n};\n"
      "struct Plain { int n; };\n"
      "float measure() { Timer t; return 0; }\n"
      "float twice() { return 2 * measure(); }\n"
      "thrust::device_vector<int> all(10);\n"
      "template <class T> struct Buffer {\n  T* data;\n  void make(int n) { cudaMalloc(&data, n); }\n"
      "  __device__ T at(int i) { return data[i]; }\n};\n"
      "__global__ void k(Buffer<int> b) {}\n");
  EXPECT_THAT(text.leftOut, ElementsAre("#include <thrust/device_vector.h>", "Timer", "measure()", "twice()",
                                        "Buffer::make()"));
  for (const char* gone : {"thrust", "Timer", "measure", "cudaMalloc"})
    EXPECT_THAT(text.text, Not(HasSubstr(gone)));
  for (const char* kept :
       {"#include <cstdio>", "struct Plain { int n; };", "void make(int n) {", "T at(int i)"})
    EXPECT_THAT(text.text, HasSubstr(kept));
}

TEST(KernelTextReader, ConditionsTellWhichWayTheyGoAndColumnsAreKnownBefore) {
  const std::string before =
      "__global__ void k(int* p, int n) {\n"
      "  if (n > 1 && p[0]) p[1] = 2; else if (p[2]) p[3] = 4;\n"
      "  for (int i = 0; i < n; ++i)\n    while (p[i]) --p[i];\n"
      "  do { p[0] = 1; } while (p[0] < 0);\n"
      "  if constexpr (sizeof(int) == 4) p[0] = 2;\n"
      "  switch (n) { case 0: p[0] = 1; break; case 1: case 2: p[0] = 3; break; case 5: default: p[0] = 4; "
      "}\n"
      "}\n";
  const KernelText text = read(before);
  EXPECT_TRUE(text.branches.isComplete);
  std::vector<std::string> told;
  for (const BranchCondition& each : text.branches.all)
    told.push_back(each.text + (each.isLoop ? " loop" : ""));
  EXPECT_THAT(told, ElementsAre("n > 1 && p[0]", "p[2]", "i < n loop", "p[i] loop", "p[0] < 0 loop", "case 0",
                                "case 1: case 2"));
  EXPECT_EQ(text.branches.all[0].place, std::pair(2, 7));
  EXPECT_EQ(text.branches.all[2].begin, std::pair(3, 3));
  EXPECT_EQ(text.branches.all[2].end, std::pair(4, 24)) << "the semicolon of the loop's body";
  EXPECT_EQ(text.branches.all[4].begin, std::pair(5, 3));
  EXPECT_THAT(text.text, HasSubstr("switch (accesses::Switch((n)).label<5>( 0).label<6>( 1, 2).value())"));
  // Behind what was inserted, a column is what it was.
  std::size_t lineStart = 0, lineStartBefore = 0;
  for (int line = 1; line < 8; ++line) {
    const auto at = text.text.find("p[", lineStart), was = before.find("p[", lineStartBefore);
    if (line != 1 && line != 3) {  // those have none
      EXPECT_EQ(text.edits.columnBefore(line, int(at - lineStart) + 1), int(was - lineStartBefore) + 1);
    }
    lineStart = text.text.find('\n', lineStart) + 1;
    lineStartBefore = before.find('\n', lineStartBefore) + 1;
  }
}

TEST(KernelTextReader, ConditionsThatCannotBeToldMakeTheirNumberUnknown) {
  for (const char* hidden : {"#define RETURN_IF(c) if (c) return\n__global__ void k(int n) { RETURN_IF(n); }",
                             "__global__ void k(int n) { again: if (n--) goto again; }",
                             "__global__ void k(int n) { for (int i : {1, 2}) n += i; }",
                             "__global__ void k(int n) { while (int m = n) n -= m; }"})
    EXPECT_FALSE(read(hidden).branches.isComplete) << hidden;
  for (const char* told :
       {"#define CHECK(c) if (c) exit(1)\nint main() { CHECK(1); }\n__global__ void k(int n) { if (n) n = 1; "
        "}",
        "__global__ void k(int n, int* p) { if (int* q = p) n = *q; if (p->x = 3) n = 1; }"})
    EXPECT_TRUE(read(told).branches.isComplete) << told;
}

// Texts of a megabyte, which take neither all of the stack nor a time that grows with the square of their
// length. The last token of each loop is that of all.
TEST(KernelTextReader, StatementsMayStandInOneAnotherByTheThousand) {
  const std::pair<const char*, bool> all[] = {
      {"while (n) ", true}, {"for (; n;)\n", true}, {"if (n) n = 1; else ", true},
      {"if (n)\n", true},   {"do ", false},         {"while (n) if (n) ", false}};
  for (const auto& [statement, isTold] : all) {
    std::string text = "__global__ void k(int n) {\n";
    while (text.size() < 1u << 20) text += statement;
    const std::clock_t begin = std::clock();
    const KernelText result = read(text + "n = 2; }");
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 20.0) << statement;
    EXPECT_EQ(result.branches.isComplete, isTold) << statement;
    if (!isTold || !result.branches.all.front().isLoop) continue;
    EXPECT_EQ(result.branches.all.front().end, result.branches.all.back().end) << statement;
  }
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

// Casts take no value that converts to a pointer. What a function declares itself keeps its name.
TEST(KernelTextReader, FunctionsThatUseDynamicSharedMemoryOfNamespaceScopeHaveAPointer) {
  const KernelText text = read(
      "extern __shared__ char raw[];\n"
      "__global__ void uses(int n) {\n  float *f = (float *)(n * 4 + raw); }\n"
      "__global__ void none(int n) {\n  n = 1; }\n"
      "__device__ void given(char *raw) {\n  raw[0] = 1; }\n"
      "__device__ void own() {\n  int *raw = 0; }\n");
  const std::string pointer = " char* const raw = static_cast<char*>(accesses::dynamicShared());";
  EXPECT_THAT(text.text, HasSubstr("void uses(int n) {" + pointer + "\n"));
  for (const char* other : {"void none(int n) {\n", "void given(char *raw) {\n", "void own() {\n"})
    EXPECT_THAT(text.text, HasSubstr(other));
}

TEST(KernelTextReader, CommentsStringsAndDirectivesAreNoCode) {
  const KernelText text = read(
      "// __global__ void no() {}\n/* { */ #define TWICE(x) \\\n  { (x) * 2\n"
      "#include \"mine.h\"\n#include <stdio.h>\n"
      "const char* s = \"{ __global__\"; const char c = '{'; const char* r = R\"x({)x\";\n"
      "__global__ void yes() { printf(\"}\"); int big = 1'000'000; }\n");
  ASSERT_EQ(text.kernels.size(), 1u);
  EXPECT_EQ(text.kernels[0].name, "yes");
  ASSERT_EQ(text.includes.size(), 1u);
  EXPECT_EQ(text.includes[0].name, "mine.h");
  EXPECT_EQ(text.includes[0].line, 4);
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
  EXPECT_EQ(pieceAt("  x = (a + 1) / -(b[2] - 3) * 2;\n", 1, 15).text, "(a + 1) / -(b[2] - 3)");
  EXPECT_EQ(pieceAt("  x = y % 2;\n", 1, 9).text, "y % 2");
  EXPECT_EQ(pieceAt("  x /= 2;  // a / b\n", 1, 5).text, "x");
  EXPECT_EQ(pieceAt(text, 3, 3).text, "*p");
  EXPECT_EQ(pieceAt(text, 3, 8).text, "a.b[2].c");
  EXPECT_EQ(pieceAt(text, 3, 0).text, "*p = a.b[2].c;") << "no column";
  EXPECT_EQ(pieceAt(text, 4, 1).text, "");
  EXPECT_EQ(pieceAt(text, 99, 1).text, "");
}

// g++ has a load at the bracket that ends it, and a store at its operator.
TEST(PieceOfAText, IsTheAccessThatTheColumnOfGccMeans) {
  struct Case {
    const char *line, *mark, *piece;  // the column is where the mark's first character stands
  };
  const Case all[] = {
      {"  s[t.x] = in[t.x];", "= in", "s[t.x]"},
      {"  s[t.x] = in[t.x];", "];", "in[t.x]"},
      {"  a[i][j] += b[i];", "+= b", "a[i][j]"},
      {"  a[i] <<= 2;", "<<=", "a[i]"},
      {"  if (t < k) s_[t] = op_(s_[t], s_[t + k]);", "= op", "s_[t]"},
      {"  if (t < k) s_[t] = op_(s_[t], s_[t + k]);", "]);", "s_[t + k]"},
      {"  if (t)s[t] = 1;", "= 1", "s[t]"},
      {"  *p = 1;", "= 1", "*p"},
      {"  *(p + i) = 1;", "= 1", "*(p + i)"},
      {"  node->next[2].x = 1;", "= 1", "node->next[2].x"},
      {"  v = node->x;", "x;", "node->x"},
      {"  v = a[i].x;", "x;", "a[i].x"},
      {"  reinterpret_cast<float4*>(s)[i] = v;", "= v", "reinterpret_cast<float4*>(s)[i]"},
      {"  (b ? x : y)[i] = v;", "= v", "(b ? x : y)[i]"},
      {"  bins[k]++;", "++", "bins[k]"},
      {"  ++bins[k];", "++", "bins[k]"},
      {"  = in[i];", "= in", "= in[i];"},
      {"  if (a[i] == 1) {", "== 1", "if (a[i] == 1) {"},
      {"  a[i", "[", "a"},
      {"  i]", "]", "i]"},
      {"  a ++", "++", "a"},
      {"  ++", "++", "++"},
  };
  for (const Case& each : all) {
    const std::string line = each.line;
    const int column = int(line.find(each.mark)) + 1;
    const TextPiece piece = pieceAt(line, 1, column);
    EXPECT_EQ(piece.text, each.piece) << line << " at " << column;
    EXPECT_EQ(line.substr(std::size_t(piece.column) - 1, std::size_t(piece.length)), piece.text) << line;
  }
}

// A compiler's column may be anywhere.
TEST(PieceOfAText, IsOfTheLineWhateverTheColumnIs) {
  const std::string line = " (a<b>>=c)[--d]->*e==f*=_cast<g(]h}[.++";
  for (std::size_t begin = 0; begin < line.size(); ++begin)
    for (std::size_t count = 1; begin + count <= line.size(); ++count)
      for (int column = 0; column <= int(count) + 2; ++column) {
        const std::string text = line.substr(begin, count);
        const TextPiece piece = pieceAt(text, 1, column);
        ASSERT_LE(std::size_t(piece.column) - 1 + std::size_t(piece.length), text.size()) << text;
        ASSERT_EQ(text.substr(std::size_t(piece.column) - 1, std::size_t(piece.length)), piece.text) << text;
      }
}

}  // namespace
}  // namespace stridescope::engine::access
