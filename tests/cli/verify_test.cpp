#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/compare.h"
#include "cli/verify_check.h"
#include "command_run.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<const kernels::Variant*> allVariants() {
  std::vector<const kernels::Variant*> variants;
  for (const kernels::Variant& variant : kernels::catalog()) variants.push_back(&variant);
  return variants;
}

TEST(VerifyMatrix, IsLegalAndWithoutRepeats) {
  for (const auto thoroughness : {Thoroughness::Quick, Thoroughness::Default, Thoroughness::Full}) {
    const auto matrix = verifyMatrix(allVariants(), thoroughness);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      EXPECT_TRUE(engine::checkedExperiment(matrix[i], true)) << matrix[i].variant;
      EXPECT_EQ(std::count(matrix.begin(), matrix.end(), matrix[i]), 1) << matrix[i].variant;
    }
  }
}

TEST(VerifyMatrix, FullHasEveryCombination) {
  const kernels::Variant* variant = kernels::findVariant("sequential");
  const auto matrix = verifyMatrix(std::vector{variant}, Thoroughness::Full);
  for (model::ElementType type : variant->types)
    for (model::Operator op : variant->operators)
      for (unsigned threads : variant->threads)
        for (model::DataPattern data : model::kDataPatterns) {
          if (!model::isOffered(type, op)) continue;
          if (threads < 32 && data != model::DataPattern::Random) continue;
          EXPECT_TRUE(std::ranges::any_of(matrix, [&](const model::Experiment& e) {
            return e.type == type && e.op == op && e.threads == threads && e.data == data;
          }));
        }
}

TEST(VerifyMatrix, HasTheSmallestBlockInSeveralLaunches) {
  const auto matrix = verifyMatrix(std::vector{kernels::findVariant("sequential")}, Thoroughness::Default);
  EXPECT_TRUE(std::ranges::any_of(
      matrix, [](const model::Experiment& e) { return e.threads == 2 && e.elements == 5000; }));
  for (const unsigned threads : kernels::findVariant("sequential")->threads)
    EXPECT_TRUE(std::ranges::any_of(matrix, [&](const auto& e) { return e.threads == threads; })) << threads;
}

// Tiny and odd blocks with random data alone: the matrix grows by a fifth for them, not twofold.
TEST(VerifyMatrix, FullStaysInBounds) {
  const kernels::Variant& sequential = *kernels::findVariant("sequential");
  const auto matrix = verifyMatrix(std::vector{&sequential}, Thoroughness::Full);
  const auto tiny = std::ranges::count_if(matrix, [](const auto& e) { return e.threads < 32; });
  EXPECT_GT(tiny, 4 * 29) << "each type and operator";
  EXPECT_LT(std::size_t(tiny) * 5, matrix.size());
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Verify, ALineForEachCaseAndTotals) {
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.out;
  const auto lines = linesOf(run.out);
  const std::string cases = std::to_string(
      verifyMatrix(std::vector{kernels::findVariant("sequential")}, Thoroughness::Quick).size());
  ASSERT_EQ(lines.size(), std::stoul(cases) + 4);
  for (std::size_t i = 0; i + 4 < lines.size(); ++i) {
    EXPECT_THAT(lines[i], StartsWith("sequential "));
    EXPECT_THAT(lines[i], EndsWith(": result right, traces not compared"));
  }
  // One engine alone compares no traces.
  EXPECT_EQ(lines[lines.size() - 4], "results: " + cases + " right, 0 wrong, 0 not compared");
  EXPECT_EQ(lines[lines.size() - 3],
            "traces (the CPU executor alone): 0 equal, 0 different, " + cases +
                " not compared. Only the CPU executor was chosen: there is no other trace to compare with.");
  EXPECT_EQ(lines[lines.size() - 2],
            "reports: 0 expected report found, 0 missing, 0 unexpected, " + cases + " none expected");
  EXPECT_EQ(lines.back(), cases + " cases: all as they should be");
  EXPECT_EQ(run.error, "");
}

TEST(Verify, AsJson) {
  const CommandRun run = runCommand({"verify", "missing_barrier", "--quick", "--engine", "host", "--json"});
  EXPECT_EQ(run.code, 0) << run.out;
  const auto json = nlohmann::json::parse(run.out);
  const auto& cases = json["cases"];
  ASSERT_EQ(cases.size(),
            verifyMatrix(std::vector{kernels::findVariant("missing_barrier")}, Thoroughness::Quick).size());
  for (const auto& one : cases) {
    EXPECT_EQ(one["variant"], "missing_barrier");
    EXPECT_EQ(one["result"], "not compared");
    EXPECT_EQ(one["traces"], "not compared");
    EXPECT_EQ(one["report"], "expected report found");
    EXPECT_EQ(one["failed"], false);
    EXPECT_THAT(std::string(one["why"]),
                EndsWith("Only the CPU executor was chosen: there is no other trace to compare with."));
  }
  EXPECT_EQ(json["totals"]["cases"], cases.size());
  EXPECT_EQ(json["totals"]["report"]["expected report found"], cases.size());
  EXPECT_EQ(json["totals"]["result"]["right"], 0);
}

