// The events of every variant come in the order of the text: the loads of an expression from left to right,
// as the lines and columns of their sites say.
#include <gtest/gtest.h>

#include <utility>

#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "variant_cases.h"

namespace stridescope::kernels {
namespace {

using Place = std::pair<int, int>;  // line and column

Place placeOf(const model::Site& site) { return {site.line, site.column}; }

// How many loads follow another one of the same statement. Whatever ends an expression (a store, an
// assignment, a branch) and whatever repeats it (a loop's branch) is an event between two loads, so that
// those which follow each other are of one evaluation.
int expectOrderOf(const model::Trace& trace) {
  int followers = 0;
  for (const model::LaunchTrace& launch : trace.launches) {
    for (std::size_t thread = 0; thread < launch.block; ++thread) {
      const model::Site* before = nullptr;
      for (std::size_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i) {
        const model::Event& event = launch.recorded().events[i];
        if (event.secondHalf()) continue;
        const model::Site& site = trace.sites.at(event.site());
        const bool load = event.kind() == model::EventKind::Load;
        if (load && before != nullptr && before->statement == site.statement) {
          ++followers;
          EXPECT_LT(placeOf(*before), placeOf(site))
              << "thread " << thread << ": " << before->text << " came before " << site.text;
          if (testing::Test::HasFailure()) return followers;
        }
        before = load ? &site : nullptr;
      }
    }
  }
  return followers;
}

TEST(CatalogOrder, IsThatOfTheText) {
  int inOrder = 0;  // variants in which two loads follow each other
  for (const test::VariantCase& one : test::variantCases()) {
    SCOPED_TRACE(one.id);
    const Variant& variant = *findVariant(one.id);
    const std::uint64_t blockLoad = std::uint64_t(one.threads) * variant.launch.elementsPerThread;
    const model::Experiment experiment{.variant = std::string(variant.id),
                                       .op = variant.operators.front(),
                                       .threads = one.threads,
                                       .elements = one.elements != 0 ? one.elements : 4 * blockLoad};
    engine::JobControl job;
    const auto trace = engine::host::makeHostEngine()->record(experiment, job);
    ASSERT_TRUE(trace) << trace.error().sentence;
    if (expectOrderOf(*trace) > 0) ++inOrder;
  }
  EXPECT_GE(inOrder, 20);
}

}  // namespace
}  // namespace stridescope::kernels
