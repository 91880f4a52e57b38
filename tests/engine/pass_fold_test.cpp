// What the operands of each pass give when they are folded one after another is what was recorded as their
// result: for every variant, type and block size. The fold is written here; integers and sums of small whole
// numbers, so that it must be equal bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "analysis/pass_view.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "support/variant_ids.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine {
namespace {

using analysis::Operand;
using analysis::Pass;
using analysis::PassWork;

// What the operands, in their order, must give. Operands are added; `subtraction` takes each further one from
// the first; a merge keeps the least.
enum class Rule : std::uint8_t { Sum, Difference, Least };

template <class T>
std::uint64_t foldOf(Rule rule, const std::vector<Operand>& operands) {
  std::optional<T> all;
  for (const Operand& operand : operands) {
    T value;
    std::memcpy(&value, &operand.bits, sizeof value);
    if (!all)
      all = value;
    else if (rule == Rule::Least)
      all = value < *all ? value : *all;
    else if constexpr (std::is_integral_v<T>)
      all = rule == Rule::Sum ? T(std::make_unsigned_t<T>(*all) + std::make_unsigned_t<T>(value))
                              : T(std::make_unsigned_t<T>(*all) - std::make_unsigned_t<T>(value));
    else
      all = rule == Rule::Sum ? *all + value : *all - value;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &*all, sizeof *all);
  return bits;
}

std::uint64_t foldOf(const model::Experiment& experiment, const std::vector<Operand>& operands) {
  const bool merges = kernels::findVariant(experiment.variant)->family == kernels::Family::Merge;
  const Rule rule = merges                                       ? Rule::Least
                    : experiment.op == model::Operator::Subtract ? Rule::Difference
                                                                 : Rule::Sum;
  switch (experiment.type) {
    case model::ElementType::Int:
      return foldOf<std::int32_t>(rule, operands);
    case model::ElementType::Unsigned:
      return foldOf<std::uint32_t>(rule, operands);
    case model::ElementType::Int64:
      return foldOf<std::int64_t>(rule, operands);
    case model::ElementType::Float:
      return foldOf<float>(rule, operands);
    default:
      return foldOf<double>(rule, operands);
  }
}

// A thread of a merge that compares and writes nothing keeps its own head, which must be the least.
std::uint64_t resultOf(const std::vector<Operand>& operands, const std::optional<Operand>& result) {
  return result ? result->bits : operands.front().bits;
}

bool mayKeep(const model::Experiment& experiment) {
  return kernels::findVariant(experiment.variant)->family == kernels::Family::Merge;
}

template <class Work>
bool folds(const model::Experiment& experiment, const Work& work) {
  if (!work.result && !mayKeep(experiment)) return false;
  return foldOf(experiment, work.operands) == resultOf(work.operands, work.result);
}

std::string textOf(const PassWork& work) {
  std::string text = "thread " + std::to_string(work.thread) + ":";
  for (const Operand& operand : work.operands)
    text += " " + std::to_string(operand.bits) + (operand.inRegister ? "r" : "") +
            (operand.placed ? "@" + std::to_string(operand.element) : "");
  return text + " -> " + (work.result ? std::to_string(work.result->bits) : "nothing");
}

struct Counts {
  std::size_t works = 0, passes = 0;
};

void expectFolds(const model::Trace& trace, Counts& counts) {
  const analysis::Analysis analysis = analysis::analyse(trace);
  int failures = 0;
  for (std::size_t l = 0; l < trace.launches.size(); ++l) {
    const analysis::PassReader reader(trace, trace.launches[l]);
    for (std::size_t r = 0; r < analysis.launches[l].rounds.size(); ++r) {
      const analysis::Round& round = analysis.launches[l].rounds[r];
      const std::vector<Pass> passes = reader.read(round);
      ASSERT_EQ(passes.size(), round.passes);
      if (passes.size() > 1) counts.passes += passes.size();
      for (std::size_t p = 0; p < passes.size(); ++p)
        for (const PassWork& work : passes[p].work) {
          if (!work.ofElements || work.operands.empty()) continue;
          ++counts.works;
          if (folds(trace.experiment, work)) continue;
          if (++failures > 3) return;
          ADD_FAILURE() << "launch " << l << " round " << r << " pass " << p << " of " << passes.size()
                        << ", " << textOf(work);
        }
    }
  }
}

// The same for what the window draws: a disc for each thread of a round and, if the round has several passes,
// for each thread of each pass. The last pass leaves what the round leaves.
void expectDiscsFold(const model::Trace& trace, Counts& counts) {
  const analysis::Analysis analysis = analysis::analyse(trace);
  for (std::size_t l = 0; l < trace.launches.size(); ++l) {
    const analysis::LaunchAnalysis& launch = analysis.launches[l];
    const auto flow = analysis::findDataFlow(trace, trace.launches[l], launch);
    analysis::PassViewer viewer(trace, trace.launches[l], launch, flow);
    const analysis::PassReader reader(trace, trace.launches[l]);
    int failures = 0;
    const auto expectFold = [&](const std::vector<analysis::ThreadWork>& works, const std::string& where) {
      for (const analysis::ThreadWork& work : works) {
        if (!work.ofElements || work.operands.empty()) continue;
        ++counts.works;
        if (folds(trace.experiment, work)) continue;
        if (++failures < 4)
          ADD_FAILURE() << "launch " << l << where << ", "
                        << textOf({.thread = work.thread, .operands = work.operands, .result = work.result});
      }
    };
    for (unsigned r = 0; r < launch.rounds.size(); ++r) {
      const analysis::Round& round = launch.rounds[r];
      const std::string where = " round " + std::to_string(r);
      const std::vector<Pass> passes = reader.read(round);
      if (round.passes == 1) {
        EXPECT_FALSE(viewer.view(r, 0)) << where;
        expectFold(flow[r].work, where);
        continue;
      }
      for (unsigned p = 0; p < round.passes; ++p) {
        const auto view = viewer.view(r, p);
        ASSERT_TRUE(view) << where;
        expectFold(view->flow.work, where + " pass " + std::to_string(p));
        EXPECT_EQ(view->round.operations.size() == 0, passes[p].work.empty());
        std::set<unsigned> threads;
        for (const PassWork& work : passes[p].work) threads.insert(work.thread);
        if (view->round.exchanges.empty()) {
          EXPECT_EQ(view->round.activeLanes, threads.size()) << where << " pass " << p;
        }
        if (p + 1 == round.passes) {
          EXPECT_EQ(view->round.snapshot, round.snapshot) << where;
        }
        ++counts.passes;
      }
    }
    if (failures > 0) return;
  }
}

class EveryVariantsPasses : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariantsPasses, FoldToTheirResult) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const bool merges = variant.family == kernels::Family::Merge;
  const bool adds = std::ranges::find(variant.operators, model::Operator::Add) != variant.operators.end();
  const auto engine = host::makeHostEngine();
  Counts counts;
  std::size_t turn = 0;
  for (const model::ElementType type : variant.types)
    for (const unsigned threads : variant.threads)
      for (const std::uint64_t n : merges
                                       ? std::vector<std::uint64_t>{1, threads <= 64 ? 2 * threads + 1 : 17}
                                       : std::vector<std::uint64_t>{1, 33, 4096, 10000}) {
        if (turn++ % support::sweepStep() != 0) continue;
        SCOPED_TRACE(std::string(model::nameOf(type)) + " threads=" + std::to_string(threads) +
                     " n=" + std::to_string(n));
        model::Experiment experiment{
            .variant = std::string(variant.id), .type = type, .threads = threads, .elements = n};
        experiment.data = model::DataPattern::Random;
        if (!adds) experiment.op = variant.operators.front();
        JobControl job;
        const auto trace = engine->record(experiment, job);
        ASSERT_TRUE(trace) << trace.error().sentence;
        expectFolds(*trace, counts);
        expectDiscsFold(*trace, counts);
        if (HasFailure()) return;
      }
  EXPECT_GT(counts.works, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, EveryVariantsPasses, testing::ValuesIn(support::variantIds()),
                         [](const auto& each) { return each.param; });