TEST(Verify, EveryBrokenVariantIsReportedForWhatIsWrongWithIt) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    EXPECT_EQ(variant.isWrong(), variant.family == kernels::Family::CommonBugs) << variant.id;
    if (!variant.isWrong()) continue;
    const CommandRun run = runCommand({"verify", std::string(variant.id), "--engine", "host"});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr(" 0 missing, 0 unexpected, ")) << variant.id;
    if (variant.report.kind == model::ReportKind::OrderMatters ||
        variant.report.kind == model::ReportKind::OutOfBounds)
      continue;  // one number has one order; full blocks stay within their input
    EXPECT_THAT(run.out, HasSubstr(" 0 none expected")) << variant.id;
  }
}

// The race is not found: here, since the barrier is there.
TEST(Verify, AReportThatIsMissingFails) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "sequential"}, false));
  trace.experiment.variant = "missing_barrier";
  const Verdicts verdicts = verdictsOf(lab::runOf(trace), nullptr, "");
  EXPECT_EQ(verdicts.report, ReportVerdict::Missing);
  EXPECT_THAT(verdicts.why, HasSubstr("The race between data[tid + s] and data[tid] was not found."));
  EXPECT_FALSE(verdicts.isGood());
  const auto withoutIt =
      withHost([&](const model::Experiment& experiment, engine::JobControl&) -> Result<model::Trace> {
        model::Trace other = hostTrace(
            {.variant = "sequential", .threads = experiment.threads, .elements = experiment.threads});
        other.experiment.variant = "missing_barrier";
        return other;
      });
  const CommandRun run = runCommand({"verify", "missing_barrier", "--quick", "--engine", "host"}, withoutIt);
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("expected report MISSING"));
  EXPECT_THAT(run.out, HasSubstr("NOT as they should be"));
}

TEST(Verify, FullBlocksStayWithinTheirInput) {
  const auto reportOf = [](std::uint64_t elements) {
    return verdictsOf(
               lab::runOf(hostTrace({.variant = "missing_bound_check", .threads = 64, .elements = elements})),
               nullptr, "")
        .report;
  };
  EXPECT_EQ(reportOf(64), ReportVerdict::NoneExpected);
  EXPECT_EQ(reportOf(64 * 64), ReportVerdict::NoneExpected) << "the second launch's 64 fill its block";
  EXPECT_EQ(reportOf(63), ReportVerdict::Found);
  EXPECT_EQ(reportOf(100), ReportVerdict::Found) << "in the second block, which is not the inspected one";
  EXPECT_EQ(reportOf(128), ReportVerdict::Found) << "in the second launch, over 2";
}

// A kernel that loses none, called by the name of the one that does.
TEST(Verify, ALostElementThatIsNotFoundIsMissing) {
  EXPECT_EQ(verdictsOf(lab::runOf(hostTrace({.variant = "lost_elements", .threads = 96, .elements = 96})),
                       nullptr, "")
                .report,
            ReportVerdict::Found);
  model::Trace trace = hostTrace({.variant = "any_block_size", .threads = 96, .elements = 96});
  trace.experiment.variant = "lost_elements";
  const Verdicts verdicts = verdictsOf(lab::runOf(trace), nullptr, "");
  EXPECT_EQ(verdicts.report, ReportVerdict::Missing);
  EXPECT_THAT(verdicts.why, HasSubstr("The result that nobody reads was not found."));
}

// A race, but between other sites than the ones that are expected.
TEST(Verify, AnotherRaceThanTheExpectedOneIsNotIt) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "missing_barrier"}, false));
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").report, ReportVerdict::Found);
  for (model::Site& site : trace.sites)
    if (site.text == "data[tid + s]") site.text = "data[tid + t]";
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").report, ReportVerdict::Missing);
}

TEST(Verify, AReportOfARightVariantFails) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "missing_barrier"}, false));
  trace.experiment.variant = "sequential";
  const Verdicts verdicts = verdictsOf(lab::runOf(trace), nullptr, "");
  EXPECT_EQ(verdicts.report, ReportVerdict::Unexpected);
  EXPECT_THAT(verdicts.why, HasSubstr("Race in"));
  EXPECT_FALSE(verdicts.isGood());
}

// A GPU whose trace says that thread 0 stored something else in its last store.
TEST(Verify, AnotherEnginesDifferenceIsFound) {
  const auto gpu = withGpu([](const model::Experiment& experiment) -> Result<model::Trace> {
    model::Trace trace = hostTrace(experiment);
    for (model::Event& event : trace.launches[0].recorded().events)
      if (event.kind() == model::EventKind::Load && event.inGlobal()) {
        event.value ^= 1;
        break;
      }
    return trace;
  });
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, gpu);
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("result right, traces DIFFERENT. "));
  EXPECT_THAT(run.out, HasSubstr("): 0 equal, "));
}

TEST(Verify, AWrongResultIsFound) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "sequential"}, false));
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "Alone.").result, ResultVerdict::Right);
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "Alone.").why, "Alone.");
  trace.ok = false;
  trace.result = "7";
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").result, ResultVerdict::Wrong);
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").why, "result 7, expected 32\u202f640: DIFFERENT.");
}

