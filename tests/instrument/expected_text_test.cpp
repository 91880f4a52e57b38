// What single statements become, written by hand from CALLS.md.
#include <gtest/gtest.h>

#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

struct Case {
  const char* statement;
  const char* expected;
};

const std::string kHead =
    "__device__ T* cell(T* base, int at) { return base + at; } "
    "__global__ void k(const T* in, T* data, int n) { T* p = data; int i = 0, j = 1; int x = 0; "
    "__shared__ T rows[4][5]; T own[4], table[2][3]; ";
const std::string kExpectedHead =
    "__device__ T* cell(T* base, int at) { return base + at; } "
    "__global__ void k(const T* in, T* data, int n) { T* p = data; int i = 0, j = 1; int x = 0; "
    "RECORDING_SHARED_STATIC(0, rows, T, [4][5]); T own[4], table[2][3]; ";
const std::string kTail = " }";

class ExpectedText : public testing::TestWithParam<Case> {};

TEST_P(ExpectedText, Statement) {
  const auto result = instrument(kHead + GetParam().statement + kTail);
  ASSERT_TRUE(result) << result.error().column << ": " << result.error().reason;
  EXPECT_EQ(result->text, kExpectedHead + GetParam().expected + kTail);
}

INSTANTIATE_TEST_SUITE_P(
    Accesses, ExpectedText,
    testing::Values(
        Case{"x = data[i];", "x = recording::load(0, data, i);"},
        Case{"data[i] = x;", "recording::store(0, data, i) = x;"},
        Case{"data[i] += in[j];", "recording::update(1, data, i) += recording::load(0, in, j);"},
        Case{"data[i]++;", "recording::update(0, data, i)++;"},
        Case{"--data[i];", "--recording::update(0, data, i);"},
        Case{"x = -data[i];", "x = -recording::load(0, data, i);"},
        Case{"x = data[in[i]];", "x = recording::load(1, data, recording::load(0, in, i));"},
        Case{"x = i++ * data[i];", "x = i++ * recording::load(0, data, i);"},
        Case{"(data[i]) = x;", "(recording::store(0, data, i)) = x;"},
        Case{"data[i] >>= 1;", "recording::update(0, data, i) >>= 1;"},
        Case{"data[i] == x;", "recording::load(0, data, i) == x;"},
        Case{"x = rows[i][j];", "x = recording::load(0, rows[i], j);"},
        Case{"x = (data + 1)[i];", "x = recording::load(0, (data + 1), i);"},
        Case{"x = cell(data, 1)[i];", "x = recording::load(0, cell(data, 1), i);"},
        Case{"x = reinterpret_cast<T*>(p)[i];", "x = recording::load(0, reinterpret_cast<T*>(p), i);"},
        Case{"x = ((T*)p)[i];", "x = recording::load(0, ((T*)p), i);"},
        Case{"data[i] = data[j] = x;", "recording::store(1, data, i) = recording::store(0, data, j) = x;"}));

INSTANTIATE_TEST_SUITE_P(
    Dereferences, ExpectedText,
    testing::Values(Case{"x = *p;", "x = recording::load(0, p, 0);"},
                    Case{"*p = x;", "recording::store(0, p, 0) = x;"},
                    Case{"*p++ = x;", "recording::store(0, p++, 0) = x;"},
                    Case{"(*p)++;", "(recording::update(0, p, 0))++;"},
                    Case{"x = i * *p;", "x = i * recording::load(0, p, 0);"},
                    Case{"x = x * i * j;", "x = x * i * j;"}, Case{"x = (x) * i;", "x = (x) * i;"},
                    Case{"x = (T)*p;", "x = (T)recording::load(0, p, 0);"},
                    Case{"x = i++ * x;", "x = i++ * x;"}, Case{"x = sizeof(T) * i;", "x = sizeof(T) * i;"},
                    Case{"x = *(data + i);", "x = recording::load(0, (data + i), 0);"},
                    Case{"*cell(data, i) = x;", "recording::store(0, cell(data, i), 0) = x;"},
                    Case{"x = *(const T*)p;", "x = recording::load(0, (const T*)p, 0);"},
                    Case{"x = i && *p;", "x = i && recording::load(0, p, 0);"},
                    Case{"return *p, void();", "return recording::load(0, p, 0), void();"},
                    Case{"if (i) *p = x;", "if (recording::branch(0, i)) recording::store(1, p, 0) = x;"}));

