// The text pass on a person's own file: nothing is predefined, and which variables hold elements is found
// out.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

tl::expected<Instrumented, Refusal> own(std::string_view text) { return instrument(text, Preamble::None); }

std::string refusalOf(std::string_view text) {
  const auto result = own(text);
  return result ? "" : result.error().reason;
}

std::set<std::string> elementsOf(std::string_view text) {
  std::set<std::string> names;
  const auto result = own(text);
  EXPECT_TRUE(result) << result.error().reason;
  if (!result) return names;
  for (const model::KernelVariable& variable : result->model.variables)
    if (variable.element) names.insert(variable.name);
  return names;
}

TEST(TextWithoutPreamble, HasNoTAndNoCombine) {
  EXPECT_EQ(refusalOf("__global__ void k(T* a) { a[0] = 1; }\n"),
            "The name T is unknown. Declare it in the kernel's text.");
  EXPECT_EQ(refusalOf("__global__ void k(int* a) { a[0] = combine(a[1], a[2]); }\n"),
            "What the function combine does to memory is unknown. Define it in the kernel's text.");
  EXPECT_EQ(refusalOf("__global__ void k(int* a) { a[0] = identity; }\n"),
            "The name identity is unknown. Declare it in the kernel's text.");
  EXPECT_EQ(refusalOf("__global__ void k(int* a) { a[0] = blockSize; }\n"),
            "The name blockSize is unknown. Declare it in the kernel's text.");
  EXPECT_EQ(refusalOf("__global__ void k(int* a) { combineAtomically(a, 1); }\n"),
            "What the function combineAtomically does to memory is unknown. Define it in the kernel's text.");
}

// What a variant has predefined is a name like any other.
TEST(TextWithoutPreamble, MayDeclareThoseNames) {
  constexpr const char* kText =
      "using T = float;\n"
      "__device__ T combine(T a, T b) { return a + b; }\n"
      "constexpr T identity = 0;\n"
      "__global__ void k(T* a) { const T x = a[1]; a[0] = combine(x, identity); }\n";
  const auto result = own(kText);
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(result->elementType, model::ElementType::Float);
  EXPECT_TRUE(result->text.find("const T x = recording::value<T>(") != std::string::npos) << result->text;
  EXPECT_FALSE(instrument(kText));
}

TEST(TextWithoutPreamble, MayIncludePlainHeadersAndNameTheirConstants) {
  EXPECT_EQ(refusalOf("#include <cuda_runtime.h>\n#include \"stdio.h\"  // printf\n#include <cfloat>\n"
                      "__global__ void k(float* a) { a[0] = -FLT_MAX; }\n"),
            "");
  EXPECT_NE(refusalOf("#include <vector>\n__global__ void k(float* a) { a[0] = 1; }\n"), "");
  EXPECT_FALSE(instrument("#include <cuda_runtime.h>\n__global__ void k(T* a) { a[0] = 1; }\n"));
}

TEST(TextWithoutPreamble, MayHaveConstantsAtFileScope) {
  EXPECT_EQ(refusalOf("const int kThreads = 64;\n__global__ void k(int* a) { a[0] = kThreads; }\n"), "");
  EXPECT_NE(refusalOf("int count = 64;\n__global__ void k(int* a) { a[0] = count; }\n"), "");
  EXPECT_NE(refusalOf("const int* count;\n__global__ void k(int* a) { a[0] = count[0]; }\n"), "");
}

// The type is that of the first shared array; an index, a counter and a limit hold no element.
TEST(TextWithoutPreamble, ElementsAreWhatIsMadeOfLoads) {
  constexpr const char* kText =
      "__global__ void sum(const int* in, int* out, int n) {\n"
      "  __shared__ int s[64];\n"
      "  int tid = threadIdx.x, lane = tid % 32;\n"
      "  int mine = 0, twice;\n"
      "  for (int i = tid; i < n; i += 64) mine += in[i];\n"
      "  twice = mine + mine;\n"
      "  s[tid] = twice;\n"
      "  int bin = in[0];\n"
      "  s[bin] = lane;\n"
      "  int odd = threadIdx.x & 1;\n"
      "  out[0] = odd;\n"
      "}\n";
  EXPECT_EQ(elementsOf(kText), (std::set<std::string>{"mine", "twice"}));
  EXPECT_EQ(own(kText)->elementType, model::ElementType::Int);
}

TEST(TextWithoutPreamble, ElementsAreOfOneType) {
  constexpr const char* kText =
      "__device__ float larger(float a, float b) { return a > b ? a : b; }\n"
      "__global__ void most(const float* in, int* at, unsigned n) {\n"
      "  float best = in[0];\n"
      "  int where = at[0];\n"
      "  for (unsigned i = 1; i < n; ++i) best = larger(best, in[i]);\n"
      "  best = larger(best, __shfl_down_sync(0xffffffffu, best, 16));\n"
      "  at[0] = best > 1.0f ? where : 0;\n"
      "}\n";
  EXPECT_EQ(elementsOf(kText), (std::set<std::string>{"a", "b", "best"}));
  EXPECT_EQ(own(kText)->elementType, model::ElementType::Float);
}

TEST(TextWithoutPreamble, TypesThatATraceCannotNameHaveNoElements) {
  constexpr const char* kText =
      "__global__ void k(const unsigned char* in, unsigned char* out) {\n"
      "  unsigned char x = in[0];\n  out[0] = x;\n}\n";
  EXPECT_EQ(elementsOf(kText), std::set<std::string>());
  EXPECT_EQ(own(kText)->elementType, std::nullopt);
}

}  // namespace
}  // namespace stridescope::instrument
