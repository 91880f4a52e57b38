#include "engine/access/kernel_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace stridescope::engine::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ParameterType pointerTo(NumberKind kind, unsigned bytes) {
  ParameterType type{.isPointer = true, .bytes = bytes};
  type.members.push_back({kind, bytes, 0});
  return type;
}

std::uint64_t bitsOf(const ParameterType& type, const std::string& number) {
  const auto bytes = elementBytes("x", type, {number});
  EXPECT_TRUE(bytes) << number;
  std::uint64_t bits = 0;
  if (bytes) std::memcpy(&bits, bytes->data(), bytes->size());
  return bits;
}

// IEEE 754-2008, binary16: 1 sign, 5 exponent and 10 fraction bits; written down by hand.
TEST(KernelNumbers, HalvesAreRoundedToTheNearestAndHalvesToEven) {
  const ParameterType half = pointerTo(NumberKind::Half, 2);
  for (const auto& [number, bits] :
       std::vector<std::pair<std::string, std::uint64_t>>{{"0", 0},
                                                          {"-0", 0x8000},
                                                          {"1", 0x3c00},
                                                          {"-2", 0xc000},
                                                          {"5", 0x4500},
                                                          {"65504", 0x7bff},
                                                          {"65519", 0x7bff},
                                                          {"65520", 0x7c00},
                                                          {"inf", 0x7c00},
                                                          {"6.103515625e-05", 0x0400},
                                                          {"5.9604644775390625e-08", 0x0001},
                                                          {"2.98023223876953125e-08", 0x0000},
                                                          {"2049", 0x6800},
                                                          {"2051", 0x6802},
                                                          {"0.333333", 0x3555}})
    EXPECT_EQ(bitsOf(half, number), bits) << number;
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    std::vector<std::uint8_t> bytes(2);
    std::memcpy(bytes.data(), &bits, 2);
    EXPECT_EQ(bitsOf(half, printedMembers(half, bytes)[0]), bits);
  }
  const ParameterType bfloat = pointerTo(NumberKind::Bfloat, 2);
  EXPECT_EQ(bitsOf(bfloat, "1"), 0x3f80u);
  EXPECT_EQ(bitsOf(bfloat, "1.00390625"), 0x3f80u) << "half way: to the even one";
  EXPECT_EQ(bitsOf(bfloat, "1.01171875"), 0x3f82u);
}

TEST(KernelNumbers, WhatIsNoNumberOfTheTypeIsRefused) {
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Signed, 1), "-128"), 0x80u);
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Signed, 1), {"128"}));
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Unsigned, 1), {"256"}));
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Unsigned, 4), {"-1"}));
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Signed, 4), {"1.5"}));
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Floating, 4), {"one"}));
  EXPECT_FALSE(elementBytes("x", pointerTo(NumberKind::Floating, 4), {"1e50"}));
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Floating, 4), "1e-50"), 0u);
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Floating, 4), "-inf"), 0xff800000u);
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Signed, 8), "-9223372036854775808"), 1ull << 63);
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Unsigned, 8), "18446744073709551615"), ~0ull);
  EXPECT_EQ(bitsOf(pointerTo(NumberKind::Signed, 4), "1e3"), 1000u);
}

TEST(KernelNumbers, MembersStandOneAfterTheOther) {
  ParameterType pair{.isPointer = true, .bytes = 12};
  pair.members = {{NumberKind::Floating, 4, 0}, {NumberKind::Signed, 8, 4}};
  const auto bytes = elementBytes("x", pair, {"0.5", "-3", "2", "4"});
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 24u);
  EXPECT_THAT(printedMembers(pair, *bytes), ElementsAre("0.5", "-3", "2", "4"));
  EXPECT_FALSE(elementBytes("x", pair, {"1", "2", "3"}));
}

// splitmix64, as the contract of the data patterns has it; the numbers come from Python.
TEST(KernelNumbers, PatternsAreThoseOfTheVariants) {
  const ParameterType whole = pointerTo(NumberKind::Signed, 4);
  const auto made = [&](const std::string& pattern) {
    ArgumentRequest request;
    request.pattern = pattern;
    request.count = 4;
    return printedMembers(whole, *filled(request, whole, 1));
  };
  EXPECT_THAT(made("ramp"), ElementsAre("0", "1", "2", "3"));
  EXPECT_THAT(made("ones"), ElementsAre("1", "1", "1", "1"));
  EXPECT_THAT(made("alternating"), ElementsAre("1", "-1", "1", "-1"));
  EXPECT_THAT(made("digits"), ElementsAre("5", "0", "3", "8"));
}

TEST(KernelNumbers, AreComparedWithinTheTolerance) {
  const MemberType single{NumberKind::Floating, 4, 0}, whole{NumberKind::Signed, 4, 0};
  EXPECT_TRUE(agrees(single, "1.000001", "1", {}));
  EXPECT_FALSE(agrees(single, "1.0001", "1", {}));
  EXPECT_FALSE(agrees(single, "1.000001", "1", 0.0));
  EXPECT_TRUE(agrees(single, "-0", "0", 0.0));
  EXPECT_TRUE(agrees(single, "nan", "nan", 0.0));
  EXPECT_FALSE(agrees(single, "nan", "1", 1.0));
  EXPECT_TRUE(agrees(single, "inf", "inf", 0.0));
  EXPECT_FALSE(agrees(whole, "5", "6", {}));
  EXPECT_TRUE(agrees(whole, "5", "6", 1.0));
}

TEST(KernelNumbers, ReadNumPysFilesOfTheSameType) {
  const std::string folder = testing::TempDir();
  const auto save = [&](const std::string& name, const std::string& type, const char* order,
                        const std::string& data, const std::string& shape = "(2,)") {
    std::string head = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
    head.resize(118, ' ');
    std::ofstream(folder + name, std::ios::binary)
        << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << head << data;
  };
  const ParameterType whole = pointerTo(NumberKind::Signed, 4);
  const std::string data("\x01\x00\x00\x00\xff\xff\xff\xff", 8);
  save("right.npy", "<i4", "False", data);
  const auto read = numbersOfFile(folder, "right.npy", whole);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_THAT(printedMembers(whole, read->bytes), ElementsAre("1", "-1"));
  save("other.npy", "<f4", "False", data);
  save("fortran.npy", "<i4", "True", data);
  save("short.npy", "<i4", "False", data.substr(0, 7));
  save("big.npy", ">i4", "False", data);
  save("shape.npy", "<i4", "False", data + data);
  save("huge.npy", "<i4", "False", "", "(4294967296, 4294967296)");  // 2^64 elements
  for (const char* wrong :
       {"other.npy", "fortran.npy", "short.npy", "absent.npy", "big.npy", "shape.npy", "huge.npy"})
    EXPECT_FALSE(numbersOfFile(folder, wrong, whole)) << wrong;
  std::ofstream(folder + "text.txt") << "1, 2\n-3;4";
  EXPECT_THAT(numbersOfFile(folder, "text.txt", whole)->numbers, ElementsAre("1", "2", "-3", "4"));
}

}  // namespace
}  // namespace stridescope::engine::access
