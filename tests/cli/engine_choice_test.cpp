// Recordings by way of the commands: record, then step from the file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "command_run.h"
#include "kernels/catalog.h"

namespace stridescope {
namespace {

using Json = nlohmann::ordered_json;

class Recordings : public testing::Test {
 protected:
  Recordings()
      : folder_(std::filesystem::temp_directory_path() / ("stridescope_cli_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Recordings() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST_F(Recordings, GiveBackWhatRan) {
  const std::string path = file("two.stride");
  const CommandRun written =
      runCommand({"record", "sequential", "interleaved_contiguous", "-o", path, "--engine", "host"});
  ASSERT_EQ(written.code, 0) << written.error;
  const CommandRun read = runCommand({"step", "interleaved_contiguous", "--engine", path, "--json"});
  ASSERT_EQ(read.code, 0) << read.error;
  Json recorded = Json::parse(read.out);
  Json live = Json::parse(runCommand({"step", "interleaved_contiguous", "--engine", "host", "--json"}).out);
  EXPECT_EQ(recorded["engine"]["kind"], "recorded");
  EXPECT_EQ(recorded["engine"]["device"], "CPU executor");
  EXPECT_TRUE(recorded["engine"]["recorded_on"].is_string());
  recorded.erase("engine");
  live.erase("engine");
  EXPECT_EQ(recorded, live);
}

TEST_F(Recordings, AreReplacedOnlyWithForce) {
  const std::string path = file("one.stride");
  ASSERT_EQ(runCommand({"record", "sequential", "-o", path, "--engine", "host"}).code, 0);
  const CommandRun again = runCommand({"record", "sequential", "-o", path, "--engine", "host"});
  EXPECT_EQ(again.code, 3);
  EXPECT_NE(again.error.find("--force"), std::string::npos);
  EXPECT_EQ(runCommand({"record", "sequential", "-o", path, "--engine", "host", "--force"}).code, 0);
}

TEST_F(Recordings, AnswerToWhatWasGiven) {
  const std::string path = file("odd.stride");
  ASSERT_EQ(
      runCommand({"record", "sequential", "-o", path, "--engine", "host", "--threads", "64", "--op", "max"})
          .code,
      0);
  // The only trace needs no options; an option that does not agree is told, with what there is.
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path}).code, 0);
  EXPECT_EQ(runCommand({"step", "--engine", path}).code, 0);
  const CommandRun other = runCommand({"step", "sequential", "--engine", path, "--op", "min"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.error.find("sequential int max ramp, 64 threads"), std::string::npos) << other.error;
}

TEST_F(Recordings, ListWhatMatchesWhereSeveralDo) {
  const std::string path = file("all.stride");
  const CommandRun recorded =
      runCommand({"record", "--all", "-o", path, "--engine", "host", "--threads", "64"});
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  EXPECT_NE(recorded.error.find("Left out: The variant 'warp_guarded' does not run with 64 threads"),
            std::string::npos)
      << recorded.error;
  const CommandRun many = runCommand({"step", "--engine", path, "--threads", "64"});
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.error.find("interleaved_modulo"), std::string::npos);
  EXPECT_NE(many.error.find("unrolled_last_warp"), std::string::npos);
}

TEST_F(Recordings, ThatAreNoneAreRefused) {
  const std::string path = file("not.stride");
  std::ofstream(path) << "not a recording";
  EXPECT_EQ(runCommand({"step", "sequential", "--engine", path}).code, 3);
  EXPECT_EQ(runCommand({"verify", "--engine", path}).code, 3);
}

TEST_F(Recordings, AreVerifiedAgainstTheExecutor) {
  const std::string path = file("verified.stride");
  ASSERT_EQ(runCommand({"record", "--all", "-o", path, "--engine", "host"}).code, 0);
  const CommandRun run = runCommand({"verify", "--engine", path});
  EXPECT_EQ(run.code, 0) << run.out << run.error;
  const std::string all = std::to_string(catalog().size());
  EXPECT_TRUE(run.out.ends_with(all + " of " + all + " equal\n")) << run.out;
}

}  // namespace
}  // namespace stridescope
