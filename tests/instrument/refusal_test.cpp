// What the text pass refuses, where, and what it says.
#include <gtest/gtest.h>

#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

struct RefusalCase {
  const char* text;
  int line, column;
  const char* reason;  // a part of it
};

std::string nameOfRefusal(const testing::TestParamInfo<RefusalCase>& info) {
  return "Case" + std::to_string(info.index);
}

void expectRefusal(const std::string& text, int line, int column, const char* reason) {
  const auto result = instrument(text);
  ASSERT_FALSE(result) << text << "\nbecame\n" << result->text;
  EXPECT_EQ(result.error().line, line) << result.error().reason;
  EXPECT_EQ(result.error().column, column) << result.error().reason;
  EXPECT_NE(result.error().reason.find(reason), std::string::npos) << result.error().reason;
  EXPECT_TRUE(result.error().reason.ends_with('.') || result.error().reason.ends_with(';'));
}

// A statement in a kernel, at the beginning of line 2.
class RefusedStatement : public testing::TestWithParam<RefusalCase> {};

TEST_P(RefusedStatement, IsRefused) {
  const std::string text =
      "struct Pair { int key; }; __device__ int f(int a) { return a; } "
      "__global__ void k(const T* in, T* data, Pair* pairs, int n) { T x = identity; T* p = data; int i = "
      "0;\n" +
      std::string(GetParam().text) + "\n}\n";
  expectRefusal(text, GetParam().line, GetParam().column, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    SharedMemory, RefusedStatement,
    testing::Values(RefusalCase{"__shared__ int n;", 2, 16, "something else"},
                    RefusalCase{"__shared__ int a[2], x;", 2, 22, "something else"},
                    RefusalCase{"__shared__ T a[2] = {1, 2};", 2, 19, "initializer"},
                    RefusalCase{"__shared__ int b; auto g = [b]() { return b; };", 2, 29, "capture"},
                    RefusalCase{"__shared__ int b; auto g = [&b]() { return b; };", 2, 30, "capture"},
                    RefusalCase{"__shared__ int b = 3;", 2, 18, "initializer"},
                    RefusalCase{"extern __shared__ int b;", 2, 23, "empty brackets"},
                    RefusalCase{"__shared__ struct { int a; } s[4];", 2, 12, "without a name"},
                    RefusalCase{"__shared__ Pair b; x = b.key;", 2, 25, "member of an element"},
                    RefusalCase{"__shared__ T a[];", 2, 14, "no size"},
                    RefusalCase{"extern __shared__ T a[4];", 2, 21, "empty brackets"},
                    RefusalCase{"extern __shared__ T a[]; extern __shared__ T b[];", 2, 46, "same memory"},
                    RefusalCase{"__shared__ T* a[4];", 2, 16, "offsets"},
                    RefusalCase{"__shared__ T* a;", 2, 13, "offsets"},
                    RefusalCase{"__shared__ alignas(16) T a[4];", 2, 12, "Alignment"},
                    RefusalCase{"static __shared__ T a[4];", 2, 8, "__shared__ first"},
                    RefusalCase{"__shared__ T\na[4];", 2, 1, "one line"},
                    RefusalCase{"__shared__ T a[4 /* four */];", 2, 1, "comments"},
                    RefusalCase{"__shared__ T m[2][2]; *m[0][1] = 1;", 2, 23, "no pointer"},
                    RefusalCase{"__shared__ T a[1], b[1], c[1], d[1], e[1], g[1], h[1], o[1];", 2, 56,
                                "Only 7"}),
    nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(References, RefusedStatement,
                         testing::Values(RefusalCase{"T& r = data[i];", 2, 2, "reference"},
                                         RefusalCase{"auto& r = data[i];", 2, 5, "reference"},
                                         RefusalCase{"const auto&& r = data[i];", 2, 11, "reference"},
                                         RefusalCase{"T (&r)[4] = *data;", 2, 4, "reference"},
                                         RefusalCase{"auto g = [&](T& a) { a = 1; };", 2, 15, "reference"},
                                         RefusalCase{"auto g = [&r = data[0]]() {};", 2, 11, "reference"},
                                         RefusalCase{"x = (T&)data[0];", 2, 7, "reference"},
                                         RefusalCase{"auto [a, b] = pairs[0];", 2, 6, "Structured bindings"},
                                         RefusalCase{"decltype(data[0]) y = data[1];", 2, 1, "auto"},
                                         RefusalCase{"T* q[2] = {p, p};", 2, 5, "Arrays of pointers"},
                                         RefusalCase{"T* (*q)[2] = p;", 2, 4, "Arrays of pointers"},
                                         RefusalCase{"T** q = &p;", 2, 3, "Pointers to pointers"},
                                         RefusalCase{"for (T a : data) x += a;", 2, 1, "a[i]"}),
                         nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(Members, RefusedStatement,
                         testing::Values(RefusalCase{"x = pairs[i].key;", 2, 13, "member of an element"},
                                         RefusalCase{"pairs[i].key = 1;", 2, 9, "member of an element"},
                                         RefusalCase{"x = pairs->key;", 2, 10, "member of an element"},
                                         RefusalCase{"x = (*pairs).key;", 2, 13, "member of an element"},
                                         RefusalCase{"x = (pairs[i]).key;", 2, 15, "member of an element"}),
                         nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(
    Words, RefusedStatement,
    testing::Values(
        RefusalCase{"goto end;", 2, 1, "goto"}, RefusalCase{"end: x = 1;", 2, 1, "goto"},
        RefusalCase{"switch (i) { case 1: break; }", 2, 1, "if and else if"},
        RefusalCase{"asm(\"bar.sync 0;\");", 2, 1, "assembly"},
        RefusalCase{"try { x = 1; } catch (...) {}", 2, 1, "exceptions"},
        RefusalCase{"p = new T[4];", 2, 5, "__shared__ array"}, RefusalCase{"delete p;", 2, 1, "delete"},
        RefusalCase{"memcpy(data, in, 4);", 2, 1, "loop over the elements"},
        RefusalCase{"memset(data, 0, 4);", 2, 1, "loop over the elements"},
        RefusalCase{"__builtin_memcpy(data, in, 4);", 2, 1, "loop over the elements"},
        RefusalCase{"auto g = memcpy;", 2, 10, "memcpy"}, RefusalCase{"x = __ldg(&in[i]);", 2, 5, "a[i]"},
        RefusalCase{"__stcg(p, x);", 2, 1, "a[i] = x"},
        RefusalCase{"__pipeline_memcpy_async(p, in, 4);", 2, 1, "a[i] = b[j]"},
        RefusalCase{"x = tex1Dfetch<T>(n, i);", 2, 5, "Texture"},
        RefusalCase{"surf2Dwrite(x, n, i, i);", 2, 1, "Surface"},
        RefusalCase{"std::swap(data[0], data[1]);", 2, 1, "std"},
        RefusalCase{"cg::sync(n);", 2, 1, "Cooperative groups"},
        RefusalCase{"x = __match_any_sync(~0u, x);", 2, 5, "__match_any_sync"},
        RefusalCase{"atomicDec(p, 3);", 2, 1, "atomicDec"},
        RefusalCase{"auto g = __syncthreads;", 2, 10, "only be called"},
        RefusalCase{"unknown(data);", 2, 1, "Define it"}, RefusalCase{"half h = 1;", 2, 1, "half"},
        RefusalCase{"x = other;", 2, 5, "Declare it"},
        RefusalCase{"recording::load(0, p, 0);", 2, 1, "belongs to the recorder"},
        RefusalCase{"x = i bitand *p;", 2, 7, "Write &"},
        RefusalCase{"static int count = 0;", 2, 1, "static"},
        RefusalCase{"static __device__ int count;", 2, 1, "static"},
        RefusalCase{"static __device__ int count(3);", 2, 1, "static"},
        RefusalCase{"int atomicAdd = 1;", 2, 5, "taken"}, RefusalCase{"namespace m = n;", 2, 1, "Namespaces"},
        RefusalCase{"k<<<1, 1>>>(in, data, pairs, n);", 2, 2, "launches"},
        RefusalCase{"x = sizeof data[0];", 2, 5, "parentheses"},
        RefusalCase{"typedef T* Pointer;", 2, 1, "using Name = type"},
        RefusalCase{"using Pointer = T*;", 2, 1, "hide a pointer"},
        RefusalCase{"int (*g)(int) = f;", 2, 5, "Function pointers"},
        RefusalCase{"x = data.*i;", 2, 9, "Pointers to members"}),
    nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(
    Expressions, RefusedStatement,
    testing::Values(RefusalCase{"if (int a = data[i]) x = a;", 2, 9, "Declare the variable before"},
                    RefusalCase{"while (int a = data[i]) x = a;", 2, 12, "Declare the variable before"},
                    RefusalCase{"if (i = 0; i < n) x = 1;", 2, 10, "Declare the variable before"},
                    RefusalCase{"while (i++, i < n) x = 1;", 2, 11, "comma"},
                    RefusalCase{"x = data[i, 1];", 2, 11, "comma"},
                    RefusalCase{"x = 3[data];", 2, 6, "before this ["},
                    RefusalCase{"x = \"abc\"[i];", 2, 10, "before this ["},
                    RefusalCase{"x = *\"abc\";", 2, 5, "after this *"},
                    RefusalCase{"__shared__ T t[4][5]; p = t[1];", 2, 27, "row"},
                    RefusalCase{"__shared__ T t[4][5]; x = *t[1];", 2, 28, "row"},
                    RefusalCase{"__shared__ T t[4][5]; x = **t;", 2, 27, "after this *"},
                    RefusalCase{"x = 1", 2, 1, "semicolon"}, RefusalCase{"if x = 1;", 2, 4, "parentheses"},
                    RefusalCase{"do x = 1;", 3, 1, "while"},
                    RefusalCase{"x = if (i) 1;", 2, 5, "cannot stand here"},
                    RefusalCase{"for (i = 0) x = 1;", 2, 1, "for"}),
    nameOfRefusal);

// A whole text.
class RefusedText : public testing::TestWithParam<RefusalCase> {};

TEST_P(RefusedText, IsRefused) {
  expectRefusal(GetParam().text, GetParam().line, GetParam().column, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(Tokens, RefusedText,
                         testing::Values(RefusalCase{"int a; /* open\n\n", 1, 8, "not closed"},
                                         RefusalCase{"int a;\nconst char* s = \"open;\n", 2, 17, "quotes"},
                                         RefusalCase{"int a = 1'';", 1, 9, "after a number"},
                                         RefusalCase{"char c = '';", 1, 10, "empty"},
                                         RefusalCase{"auto s = R\"(a[0])\";", 1, 10, "Raw strings"},
                                         RefusalCase{"int a<:3:>;", 1, 6, "digraph"},
                                         RefusalCase{"int a = 1 // b \\\n;", 1, 11, "backslash"},
                                         RefusalCase{"int a = 1 // b \\ \n;", 1, 11, "backslash"},
                                         RefusalCase{"int a @;", 1, 7, "character"},
                                         RefusalCase{"void f() { (", 1, 12, "not closed"},
                                         RefusalCase{"void f() { ] }", 1, 12, "closes nothing"}),
                         nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(
    Directives, RefusedText,
    testing::Values(RefusalCase{"#include <cuda_pipeline.h>\n", 1, 1, "#include"},
                    RefusalCase{"#include \"cooperative_groups.h\"\n", 1, 1, "#include"},
                    RefusalCase{"#include <cooperative_groups/scan.h>\n", 1, 1, "#include"},
                    RefusalCase{"#define AT(i) data[i]\n", 1, 1, "parameters"},
                    RefusalCase{"#define FIRST data[0]\n", 1, 1, "plain constant"},
                    RefusalCase{"#define STAR *p\n", 1, 1, "plain constant"},
                    RefusalCase{"#define SYNC __syncthreads()\n", 1, 1, "plain constant"},
                    RefusalCase{"#define SYNC __syncthreads\n", 1, 1, "plain constant"},
                    RefusalCase{"#define EMPTY\n", 1, 1, "plain constant"},
                    RefusalCase{"#define PLUS 1 +\n", 1, 1, "plain constant"},
                    RefusalCase{"#define if while\n", 1, 1, "another meaning"},
                    RefusalCase{"\n  #ifdef A\n#endif\n", 2, 3, "Conditional text"},
                    RefusalCase{"#pragma once\n", 1, 1, "#pragma unroll"},
                    RefusalCase{"#line 3\n", 1, 1, "not supported yet"},
                    RefusalCase{"#define A 1 \\\n + 2\n", 1, 1, "one line"}),
    nameOfRefusal);

INSTANTIATE_TEST_SUITE_P(
    Declarations, RefusedText,
    testing::Values(
        RefusalCase{"", 1, 1, "no kernel"}, RefusalCase{"__device__ void f() {}\n", 1, 1, "no kernel"},
        RefusalCase{"__global__ void a() {}\n__global__ void b() {}\n", 2, 1, "one __global__"},
        RefusalCase{"template <class X> __global__ void a(X* x) {}", 1, 20, "template"},
        RefusalCase{"__global__ void a(T*) {}", 1, 19, "type and a name"},
        RefusalCase{"__global__ void a(int n = 3) {}", 1, 25, "type and a name"},
        RefusalCase{"__global__ void a(T* p);", 1, 17, "no body"},
        RefusalCase{"__global__ void a(T& p) {}", 1, 20, "reference"},
        RefusalCase{"__device__ void f(T& a) {} __global__ void k(T* a) {}", 1, 20, "reference"},
        RefusalCase{"__device__ int counter; __global__ void k() {}", 1, 16, "outside of functions"},
        RefusalCase{"__device__ const T* table; __global__ void k() {}", 1, 21, "outside of functions"},
        RefusalCase{"__global__ void k(const T* rows[4]) {}", 1, 32, "Arrays of pointers"},
        RefusalCase{"struct S { T* rows[4][2]; }; __global__ void k(S s) {}", 1, 19, "Arrays of pointers"},
        RefusalCase{"struct S { void f() { T* rows[4]; } }; __global__ void k(S s) {}", 1, 30,
                    "Arrays of pointers"},
        RefusalCase{"constexpr int table[2] = {1, 2}; __global__ void k() {}", 1, 15, "array outside"},
        RefusalCase{"__constant__ int table[4]; __global__ void k() {}", 1, 1, "__constant__"},
        RefusalCase{"struct S { T* p; T operator[](int i) { return p[i]; } }; __global__ void k() {}", 1, 20,
                    "operator"},
        RefusalCase{"struct S { operator int() { return 1; } }; __global__ void k() {}", 1, 12, "operator"},
        RefusalCase{"template <class... X> __device__ void f() {} __global__ void k() {}", 1, 16, "packs"},
        RefusalCase{"__shared__ T a[4]; __global__ void k() {}", 1, 14, "outside of functions"},
        RefusalCase{"__device__ void f(T* t) {} __global__ void k() { T t[4][5]; }", 1, 22,
                    "other dimensions"}),
    nameOfRefusal);

TEST(RefusedText, TooManySites) {
  std::string text = "__global__ void k(T* a) {\n";
  for (int line = 0; line < 4097; ++line) text += "a[0] = 1;\n";
  expectRefusal(text + "}\n", 4098, 1, "Only 4096");
}

}  // namespace
}  // namespace stridescope::instrument
