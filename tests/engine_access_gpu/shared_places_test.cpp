// Shared arrays whose order is another than that of the build in which their places were read.
#include "engine/access/gpu/shared_places.h"

#include <gtest/gtest.h>

#include <string>

namespace stridescope::engine::access::gpu {
namespace {

constexpr std::uint64_t kWindow = 1024;

// The pc of an instruction is its line.
int lineOf(std::uint64_t pc) { return int(pc); }

patched::Entry access(int line, std::uint64_t offset, unsigned bytes = 4) {
  patched::Entry entry;
  entry.kind = patched::EntryKind::Shared;
  entry.pc = std::uint64_t(line);
  entry.address = kWindow + offset;
  entry.bytes = std::uint8_t(bytes);
  return entry;
}

PlacedArray placed(const std::string& name, std::uint64_t offset, std::uint64_t bytes) {
  return {.array = {.name = name, .elementBytes = 4, .bytes = bytes}, .begin = kWindow + offset};
}

std::string placesOf(const std::vector<PlacedArray>& arrays) {
  std::string all;
  for (const PlacedArray& each : arrays)
    all += each.array.name + "@" + std::to_string(each.begin - kWindow) + " ";
  return all;
}

constexpr const char* kText =
    "sums[t] = in[i];\n"
    "centre.x = sums[0];\n"
    "out[0] = centre.x;\n"
    "f(resums[t], sums_);\n";

// centre before sums, as for a debugger; the accesses have sums first.
TEST(SharedPlaces, AccessesTellTheOrder) {
  const auto arrays = placedByAccesses({placed("centre", 0, 8), placed("sums", 8, 1024)}, kWindow + 1032,
                                       {access(1, 0), access(1, 1020), access(3, 1024)}, kText, lineOf);
  EXPECT_EQ(placesOf(arrays), "centre@1024 sums@0 ");
}

TEST(SharedPlaces, WhatFitsStays) {
  const auto arrays = placedByAccesses({placed("centre", 0, 8), placed("sums", 8, 1024)}, kWindow + 1032,
                                       {access(1, 8), access(1, 1028), access(3, 4)}, kText, lineOf);
  EXPECT_EQ(placesOf(arrays), "centre@0 sums@8 ");
}

// Line 2 names both arrays, line 4 only words that contain a name, and line 9 is not there.
TEST(SharedPlaces, LinesThatNameSeveralOrNoneTellNothing) {
  const auto arrays =
      placedByAccesses({placed("centre", 0, 8), placed("sums", 8, 1024)}, kWindow + 1032,
                       {access(2, 1024), access(4, 0), access(9, 0), access(0, 0)}, kText, lineOf);
  EXPECT_EQ(placesOf(arrays), "centre@0 sums@8 ");
}

// The widest alignment comes first, and what follows is where it leaves off.
TEST(SharedPlaces, AnOrderFillsTheWindow) {
  const std::vector<PlacedArray> built{placed("sums", 0, 1024), placed("flag", 1024, 4),
                                       placed("centre", 1040, 16)};
  const auto arrays = placedByAccesses(built, kWindow + 1056,
                                       {access(1, 16), access(1, 1036), access(3, 0, 16)}, kText, lineOf);
  EXPECT_EQ(placesOf(arrays), "sums@16 flag@1040 centre@0 ");
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
