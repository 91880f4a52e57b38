// Every caption of every variant, type and block size names the numbers of the trace: for each round, and
// each pass of a round of several. sweepStep() thins the matrix out.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "caption_claims.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "support/variant_ids.h"
#include "support/whole_sweeps.h"

namespace stridescope::narration {
namespace {

constexpr std::uint32_t kPassesRead = 4;  // per round, and the last one

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
    const Caption caption = captionOf(at);
    const std::vector<std::string> faults = faultsOfCaption(at, caption);
    if (faults.empty() || ++wrong_ > 3) return;
    std::string all;
    for (const std::string& fault : faults) all += "\n  " + fault;
    ADD_FAILURE() << nameOf(at.trace.experiment) << ", round " << at.index << ": " << caption.text() << all;
  }

  std::size_t captions_ = 0, wrong_ = 0;
};

class EveryVariantsCaptions : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariantsCaptions, NameTheNumbersOfTheTrace) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const auto engine = engine::host::makeHostEngine();
  Reader reader;
  std::size_t turn = std::hash<std::string>{}(GetParam()) % support::sweepStep();
  for (const model::ElementType type : variant.types)
    for (const unsigned threads : variant.threads)
      // One block's load is tried; with the smallest and the largest block also one element more than fills
      // whole blocks, which makes several launches, or partial warps.
      for (const bool more : {false, true}) {
        if (more && threads != variant.threads.front() && threads != variant.threads.back()) continue;
        if (++turn % support::sweepStep() != 0) continue;
        model::Experiment experiment{.variant = std::string(variant.id), .type = type, .threads = threads};
        const std::uint64_t load = std::uint64_t(threads) * variant.launch.elementsPerThread;
        // Merges have as many rounds as elements: the default size is tried only once.
        const bool isDefault =
            variant.id == "k_way_merge" && threads == variant.defaultThreads && type == variant.types.front();
        const std::uint64_t merged = more ? 5 : isDefault ? load : 40;
        experiment.elements = variant.merges() ? merged : more ? 3 * load + 1 : load;
        experiment.data = model::DataPattern::Random;
        if (!variant.offers(type, experiment.op)) experiment.op = variant.operators.front();
        engine::JobControl job;
        const auto trace = engine->record(experiment, job);
        ASSERT_TRUE(trace) << nameOf(experiment) << ": " << trace.error().sentence;
        reader.read(*trace);
        if (HasFailure()) return;
      }
  if (support::sweepStep() == 1) {
    EXPECT_GT(reader.captions(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryVariantsCaptions, testing::ValuesIn(support::variantIds()),
                         [](const auto& each) { return each.param; });

// Threads without a list, lanes without an element, elements with padding between them, merged loads.
TEST(Captions, NameTheNumbersWhereNotAllIsFull) {
  const auto engine = engine::host::makeHostEngine();
  Reader reader;
  for (const model::Experiment& experiment :
       {model::Experiment{.variant = "k_way_merge",
       .op = model::Operator::Min,
       .threads = 32,
       .elements = 12,
       .data = model::DataPattern::Random,
       .lists = 5},
        model::Experiment{.variant = "warp_shuffle", .threads = 256, .elements = 100},
        model::Experiment{
            .variant = "warp_shuffle", .op = model::Operator::Min, .threads = 64, .elements = 40},
        model::Experiment{.variant = "padded_tree", .threads = 256, .elements = 256},
        model::Experiment{.variant = "interleaved_modulo",
        .type = model::ElementType::Double,
        .threads = 256,
        .elements = 256}}) {
    engine::JobControl job;
    const auto trace = engine->record(experiment, job);
    ASSERT_TRUE(trace) << nameOf(experiment) << ": " << trace.error().sentence;
    reader.read(*trace);
  }
}

// Each number of a caption is looked at: one alone that is wrong is found.
TEST(CaptionClaims, AreAllChecked) {
  const auto engine = engine::host::makeHostEngine();
  std::size_t numbers = 0;
  for (const char* variant :
       {"interleaved_modulo", "interleaved_contiguous", "two_per_thread", "unrolled_last_warp",
        "warp_shuffle", "block_of_warps", "global_memory", "warp_redux", "missing_barrier", "wrong_mask"}) {
    engine::JobControl job;
    const auto trace = engine->record(
        {.variant = variant, .type = model::ElementType::Int, .threads = 256, .elements = 512}, job);
    ASSERT_TRUE(trace) << trace.error().sentence;
    const analysis::Analysis analysis = analysis::analyse(*trace);
    const auto flow = analysis::findDataFlow(*trace, trace->launches[0], analysis.launches[0]);
    for (std::size_t r = 0; r < analysis.launches[0].rounds.size(); ++r) {
      const RoundAt at{*trace, trace->launches[0], analysis.launches[0], flow, r};
      const Caption right = captionOf(at);
      for (std::size_t i = 0; const auto wrong = withWrongNumber(right, i); ++i, ++numbers)
        EXPECT_FALSE(faultsOfCaption(at, *wrong).empty()) << variant << ": " << wrong->text();
    }
  }
  EXPECT_GT(numbers, 500u);
}

}  // namespace
}  // namespace stridescope::narration
