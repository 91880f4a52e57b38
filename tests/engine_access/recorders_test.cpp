// A person's kernel recorded by the recording calls of the text pass and by its accesses: both see the same
// accesses, arrays, rounds, races and problems, and the calls alone see operands. Compiling one takes a third
// of a second: all of tests/own_kernels only in whole sweeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "analysis/barrier_copies.h"
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

Result<KernelRun> runOf(const std::string& name, RecorderChoice recorder) {
  auto launches = parseLaunchFile(name, contentOf(kFolder / (name + ".launch.json")));
  if (!launches) return tl::unexpected(launches.error());
  JobControl job;
  return runKernelFile(
      {.name = name + ".cu",
       .folder = kFolder,
       .text = contentOf(kFolder / (name + ".cu")),
       .launches = *std::move(launches)},
      job, {.program = STRIDESCOPE_ACCESS_CHILD, .limit = std::chrono::seconds(10), .recorder = recorder});
}

// Those that the text pass takes.
const std::set<std::string>& taken() {
  static const std::set<std::string> names{};
  return names;
}

std::vector<std::string> names() {
  if (std::getenv("STRIDESCOPE_WHOLE_SWEEPS") == nullptr)
    return {"bug_missing_barrier", "reduce2_sequential", "reduce4_last_warp", "transpose_tile"};
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".cu") all.push_back(entry.path().stem());
  std::ranges::sort(all);
  return all;
}

// By launch, round, line, kind and space: requests, wavefronts, conflicts, sectors.
using Place = std::tuple<std::size_t, std::size_t, int, model::EventKind, bool>;
using Counts = std::array<std::uint64_t, 4>;
std::map<Place, Counts> requestsOf(const lab::Run& run) {
  std::map<Place, Counts> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (std::size_t r = 0; r < run.analysis.launches[k].rounds.size(); ++r)
      for (const analysis::Request& request : run.analysis.launches[k].rounds[r].requests) {
        Counts& counts = all[{k, r, run.trace.sites[request.site].line, request.kind, request.shared}];
        counts[0] += request.requests;
        counts[1] += request.wavefronts;
        counts[2] += request.conflicts();
        counts[3] += request.sectors;
      }
  return all;
}

std::set<std::tuple<std::size_t, model::ProblemKind, std::string, int, unsigned>> problemsOf(
    const lab::Run& run) {
  std::set<std::tuple<std::size_t, model::ProblemKind, std::string, int, unsigned>> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (const model::Problem& problem : run.analysis.launches[k].problems)
      all.insert({k, problem.kind, problem.text,
                  problem.site < 0 ? 0 : run.trace.sites[std::size_t(problem.site)].line, problem.thread});
  return all;
}

// Lines, kinds and the element of each race.
std::set<std::tuple<std::uint32_t, std::string, std::uint64_t, int, int>> racesOf(const lab::Run& run) {
  std::set<std::tuple<std::uint32_t, std::string, std::uint64_t, int, int>> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (const analysis::Race& race : run.analysis.launches[k].races) {
      const model::LaunchTrace& launch = run.trace.launches[k];
      const auto& arrays = race.shared ? launch.recorded().shared : launch.buffers;
      all.insert({race.round, arrays[race.array].name, race.element, run.trace.sites[race.first.site].line,
                  run.trace.sites[race.second.site].line});
    }
  return all;
}

bool knowsOperands(const lab::Run& run) {
  for (const auto& launch : run.flow)
    for (const analysis::RoundFlow& round : launch)
      for (const analysis::ThreadWork& work : round.work)
        if (work.operands.size() > 1) return true;
  return false;
}

class BothRecorders : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
};

TEST_P(BothRecorders, TellTheSameOfAccesses) {
  const auto byCalls = runOf(GetParam(), RecorderChoice::Auto);
  const auto byAccess = runOf(GetParam(), RecorderChoice::Access);
  ASSERT_EQ(byCalls.has_value(), byAccess.has_value()) << (byCalls ? byAccess : byCalls).error().sentence;
  if (!byCalls) {
    EXPECT_EQ(byCalls.error().sentence, byAccess.error().sentence);
    return;
  }
  EXPECT_EQ(model::recorderOf(byAccess->trace), model::Recorder::Access);
  EXPECT_EQ(byAccess->trace.recorderReason, "");
  const bool isTaken = model::recorderOf(byCalls->trace) == model::Recorder::Source;
  EXPECT_EQ(isTaken, taken().contains(GetParam())) << byCalls->trace.recorderReason;
  EXPECT_EQ(byCalls->trace.recorderReason.empty(), isTaken);
  if (!isTaken) return;
  EXPECT_EQ(model::faultOf(byCalls->trace), std::nullopt);
  ASSERT_EQ(byCalls->outputs.size(), byAccess->outputs.size());
  for (std::size_t k = 0; k < byCalls->outputs.size(); ++k)
    EXPECT_EQ(byCalls->outputs[k].members, byAccess->outputs[k].members);
  EXPECT_EQ(byCalls->hasEnded, byAccess->hasEnded);
  EXPECT_EQ(byCalls->check, byAccess->check);

  const lab::Run one = lab::runOf(byCalls->trace), other = lab::runOf(byAccess->trace);
  ASSERT_EQ(one.analysis.launches.size(), other.analysis.launches.size());
  for (std::size_t k = 0; k < one.analysis.launches.size(); ++k) {
    const auto &rounds = one.analysis.launches[k].rounds, &others = other.analysis.launches[k].rounds;
    ASSERT_EQ(rounds.size(), others.size());
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      EXPECT_EQ(rounds[r].endsWith, others[r].endsWith) << k << " " << r;
      EXPECT_EQ(rounds[r].activeLanes, others[r].activeLanes) << k << " " << r;
      if (others[r].divergentBranches) {
        EXPECT_EQ(rounds[r].divergentBranches, others[r].divergentBranches) << k << " " << r;
      }
    }
  }
  EXPECT_EQ(requestsOf(one), requestsOf(other));
  EXPECT_EQ(problemsOf(one), problemsOf(other));
  EXPECT_EQ(racesOf(one), racesOf(other));
  const analysis::CopiesCompared copies = analysis::compareBarrierCopies(one.trace, other.trace);
  EXPECT_EQ(copies.difference, std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, BothRecorders, testing::ValuesIn(names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace stridescope::engine::access
