#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"
#include "instrument/instrument.h"
#include "kernels/run_plan.h"
#include "model/operator_table.h"
#include "variant_cases.h"

namespace stridescope::kernels {
namespace {

using test::variantCases;

std::set<std::string> stemsIn(const std::string& folder, const std::string& suffix) {
  std::set<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(STRIDESCOPE_SOURCE) + folder))
    if (entry.path().extension() == suffix) stems.insert(entry.path().stem().string());
  return stems;
}

std::set<std::string> catalogIds() {
  std::set<std::string> ids;
  for (const Variant& variant : catalog()) ids.emplace(variant.id);
  return ids;
}

TEST(Catalog, AliasesNameWhatIsThereAndAreNoNamesThemselves) {
  const std::set<std::string> ids = catalogIds();
  std::set<std::string> seen;
  for (const model::Alias& each : model::kAliases) {
    const std::string alias(each.alias), name(each.name);
    EXPECT_TRUE(seen.insert(alias).second) << alias;
    switch (each.kind) {
      case model::Named::Variant:
        EXPECT_TRUE(ids.contains(name)) << alias;
        EXPECT_FALSE(ids.contains(alias)) << alias;
        break;
      case model::Named::Type:
        ASSERT_TRUE(model::parseElementType(alias)) << alias;
        EXPECT_EQ(model::nameOf(*model::parseElementType(alias)), name);
        break;
      case model::Named::Operator:
        ASSERT_TRUE(model::parseOperator(alias)) << alias;
        EXPECT_EQ(model::nameOf(*model::parseOperator(alias)), name);
        break;
    }
  }
  // The numbers of NVIDIA's sample, which stand for what it does there.
  for (const auto& [alias, id] :
       {std::pair{"reduce0", "interleaved_modulo"}, std::pair{"reduce1", "interleaved_contiguous"},
        std::pair{"reduce2", "sequential"}, std::pair{"reduce3", "first_add_on_load"},
        std::pair{"reduce4", "unrolled_last_warp"}, std::pair{"reduce5", "fully_unrolled"},
        std::pair{"reduce6", "grid_stride"}, std::pair{"reduce7", "warp_shuffle"},
        std::pair{"shuffle", "warp_shuffle"}})
    EXPECT_EQ(model::resolved(model::Named::Variant, alias), id);
  EXPECT_EQ(model::resolved(model::Named::Variant, "int32"), "int32") << "of another kind";
}

TEST(Catalog, HasAKernelFileALessonAndACaseForEveryVariantAndNoMore) {
  EXPECT_EQ(stemsIn("/kernels", ".cu"), catalogIds());
  EXPECT_EQ(stemsIn("/assets/lessons", ".md"), catalogIds());
  std::set<std::string> cases;
  for (const auto& variant : variantCases()) cases.emplace(variant.id);
  EXPECT_EQ(cases, catalogIds());
}

TEST(Catalog, EntriesAreComplete) {
  for (const Variant& variant : catalog()) {
    SCOPED_TRACE(variant.id);
    EXPECT_FALSE(variant.title.empty());
    const std::string name(nameOf(variant.family)), title(titleOf(variant.family));
    EXPECT_EQ(name.substr(1), title.substr(1));
    EXPECT_EQ(std::toupper(name.front()), title.front());
    EXPECT_FALSE(variant.source.empty());
    EXPECT_TRUE(variant.changed.ends_with(".")) << "a sentence";
    EXPECT_TRUE(variant.previous.empty() == (&variant == &catalog().front()));
    EXPECT_TRUE(variant.previous.empty() || findVariant(variant.previous) != nullptr);
    EXPECT_FALSE(variant.types.empty());
    EXPECT_FALSE(variant.operators.empty());
    EXPECT_TRUE(std::ranges::is_sorted(variant.threads));
    EXPECT_EQ(std::ranges::adjacent_find(variant.threads), variant.threads.end()) << "each size once";
    EXPECT_GE(variant.threads.front(), 1u);
    EXPECT_LE(variant.threads.back(), 1024u);
    EXPECT_TRUE(std::ranges::binary_search(variant.threads, variant.defaultThreads));
  }
}

