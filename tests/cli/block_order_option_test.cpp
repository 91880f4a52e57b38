// --block-order in the commands: what it changes, what is told of it, and where it is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "archive/recording_file.h"
#include "command_run.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

nlohmann::json stepped(std::vector<std::string> words) {
  words.insert(words.begin(), "step");
  words.insert(words.end(), {"--engine", "host", "--json"});
  const CommandRun run = runCommand(words);
  EXPECT_EQ(run.code, 0) << run.error;
  return nlohmann::json::parse(run.out);
}

// Random data at 2^20: whole numbers whose sum is more than a float holds. Their exact sum is found here.
double exactSum() {
  double sum = 0;
  for (std::uint64_t i = 0; i < 1u << 20; ++i) {
    std::uint64_t z = 1 + i + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    sum += double((z ^ z >> 31) % 101);
  }
  return sum;
}

TEST(BlockOrderOption, AFloatTotalByAtomicsDiffersWithinTheBound) {
  const double exact = exactSum();
  std::map<std::string, std::string> results;
  for (const std::string order : {"in-order", "reversed", "random:7", "random:8"}) {
    const nlohmann::json told = stepped(
        {"vectorized_atomic", "--type", "float", "--data", "random", "-n", "2^20", "--block-order", order});
    EXPECT_EQ(told["ok"], true) << order;
    const std::string result = told["result"];
    EXPECT_LE(std::abs(std::stod(result) - exact), exact * 1e-4) << order;
    results[order] = result;
  }
  EXPECT_NE(results["in-order"], results["reversed"]);
  EXPECT_NE(results["random:7"], results["random:8"]);
  // Whole numbers that fit are the same in any order, and so is what is combined in one order.
  std::set<std::string> ints, inOneOrder;
  for (const std::string order : {"in-order", "reversed", "random:7", "interleaved"}) {
    ints.insert(
        stepped({"vectorized_atomic", "--data", "random", "-n", "2^20", "--block-order", order})["result"]);
    inOneOrder.insert(stepped({"single_pass", "--type", "float", "--data", "random", "-n", "2^20",
                               "--block-order", order})["result"]);
  }
  EXPECT_EQ(ints, std::set<std::string>{std::to_string(std::uint64_t(exact))});
  EXPECT_EQ(inOneOrder.size(), 1u);
}

TEST(BlockOrderOption, IsToldWhereItIsNotTheDefault) {
  EXPECT_FALSE(stepped({"many_blocks"})["experiment"].contains("block_order"));
  EXPECT_FALSE(stepped({"many_blocks", "--block-order", "in order"})["experiment"].contains("block_order"));
  const nlohmann::json reversed = stepped({"many_blocks", "--block-order", "reversed"})["experiment"];
  EXPECT_EQ(reversed["block_order"], "reversed");
  EXPECT_FALSE(reversed.contains("block_order_seed"));
  const nlohmann::json random = stepped({"many_blocks", "--block-order", "random:7"})["experiment"];
  EXPECT_EQ(random["block_order"], "random");
  EXPECT_EQ(random["block_order_seed"], 7);
  const CommandRun both = runCommand({"compare", "sequential", "sequential", "--engine", "host",
                                      "--left-block-order", "reversed", "--right-block-order", "random:3"});
  EXPECT_EQ(both.code, 0) << both.error;
  EXPECT_THAT(both.out, HasSubstr("\n  block order"));
  EXPECT_THAT(both.out, HasSubstr("random, seed 3"));
  const CommandRun same =
      runCommand({"compare", "sequential", "sequential", "--engine", "host", "--block-order", "reversed"});
  EXPECT_THAT(same.out, Not(HasSubstr("\n  block order")));
}

TEST(BlockOrderOption, AWrongOneIsTold) {
  const auto said = [](const std::string& order) {
    const CommandRun run = runCommand({"step", "sequential", "--engine", "host", "--block-order", order});
    EXPECT_EQ(run.code, 2) << order;
    EXPECT_EQ(run.error, runCommand({"verify", "--engine", "host", "--block-order", order}).error);
    return run.error;
  };
  EXPECT_THAT(said("revers"),
              HasSubstr("--block-order revers is not one of in-order, reversed, random, random:SEED, "
                        "interleaved; did you mean reversed?"));
  EXPECT_THAT(said(""), HasSubstr("--block-order \"\" is not one of"));
  EXPECT_THAT(said("reversed:3"), HasSubstr("--block-order reversed:3 is not one of"));
  EXPECT_THAT(said("random:"), HasSubstr("--block-order random:SEED takes a whole number"));
  EXPECT_THAT(said("random:-1"), HasSubstr("--block-order random:SEED takes a whole number"));
}

