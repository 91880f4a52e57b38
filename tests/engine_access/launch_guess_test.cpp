#include "engine/access/launch_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stridescope::engine::access {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> guessed(const std::string& text, const LaunchRequest& said = {}) {
  KernelFile file{.name = "k.cu", .folder = {}, .text = text, .launches = {{said}}};
  auto guesses = guessLaunch(file);
  EXPECT_TRUE(guesses) << guesses.error().sentence;
  // What was guessed can be written, and read again.
  const std::string json = printLaunchFile(file.launches);
  const auto read = parseLaunchFile("k.launch.json", json);
  EXPECT_TRUE(read) << json;
  if (read) {
    EXPECT_EQ(printLaunchFile(*read), json);
  }
  return guesses ? *std::move(guesses) : std::vector<std::string>();
}

TEST(LaunchGuess, ElementsInputsAndOutputsOfAVector) {
  EXPECT_THAT(
      guessed("__global__ void k(const float* x, float* y, int numElements, float a) { threadIdx.x; }"),
      UnorderedElementsAre("--block 256", "--grid 2", "--arg x=digits:512", "--arg y=zero:512",
                           "--arg numElements=512", "--arg a=1"));
}

TEST(LaunchGuess, AStructIsGivenByItsMembers) {
  const std::string structs =
      "struct Size { int width, height; };\n"
      "struct Params {\n  Params() : a(1) { a = 2; }\n  const float *in; float* out, a = 3;\n  Size size;\n"
      "  static int count;\n  __device__ int all() const { return size.width; }\n};\n";
  EXPECT_THAT(
      guessed(structs + "__global__ void k(const Params p) { int i = threadIdx.y; }"),
      UnorderedElementsAre("--block 16x16", "--grid 2x2", "--arg p.in=digits:1024", "--arg p.out=zero:1024",
                           "--arg p.a=1", "--arg p.size.width=32", "--arg p.size.height=32"));
  LaunchRequest said;
  said.arguments.push_back(*parseArgument("p.in=ramp:100"));
  said.arguments.push_back(*parseArgument("p.size=7"));
  EXPECT_THAT(guessed("struct Op { int operator()(int a) { return a; } };\n" + structs +
                          "__global__ void k(Params p, Op op) {}",
                      said),
              UnorderedElementsAre("--block 256", "--grid 1", "--arg p.out=zero:49", "--arg p.a=1"));
  EXPECT_THAT(
      guessed("struct P { int* rows[2]; short w[2], n; };\n__global__ void k(P p) {}"),
      UnorderedElementsAre("--block 256", "--grid 2", "--arg p.rows[0]=zero:512", "--arg p.rows[1]=zero:512",
                           "--arg p.w[0]=1", "--arg p.w[1]=1", "--arg p.n=512"));
  EXPECT_THAT(guessed("struct P { int w[2][2]; };\n__global__ void k(P p) {}"),
              UnorderedElementsAre("--block 256", "--grid 2"))
      << "what is not understood is not guessed";
}

TEST(LaunchGuess, AMatrixHasItsSide) {
  EXPECT_THAT(
      guessed("__global__ void k(const float* a, float* b, int width, int n = 3) { int i = threadIdx.y; }"),
      UnorderedElementsAre("--block 16x16", "--grid 2x2", "--arg a=digits:1024", "--arg b=zero:1024",
                           "--arg width=32"));
}

std::string blockOf(const std::string& text, const LaunchRequest& said = {}) {
  std::string all;
  for (const std::string& each : guessed(text, said))
    if (each.starts_with("--block") || each.starts_with("--grid")) all += (all.empty() ? "" : " ") + each;
  return all;
}

// threadIdx.y indexes its rows, and threadIdx.x what stands in a row.
TEST(LaunchGuess, ATileHasAThreadForEachOfItsElements) {
  EXPECT_THAT(
      guessed("__global__ void k(const float* in, float* out, int n) {\n  __shared__ float tile[32][32];\n"
              "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
              "  tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n}"),
      UnorderedElementsAre("--block 32x32", "--grid 2x2", "--arg in=digits:4096", "--arg out=zero:4096",
                           "--arg n=64"));
  EXPECT_EQ(blockOf("#define W 16\nconst int H = 8;\n__global__ void k(float* p) {\n"
                    "  __shared__ float a[H][W + 1];\n  int tx = threadIdx.x, ty = threadIdx.y;\n"
                    "  a[ty][tx] = p[ty];\n}"),
            "--block 16x8 --grid 2x4")
      << "a column is padding";
  EXPECT_EQ(
      blockOf("#define R 2\n__global__ void k(float* p) {\n  __shared__ float a[16 + 2 * R][32 + 2 * R];\n"
              "  int lx = threadIdx.x + R, ly = threadIdx.y + R;\n  a[ly][lx] = p[0];\n}"),
      "--block 32x16 --grid 2x4")
      << "the halo is no thread's own";
  EXPECT_EQ(blockOf("__global__ void k(float* p) {\n  __shared__ float a[4][4][8];\n"
                    "  a[threadIdx.z][threadIdx.y][threadIdx.x] = p[0];\n}"),
            "--block 8x4x4 --grid 2x4x4");
}