TEST(Catalog, NumbersTheRungsAndTheirSideBranches) {
  const std::vector<std::pair<std::string, std::string>> numbers{{"interleaved_modulo", "1"},
                                                                 {"interleaved_and", "2"},
                                                                 {"interleaved_contiguous", "3"},
                                                                 {"padded_tree", "3a"},
                                                                 {"sequential", "4"},
                                                                 {"any_block_size", "4a"},
                                                                 {"grid_stride", "8"},
                                                                 {"warp_shuffle", "9"},
                                                                 {"warp_redux", "9a"},
                                                                 {"cooperative_groups", "9b"},
                                                                 {"vectorized_atomic", "9c"},
                                                                 {"single_pass", "10"},
                                                                 {"acquire_release", "11"},
                                                                 {"one_message", "12"},
                                                                 {"cluster_sum", "12a"},
                                                                 {"sum_and_count", "13"},
                                                                 {"warm_up", ""},
                                                                 {"missing_barrier", ""}};
  for (const auto& [id, number] : numbers) EXPECT_EQ(numberOf(id), number) << id;
  EXPECT_EQ(findRung(9)->id, "warp_shuffle");
  EXPECT_EQ(findRung(0), nullptr);
  EXPECT_EQ(findRung(14), nullptr);
}

// A rung builds on the rung before it; a side branch too, perhaps by way of variants of other families; and
// no rung builds on a side branch.
TEST(Catalog, BuildsRungsOnRungs) {
  for (unsigned rung = 2; findRung(rung) != nullptr; ++rung)
    EXPECT_EQ(findRung(rung)->previous, findRung(rung - 1)->id) << rung;
  const Variant* last = nullptr;
  for (const Variant& variant : catalog()) {
    if (variant.family != Family::Ladder) continue;
    if (variant.sideBranch) {
      ASSERT_NE(last, nullptr);
      std::string before = variant.previous;
      while (familyOf(before) != Family::Ladder) before = findVariant(before)->previous;
      EXPECT_EQ(before, last->id) << variant.id;
    } else {
      last = &variant;
    }
  }
}

// Who came before stands before, so that nothing is taught of what is not known yet.
TEST(Catalog, TeachesInOrder) {
  const auto place = [](std::string_view id) { return findVariant(id) - catalog().data(); };
  for (const Variant& variant : catalog()) {
    if (variant.previous.empty()) continue;
    EXPECT_LT(place(variant.previous), place(variant.id)) << variant.id;
  }
  EXPECT_LT(place("warm_up"), place("interleaved_modulo"));
  EXPECT_LT(place("many_blocks"), place("grid_stride"));
  EXPECT_LT(place("first_add_on_load"), place("global_memory"));
  EXPECT_LT(place("padded_columns"), place("padded_tree"));
  EXPECT_LT(place("block_of_warps"), place("warp_shuffle"));
}

TEST(Catalog, GivesTheTextOfTheFile) {
  for (const Variant& variant : catalog()) {
    std::ifstream file(std::string(STRIDESCOPE_SOURCE) + "/kernels/" + std::string(variant.id) + ".cu");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(kernelText(variant.id), text.str()) << variant.id;
  }
  EXPECT_EQ(kernelText("no_such_variant"), "");
}

TEST(Catalog, NamesTheParametersOfTheText) {
  for (const Variant& variant : catalog()) {
    const auto text = instrument::instrument(kernelText(variant.id));
    ASSERT_TRUE(text.has_value()) << variant.id << ": " << text.error().reason;
    std::vector<std::string> names;
    for (const model::KernelParameter& parameter : variant.parameters) names.emplace_back(parameter.name);
    EXPECT_EQ(text->parameters, names) << variant.id;
  }
}

