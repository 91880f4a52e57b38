// What may be chosen together, and where an illegal choice is moved to.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/experiment_check.h"
#include "kernels/run_plan.h"
#include "session/experiment_choices.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

// The ladder's rule: powers of two from 2 to 1024; the unrolled one from 64.
TEST(LegalChoices, BlockSizesMoveToTheNearest) {
  const struct {
    const char* variant;
    unsigned asked, given;
  } cases[] = {{"sequential", 256, 256},  {"sequential", 1, 2},           {"sequential", 5000, 1024},
               {"sequential", 300, 256},  {"unrolled_last_warp", 32, 64}, {"sequential", 0, 2},
               {"sequential", 900, 1024}, {"warp_shuffle", 8, 32},        {"sequential", 16, 16}};
  for (const auto& each : cases) {
    model::Experiment experiment = ladderExperiment(each.variant);
    experiment.threads = each.asked;
    makeLegal(experiment);
    EXPECT_EQ(experiment.threads, each.given) << each.variant << " " << each.asked;
  }
}

TEST(LegalChoices, ABitOperatorGivesWayToAFloatingType) {
  model::Experiment experiment = ladderExperiment("sequential");
  experiment.op = model::Operator::Xor;
  experiment.type = model::ElementType::Float;
  makeLegal(experiment);
  EXPECT_EQ(experiment.type, model::ElementType::Float);
  EXPECT_TRUE(model::isOffered(experiment.type, experiment.op));
}

TEST(LegalChoices, EveryRequestEndsLegal) {
  for (const kernels::Variant& variant : kernels::catalog())
    for (const model::ElementType type : model::kElementTypes)
      for (const model::Operator op : model::kOperators)
        for (const unsigned threads : {0u, 1u, 31u, 32u, 33u, 100u, 1024u, ~0u}) {
          model::Experiment experiment;
          experiment.variant = variant.id;
          experiment.type = type;
          experiment.op = op;
          experiment.threads = threads;
          makeLegal(experiment);
          EXPECT_EQ(experiment.variant, variant.id);
          EXPECT_TRUE(engine::checkedExperiment(experiment, false)) << variant.id << " " << threads;
        }
}

TEST(LegalChoices, AnUnknownVariantIsLeftToTheCheck) {
  model::Experiment experiment;
  experiment.variant = "sideways";
  experiment.threads = 77;
  makeLegal(experiment);
  EXPECT_EQ(experiment.threads, 77u);
}

TEST(LegalChoices, WhatIsOfferedNeedsNoReason) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    for (const model::ElementType type : variant.types)
      for (const model::Operator op : variant.operators) {
        EXPECT_EQ(whyNotType(variant, type, op).empty(), variant.offers(type, op));
        EXPECT_EQ(whyNotOperator(variant, type, op).empty(), variant.offers(type, op));
      }
    for (const unsigned threads : variant.threads) EXPECT_EQ(whyNotThreads(variant, threads), "");
  }
}

TEST(LegalChoices, SoManyElementsTakeSoManyBlocks) {
  unsigned found = 0;
  for (const kernels::Variant& variant : kernels::catalog())
    for (const unsigned blocks : {2u, 4u}) {
      model::Experiment experiment;
      experiment.variant = variant.id;
      experiment.op = variant.operators.front();
      experiment.threads = variant.defaultThreads;
      const auto elements = elementsOfBlocks(experiment, blocks);
      if (!elements) continue;
      ++found;
      experiment.elements = *elements;
      EXPECT_EQ(kernels::planRun(variant, experiment).launches.front().grid.count(), blocks) << variant.id;
      EXPECT_EQ(whyNotElements(experiment, *elements), "") << variant.id;
    }
  EXPECT_GT(found, 40u);
  model::Experiment merge;
  merge.variant = "k_way_merge";
  EXPECT_FALSE(elementsOfBlocks(merge, 2)) << "it merges what it has";
  EXPECT_NE(whyNotElements(ladderExperiment("sequential"), 1ull << 40), "");
  EXPECT_EQ(whyNotElements(ladderExperiment("sequential"), 0), "");
}

