#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/verify_check.h"
#include "cli/verify_matrix.h"
#include "command_run.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope {
namespace {

std::vector<const Variant*> allVariants() {
  std::vector<const Variant*> variants;
  for (const Variant& variant : catalog()) variants.push_back(&variant);
  return variants;
}

TEST(VerifyMatrix, IsLegalAndWithoutRepeats) {
  for (const auto thoroughness : {Thoroughness::Quick, Thoroughness::Default, Thoroughness::Full}) {
    const auto matrix = verifyMatrix(allVariants(), thoroughness);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      EXPECT_TRUE(checkedExperiment(matrix[i], true)) << matrix[i].variant;
      EXPECT_EQ(std::count(matrix.begin(), matrix.end(), matrix[i]), 1) << matrix[i].variant;
    }
  }
}

TEST(VerifyMatrix, FullHasEveryCombination) {
  const Variant* variant = findVariant("sequential");
  const auto matrix = verifyMatrix(std::vector{variant}, Thoroughness::Full);
  for (ElementType type : variant->types)
    for (Operator op : variant->operators)
      for (unsigned threads : variant->threads)
        for (DataPattern data : kDataPatterns) {
          if (!isOffered(type, op)) continue;
          EXPECT_TRUE(std::ranges::any_of(matrix, [&](const Experiment& e) {
            return e.type == type && e.op == op && e.threads == threads && e.data == data;
          }));
        }
}

TEST(Verify, ALineEachAndACountAtTheEnd) {
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.out;
  std::istringstream lines(run.out);
  std::size_t equal = 0;
  std::string last;
  for (std::string line; std::getline(lines, line); last = line)
    equal += line.starts_with("equal sequential ") ? 1 : 0;
  const std::size_t expected =
      verifyMatrix(std::vector{findVariant("sequential")}, Thoroughness::Quick).size();
  EXPECT_EQ(equal, expected);
  EXPECT_EQ(last, std::to_string(expected) + " of " + std::to_string(expected) + " equal");
  EXPECT_EQ(run.error, "");
}

// A GPU whose trace says that thread 0 stored something else in its last store.
TEST(Verify, AnotherEnginesDifferenceIsFound) {
  const auto gpu = withGpu([](const Experiment& experiment) -> Result<Trace> {
    Trace trace = hostTrace(experiment);
    for (Event& event : trace.launches[0].events)
      if (event.kind() == EventKind::Load && event.inGlobal()) {
        event.value ^= 1;
        break;
      }
    return trace;
  });
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, gpu);
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find("DIFFERS sequential"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n0 of "), std::string::npos) << run.out;
}

TEST(Verify, AWrongResultIsFound) {
  Trace trace = hostTrace(*checkedExperiment({.variant = "sequential"}, false));
  EXPECT_EQ(faultIn(trace, nullptr), std::nullopt);
  trace.ok = false;
  trace.result = "7";
  EXPECT_EQ(faultIn(trace, nullptr), "result 7, expected 32640: DIFFERENT");
}

TEST(Verify, AResultThatOverflowsInThisOrderIsNotCompared) {
  Experiment experiment{.variant = "first_add_on_load",
                        .type = ElementType::Double,
                        .op = Operator::Multiply,
                        .threads = 1024,
                        .elements = 2048,
                        .data = DataPattern::Random};
  const Trace product = hostTrace(experiment);
  EXPECT_EQ(product.result, "nan");
  EXPECT_FALSE(product.ok);
  EXPECT_EQ(faultIn(product, nullptr), std::nullopt);
  experiment.op = Operator::Add;  // nothing overflows here, whatever the order
  Trace sum = hostTrace(experiment);
  sum.ok = false;
  sum.result = "nan";
  EXPECT_TRUE(faultIn(sum, nullptr));
  const CommandRun run = runCommand({"verify", "first_add_on_load", "--full", "--engine", "host"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_NE(run.out.find("the result nan is not compared"), std::string::npos) << run.out;
}

TEST(Verify, ASnapshotThatTheStoresDoNotGiveIsFound) {
  Trace trace = hostTrace(*checkedExperiment({.variant = "sequential"}, false));
  trace.launches[0].barrierCopies[2][0] ^= 1;
  EXPECT_TRUE(faultIn(trace, nullptr));
}

TEST(Verify, AnEngineThatRunsOutOfMemoryEndsWithThree) {
  for (const Services& services :
       {withHost([](const Experiment&, JobControl&) -> Result<Trace> { throw std::bad_alloc(); }),
        withGpu([](const Experiment&) -> Result<Trace> { throw std::bad_alloc(); })}) {
    const bool gpu = services.makeGpuEngine(0).has_value();
    const CommandRun run =
        runCommand({"verify", "sequential", "--quick", "--engine", gpu ? "gpu" : "host"}, services);
    EXPECT_EQ(run.code, 3);
    EXPECT_NE(run.out.find("FAILED sequential"), std::string::npos);
    EXPECT_NE(run.out.find("Out of memory while checking it."), std::string::npos);
  }
}

TEST(Verify, AnEngineThatFailsEndsWithThree) {
  const auto gpu = withGpu([](const Experiment&) -> Result<Trace> { return unavailable("Out of memory."); });
  const CommandRun run = runCommand({"verify", "sequential", "--quick", "--engine", "gpu"}, gpu);
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.out.find("FAILED sequential"), std::string::npos);
}

}  // namespace
}  // namespace stridescope
