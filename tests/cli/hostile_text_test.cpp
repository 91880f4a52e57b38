// Texts of a file, a driver or the command line that would take over a terminal: whatever command meets them,
// what it writes is plain text, and JSON is JSON.
#include "support/hostile_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "archive/recording_file.h"
#include "command_run.h"
#include "engine/experiment_check.h"
#include "support/hostile_recording.h"
#include "support/whole_sweeps.h"

namespace stridescope::cli {
namespace {

using support::hostileIn;
using support::kHostileText;

const std::string kHostile(kHostileText);

class HostileText : public testing::Test {
 protected:
  HostileText() { std::filesystem::create_directories(folder_); }
  ~HostileText() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ / name; }

  static void expectPlain(const CommandRun& run) {
    EXPECT_EQ(hostileIn(run.out), "");
    EXPECT_EQ(hostileIn(run.error), "");
  }
  static CommandRun runPlain(const std::vector<std::string>& arguments,
                             const Services& services = hostOnly()) {
    const CommandRun run = runCommand(arguments, services);
    expectPlain(run);
    return run;
  }

  // One that a person could have made, with everything that a recording can hold.
  void record(const std::string& path) {
    model::Trace plain =
        hostTrace(*engine::checkedExperiment({.variant = "sequential", .threads = 32}, false));
    support::appendHostileComment(plain);
    plain.launches[0].recorded().problems.push_back({model::ProblemKind::Limit, "Stopped.", 1, 0});
    plain.checkNote = "A note.";
    model::Trace own = plain;
    own.experiment.op = model::Operator::Custom;
    own.experiment.custom = {"a + b", "0", 0};
    own.experiment.data = model::DataPattern::Given;
    own.experiment.given = model::SharedData({"numbers.txt", std::vector<std::uint64_t>(32, 1), {}});
    own.experiment.elements = 32;
    own.trial = {{{model::TrialProperty::Associative, model::TrialVerdict::Fails, "No.", true}}, "Why."};
    const std::vector<model::Trace> traces{plain, own};
    model::TimingRecord timing;
    timing.subject = {model::SubjectKind::GpuBaseline, "cub"};
    timing.timingCase.elements = 8;
    timing.executor = {model::EngineKind::Gpu, "device", "9.0", "1", "2", "2026-01-01T00:00:00Z"};
    timing.samples = {{0, 1.5f}};
    const auto written = archive::writeRecording(path, traces, true, {std::span(&timing, 1)});
    ASSERT_TRUE(written) << written.error().sentence;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hostile_text_" + std::to_string(::getpid()));
};

TEST_F(HostileText, OfEveryColumnOfARecordingReachesNoTerminal) {
  const std::string clean = file("clean.stride"), path = file("hostile.stride");
  record(clean);
  int shown = 0;
  support::Sweep sweep;
  for (const auto& column : support::textColumnsOf(clean))
    for (const std::string& bytes : {kHostile, std::string("\xff\xc3")}) {
      if (bytes != kHostile && !sweep.takes()) continue;
      SCOPED_TRACE(column.table + "." + column.name);
      std::filesystem::copy_file(clean, path, std::filesystem::copy_options::overwrite_existing);
      support::appendTo(path, column, bytes);
      const CommandRun text = runPlain({"step", "sequential", "--op", "add", "--engine", path});
      runPlain({"step", "sequential", "--op", "add", "--round", "0-3", "--engine", path});
      const CommandRun json = runPlain({"step", "sequential", "--op", "add", "--engine", path, "--json"});
      if (!json.out.empty()) {
        EXPECT_FALSE(nlohmann::json::parse(json.out, nullptr, false).is_discarded());
      }
      runPlain({"step", "sequential", "--threads", "32", "--engine", path});  // lists them
      runPlain({"step", "warp_shuffle", "--engine", path});
      runPlain({"verify", "--engine", path});
      runPlain(
          {"record", "sequential", "--op", "add", "--engine", path, "-o", file("again.stride"), "--force"});
      shown += !text.out.empty();
    }
  EXPECT_GE(shown, 15);
}

TEST_F(HostileText, IsShownAndNotLeftOut) {
  const std::string path = file("a.stride");
  record(path);
  support::appendTo(path, {"traces", "device"}, kHostile);
  support::appendTo(path, {"traces", "check_note"}, kHostile);
  const CommandRun text = runPlain({"step", "sequential", "--op", "add", "--engine", path});
  EXPECT_NE(text.out.find("recorded on CPU executore\\u001b[31mvil"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("A note."), std::string::npos) << "the program judges this result itself";
  const std::string own = file("own.stride");  // one that it cannot judge
  const auto read = archive::readTrace(path, 2);
  ASSERT_TRUE(read) << read.error().sentence;
  ASSERT_TRUE(archive::writeRecording(own, {&*read, 1}, true));
  const CommandRun told = runPlain({"step", "sequential", "--engine", own});
  EXPECT_NE(told.out.find("A note.e\\u001b[31mvil\\u0007\\u007f\\r\\nnew"), std::string::npos) << told.out;
  const CommandRun source = runPlain({"step", "sequential", "--op", "add", "--round", "0", "--engine", path});
  EXPECT_NE(source.out.find("// e\\u001b[31mvil"), std::string::npos) << source.out;
}

TEST_F(HostileText, OfTheCommandLineReachesNoTerminal) {
  const std::string name = file(kHostile);
  const std::vector<std::vector<std::string>> commands{
      {kHostile},
      {"--" + kHostile},
      {"step", kHostile},
      {"step", "sequential", kHostile},
      {"step", "sequential", "--" + kHostile},
      {"step", "sequential", "--type", kHostile},
      {"step", "sequential", "--round", kHostile},
      {"step", "sequential", "--elements", kHostile},
      {"step", "sequential", "--engine", name + ".stride"},
      {"step", "sequential", "--input", name},
      {"step", "sequential", "--lists", name},
      {"step", "sequential", "--combine", kHostile, "--identity=" + kHostile},
      {"record", "sequential", "-o", name + "/none.stride", "--engine", "host"},
      {"shot", name, "--size", kHostile},
      {"verify", kHostile},
      {"verify", "--engine", name + ".stride"},
      {"time", kHostile, "--sizes", kHostile},
      {"step", "sequential", "--type", "\xff\xfe"},
  };
  for (const auto& arguments : commands) {
    SCOPED_TRACE(arguments.front());
    const CommandRun run = runPlain(arguments);
    EXPECT_NE(run.code, 0);
    EXPECT_FALSE(run.error.empty());
    // The sentence is one line, with what follows it in lines of its own.
    EXPECT_EQ(run.error.find("new line"), run.error.find("\\nnew line") == std::string::npos
                                              ? std::string::npos
                                              : run.error.find("\\nnew line") + 2);
  }
}

TEST_F(HostileText, OfFilesOfNumbersReachesNoTerminal) {
  const std::string numbers = file("numbers.txt"), named = file("n" + kHostile + ".txt"),
                    lists = file("lists.json");
  std::ofstream(numbers) << "1\n" << kHostile.substr(0, kHostile.find('\n')) << "\n";
  runPlain({"step", "sequential", "--input", numbers, "--engine", "host"});
  std::ofstream(named) << "1\n2\n";
  const CommandRun run = runPlain({"step", "sequential", "--input", named, "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("\\u001b[31mvil"), std::string::npos);
  std::ofstream(lists) << "[[1, \"" << kHostile << "\"]]";
  runPlain({"step", "k_way_merge", "--lists", lists, "--engine", "host"});
}

TEST_F(HostileText, OfADriverReachesNoTerminal) {
  Services services = hostOnly();
  services.examinations = {[] {
    return std::vector<Finding>{{"GPU 0" + kHostile, true, "NVIDIA " + kHostile},
                                {"NVRTC", false, "\xff\xfe"}};
  }};
  const CommandRun doctor = runPlain({"doctor"}, services);
  EXPECT_NE(doctor.out.find("NVIDIA e\\u001b[31mvil"), std::string::npos) << doctor.out;

  services.sources.makeGpu = [](unsigned) -> Result<std::unique_ptr<engine::Engine>> {
    return unavailable("No GPU: " + kHostile, "log " + kHostile);
  };
  runPlain({"step", "sequential", "--engine", "auto"}, services);
  EXPECT_EQ(runPlain({"step", "sequential", "--engine", "gpu"}, services).code, 3);
}

}  // namespace
}  // namespace stridescope::cli