// Blocks of less than a warp are among the catalogue's sizes, which the test above goes through.
TEST(EveryVariantsPasses, AreFoldedInBlocksOfLessThanAWarp) {
  for (const char* id : {"sequential", "global_memory", "interleaved_modulo", "early_result"})
    for (const unsigned threads : {2u, 4u, 8u, 16u})
      EXPECT_EQ(std::ranges::count(kernels::findVariant(id)->threads, threads), 1) << id << " " << threads;
}

// combine's first argument is the first operand, also where a variable brought the second one before.
TEST(EveryVariantsPasses, OperandsStandAsInTheText) {
  for (const char* id : {"two_per_thread", "early_result", "interleaved_contiguous"}) {
    const auto engine = host::makeHostEngine();
    JobControl job;
    const auto trace = engine->record({.variant = id, .threads = 8, .elements = 16}, job);
    ASSERT_TRUE(trace) << trace.error().sentence;
    const analysis::Analysis analysis = analysis::analyse(*trace);
    std::size_t pairs = 0;
    for (const analysis::Round& round : analysis.launches[0].rounds)
      for (const Pass& pass : analysis::PassReader(*trace, trace->launches[0]).read(round))
        for (const PassWork& work : pass.work) {
          if (work.operands.size() != 2) continue;
          ++pairs;
          EXPECT_LT(work.operands[0].element, work.operands[1].element) << id << ", " << textOf(work);
        }
    EXPECT_GT(pairs, 0u) << id;
  }
}

