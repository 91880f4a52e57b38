// Kernels as courses and programs have them (tests/own_kernels): what they leave in their arrays is held
// against what a Python script works out without reading their texts, their wavefronts against a model of its
// own, and what is wrong with the wrong ones is found. Compiling one takes a third of a second: all of them
// only in whole sweeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/formats.h"
#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

const std::filesystem::path kFolder = STRIDESCOPE_OWN_KERNELS;

std::string contentOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Result<KernelRun> runOf(const std::string& name, const model::Dim3& inspected = {0, 0, 0}) {
  auto launches = parseLaunchFile(name, contentOf(kFolder / (name + ".launch.json")));
  if (!launches) return tl::unexpected(launches.error());
  JobControl job;
  KernelRunOptions options{.program = STRIDESCOPE_ACCESS_CHILD, .inspected = inspected};
  options.limit = std::chrono::seconds(10);
  return runKernelFile({.name = name + ".cu",
                        .folder = kFolder,
                        .text = contentOf(kFolder / (name + ".cu")),
                        .launches = *std::move(launches)},
                       job, options);
}

const JsonValue& members(const char* file) {
  static std::map<std::string, JsonValue> known;
  auto [found, isNew] = known.try_emplace(file);
  if (isNew) found->second = parseJson(contentOf(kFolder / file));
  return found->second;
}

std::vector<std::string> allNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

// A few that stand for many: a compound assignment, a template, structs, a tile, halves, groups, two
// launches, atomics.
std::vector<std::string> names() {
  if (std::getenv("STRIDESCOPE_WHOLE_SWEEPS") != nullptr) return allNames();
  return {"argmax_struct",    "bug_uninitialized", "groups_tile",    "half2_sum",
          "histogram_shared", "reduce5_unrolled",  "transpose_tile", "two_pass_sum"};
}

class OwnKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
};

TEST_P(OwnKernel, DoesWhatIsExpectedOfIt) {
  const std::string& name = GetParam();
  const auto run = runOf(name);
  if (const JsonValue* const bug = members("bugs.json").member(name)) {
    const std::string wanted = *bug->as<std::string>();
    if (!run) {
      EXPECT_EQ(wanted, "endless");
      EXPECT_EQ(run.error().kind, ErrorKind::Limit);
      return;
    }
    const lab::Run told = lab::runOf(run->trace);
    std::vector<std::string> found;
    for (const auto& launch : told.analysis.launches) {
      for (const model::Problem& problem : launch.problems) found.emplace_back(model::nameOf(problem.kind));
      if (!launch.races.empty()) found.emplace_back("race");
    }
    if (run->check == KernelCheck::Wrong) found.emplace_back("wrong");
    if (wanted == "endless")
      EXPECT_THAT(found, testing::AnyOf(testing::Contains("limit"), testing::Contains("deadlock")));
    else
      EXPECT_THAT(found, testing::Contains(wanted));
    return;
  }
  ASSERT_TRUE(run) << run.error().sentence << "\n" << run.error().details;
  EXPECT_TRUE(run->hasEnded);
  EXPECT_EQ(run->check, KernelCheck::Right)
      << (run->mismatch ? run->mismatch->output + " " + run->mismatch->got + " " + run->mismatch->expected
                        : "");
  EXPECT_EQ(model::faultOf(run->trace), std::nullopt);
  const lab::Run told = lab::runOf(run->trace);
  for (const auto& launch : told.analysis.launches) {
    EXPECT_TRUE(launch.races.empty());
    EXPECT_TRUE(launch.problems.empty()) << launch.problems.front().text;
  }
}

// The model's totals are those of all blocks, and a run records one.
TEST_P(OwnKernel, HasTheWavefrontsOfTheModel) {
  const JsonValue* const wanted = members("wavefronts.json").member(GetParam());
  if (wanted == nullptr) return;
  std::uint64_t loads = 0, stores = 0, blocks = 1;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const auto launches = parseLaunchFile("x", contentOf(kFolder / (GetParam() + ".launch.json")));
    const model::Dim3 grid = launches->launches.front().grid;
    blocks = grid.count();
    const auto run = runOf(
        GetParam(), {block % grid.x, unsigned(block / grid.x % grid.y), unsigned(block / grid.x / grid.y)});
    ASSERT_TRUE(run) << run.error().sentence;
    const analysis::Totals totals = lab::runOf(run->trace).analysis.totals;
    loads += totals.loadWavefronts;
    stores += totals.storeWavefronts;
  }
  EXPECT_EQ(loads, *wanted->member("shared_load_wavefronts")->as<std::uint64_t>());
  EXPECT_EQ(stores, *wanted->member("shared_store_wavefronts")->as<std::uint64_t>());
}

// Whoever reads it may be in the window, where there are no options: what to write into which file comes
// first.
TEST(OwnKernelWithoutALaunch, IsToldWhatItsLaunchFileLacks) {
  const std::pair<const char*, const char*> all[] = {
      {"many_kernels", "\"kernel\" in many_kernels.launch.json beside it (on the command line: --kernel)"},
      {"functor_reduce",
       "\"template\" in functor_reduce.launch.json beside it (on the command line: --template)"}};
  for (const auto& [name, advice] : all) {
    JobControl job;
    KernelFile file{.name = std::string(name) + ".cu",
                    .folder = kFolder,
                    .text = contentOf(kFolder / (std::string(name) + ".cu")),
                    .launches = {}};
    file.launches.launches.emplace_back();
    const auto run = runKernelFile(file, job, {.program = STRIDESCOPE_ACCESS_CHILD});
    ASSERT_FALSE(run) << name;
    EXPECT_THAT(run.error().sentence, testing::HasSubstr(advice));
  }
}

INSTANTIATE_TEST_SUITE_P(All, OwnKernel, testing::ValuesIn(names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace stridescope::engine::access