INSTANTIATE_TEST_SUITE_P(
    AddressesAndDeclarations, ExpectedText,
    testing::Values(Case{"p = &data[i];", "p = &data[i];"},
                    Case{"p = &data[in[i]];", "p = &data[recording::load(0, in, i)];"},
                    Case{"p = &rows[i][0];", "p = &rows[i][0];"},
                    Case{"x = i & data[j];", "x = i & recording::load(0, data, j);"},
                    Case{"int y[4], z = data[i], *q;", "int y[4], z = recording::load(0, data, i), *q;"},
                    Case{"T (*grid)[5] = rows;", "T (*grid)[5] = rows;"},
                    Case{"x = sizeof(data[i]);", "x = sizeof(data[i]);"},
                    Case{"x = T(*p) + T(data[0]);",
                         "x = recording::InOrder{[&](auto recording_1, auto recording_2) { return "
                         "recording_1 + recording_2; }, T(recording::load(0, p, 0)), "
                         "T(recording::load(1, data, 0))}();"},
                    Case{"T y(data[0]), z{data[1]};",
                         "T y(recording::load(0, data, 0)), z{recording::load(1, data, 1)};"},
                    Case{"x = *&data[i];", "x = recording::load(0, &data[i], 0);"},
                    Case{"auto f = [&](int k) { return data[k]; };",
                         "auto f = [&](int k) { return recording::load(0, data, k); };"}));

INSTANTIATE_TEST_SUITE_P(
    ControlFlow, ExpectedText,
    testing::Values(Case{"for (;;) break;", "for (;recording::branch(0, true);) break;"},
                    Case{"while (true) break;", "while (recording::branch(0, true)) break;"},
                    Case{"do i--; while (i > 0);", "do i--; while (recording::branch(0, i > 0));"},
                    Case{"if (data[i] > x) j = 1; else j = 2;",
                         "if (recording::branch(1, recording::load(0, data, i) > x)) j = 1; else j = 2;"},
                    Case{"if ((x = data[i]) > 1) j = 1;",
                         "if (recording::branch(1, (x = recording::load(0, data, i)) > 1)) j = 1;"},
                    Case{"if constexpr (sizeof(T) == 4) j = 1;", "if constexpr (sizeof(T) == 4) j = 1;"},
                    Case{"x = i ? data[0] : data[1];",
                         "x = i ? recording::load(0, data, 0) : recording::load(1, data, 1);"},
                    Case{"for (i = 0; i < n; data[i]++) x = in[i];",
                         "for (i = 0; recording::branch(0, i < n); recording::update(2, data, i)++) "
                         "x = recording::load(1, in, i);"}));