TEST(LegalChoices, ReasonsAreSentencesThatNameWhatIsWrong) {
  const kernels::Variant& unrolled = *kernels::findVariant("unrolled_last_warp");
  const std::string threads = whyNotThreads(unrolled, 32);
  EXPECT_NE(threads.find("last warp unrolled"), std::string::npos) << threads;
  EXPECT_NE(threads.find("64, 128, 256, 512, 1024"), std::string::npos) << threads;
  EXPECT_EQ(threads.back(), '.');
  const std::string type = whyNotType(unrolled, model::ElementType::Double, model::Operator::And);
  EXPECT_NE(type.find("double"), std::string::npos) << type;
  EXPECT_EQ(type.back(), '.');
  EXPECT_EQ(whyNotOperator(unrolled, model::ElementType::Double, model::Operator::And), type);
}

TEST(LegalChoices, OfAVariantThatOffersLess) {
  const model::Kernel few{.id = "few",
                          .title = "few",
                          .types = {model::ElementType::Int},
                          .operators = {model::Operator::Add},
                          .threads = {24, 48, 96},
                          .onlyTheseSizes = "It has three warps at most."};
  EXPECT_EQ(whyNotType(few, model::ElementType::Float, model::Operator::Add),
            "few is not offered for float.");
  EXPECT_EQ(whyNotOperator(few, model::ElementType::Int, model::Operator::Min),
            "few is not offered with min.");
  EXPECT_EQ(whyNotOperator(few, model::ElementType::Int, model::Operator::Add), "");
  EXPECT_EQ(whyNotThreads(few, 64), "few takes these block sizes: 24, 48, 96. It has three warps at most.");
  EXPECT_EQ(whyNotThreads(few, 48), "");
}

TEST(LegalChoices, AllBlockSizesAreEveryVariantsAscending) {
  const std::vector<unsigned> sizes = allBlockSizes();
  EXPECT_TRUE(std::ranges::is_sorted(sizes));
  for (const kernels::Variant& variant : kernels::catalog())
    EXPECT_TRUE(std::ranges::includes(sizes, variant.threads)) << variant.id;
  for (unsigned size = 2; size <= 1024; size *= 2)
    EXPECT_TRUE(std::ranges::binary_search(sizes, size)) << size;
}

TEST(ChangingTheExperiment, MovesTheOthersToLegalOnes) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential", 32));
  session->apply(Choose(&model::Experiment::op, model::Operator::Or));
  session->apply(Choose(&model::Experiment::type, model::ElementType::Float));
  EXPECT_EQ(session->workspace().experiment().type, model::ElementType::Float);
  EXPECT_TRUE(model::isOffered(session->workspace().experiment().type, session->workspace().experiment().op));
  session->apply(Choose(&model::Experiment::variant, "unrolled_last_warp"));
  EXPECT_EQ(session->workspace().experiment().threads, 64u);
  session->waitForJobs();
  ASSERT_NE(session->replay().run(), nullptr);
  EXPECT_EQ(session->replay().run()->trace.experiment, session->workspace().experiment());
}

TEST(ChangingTheExperiment, OneBlocksLoadFollowsTheBlockAndTheVariant) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  EXPECT_TRUE(session->workspace().oneBlockLoad());
  EXPECT_EQ(session->workspace().experiment().elements, 256u);
  session->apply(Choose(&model::Experiment::threads, 1024));
  EXPECT_EQ(session->workspace().experiment().elements, 1024u);
  session->apply(Choose(&model::Experiment::variant, "first_add_on_load"));
  EXPECT_EQ(session->workspace().experiment().elements, 2048u) << "two elements per thread";
  session->apply(Choose::elements(1000));
  EXPECT_FALSE(session->workspace().oneBlockLoad());
  session->apply(Choose(&model::Experiment::threads, 64));
  EXPECT_EQ(session->workspace().experiment().elements, 1000u);
  session->apply(Choose::elements(std::nullopt));
  EXPECT_EQ(session->workspace().experiment().elements, 128u);
}

