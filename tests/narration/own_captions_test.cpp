// The captions of persons' own kernels (tests/own_kernels) name the numbers of their traces, as both
// recorders have them. Compiling one takes a third of a second: all of them only in whole sweeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "caption_claims.h"
#include "engine/access/kernel_run.h"
#include "engine/sandbox/confinement.h"
#include "lab/run.h"
#include "support/whole_sweeps.h"

namespace stridescope::narration {
namespace {

namespace access = engine::access;

const std::filesystem::path kFolder = STRIDESCOPE_OWN_KERNELS;

std::string contentOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A tenth: others for each recorder.
std::vector<std::string> names(std::size_t from) {
  const std::size_t step = support::wholeSweeps() ? 1 : 20;
  std::vector<std::string> all, some;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".cu") all.push_back(entry.path().stem());
  std::ranges::sort(all);
  for (std::size_t i = from % step; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

Result<access::KernelRun> runOf(const std::string& name, access::RecorderChoice recorder) {
  auto launches = access::parseLaunchFile(name, contentOf(kFolder / (name + ".launch.json")));
  if (!launches) return tl::unexpected(launches.error());
  engine::JobControl job;
  return access::runKernelFile(
      {.name = name + ".cu",
       .folder = kFolder,
       .text = contentOf(kFolder / (name + ".cu")),
       .launches = *std::move(launches)},
      job, {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(10), .recorder = recorder});
}

// Rounds, and the first and the last passes of those that have several.
std::size_t readCaptions(const lab::Run& run) {
  std::size_t captions = 0, wrong = 0;
  const auto check = [&](const RoundAt& at) {
    ++captions;
    const Caption caption = captionOf(at);
    const std::vector<std::string> faults = faultsOfCaption(at, caption);
    if (faults.empty() || ++wrong > 3) return;
    std::string all;
    for (const std::string& fault : faults) all += "\n  " + fault;
    ADD_FAILURE() << "round " << at.index << ": " << caption.text() << all;
  };
  for (std::size_t l = 0; l < run.trace.launches.size(); ++l) {
    const model::LaunchTrace& launch = run.trace.launches[l];
    const analysis::LaunchAnalysis& rounds = run.analysis.launches[l];
    analysis::PassViewer viewer(run.trace, launch, rounds, run.flow[l]);
    for (unsigned r = 0; r < rounds.rounds.size(); ++r) {
      check({run.trace, launch, rounds, run.flow[l], r});
      const std::uint32_t passes = rounds.rounds[r].passes;
      for (std::uint32_t pass = 0; passes > 1 && pass < passes; ++pass) {
        if (pass == 3) pass = passes - 1;
        if (const auto view = viewer.view(r, pass))
          check({run.trace, launch, rounds, run.flow[l], r, &*view});
      }
    }
  }
  return captions;
}

class OwnCaptions : public testing::TestWithParam<std::tuple<std::string, access::RecorderChoice>> {};

TEST_P(OwnCaptions, NameTheNumbersOfTheTrace) {
  const auto& support = engine::sandbox::sandboxSupport();
  if (!support.isComplete()) GTEST_SKIP() << support.sentence();
  const auto& [name, recorder] = GetParam();
  const auto run = runOf(name, recorder);
  if (!run) {
    EXPECT_EQ(run.error().kind, ErrorKind::Limit) << run.error().sentence;
    return;
  }
  EXPECT_GT(readCaptions(lab::runOf(run->trace)), 0u);
}

// Each number of a caption is looked at: one alone that is wrong is found.
TEST(OwnCaptionClaims, AreAllChecked) {
  const auto& support = engine::sandbox::sandboxSupport();
  if (!support.isComplete()) GTEST_SKIP() << support.sentence();
  std::size_t numbers = 0;
  for (const auto& [name, recorder] : {std::pair("bodies_aos", access::RecorderChoice::Access),
                                       std::pair("compact_ballot", access::RecorderChoice::Auto),
                                       std::pair("histogram_per_warp", access::RecorderChoice::Auto)}) {
    const auto run = runOf(name, recorder);
    ASSERT_TRUE(run) << run.error().sentence;
    const lab::Run read = lab::runOf(run->trace);
    for (std::size_t r = 0; r < read.analysis.launches[0].rounds.size(); ++r) {
      const RoundAt at{read.trace, read.trace.launches[0], read.analysis.launches[0], read.flow[0], r};
      const Caption right = captionOf(at);
      for (std::size_t i = 0; const auto wrong = withWrongNumber(right, i); ++i, ++numbers)
        EXPECT_FALSE(faultsOfCaption(at, *wrong).empty()) << name << ": " << wrong->text();
    }
  }
  EXPECT_GT(numbers, 40u);
}

std::string nameOf(const testing::TestParamInfo<OwnCaptions::ParamType>& one) {
  const auto& [name, recorder] = one.param;
  return name + (recorder == access::RecorderChoice::Access ? "_by_access" : "");
}

INSTANTIATE_TEST_SUITE_P(BySource, OwnCaptions,
                         testing::Combine(testing::ValuesIn(names(3)),
                                          testing::Values(access::RecorderChoice::Auto)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(ByAccess, OwnCaptions,
                         testing::Combine(testing::ValuesIn(names(13)),
                                          testing::Values(access::RecorderChoice::Access)),
                         nameOf);

}  // namespace
}  // namespace stridescope::narration