INSTANTIATE_TEST_SUITE_P(
    Operations, ExpectedText,
    testing::Values(
        Case{"__syncthreads();", "recording::syncthreads(0);"},
        Case{"i = __syncthreads_count(x > 1);", "i = recording::syncthreads_count(0, x > 1);"},
        Case{"__syncwarp();", "recording::syncwarp(0);"},
        Case{"__syncwarp(15);", "recording::syncwarp(0, 15);"},
        Case{"x += __shfl_down_sync(~0u, x, 16);", "x += recording::shfl_down_sync(0, ~0u, x, 16);"},
        Case{"i = __ballot_sync(~0u, data[i] > 1);",
             "i = recording::ballot_sync(1, ~0u, recording::load(0, data, i) > 1);"},
        Case{"i = __activemask();", "i = recording::activemask(0);"},
        Case{"x = __reduce_max_sync(~0u, x);", "x = recording::reduce_max_sync(0, ~0u, x);"},
        Case{"atomicAdd(&data[0], in[i]);", "recording::atomicAdd(1, &data[0], recording::load(0, in, i));"},
        Case{"data[i] = atomicCAS(p, 0, 1);",
             "recording::store(1, data, i) = recording::atomicCAS(0, p, 0, 1);"},
        Case{"x = combineWarp(x + data[0]);",
             "x = RECORDING_COMBINE_WARP(1, x + recording::load(0, data, 0));"},
        Case{"combineAtomically(data, x);", "RECORDING_COMBINE_ATOMICALLY(0, data, x);"},
        Case{"i = __nv_atomic_load_n(&p[in[i]], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);",
             "i = RECORDING_ATOMIC_LOAD(1, &p[recording::load(0, in, i)], __NV_ATOMIC_ACQUIRE, "
             "__NV_THREAD_SCOPE_DEVICE);"},
        Case{"__nv_atomic_store_n(p, i, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);",
             "RECORDING_ATOMIC_STORE(0, p, i, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);"},
        Case{"if (__nv_atomic_fetch_add(p, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK) == 3) i = 1;",
             "if (recording::branch(1, RECORDING_ATOMIC_FETCH_ADD(0, p, 1, __NV_ATOMIC_ACQ_REL, "
             "__NV_THREAD_SCOPE_BLOCK) == 3)) i = 1;"},
        Case{"__threadfence();", "__threadfence();"}));

// Where C++ leaves the order to the compiler, the recorded operands stand in braces.
#define IN_ORDER_2(rest) "recording::InOrder{[&](auto recording_1, auto recording_2) { return " rest "; }, "
#define IN_ORDER_3(rest) \
  "recording::InOrder{[&](auto recording_1, auto recording_2, auto recording_3) { return " rest "; }, "

INSTANTIATE_TEST_SUITE_P(
    OpenOrder, ExpectedText,
    testing::Values(
        Case{"x = combine(in[0], in[1]);",
             "x = " IN_ORDER_2("combine(recording_1, recording_2)") "recording::load(0, in, 0), "
                                                                    "recording::load(1, in, 1)}();"},
        Case{"x = -in[0] + i * in[1] - ~in[2];",
             "x = " IN_ORDER_3(
                 "recording_1 + i * recording_2 - recording_3") "-recording::load(0, in, 0), "
                                                                "recording::load(1, in, 1), "
                                                                "~recording::load(2, in, 2)}();"},
        Case{"if (in[0] < in[1] && in[2]) j = 1;",
             "if (recording::branch(3, " IN_ORDER_2(
                 "recording_1 < recording_2") "recording::load(0, in, 0), "
                                              "recording::load(1, in, 1)}() && recording::load(2, in, 2))) j "
                                              "= 1;"},
        Case{"x = i ? in[0] : in[1] + in[2];",
             "x = i ? recording::load(0, in, 0) : " IN_ORDER_2(
                 "recording_1 + recording_2") "recording::load(1, in, 1), recording::load(2, in, 2)}();"},
        Case{"x = max(0, combine(in[0], in[1])) * in[2]++;",
             "x = " IN_ORDER_2("recording_1 * recording_2") "max(0, " IN_ORDER_2(
                 "combine(recording_1, recording_2)") "recording::load(0, in, 0), recording::load(1, in, "
                                                      "1)}()), "
                                                      "recording::update(2, in, 2)++}();"},
        Case{"x = combine(in[0],  // the first\n  in[1]);",
             "x = " IN_ORDER_2(
                 "combine(recording_1,  // the first\n  recording_2)") "recording::load(0, in, 0), "
                                                                       "recording::load(1, in, 1)}();"},
        Case{"x = atomicAdd(&data[in[0]], in[1]);",
             "x = " IN_ORDER_2(
                 "recording::atomicAdd(2, recording_1, recording_2)") "&data[recording::load(0, in, 0)], "
                                                                      "recording::load(1, in, 1)}();"},
        Case{"x = rows[in[0]][in[1]];",
             "x = recording::load(2, recording::At{rows[recording::load(0, in, 0)], recording::load(1, in, "
             "1)});"},
        Case{"rows[in[0]][in[1]] = in[2];",
             "recording::store(3, recording::At{rows[recording::load(1, in, 0)], recording::load(2, in, 1)}) "
             "= "
             "recording::load(0, in, 2);"},
        Case{"auto f = [&](int k) { return data[k]; }; x = f(0) / f(1);",
             "auto f = [&](int k) { return recording::load(0, data, k); }; x = " IN_ORDER_2(
                 "recording_1 / recording_2") "f(0), f(1)}();"},
        Case{"x = cell(data, in[0])[i] % cell(data, 1)[0];",
             "x = " IN_ORDER_2(
                 "recording_1 % recording_2") "recording::load(1, cell(data, recording::load(0, in, 0)), i), "
                                              "recording::load(2, cell(data, 1), 0)}();"},
        Case{"x = i++ << in[0] + in[1] < in[2] >> 1;",
             "x = " IN_ORDER_2("recording_1 < recording_2") "i++ << " IN_ORDER_2(
                 "recording_1 + recording_2") "recording::load(0, in, 0), recording::load(1, in, 1)}(), "
                                              "recording::load(2, in, 2) >> 1}();"}));

