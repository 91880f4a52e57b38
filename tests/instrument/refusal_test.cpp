// What the text pass refuses, where, and what it says.
#include <gtest/gtest.h>

#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

struct Case {
  const char* text;
  int line, column;
  const char* reason;  // a part of it
};

std::string nameOf(const testing::TestParamInfo<Case>& info) { return "Case" + std::to_string(info.index); }

void expectRefusal(const std::string& text, int line, int column, const char* reason) {
  const auto result = instrument(text);
  ASSERT_FALSE(result) << text << "\nbecame\n" << result->text;
  EXPECT_EQ(result.error().line, line) << result.error().reason;
  EXPECT_EQ(result.error().column, column) << result.error().reason;
  EXPECT_NE(result.error().reason.find(reason), std::string::npos) << result.error().reason;
  EXPECT_TRUE(result.error().reason.ends_with('.') || result.error().reason.ends_with(';'));
}

// A statement in a kernel, at the beginning of line 2.
class RefusedStatement : public testing::TestWithParam<Case> {};

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
    testing::Values(Case{"__shared__ int n;", 2, 16, "something else"},
                    Case{"__shared__ int a[2], x;", 2, 22, "something else"},
                    Case{"__shared__ T a[2] = {1, 2};", 2, 19, "initializer"},
                    Case{"__shared__ int b; auto g = [b]() { return b; };", 2, 29, "capture"},
                    Case{"__shared__ int b; auto g = [&b]() { return b; };", 2, 30, "capture"},
                    Case{"__shared__ int b = 3;", 2, 18, "initializer"},
                    Case{"extern __shared__ int b;", 2, 23, "empty brackets"},
                    Case{"__shared__ Pair b; x = b.key;", 2, 25, "member of an element"},
                    Case{"__shared__ T a[];", 2, 14, "no size"},
                    Case{"extern __shared__ T a[4];", 2, 21, "empty brackets"},
                    Case{"extern __shared__ T a[]; extern __shared__ T b[];", 2, 46, "same memory"},
                    Case{"__shared__ T* a[4];", 2, 16, "offsets"}, Case{"__shared__ T* a;", 2, 13, "offsets"},
                    Case{"__shared__ alignas(16) T a[4];", 2, 12, "Alignment"},
                    Case{"static __shared__ T a[4];", 2, 8, "__shared__ first"},
                    Case{"__shared__ T\na[4];", 2, 1, "one line"},
                    Case{"__shared__ T a[4 /* four */];", 2, 1, "comments"},
                    Case{"__shared__ T a[1], b[1], c[1], d[1], e[1], g[1], h[1], o[1];", 2, 56, "Only 7"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(References, RefusedStatement,
                         testing::Values(Case{"T& r = data[i];", 2, 2, "reference"},
                                         Case{"auto& r = data[i];", 2, 5, "reference"},
                                         Case{"const auto&& r = data[i];", 2, 11, "reference"},
                                         Case{"T (&r)[4] = *data;", 2, 4, "reference"},
                                         Case{"auto g = [&](T& a) { a = 1; };", 2, 15, "reference"},
                                         Case{"auto g = [&r = data[0]]() {};", 2, 11, "reference"},
                                         Case{"x = (T&)data[0];", 2, 7, "reference"},
                                         Case{"auto [a, b] = pairs[0];", 2, 6, "Structured bindings"},
                                         Case{"decltype(data[0]) y = data[1];", 2, 1, "auto"},
                                         Case{"T* q[2] = {p, p};", 2, 5, "Arrays of pointers"},
                                         Case{"T* (*q)[2] = p;", 2, 4, "Arrays of pointers"},
                                         Case{"T** q = &p;", 2, 3, "Pointers to pointers"},
                                         Case{"for (T a : data) x += a;", 2, 1, "a[i]"}),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(Members, RefusedStatement,
                         testing::Values(Case{"x = pairs[i].key;", 2, 13, "member of an element"},
                                         Case{"pairs[i].key = 1;", 2, 9, "member of an element"},
                                         Case{"x = pairs->key;", 2, 10, "member of an element"},
                                         Case{"x = (*pairs).key;", 2, 13, "member of an element"},
                                         Case{"x = (pairs[i]).key;", 2, 15, "member of an element"}),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(
    Words, RefusedStatement,
    testing::Values(
        Case{"goto end;", 2, 1, "goto"}, Case{"end: x = 1;", 2, 1, "end"},
        Case{"switch (i) { case 1: break; }", 2, 1, "if and else if"},
        Case{"asm(\"bar.sync 0;\");", 2, 1, "assembly"},
        Case{"try { x = 1; } catch (...) {}", 2, 1, "exceptions"},
        Case{"p = new T[4];", 2, 5, "__shared__ array"}, Case{"delete p;", 2, 1, "delete"},
        Case{"memcpy(data, in, 4);", 2, 1, "loop over the elements"},
        Case{"memset(data, 0, 4);", 2, 1, "loop over the elements"},
        Case{"__builtin_memcpy(data, in, 4);", 2, 1, "loop over the elements"},
        Case{"auto g = memcpy;", 2, 10, "memcpy"}, Case{"x = __ldg(&in[i]);", 2, 5, "a[i]"},
        Case{"__stcg(p, x);", 2, 1, "a[i] = x"},
        Case{"__pipeline_memcpy_async(p, in, 4);", 2, 1, "a[i] = b[j]"},
        Case{"x = tex1Dfetch<T>(n, i);", 2, 5, "Texture"}, Case{"surf2Dwrite(x, n, i, i);", 2, 1, "Surface"},
        Case{"std::swap(data[0], data[1]);", 2, 1, "std"}, Case{"cg::sync(n);", 2, 1, "Cooperative groups"},
        Case{"x = __match_any_sync(~0u, x);", 2, 5, "__match_any_sync"},
        Case{"atomicDec(p, 3);", 2, 1, "atomicDec"}, Case{"auto g = __syncthreads;", 2, 10, "only be called"},
        Case{"unknown(data);", 2, 1, "Define it"}, Case{"half h = 1;", 2, 1, "half"},
        Case{"x = other;", 2, 5, "Declare it"},
        Case{"recording::load(0, p, 0);", 2, 1, "belongs to the recorder"},
        Case{"x = i bitand *p;", 2, 7, "Write &"}, Case{"static int count = 0;", 2, 1, "static"},
        Case{"static __device__ int count;", 2, 1, "static"},
        Case{"static __device__ int count(3);", 2, 1, "static"}, Case{"int atomicAdd = 1;", 2, 5, "taken"},
        Case{"namespace m = n;", 2, 1, "Namespaces"},
        Case{"k<<<1, 1>>>(in, data, pairs, n);", 2, 2, "launches"},
        Case{"x = sizeof data[0];", 2, 5, "parentheses"},
        Case{"typedef T* Pointer;", 2, 1, "using Name = type"},
        Case{"using Pointer = T*;", 2, 1, "hide a pointer"},
        Case{"int (*g)(int) = f;", 2, 5, "Function pointers"},
        Case{"x = data.*i;", 2, 9, "Pointers to members"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Expressions, RefusedStatement,
    testing::Values(
        Case{"if (int a = data[i]) x = a;", 2, 9, "Declare the variable before"},
        Case{"while (int a = data[i]) x = a;", 2, 12, "Declare the variable before"},
        Case{"if (i = 0; i < n) x = 1;", 2, 10, "Declare the variable before"},
        Case{"while (i++, i < n) x = 1;", 2, 11, "comma"}, Case{"x = data[i, 1];", 2, 11, "comma"},
        Case{"x = 3[data];", 2, 6, "before this ["}, Case{"x = \"abc\"[i];", 2, 10, "before this ["},
        Case{"x = *\"abc\";", 2, 5, "after this *"}, Case{"__shared__ T t[4][5]; p = t[1];", 2, 27, "row"},
        Case{"__shared__ T t[4][5]; x = *t[1];", 2, 28, "row"},
        Case{"__shared__ T t[4][5]; x = **t;", 2, 27, "after this *"}, Case{"x = 1", 2, 1, "semicolon"},
        Case{"if x = 1;", 2, 4, "parentheses"}, Case{"do x = 1;", 3, 1, "while"},
        Case{"x = if (i) 1;", 2, 5, "cannot stand here"}, Case{"for (i = 0) x = 1;", 2, 1, "for"}),
    nameOf);

// A whole text.
class RefusedText : public testing::TestWithParam<Case> {};

TEST_P(RefusedText, IsRefused) {
  expectRefusal(GetParam().text, GetParam().line, GetParam().column, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Tokens, RefusedText,
    testing::Values(Case{"int a; /* open\n\n", 1, 8, "not closed"},
                    Case{"int a;\nconst char* s = \"open;\n", 2, 17, "quotes"},
                    Case{"int a = 1'';", 1, 9, "after a number"}, Case{"char c = '';", 1, 10, "empty"},
                    Case{"auto s = R\"(a[0])\";", 1, 10, "Raw strings"}, Case{"int a<:3:>;", 1, 6, "digraph"},
                    Case{"int a = 1 // b \\\n;", 1, 11, "backslash"},
                    Case{"int a = 1 // b \\ \n;", 1, 11, "backslash"}, Case{"int a @;", 1, 7, "character"},
                    Case{"void f() { (", 1, 12, "not closed"},
                    Case{"void f() { ] }", 1, 12, "closes nothing"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(Directives, RefusedText,
                         testing::Values(Case{"#include <cuda_pipeline.h>\n", 1, 1, "#include"},
                                         Case{"#include \"cooperative_groups.h\"\n", 1, 1, "#include"},
                                         Case{"#include <cooperative_groups/scan.h>\n", 1, 1, "#include"},
                                         Case{"#define AT(i) data[i]\n", 1, 1, "parameters"},
                                         Case{"#define FIRST data[0]\n", 1, 1, "plain constant"},
                                         Case{"#define STAR *p\n", 1, 1, "plain constant"},
                                         Case{"#define SYNC __syncthreads()\n", 1, 1, "plain constant"},
                                         Case{"#define SYNC __syncthreads\n", 1, 1, "plain constant"},
                                         Case{"#define EMPTY\n", 1, 1, "plain constant"},
                                         Case{"#define PLUS 1 +\n", 1, 1, "plain constant"},
                                         Case{"#define if while\n", 1, 1, "another meaning"},
                                         Case{"\n  #ifdef A\n#endif\n", 2, 3, "Conditional text"},
                                         Case{"#pragma once\n", 1, 1, "#pragma unroll"},
                                         Case{"#line 3\n", 1, 1, "not supported yet"},
                                         Case{"#define A 1 \\\n + 2\n", 1, 1, "one line"}),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(
    Declarations, RefusedText,
    testing::Values(
        Case{"", 1, 1, "no kernel"}, Case{"__device__ void f() {}\n", 1, 1, "no kernel"},
        Case{"__global__ void a() {}\n__global__ void b() {}\n", 2, 1, "one __global__"},
        Case{"template <class X> __global__ void a(X* x) {}", 1, 20, "template"},
        Case{"__global__ void a(T*) {}", 1, 19, "type and a name"},
        Case{"__global__ void a(int n = 3) {}", 1, 25, "type and a name"},
        Case{"__global__ void a(T* p);", 1, 17, "no body"},
        Case{"__global__ void a(T& p) {}", 1, 20, "reference"},
        Case{"__device__ void f(T& a) {} __global__ void k(T* a) {}", 1, 20, "reference"},
        Case{"__device__ int counter; __global__ void k() {}", 1, 16, "outside of functions"},
        Case{"__device__ const T* table; __global__ void k() {}", 1, 21, "outside of functions"},
        Case{"__global__ void k(const T* rows[4]) {}", 1, 32, "Arrays of pointers"},
        Case{"constexpr int table[2] = {1, 2}; __global__ void k() {}", 1, 15, "array outside"},
        Case{"__constant__ int table[4]; __global__ void k() {}", 1, 1, "__constant__"},
        Case{"struct S { T* p; T operator[](int i) { return p[i]; } }; __global__ void k() {}", 1, 20,
             "operator"},
        Case{"struct S { operator int() { return 1; } }; __global__ void k() {}", 1, 12, "operator"},
        Case{"template <class... X> __device__ void f() {} __global__ void k() {}", 1, 16, "packs"},
        Case{"__shared__ T a[4]; __global__ void k() {}", 1, 14, "outside of functions"},
        Case{"__device__ void f(T* t) {} __global__ void k() { T t[4][5]; }", 1, 22, "other dimensions"}),
    nameOf);

TEST(RefusedText, TooManySites) {
  std::string text = "__global__ void k(T* a) {\n";
  for (int line = 0; line < 4097; ++line) text += "a[0] = 1;\n";
  expectRefusal(text + "}\n", 4098, 1, "Only 4096");
}

}  // namespace
}  // namespace stridescope::instrument