TEST(Verify, EqualIsWhatWasCompared) {
  const model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "sequential"}, false));
  EXPECT_EQ(verdictsOf(lab::runOf(trace), &trace, "").traces, TracesVerdict::Equal);
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").traces, TracesVerdict::NotCompared);
  model::Trace other = trace;
  other.launches[0].recorded().events.back().value ^= 1;
  EXPECT_EQ(verdictsOf(lab::runOf(trace), &other, "").traces, TracesVerdict::Different);
  EXPECT_TRUE(notCompared("No.").isGood());
}

TEST(Verify, OfAnOlderRecordingTheEventsThatItHasAreCompared) {
  model::Trace now = hostTrace(*engine::checkedExperiment({.variant = "two_per_thread"}, false));
  model::Trace older = analysis::withoutAssignments(now);
  older.executor.kind = model::EngineKind::Recorded;
  ASSERT_LT(older.sites.size(), now.sites.size());
  const Verdicts equal = verdictsOf(lab::runOf(older), &now, "");
  EXPECT_EQ(equal.traces, TracesVerdict::Equal) << equal.why;
  EXPECT_THAT(equal.why,
              HasSubstr("An older program recorded no assignments to variables: these are not compared."));

  model::Trace different = older;
  different.launches[0].recorded().events.front().value ^= 1;
  EXPECT_EQ(verdictsOf(lab::runOf(different), &now, "").traces, TracesVerdict::Different);

  const auto isNotCompared = [&](const model::Trace& recorded) {
    const Verdicts verdicts = verdictsOf(lab::runOf(recorded), &now, "");
    EXPECT_EQ(verdicts.traces, TracesVerdict::NotCompared) << verdicts.why;
    EXPECT_THAT(verdicts.why, HasSubstr("they cannot be compared with this program's."));
  };
  model::Trace otherSites = older;
  ++otherSites.sites[0].column;
  isNotCompared(otherSites);
  now.launches[0].recorded().cut = true;
  isNotCompared(older);
}

// Engines of this program have the sites of this program's text pass.
TEST(Verify, OtherSitesOfARunAreDifferent) {
  const model::Trace host = hostTrace(*engine::checkedExperiment({.variant = "two_per_thread"}, false));
  const model::Trace gpu = analysis::withoutAssignments(host);
  EXPECT_EQ(verdictsOf(lab::runOf(gpu), &host, "").traces, TracesVerdict::Different);
}

TEST(Verify, AResultThatOverflowsInThisOrderIsNotCompared) {
  model::Experiment experiment{.variant = "first_add_on_load",
                               .type = model::ElementType::Double,
                               .op = model::Operator::Multiply,
                               .threads = 1024,
                               .elements = 2048,
                               .data = model::DataPattern::Random};
  const model::Trace product = hostTrace(experiment);
  EXPECT_EQ(product.result, "nan");
  EXPECT_FALSE(product.ok);
  EXPECT_EQ(verdictsOf(lab::runOf(product), nullptr, "").result, ResultVerdict::NotCompared);
  experiment.op = model::Operator::Add;  // nothing overflows here, whatever the order
  model::Trace sum = hostTrace(experiment);
  sum.ok = false;
  sum.result = "nan";
  EXPECT_EQ(verdictsOf(lab::runOf(sum), nullptr, "").result, ResultVerdict::Wrong);
  const CommandRun run = runCommand({"verify", "first_add_on_load", "--full", "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("The result nan is not compared"));
}

TEST(Verify, ASnapshotThatTheStoresDoNotGiveIsFound) {
  model::Trace trace = hostTrace(*engine::checkedExperiment({.variant = "sequential"}, false));
  trace.launches[0].recorded().barrierCopies[2][0] ^= 1;
  EXPECT_EQ(verdictsOf(lab::runOf(trace), nullptr, "").traces, TracesVerdict::Different);
}

TEST(Verify, AnEngineThatRunsOutOfMemoryEndsWithFour) {
  for (const Services& services :
       {withHost([](const model::Experiment&, engine::JobControl&) -> Result<model::Trace> {
          throw std::bad_alloc();
        }),
        withGpu([](const model::Experiment&) -> Result<model::Trace> { throw std::bad_alloc(); })}) {
    const bool gpu = services.sources.makeGpu(0).has_value();
    const CommandRun run =
        runCommand({"verify", "sequential", "--quick", "--engine", gpu ? "gpu" : "host"}, services);
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.out, HasSubstr(": FAILED. Out of memory while checking it."));
  }
}

TEST(Verify, AnEngineThatFailsEndsWithThree) {
  const auto gpu =
      withGpu([](const model::Experiment&) -> Result<model::Trace> { return unavailable("Out of memory."); });
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, gpu);
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr(": FAILED. Out of memory."));
  // Nor is the CPU executor held against itself.
  EXPECT_EQ(runCommand({"verify", "sequential", "--quick", "--engine", "auto"}, gpu).code, 3);
}

}  // namespace
}  // namespace stridescope::cli