// What C++ itself has in order stays as it is, and so does what is recorded once.
INSTANTIATE_TEST_SUITE_P(
    FixedOrder, ExpectedText,
    testing::Values(
        Case{"x = in[0], j = in[1];", "x = recording::load(0, in, 0), j = recording::load(1, in, 1);"},
        Case{"x = in[0] << in[1] >> in[2];",
             "x = recording::load(0, in, 0) << recording::load(1, in, 1) >> recording::load(2, in, 2);"},
        Case{"x = in[0] || in[1];", "x = recording::load(0, in, 0) || recording::load(1, in, 1);"},
        Case{"x = in[0] ? in[1] : in[2];",
             "x = recording::load(0, in, 0) ? recording::load(1, in, 1) : recording::load(2, in, 2);"},
        Case{"data[in[0]] = in[1];",
             "recording::store(2, data, recording::load(1, in, 0)) = recording::load(0, in, 1);"},
        Case{"int y[2] = {in[0], in[1]};",
             "int y[2] = {recording::load(0, in, 0), recording::load(1, in, 1)};"},
        Case{"x = combine(in[0], x) + own[i] * j;",
             "x = combine(recording::load(0, in, 0), x) + own[i] * j;"},
        Case{"x = *cell(data, 1) + sizeof(in[0]) + i;",
             "x = recording::load(0, cell(data, 1), 0) + sizeof(in[0]) + i;"}));

TEST(OpenOrder, IsRefusedWhereItCannotBeFixed) {
  const auto reasonOf = [](const std::string& statement) {
    const auto result = instrument(kHead + "struct Two { T a, b; }; " + statement + kTail);
    return result ? std::string() : result.error().reason;
  };
  EXPECT_EQ(reasonOf("Two two(in[0], in[1]);"),
            "C++ leaves the order of these accesses open. Write braces for the parentheses.");
  EXPECT_EQ(reasonOf("Two two{in[0], in[1]};"), "");
  EXPECT_EQ(reasonOf("x = combine({in[0]}, in[1]);"),
            "C++ leaves open when this list is evaluated. Give it a name first.");
  EXPECT_EQ(reasonOf("x = combine({0}, in[1]);"), "");
  EXPECT_EQ(reasonOf("T v; v = in[0] + in[1] v += in[2] + in[3];"),
            "An operator or a semicolon is missing before this or after it. Write it.");
}