TEST(ChangingTheExperiment, DefaultDataFollowTheOperatorAndTheVariant) {
  FakeEngines engines;
  model::Experiment start = ladderExperiment("sequential");
  start.data = kernels::defaultData(start.variant, start.op);
  const auto session = sessionOf(engines, start);
  const auto data = [&] { return session->workspace().experiment().data; };
  session->apply(Choose(&model::Experiment::op, model::Operator::Multiply));
  EXPECT_EQ(data(), model::DataPattern::Ones);
  session->apply(Choose(&model::Experiment::op, model::Operator::Max));
  EXPECT_EQ(data(), model::DataPattern::Digits);
  session->apply(Choose(&model::Experiment::variant, "k_way_merge"));
  EXPECT_EQ(data(), model::DataPattern::Random);
  session->apply(Choose(&model::Experiment::variant, "sequential"));
  EXPECT_EQ(data(), model::DataPattern::Digits);
}

TEST(ChangingTheExperiment, ChosenDataStay) {
  FakeEngines engines;
  model::Experiment start = ladderExperiment("sequential");
  start.data = kernels::defaultData(start.variant, start.op);
  const auto session = sessionOf(engines, start);
  const auto data = [&] { return session->workspace().experiment().data; };
  session->apply(
      Choose(&model::Experiment::data, model::DataPattern::Digits));  // though they are the default
  session->apply(Choose(&model::Experiment::op, model::Operator::Multiply));
  EXPECT_EQ(data(), model::DataPattern::Digits);
  session->apply(Choose(&model::Experiment::variant, "k_way_merge"));
  EXPECT_EQ(data(), model::DataPattern::Digits);
}

TEST(ChangingTheExperiment, DataThatAStartHasInPlaceOfTheDefaultStay) {
  FakeEngines engines;
  model::Experiment start = ladderExperiment("sequential");
  start.data = model::DataPattern::Alternating;
  const auto session = sessionOf(engines, start);
  session->apply(Choose(&model::Experiment::op, model::Operator::Multiply));
  EXPECT_EQ(session->workspace().experiment().data, model::DataPattern::Alternating);
}

TEST(ChangingTheExperiment, AChosenBlockIsPartOfTheExperimentAndAnotherNForgetsIt) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  session->apply(Choose::elements(65537));
  session->apply(Choose::block(1, 2));
  EXPECT_EQ(session->workspace().experiment().launch, 1u);
  EXPECT_EQ(session->workspace().experiment().block, 2u);
  session->apply(Choose::elements(1000));
  EXPECT_EQ(session->workspace().experiment().launch, 0u);
  EXPECT_EQ(session->workspace().experiment().block, 0u);
}

TEST(ChangingTheExperiment, OneCommandChoosesSeveralFieldsAtOnce) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  session->waitForJobs();
  const int before = engines.recordings();
  Choose both(&model::Experiment::threads, 64);
  both.fields.give(&model::Experiment::data, model::DataPattern::Random);
  session->apply(both);
  session->waitForJobs();
  EXPECT_EQ(engines.recordings(), before + 1);
  EXPECT_EQ(session->workspace().experiment().threads, 64u);
  EXPECT_EQ(session->workspace().experiment().data, model::DataPattern::Random);
  EXPECT_EQ(session->workspace().experiment().elements, 64u) << "one block's load follows";
  session->apply(Choose(&model::Experiment::variant, "k_way_merge"));
  EXPECT_TRUE(session->workspace().choices().threads) << "chosen, though the variant has its own";
}

TEST(ChangingTheExperiment, AnUnknownVariantIsASentenceAndChangesNothing) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  const int before = engines.recordings();
  session->apply(Choose(&model::Experiment::variant, "sequental"));
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->kind, MessageKind::Wrong);
  EXPECT_NE(session->app().message()->sentence.find("Did you mean 'sequential'?"), std::string::npos);
  EXPECT_EQ(session->workspace().experiment().variant, "sequential");
  session->waitForJobs();
  EXPECT_EQ(engines.recordings(), before);
}

TEST(ChangingTheExperiment, IsRememberedInTheSettings) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"));
  session->apply(Choose(&model::Experiment::data, model::DataPattern::Random));
  session->apply(Choose(&model::Experiment::seed, 77));
  EXPECT_EQ(session->app().settings().lastExperiment, session->workspace().experiment());
  EXPECT_EQ(session->app().settings().lastExperiment.seed, 77u);
}

}  // namespace
}  // namespace stridescope::session
