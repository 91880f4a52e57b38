// Two cubins of two_kernels.cu: their functions, lines and shared arrays, as the text has them.
#include "engine/access/gpu/cubin.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

namespace {

using namespace stridescope::engine::access::gpu;

constexpr const char* kScale = "_Z5scalePKfPf";
constexpr const char* kShift = "_ZN5other5shiftILi64EEEvPi";

std::string image(const std::string& name) {
  std::ifstream file(std::string(STRIDESCOPE_CUBINS) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Cubin read(const std::string& name) {
  auto cubin = readCubin(image(name));
  EXPECT_TRUE(cubin) << (cubin ? "" : cubin.error().sentence);
  return cubin ? *std::move(cubin) : Cubin{};
}

const CubinFunction& functionOf(const Cubin& cubin, const std::string& symbol) {
  static const CubinFunction none;
  for (const CubinFunction& function : cubin.functions)
    if (function.symbol == symbol) return function;
  ADD_FAILURE() << "there is no " << symbol;
  return none;
}

TEST(Cubin, EachKernelHasTheLinesOfItsOwnTextAlone) {
  const Cubin cubin = read("two_kernels.cubin");
  // The lines on which the text does something: `scale` from its head to its end, with `twice`, which it
  // calls.
  std::set<int> ofScale, ofShift;
  for (const CodeLine& row : functionOf(cubin, kScale).lines) ofScale.insert(row.line);
  for (const CodeLine& row : functionOf(cubin, kShift).lines) ofShift.insert(row.line);
  for (const int line : ofScale) EXPECT_TRUE((line >= 8 && line <= 15) || (line >= 4 && line <= 6)) << line;
  for (const int line : ofShift) EXPECT_TRUE(line >= 19 && line <= 26) << line;
  for (const int line : {11, 12, 13, 14}) EXPECT_TRUE(ofScale.contains(line)) << line;
  for (const int line : {22, 23, 24, 25}) EXPECT_TRUE(ofShift.contains(line)) << line;
}

TEST(Cubin, AnInstructionHasTheLineOfTheLastRowBeforeItInTheFile) {
  CubinFunction function;
  function.lines = {{0, "a.cu", 3}, {16, "a.cu", 5}, {32, "header.h", 70}, {48, "a.cu", 6}};
  EXPECT_EQ(function.lineOf(0, "a.cu"), 3);
  EXPECT_EQ(function.lineOf(31, "a.cu"), 5);
  EXPECT_EQ(function.lineOf(32, "a.cu"), 5);
  EXPECT_EQ(function.lineOf(4096, "a.cu"), 6);
  EXPECT_EQ(function.lineOf(0, "b.cu"), 0);
}

TEST(Cubin, SharedArraysHaveTheNamesOfTheTextAndDoNotOverlap) {
  const Cubin cubin = read("two_kernels_described.cubin");
  std::set<std::pair<std::string, std::uint64_t>> found;
  for (const CubinVariable& variable : cubin.shared) {
    found.emplace(variable.function + "::" + variable.name, variable.bytes);
    for (const CubinVariable& other : cubin.shared)
      if (&other != &variable && other.kernel == variable.kernel && other.offset >= variable.offset) {
        EXPECT_GE(other.offset, variable.offset + variable.bytes) << variable.name << ", " << other.name;
      }
  }
  // float[8][33], double[4], int[64], and the dynamic one.
  const std::set<std::pair<std::string, std::uint64_t>> wanted{
      {"scale::tile", 8 * 33 * 4}, {"scale::sums", 4 * 8}, {"shift::tile", 64 * 4}, {"::rest", 0}};
  EXPECT_EQ(found, wanted);
}

TEST(Cubin, SharedMemoryEndsWhereItDoesWithNames) {
  const Cubin plain = read("two_kernels.cubin"), described = read("two_kernels_described.cubin");
  for (const char* kernel : {kScale, kShift}) {
    ASSERT_TRUE(plain.sharedEndOf(kernel));
    EXPECT_EQ(plain.sharedEndOf(kernel), described.sharedEndOf(kernel));
  }
  // 1 KiB is the system's on compute capability 9.0.
  EXPECT_EQ(*plain.sharedEndOf(kShift), 1024u + 64 * 4);
  EXPECT_EQ(*plain.sharedEndOf(kScale), 1024u + 8 * 33 * 4 + 4 * 8);
  EXPECT_EQ(plain.sharedEndOf("none"), std::nullopt);
}

TEST(Cubin, WhatIsNoneIsRefused) {
  EXPECT_FALSE(readCubin("//\n.version 9.0\n"));
  EXPECT_FALSE(readCubin(""));
}

TEST(Cubin, ParametersHaveTheTypesOfTheText) {
  using namespace stridescope::engine::access;
  const auto types = parametersIn(image("two_kernels_described.cubin"), {kShift, "none", kScale});
  ASSERT_EQ(types.size(), 3u);
  // shift(int* data)
  ASSERT_EQ(types[0].parameters.size(), 1u);
  EXPECT_TRUE(types[0].parameters[0].isPointer);
  EXPECT_FALSE(types[0].parameters[0].isConst);
  EXPECT_EQ(types[0].parameters[0].bytes, 4u);
  EXPECT_EQ(types[0].parameters[0].members.at(0).kind, NumberKind::Signed);
  EXPECT_TRUE(types[1].parameters.empty());
  // scale(const float* in, float* out)
  ASSERT_EQ(types[2].parameters.size(), 2u);
  EXPECT_TRUE(types[2].parameters[0].isConst);
  EXPECT_FALSE(types[2].parameters[1].isConst);
  EXPECT_EQ(types[2].parameters[1].members.at(0).kind, NumberKind::Floating);
  EXPECT_TRUE(parametersIn("no cubin", {kScale})[0].parameters.empty());
}

// A damaged one gives less, or an error; it does no harm (AddressSanitizer watches).
TEST(Cubin, DamageDoesNoHarm) {
  for (const char* name : {"two_kernels.cubin", "two_kernels_described.cubin"}) {
    const std::string whole = image(name);
    for (std::size_t at = 0; at < whole.size(); at += 61) {
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ 0x5a);
      (void)readCubin(damaged);
      (void)parametersIn(damaged, {kScale});
    }
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += 509) (void)readCubin(whole.substr(0, bytes));
  }
}

}  // namespace
