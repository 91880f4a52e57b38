// What the preprocessor and the launches decide of a person's text is decided before the text pass reads it.
#include "engine/access/settled_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/access/preprocessor_condition.h"
#include "engine/access/recorded_text.h"

namespace stridescope::engine::access {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string squeezed(const std::string& text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' || (!words.empty() && words.back() != ' ' && words.back() != '\n')) words += c;
  return words;
}

struct Settled {
  std::string text, check;
  bool isPlain = false;
};
Settled settled(const std::string& text, const LaunchRequest& launch = {}) {
  const KernelFile file{.name = "k.cu", .folder = {}, .text = text, .launches = {{launch}}};
  const auto read = readKernelText(file.name, text, {.tellsBranches = false});
  EXPECT_TRUE(read) << read.error().sentence;
  if (!read) return {};
  const auto kernels = namedKernels(file, *read);
  EXPECT_TRUE(kernels) << kernels.error().sentence;
  if (!kernels) return {};
  const SettledText made(read->deviceText, *kernels);
  EXPECT_EQ(std::ranges::count(made.text(), '\n'), std::ranges::count(text, '\n'));
  return {made.text(), made.check(), made.isPlain().front()};
}
std::string textOf(const std::string& text, const LaunchRequest& launch = {}) {
  return squeezed(settled(text, launch).text);
}

constexpr const char* kKernel = "__global__ void k(int* a) { a[0] = 1; }\n";

TEST(SettledText, ConditionsAreDecidedByTheTextsOwnMacros) {
  const std::string text =
      std::string(
          "#define FAST 2\n#if FAST > 1 && !defined(SLOW)\nint x;\n#else\nint y;\n#endif\n"
          "#ifndef FAST\nint z;\n#elif FAST == 3\nint v;\n#else\nint w;\n#endif\n") +
      kKernel;
  EXPECT_EQ(textOf(text), std::string("\n\nint x;\n\n\n\n\n\n\n\n\nint w;\n\n") + kKernel);
  EXPECT_EQ(settled(text).check, "#ifdef SLOW\n#error SLOW is defined by a header.\n#endif\n");
  const std::string headers = "#include <cmath>\n#include <vector>\n";
  EXPECT_THAT(settled(headers + "#ifdef A\n#endif\n" + kKernel).check,
              testing::AllOf(HasSubstr("<cmath>"), Not(HasSubstr("<vector>"))));
  EXPECT_THAT(settled(headers + "#ifdef _A\n#endif\n" + kKernel).check, HasSubstr("<vector>"));
  EXPECT_THAT(textOf(std::string("#if __CUDA_ARCH__ >= 700\nint x;\n#endif\n") + kKernel),
              HasSubstr("int x;"));
  EXPECT_THAT(textOf(std::string("#ifndef N\n#define N 4\n#endif\nint n = N;\n") + kKernel),
              HasSubstr("#define N 4\n\nint n = N;"));
}

TEST(SettledText, AConditionThatCannotBeDecidedStays) {
  for (const char* const condition : {"#if __has_include(<x>)", "#if F(1)", "#if 1 / 0", "#if 'a' == 97"}) {
    const std::string text = std::string("#define F(x) x\n") + condition + "\nint x;\n#endif\n" + kKernel;
    EXPECT_THAT(textOf(text), HasSubstr(condition)) << condition;
  }
  EXPECT_THAT(textOf(std::string("#define N 1\n#undef N\n#if N\nint x;\n#endif\n") + kKernel),
              HasSubstr("#if N"));
}

TEST(SettledText, ConditionsComeToWhatThePreprocessorMakesOfThem) {
  const std::map<std::string, std::string> macros{{"A", "(B + 1)"}, {"B", "0x10u"}, {"E", ""}, {"L", "L"}};
  std::set<std::string> undefined;
  const auto valueOf = [&](const char* expression) {
    return valueOfCondition(expression, macros, undefined);
  };
  EXPECT_EQ(valueOf("A * 2 - 3"), 31);
  EXPECT_EQ(valueOf("1 + 2 * 3 == 7 && -1 < 0"), 1);
  EXPECT_EQ(valueOf("!(8 % 3 >= 2) || C"), 0);
  EXPECT_EQ(valueOf("defined A && !defined(C)"), 1);
  EXPECT_EQ(valueOf("010"), 8);
  EXPECT_THAT(undefined, testing::ElementsAre("C"));
  for (const char* const expression :
       {"", "1 +", "(1", "1 1", "L", "E", "A ? 1 : 2", "9223372036854775807 + 1"})
    EXPECT_EQ(valueOf(expression), std::nullopt) << expression;
}

TEST(SettledText, MacrosAreExpandedOrLeftOut) {
  EXPECT_EQ(
      textOf("#define AT(r, c) ((r) * N + (c))  // a place\n#define N 8\n#define TWICE(x) AT(x, 2 * x)\n"
             "#define CHECK(call) \\\n  do { call; } while (0)\n#define HD __device__\n"
             "HD int f(int i) { return i; }\n"
             "__global__ void k(int* a) { a[AT(1, f(2, 3))] = a[TWICE(-1)]; }\n"),
      "\n#define N 8\n\n\n\n\n__device__ int f(int i) { return i; }\n"
      "__global__ void k(int* a) { a[ (( 1 ) * N + ( f(2, 3) )) ] = a[ (( -1 ) * N + ( 2 * -1 )) ]; }\n");
  const std::string constants = "#define N 4\n#define M (N * 2)\n#define K M + 1\n";
  EXPECT_EQ(textOf(constants + "__global__ void k(int* a) { a[N] = K; }\n"),
            "#define N 4\n\n\n__global__ void k(int* a) { a[N] = (N * 2) + 1 ; }\n")
      << "K has what is no plain constant in it";
}

TEST(SettledText, AMacroThatCannotBeExpandedStays) {
  for (const char* const macro : {"#define F(x) #x", "#define F(x) x ## 1", "#define F(...) __VA_ARGS__"}) {
    const std::string text = std::string(macro) + "\n__global__ void k(int* a) { a[0] = F(1); }\n";
    EXPECT_THAT(textOf(text), HasSubstr("#define F")) << macro;
  }
  EXPECT_THAT(textOf("#define F(x) G(x)\n#define G(x) F(x)\n__global__ void k(int* a) { a[0] = F(1); }\n"),
              HasSubstr("= F(1);"))
      << "it has itself in it";
  EXPECT_THAT(textOf("#define F(x, y) x\n__global__ void k(int* a) { a[0] = F(1); }\n"),
              HasSubstr("= F(1);"));
}

// Each uses the next one many times.
TEST(SettledText, MacrosWithinMacrosComeToAnEnd) {
  std::string text = "#define M20(x) x\n#define N20 1\n";
  for (int i = 19; i >= 0; --i) {
    const std::string next = std::to_string(i + 1), own = std::to_string(i);
    std::string uses, numbers = "0";
    for (int k = 0; k < 20; ++k) uses += "M" + next + "(x) ", numbers += " + N" + next;
    text += "#define M" + own + "(x) " + uses + "\n#define N" + own + " " + numbers + "\n";
  }
  EXPECT_THAT(textOf(text + "#if N0\n#endif\n__global__ void k(int* a) { a[0] = M0(1); }\n"),
              testing::AllOf(HasSubstr("#if N0"), HasSubstr("= M0(1);")));
}

TEST(SettledText, OnlyLaunchedKernelsStayWithoutWhatTheyDoNotNeed) {
  LaunchRequest second;
  second.kernel = "second";
  EXPECT_EQ(
      textOf("#pragma once\n#include <vector>\n#include <cmath>\nusing namespace std;\n"
             "template <class T> __global__ void first(T* a) { typedef int number; }\n"
             "template __global__ void first<int>(int*);\n"
             "__global__ void second(int* a, int n = f(1, 2), float x = 2) { static __shared__ int s[4]; }\n",
             second),
      "\n\n#include <cmath>\n\n\n\n"
      "__global__ void second(int* a, int n , float x ) { __shared__ int s[4]; }\n");
}

TEST(SettledText, ATemplatesParametersBecomeNames) {
  LaunchRequest launch;
  launch.templateArguments = "unsigned int, Pair<int, 4>";
  const Settled plain = settled(
      "template <typename T, class P, int N = 2 * 8, bool b = true>\n__global__ void k(T* a) { a[0] = N; }\n",
      launch);
  EXPECT_TRUE(plain.isPlain);
  EXPECT_EQ(
      squeezed(plain.text),
      "using T = unsigned int; using P = Pair<int, 4>; constexpr int N = 2 * 8; constexpr bool b = true; \n"
      "__global__ void k(T* a) { a[0] = N; }\n");
  launch.templateArguments = "int, 4";
  for (const char* const head : {"template <class T, int N, int M>", "template <class T>",
                                 "template <class... T>", "template <class T, template <class> class Op>"}) {
    const Settled other = settled(std::string(head) + "\n__global__ void k(int* a) {}\n", launch);
    EXPECT_FALSE(other.isPlain) << head;
    EXPECT_THAT(other.text, HasSubstr(head));
  }
}

TEST(SettledText, TypedefsOfNamesBecomeAliases) {
  EXPECT_EQ(textOf("typedef unsigned long long number;\ntypedef int* pointer;\ntypedef struct { int a; } S;\n"
                   "__global__ void k(number* a) { typedef float real; }\n"),
            "using number = unsigned long long;\ntypedef int* pointer;\ntypedef struct { int a; } S;\n"
            "__global__ void k(number* a) { using real = float; }\n");
}

// Each site's text is what stands at its place in the person's own text, whatever was expanded there.
TEST(SettledText, SitesStandInThePersonsText) {
  std::vector<std::pair<std::string, std::string>> texts{
      {"macros",
       "#define AT(r, c) ((r) * 8 + (c))\n#define GET(p, i) p[i]\nint main() { return 0; } template <class "
       "T>\n"
       "__global__ void k(T* a, T* b) { a[AT(1, 2)] = GET(b, 3) + b[\n  AT(0, 1)]; a[1] = b[2]; }\n"}};
  for (const auto& entry : std::filesystem::directory_iterator(STRIDESCOPE_OWN_KERNELS)) {
    if (entry.path().extension() != ".cu") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts.emplace_back(entry.path().stem(), text.str());
  }
  std::size_t sites = 0;
  std::vector<std::string> ofMacros;
  for (const auto& [name, text] : texts) {
    KernelFile file{.name = name, .folder = {}, .text = text, .launches = {{{}}}};
    file.launches.launches.front().templateArguments = name == "macros" ? "int" : "";
    const auto read = readKernelText(name, text, {.tellsBranches = false});
    ASSERT_TRUE(read) << name;
    const auto kernels = namedKernels(file, *read);
    if (!kernels) continue;
    const auto recorded = recordedTextOf(*read, *kernels);
    EXPECT_TRUE(recorded || name != "macros") << recorded.error().sentence();
    if (!recorded) continue;
    std::vector<std::size_t> lines{0};
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines.push_back(i + 1);
    for (const model::Site& site : recorded->pass.sites) {
      const std::size_t begin = lines[std::size_t(site.line) - 1] + std::size_t(site.column) - 1;
      EXPECT_EQ(text.substr(begin, std::size_t(site.length)), site.text) << name << " " << site.line;
      ++sites;
      if (name == "macros") ofMacros.push_back(site.text);
    }
  }
  EXPECT_GT(sites, 200u);
  EXPECT_THAT(ofMacros,
              testing::UnorderedElementsAre("GET(b, 3)", "b[\n  AT(0, 1)]", "a[AT(1, 2)]", "b[2]", "a[1]"));
}

}  // namespace
}  // namespace stridescope::engine::access