TEST(LaunchGuess, ThreadsMayStepThroughTheRowsOfATile) {
  EXPECT_EQ(blockOf("enum { TILE = 32, ROWS = 8 };\n__global__ void k(float* p) {\n"
                    "  __shared__ float a[TILE][TILE];\n  for (int j = 0; j < TILE; j += ROWS)\n"
                    "    a[threadIdx.y + j][threadIdx.x] = p[0];\n}"),
            "--block 32x8 --grid 2x2");
}

TEST(LaunchGuess, ATemplatesTileHasItsArguments) {
  const std::string text =
      "template <int BLOCK_SIZE> __global__ void k(float* p) {\n  __shared__ float "
      "a[BLOCK_SIZE][BLOCK_SIZE];\n"
      "  a[threadIdx.y][threadIdx.x] = p[0];\n}";
  EXPECT_THAT(guessed(text),
              UnorderedElementsAre("--block 16x16", "--template '16'", "--grid 2x2", "--arg p=zero:1024"));
  LaunchRequest said;
  said.templateArguments = "8";
  EXPECT_EQ(blockOf(text, said), "--block 8x8 --grid 4x4");
}

// Nor is one that no block has room for.
TEST(LaunchGuess, WhatIsIndexedOtherwiseIsNoTile) {
  for (const char* tile :
       {"a[64][64]; a[threadIdx.y][threadIdx.x]", "a[32][32]; a[threadIdx.y / 2][threadIdx.x]",
        "a[32][32]; a[2][threadIdx.x]", "a[N][32]; a[threadIdx.y][threadIdx.x]"})
    EXPECT_EQ(blockOf("__global__ void k(float* p) {\n  __shared__ float " + std::string(tile) +
                      " = p[threadIdx.y];\n}"),
              "--block 16x16 --grid 2x2")
        << tile;
}

TEST(LaunchGuess, OtherKernelsOfTheTextHaveNoPartInIt) {
  LaunchRequest said;
  said.kernel = "sum";
  EXPECT_THAT(guessed("__global__ void sum(int* p, int n) { p[threadIdx.x] = n; }\n"
                      "__global__ void k(float* p) {\n  extern __shared__ float d[];\n"
                      "  __shared__ float a[32][32];\n  a[threadIdx.y][threadIdx.x] = d[threadIdx.z];\n}",
                      said),
              UnorderedElementsAre("--block 256", "--grid 2", "--arg p=zero:512", "--arg n=512"));
}

TEST(LaunchGuess, TemplatesAndDynamicSharedMemory) {
  EXPECT_THAT(guessed("template <class T, int BLOCK_SIZE, bool isEven, class Op = int>\n"
                      "__global__ void k(T* data, unsigned size) { extern __shared__ double s[]; }"),
              UnorderedElementsAre("--block 256", "--template 'float, 256, true'", "--grid 2",
                                   "--arg data=zero:512", "--arg size=512", "--shared 2048"));
}

TEST(LaunchGuess, WhatACalledParameterMayBeIsInTheText) {
  EXPECT_THAT(
      guessed(
          "struct Pair { int a; };\nnamespace ops {\ntemplate <class T> struct Min { T operator()(T a); };\n"
          "struct Max { __device__ int operator()(int a, int b) { return a; } };\n}\n"
          "template <class T, class Op> __global__ void k(T* p) { Op op; p[0] = op(p[0], p[1]); }"),
      UnorderedElementsAre("--block 256", "--template 'float, ops::Max'", "--grid 2", "--arg p=zero:512"));
}

TEST(LaunchGuess, AFunctorIsNotGiven) {
  const std::string text =
      "namespace ops { struct Twice { __device__ int operator()(int a) { return 2 * a; } }; }\n";
  EXPECT_THAT(guessed(text + "template <class F> __global__ void k(int* p, F f) { p[0] = f(p[0]); }"),
              UnorderedElementsAre("--block 256", "--template 'ops::Twice'", "--grid 2", "--arg p=zero:512"));
  EXPECT_THAT(guessed(text + "__global__ void k(int* p, const ops::Twice f) { p[0] = f(p[0]); }"),
              UnorderedElementsAre("--block 256", "--grid 2", "--arg p=zero:512"));
}