// Tutorials draw blocks of 8 and 16 threads: whatever needs no whole warp takes them.
TEST(Catalog, TakesBlocksOfLessThanAWarpWhereTheKernelDoes) {
  const std::set<std::string_view> small{
      "interleaved_modulo",      "interleaved_contiguous", "sequential",       "first_add_on_load",
      "two_per_thread",          "global_memory",          "k_way_merge",      "k_way_merge_near",
      "k_way_merge_interleaved", "early_result",           "divergent_barrier"};
  for (const std::string_view id : small)
    EXPECT_EQ(findVariant(id)->threads, (std::vector<unsigned>{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}))
        << id;
  for (const std::string_view id : {"missing_barrier", "subtraction"}) {
    EXPECT_EQ(findVariant(id)->threads.front(), 4u) << id;
    EXPECT_FALSE(findVariant(id)->onlyTheseSizes.empty()) << id;
  }
  for (const std::string_view id : {"unrolled_last_warp", "warp_shuffle", "single_pass", "block_of_warps",
                                    "warp_guarded", "wrong_mask"}) {
    EXPECT_GE(findVariant(id)->threads.front(), 32u) << id;
    EXPECT_TRUE(findVariant(id)->onlyTheseSizes.ends_with(".")) << id << ": a sentence says why";
  }
}

std::vector<std::string> linesOf(std::string_view id) {
  std::istringstream text{std::string(kernelText(id))};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Catalog, KeepsKernelsPlain) {
  constexpr std::size_t kColumns = 64;
  for (const Variant& variant : catalog()) {
    SCOPED_TRACE(variant.id);
    bool includes = false;
    for (const std::string& line : linesOf(variant.id)) {
      EXPECT_LE(line.size(), kColumns) << line;
      if (line.find('#') == std::string::npos) continue;
      includes = true;
      EXPECT_TRUE(line.starts_with("#include <cooperative_groups")) << line;
    }
    EXPECT_EQ(includes, variant.needsCudaHeaders);
  }
}

TEST(Catalog, NamesAKernelAsItsFileExceptWhereANamespaceHasTheName) {
  for (const Variant& variant : catalog()) {
    const std::string text(kernelText(variant.id));
    EXPECT_NE(text.find("__global__ void " + std::string(variant.function) + "("), std::string::npos);
    EXPECT_EQ(variant.function == variant.id, variant.id != "cooperative_groups");
  }
}

TEST(Catalog, BeginsKernelsWithWhatChanged) {
  for (const Variant& variant : catalog()) {
    const auto lines = linesOf(variant.id);
    const auto code = std::ranges::find_if(lines, [](const auto& line) { return !line.starts_with("//"); });
    EXPECT_GE(code - lines.begin(), 2) << variant.id;
    EXPECT_LE(code - lines.begin(), 4) << variant.id;
  }
}

TEST(Catalog, OffersThePairsThatTheHardwareHasWhereTheTextCallsIt) {
  for (const Variant& variant : catalog()) {
    const std::string text(kernelText(variant.id));
    EXPECT_EQ(text.find("combineWarp(") != std::string::npos,
              variant.hardwareForm == model::HardwareForm::WarpReduction);
    EXPECT_EQ(text.find("combineAtomically(") != std::string::npos,
              variant.hardwareForm == model::HardwareForm::Atomic);
    // Whoever offers less than everything says why.
    const bool all = variant.types.size() == model::kElementTypes.size() &&
                     variant.operators.size() == model::kOperators.size();
    EXPECT_EQ(all, variant.onlyThese.empty()) << variant.id;
    for (model::ElementType type : variant.types)
      EXPECT_TRUE(variant.offers(type, variant.operators.front()));
  }
  const Variant& redux = *findVariant("warp_redux");
  EXPECT_TRUE(redux.offers(model::ElementType::Unsigned, model::Operator::Xor));
  EXPECT_FALSE(redux.offers(model::ElementType::Int64, model::Operator::Add));
  EXPECT_FALSE(redux.offers(model::ElementType::Int, model::Operator::Multiply));
  const Variant& atomic = *findVariant("vectorized_atomic");
  EXPECT_TRUE(atomic.offers(model::ElementType::Double, model::Operator::Add));
  EXPECT_TRUE(atomic.offers(model::ElementType::Int64, model::Operator::Max));
  EXPECT_FALSE(atomic.offers(model::ElementType::Float, model::Operator::Min));
}