std::vector<Pass> passesOf(const std::string& variant, unsigned threads, std::uint64_t n, std::size_t round) {
  const auto engine = host::makeHostEngine();
  JobControl job;
  const auto trace = engine->record({.variant = variant, .threads = threads, .elements = n}, job);
  EXPECT_TRUE(trace) << trace.error().sentence;
  if (!trace) return {};
  const analysis::Analysis analysis = analysis::analyse(*trace);
  return analysis::PassReader(*trace, trace->launches[0]).read(analysis.launches[0].rounds.at(round));
}

std::vector<std::string> kindsOf(const model::Experiment& experiment) {
  const auto engine = host::makeHostEngine();
  JobControl job;
  const auto trace = engine->record(experiment, job);
  EXPECT_TRUE(trace) << trace.error().sentence;
  std::vector<std::string> kinds;
  if (!trace) return kinds;
  const analysis::Analysis analysis = analysis::analyse(*trace);
  for (const analysis::Round& round : analysis.launches[0].rounds) {
    const std::string kind(analysis::nameOf(round.kind));
    if (kinds.empty() || kinds.back() != kind) kinds.push_back(kind);
  }
  return kinds;
}

TEST(RoundKinds, OfTheVariants) {
  using Kinds = std::vector<std::string>;
  EXPECT_EQ(kindsOf({.variant = "sequential", .threads = 64, .elements = 64}),
            (Kinds{"load", "combine", "write"}));
  EXPECT_EQ(kindsOf({.variant = "first_add_on_load", .threads = 64, .elements = 128}),
            (Kinds{"load", "combine", "write"}));
  EXPECT_EQ(kindsOf({.variant = "global_memory", .threads = 64, .elements = 128}),
            (Kinds{"combine", "write"}));
  EXPECT_EQ(kindsOf({.variant = "warp_shuffle", .threads = 64, .elements = 512}),
            (Kinds{"load", "exchange", "combine", "exchange"}));
  EXPECT_EQ(kindsOf({.variant = "missing_barrier", .threads = 64, .elements = 64}), (Kinds{"load", "mixed"}));
  EXPECT_EQ(kindsOf({.variant = "k_way_merge", .op = model::Operator::Min, .threads = 32, .elements = 1}),
            (Kinds{"load", "merge", "write"}));
}

TEST(Passes, OfMissingBarrierAreItsStrides) {
  const auto passes = passesOf("missing_barrier", 256, 256, 1);
  ASSERT_EQ(passes.size(), 8u);
  for (std::size_t p = 0; p < passes.size(); ++p) EXPECT_EQ(passes[p].activeLanes, 128u >> p);
}

TEST(Passes, OfWarpWithoutSyncAreItsSixSteps) {
  const auto engine = host::makeHostEngine();
  JobControl job;
  const auto trace = engine->record({.variant = "warp_without_sync", .threads = 64, .elements = 64}, job);
  ASSERT_TRUE(trace);
  const analysis::Analysis analysis = analysis::analyse(*trace);
  std::size_t most = 0;
  for (const analysis::Round& round : analysis.launches[0].rounds)
    most = std::max<std::size_t>(most, round.passes);
  EXPECT_EQ(most, 6u);
}

TEST(Passes, OfTwoLoopsAreThoseOfTheFirstThenThoseOfTheSecond) {
  // One warp, 6 rows of 32 and 5 more: a trip of four loads, two of one, and one of five lanes.
  const auto passes = passesOf("warp_shuffle", 32, 32 * 6 + 5, 0);
  ASSERT_EQ(passes.size(), 4u);
  const std::size_t loads[] = {4, 1, 1, 1};
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(passes[p].activeLanes, p == 3 ? 5u : 32u) << p;
    EXPECT_EQ(passes[p].work.front().operands.size(), 1 + loads[p]) << "and what the thread carries";
  }
}

}  // namespace
}  // namespace stridescope::engine