// What it is called with tells which, whatever its template's parameter is named.
TEST(LaunchGuess, AFunctorTakesAsManyArgumentsAsItIsCalledWith) {
  EXPECT_THAT(
      guessed("struct Max { __device__ float operator()(float a, float b) const { return a; } };\n"
              "struct Scale { float by; __device__ float operator()(float x) const { return by * x; } };\n"
              "template <unsigned BLOCK, class Op, class Map> __global__ void k(float* p, Op op, Map map) {\n"
              "  p[0] = op(p[0], map(p[max(1, 2)])); }"),
      UnorderedElementsAre("--block 256", "--template '256, Max, Scale'", "--grid 2", "--arg p=zero:512",
                           "--arg map.by=1"));
}

TEST(LaunchGuess, ABlockHasAThreadForEachElementOfARow) {
  const auto blockOf = [](const std::string& body, const std::string& before = "") {
    for (const std::string& each : guessed(before +
                                           "__global__ void k(const float* in, float* out) {\n"
                                           "  int t = threadIdx.x, n = 512;\n" +
                                           body + "}\n"))
      if (each.starts_with("--block ")) return each.substr(8);
    return std::string();
  };
  EXPECT_EQ(blockOf("__shared__ float s[128]; if (t >= n) return; s[threadIdx.x] = in[t];"), "128");
  EXPECT_EQ(blockOf("__shared__ float s[N + 2]; for (;;) break; s[t + 1] = in[t];", "#define N 64\n"), "64");
  // Several elements of a thread's, one of another's, or of some threads alone.
  EXPECT_EQ(blockOf("__shared__ float s[512]; s[t] = in[t]; s[t + blockDim.x] = in[t + blockDim.x];"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[512]; s[2 * t] = in[t];"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[32]; if (t < 32) { s[t] = 0; }"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[32]; if (t % 32 == 0) s[t / 32] = 0;"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[32]; s[t & 31] = in[t];"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[64]; for (int i = t; i < 64; i += n) s[i] = in[i];"), "256");
  EXPECT_EQ(blockOf("__shared__ float s[2048]; s[t] = in[t];"), "256");
}

TEST(LaunchGuess, ATemplatesNumberIsTheBlocksThatItsRowAsksFor) {
  const std::string text =
      "template <class T, int N> __global__ void k(T* p) { __shared__ T s[N]; s[threadIdx.x] = p[0]; }";
  EXPECT_THAT(guessed(text),
              UnorderedElementsAre("--block 256", "--template 'float, 256'", "--grid 2", "--arg p=zero:512"));
  LaunchRequest said;
  said.templateArguments = "int, 128";
  EXPECT_THAT(guessed(text, said), UnorderedElementsAre("--block 128", "--grid 4", "--arg p=zero:512"));
}

TEST(LaunchGuess, DynamicSharedMemoryHasAStructForEachThread) {
  EXPECT_THAT(guessed("struct Best { double value; int index; };\n"
                      "__global__ void k(int* p) { extern __shared__ Best s[]; s[threadIdx.x].index = 1; }"),
              UnorderedElementsAre("--block 256", "--shared 4096", "--grid 2", "--arg p=zero:512"));
}

TEST(LaunchGuess, ABoxHasItsSide) {
  EXPECT_THAT(guessed("__global__ void k(float* p, int nx) { int i = threadIdx.y + threadIdx.z; }"),
              UnorderedElementsAre("--block 8x8x4", "--grid 2x2x4", "--arg p=zero:4096", "--arg nx=16"));
}

TEST(LaunchGuess, WhatIsSaidStaysAndTheRestFollowsIt) {
  LaunchRequest said;
  said.block = {64};
  said.saysBlock = true;
  said.arguments.push_back(*parseArgument("n=100"));
  EXPECT_THAT(guessed("__global__ void k(const int* in, int* out, int n) {}", said),
              UnorderedElementsAre("--grid 2", "--arg in=digits:100", "--arg out=zero:100"));
  said.grid = {3};
  said.saysGrid = true;
  said.arguments.push_back(*parseArgument("in=ramp:7"));
  said.arguments.push_back(*parseArgument("out=zero:7"));
  EXPECT_THAT(guessed("__global__ void k(const int* in, int* out, int n) {}", said), IsEmpty());
}

TEST(LaunchGuess, ALaunchFileIsTakenAsItIs) {
  KernelFile file{.name = "k.cu",
                  .folder = {},
                  .text = "__global__ void k(int* out) {}",
                  .launches = {{LaunchRequest()}},
                  .launchFile = "k.launch.json"};
  EXPECT_THAT(*guessLaunch(file), IsEmpty());
  EXPECT_THAT(file.launches.launches.front().arguments, IsEmpty());
}

}  // namespace
}  // namespace stridescope::engine::access