INSTANTIATE_TEST_SUITE_P(
    OwnArrays, ExpectedText,
    testing::Values(Case{"own[i] = data[i];", "own[i] = recording::load(0, data, i);"},
                    Case{"own[0] += own[1]++;", "own[0] += own[1]++;"},
                    Case{"x = table[i][j] + table[0][own[1]];", "x = table[i][j] + table[0][own[1]];"},
                    Case{"p = table[1];", "p = table[1];"},
                    Case{"x = own[in[i]];", "x = own[recording::load(0, in, i)];"},
                    Case{"x = (own)[i] + *own;",
                         "x = recording::InOrder{[&](auto recording_1, auto recording_2) { return "
                         "recording_1 + recording_2; }, recording::load(0, (own), i), "
                         "recording::load(1, own, 0)}();"},
                    Case{"if (own[i]) j = 1;", "if (recording::branch(0, own[i])) j = 1;"}));

// Structs of 16 bytes, as kernels load them.
std::string inPackKernel(const std::string& statement, const std::string& otherStruct = "struct Far {};") {
  return "struct alignas(16) Pack { T values[16 / sizeof(T)]; }; " + otherStruct +
         " __global__ void k(const T* in, const Pack* packs, Far far) { __shared__ Pack tile[8]; Pack p[4], "
         "q; "
         "T sum[4]; int i = 0; " +
         statement + " }";
}

TEST(Packs, OneLoadAndNothingOfItsMembers) {
  const auto result =
      instrument(inPackKernel("q = packs[i]; p[i] = reinterpret_cast<const Pack*>(in)[i]; tile[i] = p[0];\n"
                              "#pragma unroll\n"
                              "for (int k = 0; k < 4; ++k) sum[k] = combine(p[i].values[k], q.values[k]);"));
  ASSERT_TRUE(result) << result.error().reason;
  const std::string text = result->text.substr(result->text.find("q = "));
  EXPECT_EQ(
      text,
      "q = recording::load(0, packs, i); p[i] = recording::load(1, reinterpret_cast<const Pack*>(in), i); "
      "recording::store(2, tile, i) = p[0];\n"
      "#pragma unroll\n"
      "for (int k = 0; recording::branch(3, k < 4); ++k) sum[k] = combine(p[i].values[k], "
      "q.values[k]); }");
}

// `values` is a pointer in one struct and an array in the other: nothing is left out.
TEST(Packs, PointersInStructsAreRecorded) {
  const auto result = instrument(
      "struct Far { T* cells; T own[2]; }; __global__ void k(Far far) { far.cells[1] = far.own[1]; }");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_NE(result->text.find("recording::store(0, far.cells, 1) = far.own[1];"), std::string::npos)
      << result->text;
  const auto both =
      instrument(inPackKernel("sum[0] = far.values[0] + q.values[0];", "struct Far { const T* values; };"));
  ASSERT_TRUE(both) << both.error().reason;
  EXPECT_NE(both->text.find("sum[0] = recording::InOrder{[&](auto recording_1, auto recording_2) { return "
                            "recording_1 + recording_2; }, recording::load(0, far.values, 0), "
                            "recording::load(1, q.values, 0)}();"),
            std::string::npos)
      << both->text;
}

TEST(Packs, MembersOfSharedAndGlobalOnesAreRefused) {
  EXPECT_FALSE(instrument(inPackKernel("sum[0] = tile[0].values[0];")));
  EXPECT_FALSE(instrument(inPackKernel("sum[0] = packs[0].values[0];")));
}

// What is an own array in one function may be a pointer in another.
TEST(OwnArrays, GoByAllDeclarationsOfTheirName) {
  const auto result = instrument(
      "__device__ T f(T* sum) { return sum[0]; } __device__ T g(T rest[4]) { return rest[0]; } "
      "__global__ void k(T* out) { T sum[2], rest[4], last[2]; sum[1] = rest[1] = last[1]; }");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_NE(result->text.find("return recording::load(0, sum, 0)"), std::string::npos) << result->text;
  EXPECT_NE(result->text.find("return recording::load(1, rest, 0)"), std::string::npos) << result->text;
  EXPECT_NE(result->text.find("recording::store(3, sum, 1) = recording::store(2, rest, 1) = last[1];"),
            std::string::npos)
      << result->text;
}

