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

TEST(LaunchGuess, AMatrixHasItsSide) {
  EXPECT_THAT(
      guessed("__global__ void k(const float* a, float* b, int width, int n = 3) { int i = threadIdx.y; }"),
      UnorderedElementsAre("--block 16x16", "--grid 2x2", "--arg a=digits:1024", "--arg b=zero:1024",
                           "--arg width=32"));
}

TEST(LaunchGuess, TemplatesAndDynamicSharedMemory) {
  EXPECT_THAT(guessed("template <class T, int BLOCK_SIZE, bool isEven, class Op = int>\n"
                      "__global__ void k(T* data, unsigned size) { extern __shared__ double s[]; }"),
              UnorderedElementsAre("--block 256", "--template 'float, 256, true'", "--grid 2",
                                   "--arg data=zero:512", "--arg size=512", "--shared 2048"));
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
