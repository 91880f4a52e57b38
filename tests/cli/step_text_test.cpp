#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "command_run.h"
#include "kernels/catalog.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/runs.h"

namespace stridescope::cli {
namespace {

void expectWithinColumns(const std::string& text, const std::string& what) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(narration::charactersIn(line), narration::kTextColumns) << what << ": " << line;
}

// What shows a mistake may end with another result than it should.
bool isAsExpected(const kernels::Variant& variant, int code) {
  return code == 0 || (variant.isWrong() && code == 1);
}

// The least and the largest block: what lies between them is no wider.
TEST(StepText, FitsForEveryVariant) {
  for (const kernels::Variant& variant : kernels::catalog())
    for (const unsigned threads : {variant.threads.front(), variant.threads.back()}) {
      const std::string id(variant.id), size = std::to_string(threads);
      const std::string type(model::nameOf(variant.types.back()));
      const std::string elements = variant.merges() ? "50" : "2000";
      const CommandRun run = runCommand({"step", id, "--threads", size, "--type", type, "--round", "0-20",
                                         "-n", elements, "--engine", "host"});
      EXPECT_TRUE(isAsExpected(variant, run.code)) << id << " " << size << run.error;
      expectWithinColumns(run.out, id + " " + size + " in detail");
      if (variant.merges()) continue;  // thousands of rounds
      const CommandRun all = runCommand({"step", id, "--threads", size, "--engine", "host"});
      EXPECT_TRUE(isAsExpected(variant, all.code)) << id << " " << size << all.error;
      expectWithinColumns(all.out, id + " " + size);
    }
}

TEST(StepText, TellsTheRoundAndTheResult) {
  const std::string text =
      runCommand({"step", "interleaved_contiguous", "--engine", "host", "--data", "ramp"}).out;
  EXPECT_NE(text.find("interleaved_contiguous int + ramp, 256 threads, 256 elements"), std::string::npos);
  EXPECT_NE(text.find("engine: CPU executor"), std::string::npos);
  EXPECT_NE(
      text.find("Stride 8: the first 16 of 256 threads add, 16 of 32 lanes of warp 0; the other 7 warps are "
                "idle.\nBecause active lanes are 16 words apart, 16 lanes of load A hit only banks 0 and 16: "
                "each load and\nthe store take 8 wavefronts instead of 1, an 8-way bank conflict."),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("     W0  ################////////////////\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("result 32\u202f640, expected 32\u202f640: equal\n"));
}

// 100 elements fill four of the eight warps: the others bring no element to the second stage.
TEST(StepText, WarpsWithoutElementsBringNone) {
  const CommandRun run = runCommand({"step", "warp_shuffle", "-n", "100", "--engine", "host"});
  ASSERT_EQ(run.code, 0) << run.error;
  const auto read = run.out.find("(read)");
  ASSERT_NE(read, std::string::npos);
  const std::string second = run.out.substr(read);
  for (const char* told : {"4 of 4 still needed", "2 of 4 still needed", "1 of 4 still needed",
                           "Lanes 4 to 31 hold only the identity"})
    EXPECT_NE(second.find(told), std::string::npos) << told;
  EXPECT_EQ(second.find("of 8 still needed"), std::string::npos);
}

TEST(StepText, RoundShowsOnlyThatRoundWithItsCards) {
  const std::string text =
      runCommand({"step", "interleaved_contiguous", "--engine", "host", "--round", "4"}).out;
  EXPECT_NE(text.find("round 4 (8)"), std::string::npos);
  EXPECT_EQ(text.find("round 3"), std::string::npos);
  EXPECT_EQ(text.find("round 5"), std::string::npos);
  EXPECT_NE(text.find("load A  warp 0: 8 wavefronts instead of 1  "), std::string::npos) << text;
  EXPECT_NE(text.find("data[index] = combine(data[index], data[index + s]);"), std::string::npos);
}

// 32 neighbouring ints are 128 bytes: 4 sectors of 32.
TEST(StepText, ABlockInDeviceMemoryHasSectorsByRoundAndNoBanks) {
  const std::string text = runCommand({"step", "global_memory", "--engine", "host"}).out;
  EXPECT_EQ(text.find("asked of a bank"), std::string::npos);
  const auto map = text.find("most sectors touched by one request of a warp, by round");
  ASSERT_NE(map, std::string::npos) << text;
  EXPECT_NE(text.find("4, 4 needed", map), std::string::npos) << text.substr(map);
}

TEST(StepText, FirstAddOnLoadOpensWithItsSentence) {
  const std::string text = runCommand({"step", "first_add_on_load", "--engine", "host", "--round", "0"}).out;
  EXPECT_NE(text.find("Load: 256 threads add two elements each, 256 apart, into shared memory."),
            std::string::npos)
      << text;
}

// Three events an element fill the log of its only thread.
TEST(StepText, SaysHowManyElementsFitIntoATrace) {
  const auto run = [](const char* elements) {
    return runCommand({"step", "left_to_right", "-n", elements, "--engine", "host"});
  };
  const CommandRun cut = run("100000");
  EXPECT_EQ(cut.code, 4);
  EXPECT_NE(cut.out.find("\u202f000 elements: some 86\u202f000 fit.\n"), std::string::npos) << cut.out;
  EXPECT_EQ(run("86000").code, 0);
}

TEST(StepText, DoesNotCallNoNumberEqualToANumber) {
  // Element 92 of these is 0. Left to right the product of the doubles before it is within their range, that
  // of the floats is not; a tree's upper half overflows in both, and infinity times 0 is nan.
  const auto run = [](const char* type) {
    return runCommand({"step", "first_add_on_load", "--type", type, "--op", "mul", "--threads", "1024",
                       "--data", "random", "--seed", "7", "--engine", "host"});
  };
  const CommandRun doubles = run("double");
  EXPECT_EQ(doubles.code, 1);
  EXPECT_NE(doubles.out.find("\nresult nan, expected 0: DIFFERENT\n"), std::string::npos) << doubles.out;
  const CommandRun floats = run("float");
  EXPECT_EQ(floats.code, 0);
  EXPECT_NE(floats.out.find("\nresult nan, expected nan: equal\nThe exact product is 0."), std::string::npos)
      << floats.out;
}

TEST(StepText, LeavesOutADateThatARecordingLacks) {
  model::Trace trace;
  trace.experiment.variant = "sequential";
  trace.executor.kind = model::EngineKind::Recorded;
  trace.executor.device = "CPU executor";
  trace.executor.compiler = "g++ 12.2.0";
  EXPECT_NE(report::stepText(lab::runOf(std::move(trace)), std::nullopt)
                .find("engine: recorded on CPU executor, g++ 12.2.0\n"),
            std::string::npos);
}

// Block 9 is the second one of its cluster: what it stores for the first one is no event, and its threads'
// work is of use all the same.
TEST(StepText, TellsWhatABlockStoresIntoAnotherOneOfItsCluster) {
  const CommandRun run = runCommand(
      {"step", "cluster_sum", "--threads", "64", "-n", "2^15", "--block", "9", "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.error;
  std::string text = run.out;
  std::ranges::replace(text, '\n', ' ');
  EXPECT_NE(text.find("no thread touches memory of its own block"), std::string::npos) << run.out;
  EXPECT_NE(text.find("Line 104: Thread 0 stores 4 bytes in the shared memory of block 0 of the cluster, at "
                      "blocks[1]."),
            std::string::npos)
      << run.out;
  EXPECT_NE(text.find("1 of the 2 results that hold an element is still needed"), std::string::npos)
      << run.out;
}

// The first blocks of the clusters alone send words, and block 0 waits for them.
TEST(StepText, TellsInWhichOrderClustersArrive) {
  for (const auto& [order, arrivals] :
       {std::pair("in-order", "8, 16, 24"), std::pair("reversed", "24, 16, 8")}) {
    const CommandRun run = runCommand(
        {"step", "cluster_sum", "--threads", "64", "-n", "2^15", "--block-order", order, "--engine", "host"});
    EXPECT_NE(run.out.find("order of arrival of the blocks: " + std::string(arrivals) + "\n"),
              std::string::npos)
        << run.out.substr(0, 600);
  }
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(narration::wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(narration::wrapped("one two", 3), "one\ntwo");
  EXPECT_EQ(narration::wrapped("long", 2), "long");
  EXPECT_EQ(narration::wrapped("", 10), "");
  EXPECT_EQ(narration::charactersIn("32\u202f640"), 6u);
}

}  // namespace
}  // namespace stridescope::cli
