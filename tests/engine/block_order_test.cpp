// The orders in which the CPU executor runs the blocks of a launch, and blocks that wait for one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/host/launch_runner.h"
#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/after_the_block_before.inc"
#include "instrumented/block_total.inc"
#include "instrumented/one_word_each.inc"
#include "instrumented/order_of_blocks.inc"
#include "instrumented/reads_one_place.inc"
#include "instrumented/turn_by_turn.inc"
#include "instrumented/waits_for_ever.inc"
}  // namespace texts

}  // namespace

namespace stridescope::engine::host {
namespace {

using model::BlockOrder;
using testing::HasSubstr;

struct Asked {
  BlockOrder order = BlockOrder::InOrder;
  std::uint64_t seed = 1;
  model::Schedule schedule = model::Schedule::LaneByLane;
  std::uint64_t inspected = 0;
  RecordLimits limits = {};
};

template <class Value>
KernelArgument argumentOf(const char* name, std::vector<Value>& values) {
  return {.name = name,
          .elementBytes = sizeof(Value),
          .bytes = values.size() * sizeof(Value),
          .value = reinterpret_cast<std::uintptr_t>(values.data())};
}
KernelArgument argumentOf(unsigned value) {
  return {.name = {}, .elementBytes = sizeof value, .value = value, .isBuffer = false};
}

template <auto kernel>
RecordedLaunch launched(const char* name, unsigned blocks, unsigned threads,
                        const std::vector<KernelArgument>& arguments, const Asked& asked) {
  const auto text = instrumentText(name);
  EXPECT_TRUE(text) << name;
  const HostKernel hostKernel{.type = model::ElementType::Int, .call = recording::KernelCall<kernel>::call};
  const kernels::LaunchShape shape{
      .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .inspected = asked.inspected};
  recording::BlockRunner runner;
  JobControl job;
  auto launch =
      runLaunch(runner, {hostKernel, *text, shape, {arguments}, asked.schedule, 1, asked.order, asked.seed},
                asked.limits, job, [](double) {});
  EXPECT_TRUE(launch) << launch.error().sentence;
  return *std::move(launch);
}

constexpr BlockOrder kEachOrder[] = {BlockOrder::InOrder, BlockOrder::Reversed, BlockOrder::Random,
                                     BlockOrder::Interleaved};
constexpr model::Schedule kEachSchedule[] = {model::Schedule::LaneByLane, model::Schedule::WarpByWarp,
                                             model::Schedule::Lockstep, model::Schedule::Random};

// ---- Which block is next. What is expected is written here anew, from the description of the orders.

std::vector<unsigned> othersThan(unsigned inspected, unsigned blocks) {
  std::vector<unsigned> others;
  for (unsigned block = 0; block < blocks; ++block)
    if (block != inspected) others.push_back(block);
  return others;
}

std::uint64_t mixed(std::uint64_t z) {  // splitmix64's number of a state
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<unsigned> expectedOrder(const Asked& asked, unsigned blocks) {
  std::vector<unsigned> order = othersThan(unsigned(asked.inspected), blocks);
  if (asked.order == BlockOrder::Reversed) std::sort(order.rbegin(), order.rend());
  if (asked.order == BlockOrder::Random) {
    std::uint64_t draws = 0;
    for (std::size_t last = order.size() - 1; last > 0; --last) {
      const std::uint64_t drawn = mixed(asked.seed + ++draws * 0x9e3779b97f4a7c15u);
      std::swap(order[last], order[drawn % (last + 1)]);
    }
  }
  order.push_back(unsigned(asked.inspected));
  return order;
}

// The list that order_of_blocks makes, and the trace of its inspected block.
std::pair<std::vector<unsigned>, RecordedLaunch> listed(unsigned blocks, unsigned threads, unsigned times,
                                                        const Asked& asked) {
  std::vector<unsigned> count(1), list(std::size_t(blocks) * times);
  auto launch = launched<texts::order_of_blocks>(
      "order_of_blocks", blocks, threads,
      {argumentOf("listed", count), argumentOf("list", list), argumentOf(times)}, asked);
  EXPECT_TRUE(launch.finished);
  EXPECT_EQ(count[0], list.size());
  return {std::move(list), std::move(launch)};
}

TEST(BlockOrder, BlocksBeginAsAsked) {
  constexpr unsigned kBlocks = 50;
  for (const std::uint64_t inspected : {0u, 7u, kBlocks - 1}) {
    const auto plain = listed(kBlocks, 64, 1, {.inspected = inspected});
    for (const model::Schedule schedule : kEachSchedule)
      for (const BlockOrder order : kEachOrder) {
        const Asked asked{.order = order, .seed = 9, .schedule = schedule, .inspected = inspected};
        const auto [list, launch] = listed(kBlocks, 64, 1, asked);
        EXPECT_EQ(list, expectedOrder(asked, kBlocks)) << model::nameOf(order) << " " << inspected;
        EXPECT_EQ(launch.trace.recorded().first, plain.second.trace.recorded().first);
        EXPECT_EQ(launch.trace.recorded().barrierCopies, plain.second.trace.recorded().barrierCopies);
      }
  }
  EXPECT_EQ(listed(1, 32, 1, {.order = BlockOrder::Random}).first, std::vector<unsigned>{0});
  EXPECT_EQ(listed(2, 32, 1, {.order = BlockOrder::Reversed}).first, (std::vector<unsigned>{1, 0}));
}

TEST(BlockOrder, ASeedGivesOneOrder) {
  std::set<std::vector<unsigned>> orders;
  for (const std::uint64_t seed : {0ull, 1ull, 2ull, ~0ull}) {
    const Asked asked{.order = BlockOrder::Random, .seed = seed};
    const auto once = listed(20, 32, 2, asked), again = listed(20, 32, 2, asked);
    EXPECT_EQ(once.first, again.first);
    EXPECT_TRUE(once.second.trace.recorded().events == again.second.trace.recorded().events);
    orders.insert(once.first);
  }
  EXPECT_EQ(orders.size(), 4u);
}

// Rounds over the blocks that are there, a turn each; where one ends, the next joins the round.
TEST(BlockOrder, InterleavedBlocksTakeTurnsAtBarriers) {
  constexpr unsigned kBlocks = 45, kTimes = 3;
  const std::pair<unsigned, unsigned> togetherByThreads[] = {
      {1024, 2}, {512, 4}, {256, 8}, {64, 32}, {32, 32}};
  for (const auto [threads, together] : togetherByThreads) {
    const std::vector<unsigned> order = expectedOrder({.inspected = 5}, kBlocks);
    std::vector<unsigned> expected;
    std::vector<std::pair<unsigned, unsigned>> there;  // a block, and how many turns it has had
    unsigned begun = 0;
    while (begun < together) there.emplace_back(order[begun++], 0);
    while (!there.empty())
      for (std::size_t i = 0; i < there.size();) {
        auto& [block, turns] = there[i];
        if (turns < kTimes) expected.push_back(block);
        if (++turns <= kTimes) {
          ++i;
          continue;
        }
        there.erase(there.begin() + std::ptrdiff_t(i));
        if (begun < kBlocks) there.emplace_back(order[begun++], 0);
      }
    for (const model::Schedule schedule : kEachSchedule)
      EXPECT_EQ(listed(kBlocks, threads, kTimes,
                       {.order = BlockOrder::Interleaved, .schedule = schedule, .inspected = 5})
                    .first,
                expected)
          << threads;
  }
}

// ---- Blocks that wait.

TEST(BlockOrder, ABlockWaitsForTheOneBefore) {
  for (const unsigned blocks : {2u, 16u})
    for (const unsigned threads : {32u, 256u})
      for (const std::uint64_t inspected : {0u, blocks - 1})
        for (const model::Schedule schedule : kEachSchedule)
          for (const BlockOrder order : kEachOrder) {
            std::vector<int> out(blocks), expected(blocks);
            std::vector<unsigned> done(blocks);
            for (unsigned block = 0; block < blocks; ++block)
              expected[block] = (block > 0 ? expected[block - 1] * 3 : 0) + int(block);
            const auto launch = launched<texts::after_the_block_before>(
                "after_the_block_before", blocks, threads, {argumentOf("out", out), argumentOf("done", done)},
                {.order = order, .seed = 4, .schedule = schedule, .inspected = inspected});
            EXPECT_TRUE(launch.finished);
            EXPECT_TRUE(launch.trace.recorded().problems.empty());
            EXPECT_EQ(out, expected) << blocks << " " << threads << " " << inspected << " "
                                     << model::nameOf(schedule) << " " << model::nameOf(order);
          }
}

// More wait than can be there at once, and all of them for the inspected block, which comes last but for
// that.
TEST(BlockOrder, TheInspectedBlockIsSureOfAPlace) {
  constexpr unsigned kBlocks = 100;
  std::vector<int> out(kBlocks);
  std::vector<unsigned> done(kBlocks);
  const auto launch = launched<texts::after_the_block_before>(
      "after_the_block_before", kBlocks, 1024, {argumentOf("out", out), argumentOf("done", done)}, {});
  EXPECT_TRUE(launch.finished);
  unsigned expected = 0;
  for (unsigned block = 0; block < kBlocks; ++block) expected = expected * 3 + block;
  EXPECT_EQ(unsigned(out.back()), expected);
}

// The wait of each thread for each turn is many events; together they are more than a thread may make.
TEST(BlockOrder, AllThreadsWaitForEachTurn) {
  constexpr unsigned kBlocks = 12;
  int expected = 0;
  for (unsigned block = kBlocks; block-- > 0;) expected = int(unsigned(expected) * 3 + block);
  for (const model::Schedule schedule : kEachSchedule)
    for (const BlockOrder order : kEachOrder) {
      std::vector<int> out(1);
      std::vector<unsigned> turns(1);
      const auto launch = launched<texts::turn_by_turn>(
          "turn_by_turn", kBlocks, 32, {argumentOf("out", out), argumentOf("turns", turns)},
          {.order = order, .schedule = schedule, .limits = {.eventsPerThread = 1u << 15}});
      EXPECT_TRUE(launch.finished) << model::nameOf(schedule) << " " << model::nameOf(order);
      EXPECT_EQ(out[0], expected) << model::nameOf(schedule) << " " << model::nameOf(order);
    }
}

TEST(BlockOrder, ABlockThatWaitsForEverEndsTheLaunch) {
  constexpr unsigned kBlocks = 6;
  for (const unsigned waiting : {0u, 3u})
    for (const model::Schedule schedule : kEachSchedule)
      for (const BlockOrder order : kEachOrder) {
        std::vector<int> out(kBlocks);
        std::vector<unsigned> done(1);
        const auto launch = launched<texts::waits_for_ever>(
            "waits_for_ever", kBlocks, 32,
            {argumentOf("out", out), argumentOf("done", done), argumentOf(waiting)},
            {.order = order, .schedule = schedule, .limits = {.eventsPerThread = 1u << 14}});
        EXPECT_FALSE(launch.finished);
        ASSERT_EQ(launch.trace.recorded().problems.size(), 1u);
        EXPECT_THAT(launch.trace.recorded().problems[0].text,
                    HasSubstr(waiting == 0 ? "Thread " : " of block 3 made"));
        EXPECT_THAT(
            launch.trace.recorded().problems[0].text,
            HasSubstr(" made more than 16\u202f384 events and was stopped. Check that its loops end, or take "
                      "fewer elements."));
        std::vector<int> others(kBlocks, 1);
        others[waiting] = 0;
        EXPECT_EQ(out, others) << "the other blocks have run";
      }
}

TEST(BlockOrder, WhatOnlyLooksLikeWaitingEndsByItself) {
  constexpr unsigned kBlocks = 4, kThreads = 32, kTimes = 4000;
  for (const model::Schedule schedule : kEachSchedule)
    for (const BlockOrder order : kEachOrder) {
      std::vector<int> out(kBlocks * kThreads), in{3};
      const auto launch =
          launched<texts::reads_one_place>("reads_one_place", kBlocks, kThreads,
                                           {argumentOf("out", out), argumentOf("in", in), argumentOf(kTimes)},
                                           {.order = order, .schedule = schedule});
      EXPECT_TRUE(launch.finished);
      EXPECT_EQ(out, std::vector<int>(kBlocks * kThreads, 3 * int(kTimes)));
    }
}

// What the receiver's threads record: neither the order of the blocks nor how often a thread looked shows.
// Where the others wait for the receiver first, it looks in vain before it gets their words.
TEST(BlockOrder, WhoWaitsForWordsLeavesOneLookForEach) {
  constexpr unsigned kBlocks = 12, kThreads = 32;
  for (const auto [receiver, others] : {std::pair(0u, 0u), {7u, 0u}, {0u, 2u}, {7u, 2u}}) {
    std::vector<std::uint32_t> firstOfAll;
    for (const std::uint64_t inspected : {0u, 7u})
      for (const model::Schedule schedule : kEachSchedule)
        for (const BlockOrder order : kEachOrder) {
          SCOPED_TRACE(std::string(model::nameOf(schedule)) + " " + std::string(model::nameOf(order)) + " " +
                       std::to_string(others));
          std::vector<unsigned long long> out(kBlocks), words(kBlocks);
          const auto launch = launched<texts::one_word_each>(
              "one_word_each", kBlocks, kThreads,
              {argumentOf("out", out), argumentOf("words", words), argumentOf(receiver), argumentOf(others)},
              {.order = order, .seed = 3, .schedule = schedule, .inspected = inspected});
          EXPECT_TRUE(launch.finished);
          EXPECT_TRUE(launch.trace.recorded().problems.empty());
          for (unsigned block = 0; block < kBlocks; ++block)
            EXPECT_EQ(out[block], block == receiver ? 0 : (1ull << 32) + block + 7);
          if (inspected != receiver) continue;
          const model::BlockTrace& trace = launch.trace.recorded();
          for (unsigned thread = 0; thread < kThreads; ++thread) {
            std::vector<std::uint64_t> looks;
            for (std::uint32_t e = trace.first[thread]; e < trace.first[thread + 1]; ++e)
              if (trace.events[e].kind() == model::EventKind::Load) looks.push_back(trace.events[e].value);
            const bool waits = thread < kBlocks && thread != receiver;
            EXPECT_EQ(looks, waits ? std::vector<std::uint64_t>{(1ull << 32) + thread + 7}
                                   : std::vector<std::uint64_t>{});
          }
          if (firstOfAll.empty()) firstOfAll = trace.first;
          EXPECT_EQ(trace.first, firstOfAll) << "the branches behind a look went with it";
        }
  }
}

// The last block there looks for ever, and the others have run.
TEST(BlockOrder, AWordThatNobodySendsIsNamed) {
  constexpr unsigned kBlocks = 5;
  for (const std::uint64_t inspected : {0u, 2u})
    for (const model::Schedule schedule : kEachSchedule)
      for (const BlockOrder order : kEachOrder) {
        std::vector<unsigned long long> out(kBlocks), words(kBlocks);
        const auto launch = launched<texts::one_word_each>(
            "one_word_each", kBlocks, 32,
            {argumentOf("out", out), argumentOf("words", words), argumentOf(2), argumentOf(1)},
            {.order = order, .schedule = schedule, .inspected = inspected});
        EXPECT_FALSE(launch.finished);
        ASSERT_EQ(launch.trace.recorded().problems.size(), 1u);
        const model::Problem& problem = launch.trace.recorded().problems[0];
        EXPECT_EQ(problem.kind, model::ProblemKind::Deadlock);
        EXPECT_EQ(problem.text,
                  std::string("Thread 2") + (inspected == 2 ? "" : " of block 2") +
                      " waits for a store to words[2] that no block makes which has begun: nobody can go on. "
                      "Let a block store there that waits for nobody, or end the loop.");
        EXPECT_EQ(out[4], (1ull << 32) + 4 + 7);
        EXPECT_EQ(words[0], (1ull << 32) + 7);
      }
}

// ---- What depends on the order.

TEST(BlockOrder, AFloatTotalIsRoundedInTheOrderOfTheBlocks) {
  constexpr unsigned kBlocks = 1000;
  std::vector<float> values(kBlocks);
  for (unsigned block = 0; block < kBlocks; ++block) values[block] = 1.0f / float(block + 3);
  std::set<float> totals;
  for (const BlockOrder order : kEachOrder)
    for (const std::uint64_t seed : {1u, 2u}) {
      const Asked asked{.order = order, .seed = seed};
      std::vector<float> total(1);
      EXPECT_TRUE(launched<texts::block_total>("block_total", kBlocks, 32,
                                               {argumentOf("total", total), argumentOf("values", values)},
                                               asked)
                      .finished);
      float expected = 0;
      for (const unsigned block : expectedOrder(asked, kBlocks)) expected += values[block];
      EXPECT_EQ(total[0], expected) << model::nameOf(order);
      totals.insert(total[0]);
    }
  EXPECT_GE(totals.size(), 3u);
}

}  // namespace
}  // namespace stridescope::engine::host