TEST(BlockOrderOption, IsRefusedWhereTheCpuExecutorDoesNotRun) {
  const auto gpu = withGpu(
      [](const model::Experiment& experiment) -> Result<model::Trace> { return hostTrace(experiment); });
  const std::vector<std::vector<std::string>> commands{{"step", "sequential"},
                                                       {"record", "sequential", "-o", "x.stride"},
                                                       {"verify", "sequential"},
                                                       {"compare", "sequential", "sequential"},
                                                       {"why", "sequential"}};
  for (const auto& command : commands)
    for (const std::string engine : {"gpu", "gpu:1", "lecture.stride"}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--engine", engine, "--block-order", "reversed"});
      const CommandRun run = runCommand(words, gpu);
      EXPECT_EQ(run.code, 2) << command[0] << " " << engine;
      EXPECT_EQ(run.out, "") << command[0] << " " << engine;
      EXPECT_THAT(run.error, HasSubstr("--block-order belongs to the CPU executor: "));
      EXPECT_THAT(run.error, HasSubstr(engine == "lecture.stride" ? "a recording keeps the order"
                                                                  : "a GPU chooses the order of its blocks"));
    }
  EXPECT_THAT(runCommand({"compare", "sequential", "sequential", "--engine", "host", "--right-engine", "gpu",
                          "--right-block-order", "reversed"},
                         gpu)
                  .error,
              HasSubstr("--right-block-order belongs to the CPU executor"));
  EXPECT_EQ(runCommand({"verify", "--counters", "--block-order", "reversed"}, gpu).code, 2);
  // Left to choose, the program takes the CPU executor, and says why.
  const CommandRun chosen = runCommand({"step", "sequential", "--block-order", "reversed"}, gpu);
  EXPECT_EQ(chosen.code, 0);
  EXPECT_THAT(chosen.error, HasSubstr("A GPU chooses the order of its blocks itself; 'reversed'"));
}

// The order that docs/variants.md describes: the inspected block is the last of all.
std::vector<std::uint64_t> expectedArrivals(const std::string& order, std::uint64_t grid,
                                            std::uint64_t inspected) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t block = 0; block < grid; ++block)
    if (block != inspected) blocks.push_back(block);
  if (order == "reversed") std::ranges::reverse(blocks);
  if (order == "random:7") {
    std::uint64_t state = 7;
    for (std::size_t left = blocks.size(); left > 1; --left) {
      std::uint64_t z = state += 0x9e3779b97f4a7c15u;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
      z = (z ^ z >> 27) * 0x94d049bb133111ebu;
      std::swap(blocks[left - 1], blocks[(z ^ z >> 31) % left]);
    }
  }
  blocks.push_back(inspected);
  return blocks;
}

TEST(BlockOrderOption, TheBlocksArriveInIt) {
  for (const std::string variant :
       {"single_pass", "acquire_release", "sum_and_count", "one_message", "vectorized_atomic"})
    for (const std::string order : {"in-order", "reversed", "random:7"})
      for (const std::string block : {"0", "5"}) {
        const nlohmann::json told =
            stepped({variant, "--threads", "64", "-n", "2^14", "--block-order", order, "--block", block});
        const nlohmann::json& launch = told["launches"][0];
        const std::uint64_t grid = launch["grid"];
        ASSERT_GT(grid, 5u);
        std::vector<std::uint64_t> expected = expectedArrivals(order, grid, std::stoull(block));
        // Block 0 waits for the words of the others, and sends none.
        if (variant == "one_message") std::erase(expected, 0u);
        EXPECT_EQ(launch["arrivals"], nlohmann::json(expected)) << variant << ' ' << order << ' ' << block;
      }
  // Where each block has a result of its own, none arrives anywhere; nor does a block that is alone.
  EXPECT_FALSE(stepped({"sequential", "-n", "2^14"})["launches"][0].contains("arrivals"));
  EXPECT_FALSE(stepped({"single_pass", "-n", "64", "--threads", "32"})["launches"][0].contains("arrivals"));
}

TEST(BlockOrderOption, TheTextTellsTheOrderOfArrival) {
  const CommandRun run = runCommand({"step", "single_pass", "--threads", "64", "-n", "2^13", "--engine",
                                     "host", "--block-order", "reversed"});
  EXPECT_THAT(run.out, HasSubstr("order of arrival of the blocks: 7, 6, 5, 4, 3, 2, 1, 0\n"));
}

TEST(BlockOrderOption, ARecordingKeepsIt) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("stridescope_order_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "a.stride").string();
  const CommandRun written =
      runCommand({"record", "vectorized_atomic", "--type", "float", "--data", "random", "-n", "2^20",
                  "--engine", "host", "--block-order", "random:7", "-o", file});
  EXPECT_EQ(written.code, 0) << written.error;
  EXPECT_THAT(written.out, HasSubstr("block order random, block order seed 7"));
  const auto index = archive::readIndex(file);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->traces[0].experiment.blockOrder, model::BlockOrder::Random);
  EXPECT_EQ(index->traces[0].experiment.blockOrderSeed, 7u);
  const nlohmann::json read =
      nlohmann::json::parse(runCommand({"step", "vectorized_atomic", "--engine", file, "--json"}).out);
  EXPECT_EQ(read["experiment"]["block_order"], "random");
  const nlohmann::json live = stepped({"vectorized_atomic", "--type", "float", "--data", "random", "-n",
                                       "2^20", "--block-order", "random:7"});
  EXPECT_EQ(read["launches"][0]["arrivals"], live["launches"][0]["arrivals"]);
  EXPECT_EQ(read["result"], live["result"]);
  const CommandRun verified = runCommand({"verify", "--engine", file});
  EXPECT_EQ(verified.code, 0) << verified.out;
  std::filesystem::remove_all(folder);
}

TEST(BlockOrderOption, RightVariantsAreRightInEachOrder) {
  for (const std::string order : {"reversed", "random:5", "interleaved"}) {
    const CommandRun run = runCommand({"verify", "single_pass", "vectorized_atomic", "grid_stride",
                                       "early_result", "--engine", "host", "--block-order", order});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr("block order " + order.substr(0, order.find(':'))));
  }
}

}  // namespace
}  // namespace stridescope::cli