TEST(Preamble, DefinesTypeIdentityAndCombine) {
  EXPECT_EQ(preambleOf("", model::ElementType::Int, model::Operator::Add, 256),
            "using T = int;\n"
            "constexpr T identity = 0;\n"
            "__device__ T combine(T a, T b) { return a + b; }\n");
  EXPECT_EQ(preambleOf("for (s = blockSize / 2;;)", model::ElementType::Int64, model::Operator::Min, 128),
            "using T = long long;\n"
            "constexpr T identity = 9223372036854775807ll;\n"
            "__device__ T combine(T a, T b) { return b < a ? b : a; }\n"
            "constexpr unsigned blockSize = 128;\n");
}

// As CUDA declares them: signed __reduce_and_sync and atomicAdd of long long are not there.
TEST(Preamble, DefinesWhatTheHardwareHas) {
  const auto defined = [](std::string_view text, model::ElementType type, model::Operator op) {
    const std::string lines = preambleOf(text, type, op, 256);
    return lines.substr(lines.find('}') + 2);
  };
  EXPECT_EQ(defined("combineWarp(v)", model::ElementType::Int, model::Operator::Min),
            "__device__ T combineWarp(T value) { return __reduce_min_sync(0xffffffff, value); }\n");
  EXPECT_EQ(
      defined("combineWarp(v)", model::ElementType::Int, model::Operator::And),
      "__device__ T combineWarp(T value) { return T(__reduce_and_sync(0xffffffff, unsigned(value))); }\n");
  EXPECT_EQ(defined("combineAtomically(p, v)", model::ElementType::Double, model::Operator::Add),
            "__device__ void combineAtomically(T* total, T value) { atomicAdd(total, value); }\n");
  EXPECT_EQ(defined("combineAtomically(p, v)", model::ElementType::Int64, model::Operator::Add),
            "__device__ void combineAtomically(T* total, T value) { "
            "atomicAdd(reinterpret_cast<unsigned long long*>(total), (unsigned long long)value); }\n");
  EXPECT_EQ(defined("combineAtomically(p, v)", model::ElementType::Int64, model::Operator::Max),
            "__device__ void combineAtomically(T* total, T value) { atomicMax(total, value); }\n");
  EXPECT_EQ(defined("combineAtomically(p, v)", model::ElementType::Float, model::Operator::Min), "");
  EXPECT_EQ(defined("combineWarps(v); recombineWarp(v)", model::ElementType::Int, model::Operator::Add), "");
}

TEST(Preamble, NamesTheBlockSizeOnlyWhereTheTextDoes) {
  EXPECT_TRUE(namesBlockSize("int a[blockSize];"));
  EXPECT_FALSE(namesBlockSize("int a[myblockSize]; int blockSize2;"));
}

// Each launch leaves one value per block; the last one has a single block.
TEST(Launches, GoDownToOneValue) {
  const Variant& variant = *findVariant("first_add_on_load");  // 512 elements per block of 256
  model::Experiment experiment{.variant = "first_add_on_load", .threads = 256, .elements = 65537};
  const auto launches = planRun(variant, experiment).launches;
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].grid.count(), 129u);  // ceil(65537 / 512)
  EXPECT_EQ(launches[1].elements, 129u);
  EXPECT_EQ(launches[1].grid.count(), 1u);
  EXPECT_EQ(launches[0].sharedBytes, 1024u);

  experiment.elements = 0;
  ASSERT_EQ(planRun(variant, experiment).launches.size(), 1u);
  EXPECT_EQ(planRun(variant, experiment).launches[0].grid.count(), 1u);
}

