#include "base/in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace stridescope {
namespace {

TEST(InParallel, CallsEachPartOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> calls(1000);
    inParallel(
        calls.size(), [&](std::size_t i) { ++calls[i]; }, threads);
    for (std::size_t i = 0; i < calls.size(); ++i)
      EXPECT_EQ(calls[i], 1) << i << ", " << threads << " threads";
  }
}

TEST(InParallel, OneThreadIsThisOneAndKeepsTheOrder) {
  const auto caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  inParallel(
      5,
      [&](std::size_t i) {
        EXPECT_EQ(std::this_thread::get_id(), caller) << i;
        order.push_back(i);
      },
      1);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(InParallel, NoMoreThreadsThanParts) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  inParallel(
      2,
      [&](std::size_t) {
        const std::scoped_lock lock(mutex);
        seen.insert(std::this_thread::get_id());
      },
      50);
  EXPECT_LE(seen.size(), 2u);
  inParallel(0, [](std::size_t i) { ADD_FAILURE() << i; });
}

TEST(InParallel, WhatAPartThrowsIsThrownAgain) {
  std::atomic<int> begun = 0;
  std::atomic<bool> throws = false;
  EXPECT_THROW(inParallel(
                   100000,
                   [&](std::size_t i) {
                     ++begun;
                     if (i == 3) {
                       throws = true;
                       throw std::out_of_range("part 3");
                     }
                     // The thread that throws may be held up: the others are not to be done by then.
                     if (throws) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                   },
                   4),
               std::out_of_range);
  EXPECT_LT(begun, 100000);
}

}  // namespace
}  // namespace stridescope