INSTANTIATE_TEST_SUITE_P(
    SharedVariables, ExpectedText,
    testing::Values(
        Case{"__shared__ bool last; last = i == 0; if (last) j = 1;",
             "RECORDING_SHARED_STATIC(1, last, bool, [1]); recording::store(0, last, 0) = i == 0; "
             "if (recording::branch(2, recording::load(1, last, 0))) j = 1;"},
        Case{"__shared__ unsigned count, more[4]; count++; count += more[count];",
             "RECORDING_SHARED_STATIC(1, count, unsigned, [1]);RECORDING_SHARED_STATIC(2, more, unsigned, "
             "[4]); "
             "recording::update(0, count, 0)++; recording::update(3, count, 0) += "
             "recording::load(2, more, recording::load(1, count, 0));"},
        Case{"__shared__ unsigned count; i = atomicAdd(&count, 1u) + sizeof(count);",
             "RECORDING_SHARED_STATIC(1, count, unsigned, [1]); "
             "i = recording::atomicAdd(0, &count[0], 1u) + sizeof(count);"},
        Case{"volatile __shared__ T v[4]; v[i] = v[j];",
             "RECORDING_SHARED_STATIC(1, v, volatile T, [4]); recording::store(1, v, i) = recording::load(0, "
             "v, "
             "j);"},
        Case{"extern volatile __shared__ T v[];", "RECORDING_SHARED_DYNAMIC(1, v, volatile T);"},
        Case{"volatile T* q = data; q[i] += q[i + 16];",
             "volatile T* q = data; recording::update(1, q, i) += recording::load(0, q, i + 16);"}));

INSTANTIATE_TEST_SUITE_P(
    SharedMemory, ExpectedText,
    testing::Values(
        Case{"extern __shared__ T s[];", "RECORDING_SHARED_DYNAMIC(1, s, T);"},
        Case{"__shared__ T s[8][33];", "RECORDING_SHARED_STATIC(1, s, T, [8][33]);"},
        Case{"__shared__ int s[2 * 4], t[3];",
             "RECORDING_SHARED_STATIC(1, s, int, [2 * 4]);RECORDING_SHARED_STATIC(2, t, int, [3]);"},
        Case{"__shared__ unsigned long long s[4];",
             "RECORDING_SHARED_STATIC(1, s, unsigned long long, [4]);"}));

TEST(Signature, KernelAndParameters) {
  const auto result = instrument(
      "__device__ T f(T a) { return a; }\n"
      "extern \"C\" __global__ void __launch_bounds__(256, 2) sum(const T* __restrict__ in, T *out, "
      "unsigned long long n, T (*grid)[33], T rows[4]) {}");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(result->kernel, "sum");
  EXPECT_EQ(result->parameters, (std::vector<std::string>{"in", "out", "n", "grid", "rows"}));
  EXPECT_TRUE(instrument("__global__ void k() {}")->parameters.empty());
  EXPECT_TRUE(instrument("__global__ void k(void) {}")->parameters.empty());
}

TEST(Shared, DeclarationsInOrder) {
  const auto result = instrument(
      "__global__ void k() {\n"
      "  extern __shared__ T data[];\n"
      "  __shared__ volatile int flags[8][33];\n"
      "  __shared__ bool last;\n"
      "}");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(
      result->shared,
      (std::vector<SharedDeclaration>{
          {.name = "data", .elementType = "T", .extent = "", .line = 2, .dynamic = true},
          {.name = "flags", .elementType = "volatile int", .extent = "[8][33]", .line = 3, .dynamic = false},
          {.name = "last", .elementType = "bool", .extent = "", .line = 4, .dynamic = false}}));
}