TEST(Launches, InspectTheBlocksThatTheChosenOnesDataPassThrough) {
  const Variant& variant = *findVariant("sequential");
  model::Experiment experiment{
      .variant = "sequential", .threads = 32, .elements = 32 * 32 * 32, .launch = 0, .block = 700};
  const auto forward = planRun(variant, experiment).launches;
  ASSERT_EQ(forward.size(), 3u);
  EXPECT_EQ(forward[0].inspected, 700u);
  EXPECT_EQ(forward[1].inspected, 21u);  // 700 / 32
  EXPECT_EQ(forward[2].inspected, 0u);

  experiment.launch = 1;
  experiment.block = 21;
  EXPECT_EQ(planRun(variant, experiment).launches[0].inspected, 672u);  // 21 * 32
  experiment.block = 1u << 20;
  EXPECT_EQ(planRun(variant, experiment).launches[1].inspected, 31u) << "clamped to the last block";
}

// Blocks of any size: 1000 elements in blocks of 96 are 11 blocks, whose results fit one.
TEST(Launches, OfBlocksThatAreNoPowerOfTwo) {
  Variant variant = *findVariant("sequential");
  variant.threads = {24, 48, 96};
  const auto launches =
      planRun(variant, {.variant = "sequential", .threads = 96, .elements = 1000, .launch = 0, .block = 10})
          .launches;
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].grid.count(), 11u);
  EXPECT_EQ(launches[0].sharedBytes, 384u);
  EXPECT_EQ(launches[0].arguments[0].elements, 11u * 96);
  EXPECT_EQ(launches[1].elements, 11u);
  EXPECT_EQ(launches[1].grid.count(), 1u);
}

TEST(Launches, OfTheSmallestBlocksGoDownToOneValue) {
  const auto launches =
      planRun(*findVariant("sequential"), {.variant = "sequential", .threads = 2, .elements = 1u << 24})
          .launches;
  ASSERT_EQ(launches.size(), 24u);
  for (std::size_t i = 0; i < launches.size(); ++i) EXPECT_EQ(launches[i].grid.count(), 1u << (23 - i));
}

// k is a number that the kernel is given; the values lie without gaps.
TEST(RunPlan, OfInterleavedListsHasTheirNumber) {
  const Variant& variant = *findVariant("k_way_merge_interleaved");
  model::Experiment experiment{.variant = std::string(variant.id),
                               .op = model::Operator::Min,
                               .threads = 32,
                               .elements = 50,
                               .lists = 7};
  const auto plan = planRun(variant, experiment);
  EXPECT_EQ(plan.launches[0].arguments[1].number, 7u);
  EXPECT_EQ(plan.buffers[0].start, BufferStart::InterleavedLists);
  EXPECT_EQ(plan.buffers[0].room, 50u);
  experiment.lists = 0;
  EXPECT_EQ(planRun(variant, experiment).launches[0].arguments[1].number, 32u) << "one per thread";
}

TEST(RunPlan, EndsForABlockThatIsNotLegal) {
  const Variant& variant = *findVariant("sequential");
  for (const unsigned threads : {1u, 3u})
    EXPECT_GE(planRun(variant, {.variant = "sequential", .threads = threads, .elements = 64}).launches.size(),
              1u);
}

// The product of digits is 0, and so is their bitwise and: nothing would be seen of these.
TEST(DefaultData, SuitTheOperatorAndTheVariant) {
  using model::DataPattern, model::Operator;
  for (const Operator op : {Operator::Add, Operator::Min, Operator::Max, Operator::Or, Operator::Xor,
                            Operator::Subtract, Operator::Custom})
    EXPECT_EQ(defaultData("sequential", op), DataPattern::Digits) << model::nameOf(op);
  for (const Operator op : {Operator::Multiply, Operator::And})
    EXPECT_EQ(defaultData("sequential", op), DataPattern::Ones) << model::nameOf(op);
  for (const Variant& variant : catalog())
    if (variant.merges()) {
      EXPECT_EQ(defaultData(variant.id, Operator::Min), DataPattern::Random) << variant.id;
    }
}

}  // namespace
}  // namespace stridescope::kernels
