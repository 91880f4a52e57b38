#include "cli/verify_matrix.h"

#include <algorithm>
#include <array>
#include <bit>

#include "model/trace.h"

namespace stridescope::cli {
namespace {

constexpr std::uint64_t kSeed = 1;

// Numbers of elements that are none, one, less than a block, and several blocks with a rest.
constexpr std::array<std::uint64_t, 4> kOddElements{0, 1, 100, 5000};

// A merge reduces once for every element: threads times elements whose trace stays within its budget.
constexpr std::uint64_t kMaxMergeSteps = 1u << 16;
constexpr std::uint64_t kMaxMergedElements = 256;  // each takes some barriers, whose copies are limited

// Whole warps, halved down to one: the blocks that --full crosses with everything. Random data are enough for
// the others.
bool isOfWholeWarps(unsigned threads) { return threads >= model::kWarpSize && std::has_single_bit(threads); }

// Adds the experiments of one variant, each only once.
class VariantMatrix {
 public:
  VariantMatrix(const kernels::Variant& variant, std::vector<model::Experiment>& experiments)
      : variant_(variant), experiments_(experiments), first_(experiments.size()) {}

  void add(model::ElementType type, model::Operator op, unsigned threads, model::DataPattern data) {
    addSized(type, op, threads, data,
             variant_.elementsAtFirst ? variant_.elementsAtFirst(threads)
                                      : std::uint64_t(threads) * variant_.launch.elementsPerThread);
  }

  void addSized(model::ElementType type, model::Operator op, unsigned threads, model::DataPattern data,
                std::uint64_t elements) {
    if (!variant_.offers(type, op)) return;
    if (variant_.merges()) elements = std::min({elements, kMaxMergeSteps / threads, kMaxMergedElements});
    const model::Experiment experiment{.variant = std::string(variant_.id),
                                       .type = type,
                                       .op = op,
                                       .threads = threads,
                                       .elements = elements,
                                       .data = data,
                                       .seed = kSeed,
                                       .launch = 0,
                                       .block = 0};
    const auto begin = experiments_.begin() + std::ptrdiff_t(first_);
    if (std::find(begin, experiments_.end(), experiment) == experiments_.end())
      experiments_.push_back(experiment);
  }

  void quick() {
    for (model::ElementType type : variant_.types)
      add(type, variant_.operators.front(), variant_.defaultThreads, model::DataPattern::Random);
    for (unsigned threads : {variant_.threads.front(), variant_.threads.back()})
      add(variant_.types.front(), variant_.operators.front(), threads, model::DataPattern::Ramp);
  }

  void defaults() {
    quick();
    for (model::ElementType type : variant_.types)
      for (model::Operator op : variant_.operators)
        add(type, op, variant_.defaultThreads, model::DataPattern::Random);
    const model::ElementType type = variant_.types.front();
    const model::Operator op = variant_.operators.front();
    for (unsigned threads : variant_.threads) add(type, op, threads, model::DataPattern::Random);
    for (model::DataPattern data : model::kDataPatterns) add(type, op, variant_.defaultThreads, data);
    for (std::uint64_t elements : kOddElements) {
      addSized(type, op, variant_.defaultThreads, model::DataPattern::Ramp, elements);
      if (variant_.threads.front() < model::kWarpSize)
        addSized(type, op, variant_.threads.front(), model::DataPattern::Ramp, elements);
    }
  }

  void full() {
    defaults();
    for (model::ElementType type : variant_.types)
      for (model::Operator op : variant_.operators) {
        for (unsigned threads : variant_.threads)
          if (isOfWholeWarps(threads))
            for (model::DataPattern data : model::kDataPatterns) add(type, op, threads, data);
          else
            add(type, op, threads, model::DataPattern::Random);
        for (std::uint64_t elements : kOddElements)
          addSized(type, op, variant_.defaultThreads, model::DataPattern::Random, elements);
      }
  }

 private:
  const kernels::Variant& variant_;
  std::vector<model::Experiment>& experiments_;
  std::size_t first_;  // where this variant's begin
};

}  // namespace

std::vector<model::Experiment> verifyMatrix(std::span<const kernels::Variant* const> variants,
                                            Thoroughness thoroughness) {
  std::vector<model::Experiment> experiments;
  for (const kernels::Variant* variant : variants) {
    VariantMatrix matrix(*variant, experiments);
    switch (thoroughness) {
      case Thoroughness::Quick:
        matrix.quick();
        break;
      case Thoroughness::Default:
        matrix.defaults();
        break;
      case Thoroughness::Full:
        matrix.full();
        break;
    }
  }
  return experiments;
}

}  // namespace stridescope::cli
