// Taking the calls out of an instrumented text gives the text back, byte for byte and line for line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "instrument/instrument.h"
#include "kernel_generator.h"
#include "strip_recording.h"
#include "torture_text.h"

namespace stridescope::instrument {
namespace {

void expectRoundTrip(std::string_view text) {
  const auto result = instrument(text);
  ASSERT_TRUE(result) << result.error().line << ":" << result.error().column << ": " << result.error().reason
                      << "\n"
                      << text;
  EXPECT_EQ(stripRecording(*result), text);
  EXPECT_EQ(std::ranges::count(result->text, '\n'), std::ranges::count(text, '\n'));
  EXPECT_EQ(result->text.find("#line"), std::string::npos);
}

// Each site's line and column lead to its text.
void expectSitesLeadToTheirText(std::string_view text) {
  const auto result = instrument(text);
  ASSERT_TRUE(result);
  for (std::size_t id = 0; id < result->sites.size(); ++id) {
    const recording::Site& site = result->sites[id];
    EXPECT_EQ(site.id, static_cast<int>(id));
    std::size_t lineStart = 0;
    for (int line = 1; line < site.line; ++line) lineStart = text.find('\n', lineStart) + 1;
    const std::size_t at = lineStart + static_cast<std::size_t>(site.column) - 1;
    EXPECT_EQ(text.substr(at, static_cast<std::size_t>(site.length)), site.text);
  }
}

TEST(RoundTrip, EveryKernelOfTheCatalogue) {
  int kernels = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRIDESCOPE_KERNELS)) {
    if (entry.path().extension() != ".cu") continue;
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    expectRoundTrip(text);
    expectSitesLeadToTheirText(text);
    const auto result = instrument(text);
    ASSERT_TRUE(result);
    EXPECT_NE(text.find("__global__ void " + result->kernel + "("), std::string::npos);
    ++kernels;
  }
  EXPECT_GE(kernels, 5);
}

TEST(RoundTrip, TortureText) {
  expectRoundTrip(kTortureText);
  expectSitesLeadToTheirText(kTortureText);
}

TEST(RoundTrip, LinesEndWithCarriageReturns) {
  expectRoundTrip("__global__ void k(T* a) {\r\n  if (a[0] > 1)\r\n    a[1] = *a;\r\n}\r\n");
}

TEST(RoundTrip, GeneratedKernels) {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    const GeneratedKernel kernel = generateKernel(seed);
    SCOPED_TRACE(seed);
    expectRoundTrip(kernel.text);
    if (HasFailure()) break;
  }
}

// The generator knows what it wrote, so that it can say which calls and which ids must be there.
TEST(RoundTrip, GeneratedKernelsHaveTheExpectedCalls) {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    const GeneratedKernel kernel = generateKernel(seed);
    const auto result = instrument(kernel.text);
    ASSERT_TRUE(result) << seed;
    ASSERT_EQ(result->text, kernel.expected) << seed;
    ASSERT_EQ(static_cast<int>(result->sites.size()), kernel.sites) << seed;
  }
}

}  // namespace
}  // namespace stridescope::instrument
