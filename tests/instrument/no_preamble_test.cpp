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

// The call of such an object is that of a function, whose body is recorded as any other.
TEST(TextWithoutPreamble, MayHaveClassesWithOperators) {
  EXPECT_EQ(refusalOf("struct Sum { __device__ int operator()(int a, int b) const { return a + b; } };\n"
                      "__global__ void k(int* a) { Sum sum; a[0] = sum(a[1], a[2]); }\n"),
            "");
  EXPECT_EQ(refusalOf("struct One { int n; __device__ operator int() const { return n; } };\n"
                      "__global__ void k(int* a) { One one; a[0] = one; }\n"),
            "An operator of your own can hide an access. Write a function with a name.");
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
  EXPECT_TRUE(result->text.find("const T x = recording::elementValue<T>(") != std::string::npos)
      << result->text;
  EXPECT_FALSE(instrument(kText));
}

TEST(TextWithoutPreamble, MayIncludePlainHeadersAndNameTheirConstants) {
  EXPECT_EQ(refusalOf("#include <cuda_runtime.h>\n#include \"stdio.h\"  // printf\n#include <cfloat>\n"
                      "__global__ void k(float* a) { a[0] = -FLT_MAX; }\n"),
            "");
  EXPECT_NE(refusalOf("#include <vector>\n__global__ void k(float* a) { a[0] = 1; }\n"), "");
  EXPECT_FALSE(instrument("#include <cuda_runtime.h>\n__global__ void k(T* a) { a[0] = 1; }\n"));
}

// Also of a struct in shared memory. What a member points to, and what its function does, is not known here.
TEST(TextWithoutPreamble, MayAccessMembersOfElements) {
  const std::string structs =
      "struct V { float x; }; struct P { V v; int n; int* p; int f() { return 1; } };\n";
  const auto textOf = [&](const std::string& statement) {
    const auto result =
        own(structs + "__global__ void k(P* a, int i) {\n__shared__ P s;\n" + statement + "\n}\n");
    if (!result) return result.error().reason;
    const auto begin = result->text.rfind('\n', result->text.size() - 4) + 1;
    return result->text.substr(begin, result->text.size() - 3 - begin);
  };
  EXPECT_EQ(textOf("a[i].v.x = a[i + 1].v.x;"),
            "recording::store(1, &a[i].v.x, 0) = recording::load(0, &a[i + 1].v.x, 0);");
  EXPECT_EQ(textOf("(*a).n += 1;"), "recording::update(0, &(*a).n, 0) += 1;");
  EXPECT_EQ(textOf("++(a[i]).n;"), "++recording::update(0, &(a[i]).n, 0);");
  EXPECT_EQ(textOf("((a[i].v).x) = 1;"), "(recording::store(0, &(a[i].v).x, 0)) = 1;");
  EXPECT_EQ(textOf("s.n = 1;"), "recording::store(0, &s[0].n, 0) = 1;");
  EXPECT_EQ(textOf("const float* q = &a[i].v.x;"), "const float* q = &a[i].v.x;");
  for (const char* const other : {"a[i].p[0] = 1;", "a[i].f();"})
    EXPECT_NE(textOf(other).find("recording"), 0u) << other;
  EXPECT_EQ(
      textOf("a[i].p[0] = 1;"),
      "An access to one member of an element is not supported yet. Copy the element into a variable, or keep "
      "an array for each member.");
  EXPECT_FALSE(instrument(structs + "__global__ void k(P* a) { a[0].n = 1; }\n"));
}

// Their arrays of dynamic shared memory are never there together.
TEST(TextWithoutPreamble, MayHaveSeveralKernels) {
  const std::string kernels =
      "__global__ void one(int* a) { extern __shared__ int s[]; s[0] = a[0]; }\n"
      "__global__ void two(int* a) { extern __shared__ int s[]; a[0] = s[0]; }\n";
  const auto result = own(kernels);
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(result->kernel, "one");
  EXPECT_EQ(result->shared.size(), 2u);
  EXPECT_EQ(result->sites.size(), 4u);
  EXPECT_EQ(result->model.functions.size(), 2u);
  EXPECT_FALSE(instrument(kernels));
  EXPECT_NE(refusalOf("__device__ void f() { extern __shared__ int t[]; t[0] = 1; }\n" + kernels), "");
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
