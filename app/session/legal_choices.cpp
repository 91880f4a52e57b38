#include "session/legal_choices.h"

#include <algorithm>
#include <set>

#include "base/numbers.h"
#include "engine/experiment_check.h"

namespace stridescope::session {
namespace {

template <class T>
bool contains(const std::vector<T>& all, T value) {
  return std::ranges::find(all, value) != all.end();
}

// The sentence, and after it why the variant offers no more, if it says so.
std::string withReason(std::string sentence, const kernels::Variant& variant) {
  if (!variant.onlyThese.empty()) sentence.append(" ").append(variant.onlyThese);
  return sentence;
}

// As many lists as were given, in a block that has a thread for each.
void makeListsLegal(const kernels::Variant& variant, model::Experiment& experiment) {
  experiment.lists = 0;
  const model::GivenData* const given = experiment.given.get();
  if (!variant.merges() || given == nullptr || given->listLengths.empty()) return;
  experiment.lists = unsigned(given->listLengths.size());
  for (const unsigned threads : variant.threads)
    if (threads >= experiment.lists) {
      experiment.threads = std::max(experiment.threads, threads);
      return;
    }
}

}  // namespace

void makeLegal(model::Experiment& experiment) {
  const kernels::Variant* variant = kernels::findVariant(experiment.variant);
  if (variant == nullptr) return;
  if (!contains(variant->types, experiment.type)) experiment.type = variant->types.front();
  if (!variant->offers(experiment.type, experiment.op)) experiment.op = variant->operators.front();
  if (!contains(variant->threads, experiment.threads)) {
    const auto distance = [&](unsigned threads) {
      return threads > experiment.threads ? threads - experiment.threads : experiment.threads - threads;
    };
    experiment.threads = *std::ranges::min_element(variant->threads, {}, distance);
  }
  makeListsLegal(*variant, experiment);
}

bool isOneBlockLoad(const model::Experiment& experiment) {
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  return variant != nullptr && experiment.given.get() == nullptr &&
         experiment.elements == engine::defaultElements(*variant, experiment.threads);
}

std::optional<model::DataPattern> chosenData(const model::Experiment& experiment) {
  const bool isDefault = experiment.data == model::DataPattern::Given ||
                         experiment.data == kernels::defaultData(experiment.variant, experiment.op);
  return isDefault ? std::nullopt : std::optional(experiment.data);
}

std::string whyNotType(const kernels::Variant& variant, model::ElementType type, model::Operator op) {
  if (!contains(variant.types, type))
    return withReason(
        std::string(variant.title) + " is not offered for " + std::string(model::nameOf(type)) + ".",
        variant);
  if (!model::isOffered(type, op))
    return std::string(model::nameOf(op)) + " works on bits, which " + std::string(model::nameOf(type)) +
           " values do not offer.";
  if (!variant.offers(type, op)) return std::string(variant.onlyThese);
  return {};
}

std::string whyNotOperator(const kernels::Variant& variant, model::ElementType type, model::Operator op) {
  if (!contains(variant.operators, op) && !(op == model::Operator::Custom && variant.takesCustom()))
    return withReason(
        std::string(variant.title) + " is not offered with " +
            (op == model::Operator::Custom ? "an operator of your own" : std::string(model::nameOf(op))) +
            ".",
        variant);
  return whyNotType(variant, type, op);
}

std::string whyNotThreads(const kernels::Variant& variant, unsigned threads) {
  if (contains(variant.threads, threads)) return {};
  std::string sizes;
  for (const unsigned size : variant.threads) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  std::string sentence = std::string(variant.title) + " takes these block sizes: " + sizes + ".";
  if (!variant.onlyTheseSizes.empty()) sentence.append(" ").append(variant.onlyTheseSizes);
  return sentence;
}

std::optional<std::uint64_t> elementsOfBlocks(const model::Experiment& experiment, unsigned blocks) {
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  if (variant == nullptr || variant->merges()) return std::nullopt;
  const std::uint64_t loads = std::uint64_t(blocks) * experiment.threads * variant->elementsPerThread;
  if (variant->blocksFor == nullptr) return loads;
  constexpr unsigned kMaxElementsOfAThread = 1 << 10;  // more than any rule for launches waits for
  for (std::uint64_t n = loads; n <= loads * kMaxElementsOfAThread; n *= 2)
    if (variant->blocksFor(n, experiment.threads) == blocks) return n;
  return std::nullopt;
}

std::string whyNotElements(const model::Experiment& experiment, std::uint64_t elements) {
  if (elements > engine::kMaxElements)
    return "n is at most " + sizeText(engine::kMaxElements) + " elements. Type a smaller number.";
  model::Experiment request = experiment;
  request.elements = elements;
  request.data = kernels::defaultData(request.variant, request.op);
  request.given = {};
  request.lists = 0;
  const auto checked = engine::checkedExperiment(request, true);
  return checked ? std::string() : checked.error().sentence;
}

std::vector<unsigned> allBlockSizes() {
  std::set<unsigned> sizes;
  for (const kernels::Variant& variant : kernels::catalog())
    sizes.insert(variant.threads.begin(), variant.threads.end());
  return {sizes.begin(), sizes.end()};
}

}  // namespace stridescope::session
