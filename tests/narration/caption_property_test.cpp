// Every caption of every variant, type and block size names the numbers of the trace: for each round, and
// each pass of a round of several. STRIDESCOPE_TAKE_EVERY thins the matrix out where everything runs slowly.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "caption_claims.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "narration/caption.h"

namespace stridescope::narration {
namespace {

constexpr std::uint32_t kPassesRead = 4;      // of a round, and the last one
constexpr std::uint64_t kElementsMerged = 2;  // and the last one

// "sequential int 256 threads, 1000 elements".
std::string nameOf(const model::Experiment& experiment) {
  return experiment.variant + " " + std::string(model::nameOf(experiment.type)) + " " +
         std::string(model::nameOf(experiment.op)) + " " + std::to_string(experiment.threads) + " threads, " +
         std::to_string(experiment.elements) + " elements";
}

class Reader {
 public:
  void read(const model::Trace& trace) {
    const analysis::Analysis analysis = analysis::analyse(trace);
    for (std::size_t l = 0; l < trace.launches.size(); ++l) {
      const model::LaunchTrace& launch = trace.launches[l];
      const analysis::LaunchAnalysis& rounds = analysis.launches[l];
      const auto flow = analysis::findDataFlow(trace, launch, rounds);
      analysis::PassViewer viewer(trace, launch, rounds, flow);
      for (unsigned r = 0; r < rounds.rounds.size(); ++r) {
        const analysis::Round& round = rounds.rounds[r];
        const auto element = round.outputElement;
        if (element && *element >= kElementsMerged && *element + 1 < launch.elements) continue;
        check({trace, launch, rounds, flow, r});
        for (std::uint32_t pass = 0; round.passes > 1 && pass < round.passes; ++pass) {
          if (pass >= kPassesRead) pass = round.passes - 1;
          const auto view = viewer.view(r, pass);
          check({trace, launch, rounds, flow, r, view ? &*view : nullptr});
        }
      }
    }
  }

  std::size_t captions() const { return captions_; }

 private:
  void check(const RoundAt& at) {
    ++captions_;
    const std::vector<std::string> faults = faultsOfCaption(at);
    if (faults.empty() || ++wrong_ > 3) return;
    std::string all;
    for (const std::string& fault : faults) all += "\n  " + fault;
    ADD_FAILURE() << nameOf(at.trace.experiment) << ", round " << at.index << ": " << captionOf(at).text()
                  << all;
  }

  std::size_t captions_ = 0, wrong_ = 0;
};

class EveryVariantsCaptions : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariantsCaptions, NameTheNumbersOfTheTrace) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const auto engine = engine::host::makeHostEngine();
  Reader reader;
  std::size_t turn = std::hash<std::string>{}(GetParam()) % STRIDESCOPE_TAKE_EVERY;
  for (const model::ElementType type : variant.types)
    for (const unsigned threads : variant.threads)
      // One block's load; of the least and the largest block also one element more than fills whole blocks:
      // several launches, or partial warps.
      for (const bool more : {false, true}) {
        if (more && threads != variant.threads.front() && threads != variant.threads.back()) continue;
        if (++turn % STRIDESCOPE_TAKE_EVERY != 0) continue;
        model::Experiment experiment{.variant = std::string(variant.id), .type = type, .threads = threads};
        const std::uint64_t load = std::uint64_t(threads) * variant.elementsPerThread;
        experiment.elements = variant.merges() ? (more ? 5 : 40) : more ? 3 * load + 1 : load;
        experiment.data = model::DataPattern::Random;
        if (!variant.offers(type, experiment.op)) experiment.op = variant.operators.front();
        engine::JobControl job;
        const auto trace = engine->record(experiment, job);
        ASSERT_TRUE(trace) << nameOf(experiment) << ": " << trace.error().sentence;
        reader.read(*trace);
        if (HasFailure()) return;
      }
  if (STRIDESCOPE_TAKE_EVERY == 1) {
    EXPECT_GT(reader.captions(), 0u);
  }
}

std::vector<std::string> allVariants() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(All, EveryVariantsCaptions, testing::ValuesIn(allVariants()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace stridescope::narration
