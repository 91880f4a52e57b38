// --gpus in the commands, and what they tell of several GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_run.h"
#include "support/temporary_folder.h"

namespace stridescope::cli {
namespace {

using testing::HasSubstr;

nlohmann::json gpusJson(std::vector<std::string> words) {
  words.insert(words.begin(), "step");
  words.insert(words.end(), {"--json"});
  const CommandRun run = runCommand(words);
  EXPECT_EQ(run.code, 0) << run.error;
  return nlohmann::json::parse(run.out);
}
std::string gpusText(std::vector<std::string> words) {
  words.insert(words.begin(), "step");
  words.insert(words.end(), {"--engine", "host"});
  const CommandRun run = runCommand(words);
  EXPECT_EQ(run.code, 0) << run.error;
  return run.out;
}

TEST(SeveralGpus, StandInTheExperimentOfTheirVariantsAlone) {
  EXPECT_EQ(gpusJson({"ring", "--engine", "host", "-n", "12"})["experiment"]["gpus"], 2) << "unless given";
  EXPECT_EQ(gpusJson({"ring", "--engine", "host", "-n", "12", "--gpus", "3"})["experiment"]["gpus"], 3);
  EXPECT_FALSE(gpusJson({"sequential", "--engine", "host"})["experiment"].contains("gpus"));
  const CommandRun other = runCommand({"step", "sequential", "--engine", "host", "--gpus", "2"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.error, HasSubstr("The variant 'sequential' runs on one GPU. Leave out --gpus."));
  for (const char* gpus : {"1", "9", "0", "two"}) {
    const CommandRun run = runCommand({"step", "ring", "--engine", "host", "--gpus", gpus});
    EXPECT_EQ(run.code, 2) << gpus;
    EXPECT_THAT(run.error, HasSubstr("--gpus takes")) << gpus;
  }
}

TEST(SeveralGpus, TellWhatGoesOverTheLinks) {
  const nlohmann::json run = gpusJson({"ring", "--engine", "host", "-n", "12", "--gpus", "3"});
  EXPECT_EQ(run["ok"], true);
  ASSERT_EQ(run["launches"].size(), 4u);
  const nlohmann::json& first = run["launches"][0];
  EXPECT_EQ(first["devices"], 3);
  EXPECT_EQ(first["grid"], 3);
  ASSERT_EQ(first["blocks"].size(), 3u);
  for (unsigned device = 0; device < 3; ++device) {
    EXPECT_EQ(first["blocks"][device]["device"], device);
    EXPECT_EQ(first["blocks"][device]["block"], device);
    EXPECT_EQ(first["blocks"][device]["rounds"].size(), 1u);
  }
  // Step 0: each device takes its left neighbour's part out of its input.
  EXPECT_EQ(
      first["traffic"][0]["transfers"],
      nlohmann::json::parse(
          R"([{"from":0,"to":1,"by":1,"array":"in","first":0,"last":3,"elements":4,"bytes":16,"message":false},
                            {"from":1,"to":2,"by":2,"array":"in","first":4,"last":7,"elements":4,"bytes":16,"message":false},
                            {"from":2,"to":0,"by":0,"array":"in","first":8,"last":11,"elements":4,"bytes":16,"message":false}])"));
  EXPECT_EQ(
      run["launches"][3]["links"],
      nlohmann::json::parse(
          R"([{"from":0,"to":1,"bytes":64},{"from":1,"to":2,"bytes":64},{"from":2,"to":0,"bytes":64}])"));
  for (const nlohmann::json& launch : run["launches"])
    EXPECT_EQ(launch["device_races"], nlohmann::json::array());

  const std::string words = gpusText({"ring", "-n", "12", "--gpus", "3"});
  EXPECT_THAT(words, HasSubstr("3 GPUs with 1 block each; block 0 is of GPU 0"));
  EXPECT_THAT(
      words,
      HasSubstr("Step 1 of 4: GPU 0 loads elements 8 to 11 of in from GPU 2, combines them with its own and "
                "stores\nthe results in its own memory. 3 links carry 16 bytes each."));
  EXPECT_THAT(words, HasSubstr("GPU 2 -> GPU 0  in[8..11], 16 bytes, which GPU 0 loads"));
  EXPECT_THAT(words, HasSubstr("  GPU 0  [0..7] nothing yet, [8..11] of GPUs 0 and 2\n"));
  EXPECT_THAT(words, HasSubstr("bytes from GPU to GPU, in all launches\n"
                               "   from \\ to      GPU 0      GPU 1      GPU 2\n"
                               "       GPU 0          .         64          0\n"));
}

TEST(SeveralGpus, TellWhoWaitsForWhom) {
  const nlohmann::json run =
      gpusJson({"nvlink_message", "--engine", "host", "--threads", "32", "-n", "64", "--gpus", "3"});
  const nlohmann::json& launch = run["launches"][0];
  EXPECT_EQ(launch["arrivals"], nlohmann::json::parse("[1,2]"));
  const nlohmann::json& last = launch["traffic"].back();
  EXPECT_EQ(last["waits"],
            nlohmann::json::parse(R"([{"device":0,"of":1,"thread":0},{"device":0,"of":2,"thread":0}])"));
  EXPECT_EQ(launch["rounds"].back()["kind"], "write");
  const std::string words = gpusText({"nvlink_message", "--threads", "32", "-n", "64", "--gpus", "3"});
  EXPECT_THAT(
      words,
      HasSubstr("Wait: GPU 0 waits for the words of GPUs 1 and 2, and combines the results in their order."));
  EXPECT_THAT(gpusText({"nvlink_message", "--threads", "32", "-n", "64", "--gpus", "3", "--block", "2"}),
              HasSubstr("GPU 2 sends 8 bytes into the memory of GPU 0."));
  // The blocks that are not shown are cut into rounds as they are where they are.
  EXPECT_THAT(gpusText({"nvlink_message", "--threads", "32", "-n", "64", "--gpus", "3", "--block", "2"}),
              HasSubstr("launch 0, GPU 0, block 0: " + std::to_string(launch["rounds"].size()) + " rounds"));
}

TEST(SeveralGpus, ComeBackFromARecording) {
  const support::Folder folder;
  const std::string file = (folder / "ring.stride").string();
  const CommandRun recorded = runCommand(
      {"record", "ring", "--engine", "host", "-n", "12", "--gpus", "3", "--block", "1", "--output", file});
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  const nlohmann::json from = gpusJson({"ring", "--engine", file, "--gpus", "3", "-n", "12", "--block", "1"});
  const nlohmann::json live =
      gpusJson({"ring", "--engine", "host", "--gpus", "3", "-n", "12", "--block", "1"});
  EXPECT_EQ(from["launches"], live["launches"]);
  EXPECT_EQ(from["experiment"], live["experiment"]);
}

// A recording does not have the memory orders of a message: they come from the kernel's text.
TEST(SeveralGpus, SendMessagesInARecordingToo) {
  const support::Folder folder;
  const std::string file = (folder / "message.stride").string();
  const std::vector<std::string> asked{"nvlink_message", "--threads", "32", "-n", "64", "--gpus", "3"};
  const auto with = [&](std::vector<std::string> words, const std::string& engine) {
    words.insert(words.end(), asked.begin(), asked.end());
    words.insert(words.end(), {"--engine", engine});
    return words;
  };
  std::vector<std::string> record = with({"record"}, "host");
  record.insert(record.end(), {"--output", file});
  const CommandRun recorded = runCommand(record);
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  const nlohmann::json from = gpusJson(with({}, file)), live = gpusJson(with({}, "host"));
  EXPECT_EQ(from["launches"], live["launches"]);
  std::size_t messages = 0;
  for (const nlohmann::json& round : from["launches"][0]["traffic"])
    for (const nlohmann::json& transfer : round["transfers"]) messages += transfer["message"] == true;
  EXPECT_EQ(messages, 2u);
  EXPECT_EQ(from["launches"][0]["traffic"].back()["waits"].size(), 2u);
}

// A part of 12 elements of 4 bytes on 3 devices has 16 bytes. Peer loads carry two from each device to each
// other one, the ring one over each of its 3 links in each of 4 steps, and the tree whole arrays over 4
// links.
TEST(SeveralGpus, AreComparedByWhatGoesOverTheirLinks) {
  const auto figuresOf = [](std::vector<std::string> words) {
    words.insert(words.begin(), "compare");
    words.insert(words.end(), {"--engine", "host", "--json"});
    const CommandRun run = runCommand(words);
    EXPECT_EQ(run.code, 0) << run.error;
    return run.code == 0 ? nlohmann::json::parse(run.out) : nlohmann::json();
  };
  const auto told = [](const nlohmann::json& figures, const std::string& name) {
    for (const nlohmann::json& figure : figures)
      if (figure["name"] == name)
        return figure["left"].dump() + " | " + figure["right"].dump() + " " +
               figure["unit"].get<std::string>();
    return std::string("none");
  };
  const nlohmann::json arrays = figuresOf({"peer_loads", "ring", "-n", "12", "--gpus", "3"});
  EXPECT_EQ(told(arrays["figures"], "all_link_bytes"), "192 | 192 bytes");
  EXPECT_EQ(told(arrays["figures"], "highest_all_link_bytes"), "32 | 64 bytes");
  EXPECT_EQ(told(arrays["rounds"][0]["figures"], "link_bytes"), "192 | 48 bytes");
  EXPECT_EQ(told(arrays["rounds"][0]["figures"], "highest_link_bytes"), "32 | 16 bytes");
  const nlohmann::json trees = figuresOf({"ring", "tree", "-n", "12", "--gpus", "3"});
  EXPECT_EQ(told(trees["figures"], "all_link_bytes"), "192 | 192 bytes");
  EXPECT_EQ(told(trees["figures"], "highest_all_link_bytes"), "64 | 48 bytes");
  const nlohmann::json one = figuresOf({"sequential", "interleaved_contiguous"});
  EXPECT_EQ(told(one["figures"], "all_link_bytes"), "none");
  EXPECT_EQ(told(one["rounds"][0]["figures"], "link_bytes"), "none");
}

TEST(SeveralGpus, HaveNoStepsWhereALibraryDoesThem) {
  for (const char* id : {"nccl_reduce", "nccl_all_reduce"}) {
    const CommandRun run = runCommand({"step", id, "--engine", "host"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.error,
                HasSubstr("NCCL's own steps are not visible: it is timed, and its result is checked."));
    EXPECT_THAT(runCommand({"list"}).out, HasSubstr(id));
  }
}

}  // namespace
}  // namespace stridescope::cli
