// What is said of a round over several GPUs, against what the variants do (docs/variants.md): whose elements,
// to whom, and how many bytes.
#include "narration/devices.h"

#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "base/numbers.h"
#include "engine/host/host_engine.h"
#include "narration/caption.h"

namespace stridescope::narration {
namespace {

using Captions = std::vector<std::string>;

struct Recorded {
  model::Trace trace;
  analysis::Analysis analysis;

  explicit Recorded(const model::Experiment& experiment) {
    engine::JobControl job;
    auto recorded = engine::host::makeHostEngine()->record(experiment, job);
    EXPECT_TRUE(recorded) << recorded.error().sentence;
    if (recorded) trace = std::move(*recorded);
    analysis = analysis::analyse(trace);
  }

  template <class Text>
  Captions eachRound(Text text) const {
    Captions all;
    for (std::size_t launch = 0; launch < trace.launches.size(); ++launch) {
      const auto flow = analysis::findDataFlow(trace, trace.launches[launch], analysis.launches[launch]);
      for (std::size_t round = 0; round < analysis.launches[launch].rounds.size(); ++round)
        all.push_back(text(RoundAt{trace, trace.launches[launch], analysis.launches[launch], flow, round}));
    }
    return all;
  }
  // The captions of all rounds: there is one in each step.
  Captions captions() const {
    return eachRound([](const RoundAt& at) { return captionOf(at).text(); });
  }
};

// 16 elements on each of 4 GPUs: a part has 4, or 16 bytes.
Recorded recorded(const char* variant, unsigned block, unsigned gpus = 4, std::uint64_t n = 16) {
  return Recorded({.variant = variant, .threads = 256, .elements = n, .block = block, .gpus = gpus});
}

TEST(DeviceCaptions, OfPeerLoadsNameAllOthers) {
  EXPECT_EQ(
      recorded("peer_loads", 0).captions(),
      Captions{"Load: GPU 0 loads elements 0 to 3 of in from GPUs 1 to 3, combines them with its own and "
               "stores elements 0 to 3 of out on GPUs 1 to 3. 12 links carry 32 bytes each."});
  EXPECT_EQ(
      recorded("peer_loads", 2).captions(),
      Captions{"Load: GPU 2 loads elements 8 to 11 of in from GPUs 0, 1 and 3, combines them with its own "
               "and stores elements 8 to 11 of out on GPUs 0, 1 and 3. 12 links carry 32 bytes each."});
  EXPECT_EQ(recorded("peer_loads", 1, 2, 2).captions(),
            Captions{"Load: GPU 1 loads element 1 of in from GPU 0, combines them with its own and stores "
                     "element 1 of out on GPU 0. 2 links carry 8 bytes each."});
}

// Part 2 begins at GPU 2: GPU 3 takes it first, and GPU 1 finishes it.
TEST(DeviceCaptions, OfARingNameTheLeftNeighbourAlone) {
  const std::string combines = ", combines them with its own and stores the results in its own memory.",
                    copies = " and stores the results in its own memory.",
                    links = " 4 links carry 16 bytes each.";
  EXPECT_EQ(recorded("ring", 3).captions(),
            (Captions{"Step 1 of 6: GPU 3 loads elements 8 to 11 of in from GPU 2" + combines + links,
                      "Step 2 of 6: GPU 3 loads elements 4 to 7 of out from GPU 2" + combines + links,
                      "Step 3 of 6: GPU 3 loads elements 0 to 3 of out from GPU 2" + combines + links,
                      "Step 4 of 6: GPU 3 loads elements 12 to 15 of out from GPU 2" + copies + links,
                      "Step 5 of 6: GPU 3 loads elements 8 to 11 of out from GPU 2" + copies + links,
                      "Step 6 of 6: GPU 3 loads elements 4 to 7 of out from GPU 2" + copies + links}));
}

TEST(DeviceCaptions, OfATreeSayWhoHasNoTurn) {
  EXPECT_EQ(
      recorded("tree", 2).captions(),
      (Captions{"Step 1 of 4: GPU 2 loads elements 0 to 15 of in from GPU 3, combines them with its own and "
                "stores the results in its own memory. 2 links carry 64 bytes each.",
                "Step 2 of 4: GPU 2 has no turn. 1 link carries 64 bytes.",
                "Step 3 of 4: GPU 2 loads elements 0 to 15 of out from GPU 0 and stores the results in its "
                "own memory. 1 link carries 64 bytes.",
                "Step 4 of 4: GPU 2 has no turn. 2 links carry 64 bytes each."}));
  // The last of three has no partner in the first step, and takes its own.
  EXPECT_EQ(
      recorded("tree", 2, 3).captions()[0],
      "Step 1 of 4: GPU 2 loads its own elements 0 to 15 of in and stores elements 0 to 15 of out in its "
      "own memory. 1 link carries 64 bytes.");
}

TEST(DeviceCaptions, TellHowManyElementsARecordedBlockTakes) {
  const Recorded run({.variant = "tree", .threads = 32, .elements = 20'000, .block = 4, .gpus = 2});
  const std::uint64_t blocks = run.trace.launches[0].blocksOfDevice(), row = 32 * blocks;
  const std::uint64_t rows = (20'000 - 128 + row - 1) / row, last = 128 + (rows - 1) * row + 31;
  ASSERT_LT(last, 20'000u) << "whole rows";
  EXPECT_EQ(
      run.captions()[0],
      "Step 1 of 2: GPU 0 loads " + std::to_string(32 * rows) + " of elements 128 to " + figure(last) +
          " of in from GPU 1, combines them with its own and stores the results in its own memory. 1 link "
          "carries " +
          std::to_string(32 * rows * 4) + " bytes (of block 4 of each GPU's " + std::to_string(blocks) +
          ").");
  const std::string line =
      transferLine(run.trace.launches[0], run.analysis.launches[0].traffic.rounds[0].transfers[0]);
  EXPECT_EQ(line.substr(0, line.find(',')), "GPU 1 -> GPU 0  in[128.." + std::to_string(last) + "] (" +
                                                std::to_string(32 * rows) + " elements of these)");
}

// What goes over links is told of whole rounds.
TEST(DeviceCaptions, OfAPassTellTheShownGpuAlone) {
  const Recorded run = recorded("ring", 1, 2, 1000);
  const auto flow = analysis::findDataFlow(run.trace, run.trace.launches[0], run.analysis.launches[0]);
  analysis::PassViewer viewer(run.trace, run.trace.launches[0], run.analysis.launches[0], flow);
  const auto view = viewer.view(0, 1);
  ASSERT_TRUE(view);
  EXPECT_EQ(
      captionOf(RoundAt{run.trace, run.trace.launches[0], run.analysis.launches[0], flow, 0, &*view}).text(),
      "Pass 2 of 2, step 1 of 2: GPU 1 loads elements 256 to 499 of in from GPU 0, combines them with its "
      "own and stores the results in its own memory.");
}

// Whichever GPU's block is shown, its number is that in its own GPU's grid.
TEST(DeviceCaptions, NumberARecordedBlockWithinItsGpu) {
  const Recorded run({.variant = "tree", .threads = 32, .elements = 20'000, .block = 157 + 4, .gpus = 2});
  ASSERT_EQ(run.trace.launches[0].blocksOfDevice(), 157u);
  EXPECT_EQ(run.captions()[0],
            "Step 1 of 2: GPU 1 has no turn. 1 link carries 512 bytes (of block 4 of each GPU's 157).");
}

TEST(DeviceCaptions, OfAMessageSayWhoSendsAndWhoWaits) {
  const auto messages = [](unsigned block, unsigned gpus, model::ElementType type) {
    Captions all = Recorded({.variant = "nvlink_message",
                             .type = type,
                             .threads = 32,
                             .elements = 100,
                             .block = block,
                             .gpus = gpus})
                       .eachRound(messageClause);
    std::erase(all, "");
    return all;
  };
  using enum model::ElementType;
  EXPECT_EQ(messages(0, 2, Int), Captions{"GPU 0 waits for the word of GPU 1, and combines the result"});
  EXPECT_EQ(messages(0, 3, Int),
            Captions{"GPU 0 waits for the words of GPUs 1 and 2, and combines the results in their order"});
  EXPECT_EQ(messages(0, 8, Double),
            Captions{"GPU 0 waits for the words of GPUs 1 to 7, and combines the results in their order"});
  EXPECT_EQ(messages(2, 8, Int), Captions{"GPU 2 sends 8 bytes into the memory of GPU 0"});
  EXPECT_EQ(messages(7, 8, Double), Captions{"GPU 7 sends 16 bytes into the memory of GPU 0"});
}

// All elements are 1: a sum is a count of elements.
TEST(DeviceCaptions, OfSumsCountTheElementsOfTheGpuAndOfAll) {
  const auto captionsOf = [](const char* variant, unsigned block) {
    return Recorded({.variant = variant,
                     .threads = 32,
                     .elements = 901,
                     .data = model::DataPattern::Ones,
                     .block = block,
                     .gpus = 3})
        .captions();
  };
  EXPECT_EQ(captionsOf("host_adds", 0).front().substr(0, 51),
            "Load: 32 threads add 301 elements in registers, in ");
  EXPECT_EQ(captionsOf("host_adds", 2).front().substr(0, 51),
            "Load: 32 threads add 299 elements in registers, in ");
  const std::string last = captionsOf("nvlink_message", 0).back();
  EXPECT_NE(
      last.find("thread 0 takes inbox[1] of GPU 0 away, and takes inbox[2] of GPU 0 away, and writes 901 to "
                "out[0] of GPU 0, the sum of all GPUs."),
      std::string::npos)
      << last;
}

TEST(DeviceMap, HasARowForEachGpuAndEachTransfer) {
  const Captions maps = recorded("ring", 0, 2).eachRound(devicesMap);
  EXPECT_EQ(maps, (Captions{"    out  after the round\n"
                            "  GPU 0  [0..7] nothing yet, [8..15] of all GPUs\n"
                            "  GPU 1  [0..7] of all GPUs, [8..15] nothing yet\n"
                            "         GPU 0 -> GPU 1  in[0..7], 32 bytes, which GPU 1 loads\n"
                            "         GPU 1 -> GPU 0  in[8..15], 32 bytes, which GPU 0 loads\n",
                            "    out  after the round\n"
                            "  GPU 0  [0..15] of all GPUs\n"
                            "  GPU 1  [0..15] of all GPUs\n"
                            "         GPU 0 -> GPU 1  out[8..15], 32 bytes, which GPU 1 loads\n"
                            "         GPU 1 -> GPU 0  out[0..7], 32 bytes, which GPU 0 loads\n"}));
  const Captions tree = recorded("tree", 0, 3).eachRound(devicesMap);
  EXPECT_NE(
      tree[0].find("  GPU 0  [0..15] of GPUs 0 and 1\n  GPU 1  [0..15] nothing yet\n  GPU 2  [0..15] of GPU "
                   "2\n"),
      std::string::npos)
      << tree[0];
  const Captions stores = recorded("peer_loads", 0, 2).eachRound(devicesMap);
  EXPECT_NE(stores[0].find("         GPU 1 -> GPU 0  out[8..15], 32 bytes, which GPU 1 stores\n"),
            std::string::npos)
      << stores[0];
  const Captions message =
      Recorded({.variant = "nvlink_message", .threads = 32, .elements = 64, .gpus = 2}).eachRound(devicesMap);
  EXPECT_EQ(message.back(), "         thread 0 of GPU 0 waits for GPU 1\n");
}

// In a ring of three, each link goes to the right; the tree goes both ways, and between 1 and 2 nothing goes.
TEST(DeviceMap, SumsTheLinksOfAllLaunchesBelowTheLast) {
  Captions maps = recorded("ring", 0, 3, 12).eachRound(linksMap);
  EXPECT_EQ(maps.back(),
            "   from \\ to      GPU 0      GPU 1      GPU 2\n"
            "       GPU 0          .         64          0\n"
            "       GPU 1          0          .         64\n"
            "       GPU 2         64          0          .\n");
  maps.pop_back();
  EXPECT_EQ(maps, Captions(3));
}

TEST(DeviceRaceSentences, NameBothGpusLinesAndThePlace) {
  Recorded run = recorded("tree", 0, 2);
  const auto lineOf = [&](unsigned site) { return std::to_string(run.trace.sites[site].line); };
  run.analysis.launches[0].traffic.races = {
      {.buffer = 1, .device = 1, .element = 3, .first = 0, .second = 1, .firstSite = 0, .secondSite = 4}};
  ASSERT_NE(lineOf(0), lineOf(4));
  EXPECT_EQ(
      run.eachRound([](const RoundAt& at) {
        const std::vector<std::string> sentences = deviceRaceSentences(at);
        return sentences.empty() ? "" : sentences.front();
      }),
      (Captions{"Race between GPUs: GPU 0 (line " + lineOf(0) + ") and GPU 1 (line " + lineOf(4) +
                    ") access out[3] of GPU 1, one of them stores, and no message orders them. Let a word "
                    "with release and acquire order, or the end of a launch, stand between.",
                ""}));
}

}  // namespace
}  // namespace stridescope::narration