// What variables of the element type become is recorded; what other variables become is not.
std::string becomesOf(const std::string& statements) {
  const std::string head = "__global__ void k(const T* in, int n) { T v = 0; ";
  const auto result = instrument(head + statements + " }");
  if (!result) return result.error().reason;
  const std::string changed = "__global__ void k(const T* in, int n) { T v = recording::value<T>(0, 0); ";
  if (!result->text.starts_with(changed)) return result->text;
  return result->text.substr(changed.size(), result->text.size() - changed.size() - 2);
}

TEST(Assignments, OfTheElementTypeAreRecorded) {
  EXPECT_EQ(becomesOf("v = in[0];"), "v = recording::value<T>(2, recording::load(1, in, 0));");
  EXPECT_EQ(becomesOf("v += in[0] * v;"), "recording::value<T>(2, v += recording::load(1, in, 0) * v);");
  EXPECT_EQ(becomesOf("++v;"), "recording::value<T>(1, ++v);");
  EXPECT_EQ(becomesOf("T a = v, b = combine(a, v);"),
            "T a = recording::value<T>(1, v), b = recording::value<T>(2, combine(a, v));");
  EXPECT_EQ(becomesOf("T w = v = identity;"),
            "T w = recording::value<T>(2, v = recording::value<T>(1, identity));");
  EXPECT_EQ(
      becomesOf("if (n) v = n > 1 ? in[0] : v;"),
      "if (recording::branch(1, n)) v = recording::value<T>(3, n > 1 ? recording::load(2, in, 0) : v);");
  EXPECT_EQ(
      becomesOf("for (T w = v; n; w = v) { }"),
      "for (T w = recording::value<T>(1, v); recording::branch(2, n); w = recording::value<T>(3, v)) { }");
}

TEST(Assignments, OfOtherTypesAreNot) {
  for (const char* statement :
       {"unsigned u = 3; u = n; u += 1;", "T* p; int w = v;", "T w[2]; w[0] = v;", "{ int v = 3; v = 4; }",
        "T w; T* p = &w; w = v;", "constexpr T c = 3; n = c;", "v++;"})
    EXPECT_EQ(becomesOf(statement), statement);
}

TEST(Assignments, AnInnerVariableHidesTheOuter) {
  EXPECT_EQ(becomesOf("{ int v = 3; v = 4; } v = 5;"),
            "{ int v = 3; v = 4; } v = recording::value<T>(1, 5);");
}

TEST(Assignments, ParametersAreRecordedWhereTheBodyBegins) {
  const auto result = instrument(
      "__device__ T add(T a, int n, T b) { return a + b; }\n"
      "__global__ void k(T* out) { T v = add(1, 2, 3); out[0] = v; }");
  ASSERT_TRUE(result);
  EXPECT_EQ(
      result->text,
      "__device__ T add(T a, int n, T b) { recording::value<T>(0, a); recording::value<T>(1, b); return a + "
      "b; }\n"
      "__global__ void k(T* out) { T v = recording::value<T>(2, add(1, 2, 3)); recording::store(3, out, 0) "
      "= v; }");
}

// What several GPUs are given: the addresses of their arrays, by value.
TEST(RowOfPointers, OfAStructIsTheThreadsOwnAndWhatItPointsAtIsNot) {
  const std::string head = "struct Arrays { T* of[8]; };\n";
  const auto result = instrument(
      head + "__global__ void k(Arrays in, Arrays out, int n) { out.of[n][1] = in.of[n - 1][0]; }");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(result->text, head +
                              "__global__ void k(Arrays in, Arrays out, int n) { "
                              "recording::store(1, out.of[n], 1) = recording::load(0, in.of[n - 1], 0); }");
}

TEST(RowOfPointers, OfAnAlignedStructWithOtherMembersToo) {
  const std::string head = "struct alignas(16) Arrays { int n; int counts[2]; const T* of[8]; };\n";
  const auto result = instrument(head + "__global__ void k(Arrays in, T* out) { out[0] = in.of[1][0]; }");
  ASSERT_TRUE(result) << result.error().column << ": " << result.error().reason;
}

}  // namespace
}  // namespace stridescope::instrument
