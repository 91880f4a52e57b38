#include "engine/experiment_check.h"

#include <algorithm>
#include <charconv>

#include "base/numbers.h"
#include "engine/own_data.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"
#include "model/trace_check.h"

namespace stridescope::engine {
namespace {

// How many slips lie between them: insertions, deletions and replacements of a character, and exchanges of
// two neighbours (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> slips(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) slips[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) slips[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      slips[i][j] =
          std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, slips[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
    }
  }
  return slips[a.size()][b.size()];
}

std::string lowered(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return small;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::vector<std::string> variantIds() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly()) ids.emplace_back(variant.id);
  return ids;
}

// "Unknown variant 'sequental'. Did you mean 'sequential'? The variants are: ..., ..."
std::string unknownVariant(std::string_view given) {
  std::string sentence = "Unknown variant '" + std::string(given) + "'. ";
  const std::string near = nearestVariant(given);
  if (!near.empty()) sentence += "Did you mean '" + near + "'? ";
  return sentence + "The variants are: " + joined(variantIds()) + ".";
}

std::string inQuotes(std::string_view name) {
  std::string text = "'";
  text += name;
  text += '\'';
  return text;
}

// "A sentence." as " A sentence."; empty stays empty.
std::string following(std::string_view sentence) {
  return sentence.empty() ? std::string() : ' ' + std::string(sentence);
}

// Why the variant does not offer the experiment's type with its operator; empty if it does.
std::string whyNotOffered(const model::Kernel& kernel, const model::Experiment& experiment) {
  std::vector<std::string> names;
  if (std::ranges::find(kernel.types, experiment.type) == kernel.types.end()) {
    for (model::ElementType type : kernel.types) names.emplace_back(model::nameOf(type));
    return "The variant " + inQuotes(kernel.id) + " does not offer the type " +
           inQuotes(model::nameOf(experiment.type)) + ". Its types are: " + joined(names) + "." +
           following(kernel.onlyThese);
  }
  if (kernel.offers(experiment.type, experiment.op)) return {};
  for (model::Operator op : kernel.operators)
    if (kernel.offers(experiment.type, op)) names.emplace_back(model::nameOf(op));
  return "The variant " + inQuotes(kernel.id) + " does not offer the operator " +
         inQuotes(model::nameOf(experiment.op)) + " for " + std::string(model::nameOf(experiment.type)) +
         ". Its operators are: " + joined(names) + "." +
         following(model::isOffered(experiment.type, experiment.op) ? kernel.onlyThese
                                                                    : "& | ^ combine the bits of integers.");
}

// Element j of list i lies at i + j * k: there is no gap only if the lengths differ by one at most and never
// grow. Empty if so.
std::string whyNotInterleaved(const std::vector<std::uint32_t>& lengths) {
  for (std::size_t i = 1; i < lengths.size(); ++i)
    if (lengths[i] > lengths[i - 1] || lengths[i] + 1 < lengths.front())
      return "all must have the same length, or the last ones one value less; list " + figure(i) + " has " +
             figure(lengths[i]) + " values, and list 0 has " + figure(lengths.front()) + ".";
  return {};
}

bool holdsNan(model::ElementType type, const std::vector<std::uint64_t>& values) {
  return model::isFloating(type) &&
         std::ranges::any_of(values, [&](std::uint64_t bits) { return model::isNan(type, bits); });
}

// Why the experiment's lists do not fit the variant; empty if they do.
std::string whyNotLists(const model::Kernel& kernel, const model::Experiment& experiment) {
  const model::GivenData* const given = experiment.given.get();
  if (kernel.merges() && given != nullptr && holdsNan(experiment.type, given->values))
    return "A merge takes sorted values, and nan is neither less nor greater than a number. Leave it out.";
  if (kernel.merges() && given != nullptr && !given->listLengths.empty() &&
      experiment.lists != given->listLengths.size())
    return "The experiment has " + figure(given->listLengths.size()) +
           " lists of its own: it merges as many.";
  if (kernel.takes(model::ParameterRole::ListCount) && given != nullptr)
    if (const std::string why = whyNotInterleaved(given->listLengths); !why.empty())
      return "The variant " + inQuotes(kernel.id) + " takes interleaved lists: " + why +
             " Merge them with 'k_way_merge'.";
  if (experiment.lists == 0) return {};
  if (!kernel.merges()) return "The variant " + inQuotes(kernel.id) + " merges no lists. Leave out --lists.";
  if (experiment.lists <= experiment.threads) return {};
  return "A block of " + figure(experiment.threads) + " threads merges at most as many lists, not " +
         figure(experiment.lists) + ". Take a larger block.";
}

// Fills in how many GPUs take part; why that does not fit the variant, or empty.
std::string whyNotGpus(const model::Kernel& kernel, model::Experiment& experiment) {
  if (!kernel.isOfSeveralGpus())
    return experiment.gpus == 1
               ? ""
               : "The variant " + inQuotes(kernel.id) + " runs on one GPU. Leave out --gpus.";
  if (experiment.gpus <= 1) experiment.gpus = model::kDefaultGpus;
  if (experiment.gpus <= model::kMaxGpus) return {};
  return "The variant " + inQuotes(kernel.id) + " runs on 2 to " + std::to_string(model::kMaxGpus) +
         " GPUs, not on " + figure(experiment.gpus) + ".";
}

// A merge's trace grows with the values that come out times the block's threads.
constexpr unsigned kMaxDefaultLists = 128;
constexpr unsigned kMaxDefaultMergeWork = 1 << 17;

// As many as a person's input data are, else one block's load; and as many lists as suit that.
void chooseSize(const model::Kernel& kernel, model::Experiment& experiment) {
  if (const model::GivenData* const given = experiment.given.get()) {
    experiment.elements = given->values.size();
    return;
  }
  experiment.elements = defaultElements(kernel, experiment.threads);
  if (kernel.merges() && experiment.lists == 0 && experiment.threads > kMaxDefaultLists)
    experiment.lists = kMaxDefaultLists;
}

}  // namespace

std::uint64_t defaultElements(const model::Kernel& kernel, unsigned threads) {
  if (!kernel.merges()) return kernel.firstElements(threads);
  return std::min(std::min(threads, kMaxDefaultLists) * kernel.launch.elementsPerThread,
                  kMaxDefaultMergeWork / threads);
}

std::string nearestName(std::string_view given, const std::vector<std::string>& valid) {
  // More letters than three times the longest name's are none of them, and would take long to compare.
  const std::size_t longest = valid.empty() ? 0 : std::ranges::max(valid, {}, &std::string::size).size();
  if (given.size() > 3 * std::max<std::size_t>(1, longest)) return {};
  const std::string small = lowered(given);  // capitals are no slip
  const auto distance = [&](const std::string& name) { return editDistance(small, name); };
  const auto nearest = std::ranges::min_element(valid, {}, distance);
  if (nearest == valid.end()) return {};
  // A slip: at most a third of the letters, and never all of them.
  const std::size_t allowed = std::max<std::size_t>(1, std::max(given.size(), nearest->size()) / 3);
  const std::size_t found = distance(*nearest);
  return found <= allowed && found < nearest->size() ? *nearest : std::string{};
}

Error noVariantButAKernel(std::string_view file) {
  const std::string name(file);
  return {ErrorKind::Unavailable,
          name + " is a kernel of your own, and this is for variants alone. `stridescope step " + name +
              "` steps it; time, counters and verify measure it on a GPU.",
          {}};
}

std::string nearestVariant(std::string_view given) {
  if (std::string id = nearestName(given, variantIds()); !id.empty()) return id;
  std::vector<std::string> aliases;
  for (const model::Alias& each : model::kAliases)
    if (each.kind == model::Named::Variant) aliases.emplace_back(each.alias);
  const std::string alias = nearestName(given, aliases);
  if (alias.empty()) return {};
  // reduce8 is as near to reduce0 as to reduce7.
  const std::string small = lowered(given);
  const auto isAsNear = [&](const std::string& other) {
    return editDistance(small, other) == editDistance(small, alias);
  };
  return std::ranges::count_if(aliases, isAsNear) > 1 ? std::string() : alias;
}

Result<model::Experiment> checkedExperiment(model::Experiment experiment, bool elementsGiven) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr && model::isKernelFile(experiment.variant))
    return tl::unexpected(noVariantButAKernel(experiment.variant));
  if (kernel == nullptr)
    return usageError(experiment.variant.empty()
                          ? "No variant is named. The variants are: " + joined(variantIds()) + "."
                          : unknownVariant(experiment.variant));
  if (experiment.threads == 0) experiment.threads = kernel->defaultThreads;
  if (std::string refusal = whyNotOffered(*kernel, experiment); !refusal.empty())
    return usageError(std::move(refusal));
  if (std::ranges::find(kernel->threads, experiment.threads) == kernel->threads.end()) {
    std::vector<std::string> sizes;
    for (unsigned size : kernel->threads) sizes.push_back(std::to_string(size));
    return usageError("The variant " + inQuotes(kernel->id) + " does not run with " +
                      figure(experiment.threads) + " threads per block. Its block sizes are: " +
                      joined(sizes) + "." + following(kernel->onlyTheseSizes));
  }
  if (std::string refusal = whyNotLists(*kernel, experiment); !refusal.empty())
    return usageError(std::move(refusal));
  if (std::string refusal = whyNotGpus(*kernel, experiment); !refusal.empty())
    return usageError(std::move(refusal));
  if (experiment.op != model::Operator::Custom) {
    experiment.custom = {};
  } else {
    auto custom = readCustomOperator(experiment.custom.combine, experiment.custom.identity, experiment.type);
    if (!custom) return tl::unexpected(custom.error());
    experiment.custom = *std::move(custom);
  }
  if (!elementsGiven && experiment.elements == 0) chooseSize(*kernel, experiment);
  if (const auto fault = model::faultOfOwnData(experiment))
    return usageError("The experiment does not hold together: " + *fault + ".");
  return experiment;
}

namespace {

// "9.0" as 90; 0 if it is no such text.
unsigned capabilityNumber(const std::string& text) {
  unsigned major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, fault] = std::from_chars(text.data(), end, major);
  if (fault != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return 0;
  return major * 10 + minor;
}

}  // namespace

std::string refusalOf(const model::Executor& executor, const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel != nullptr && !kernel->onlyTimed.empty()) return kernel->onlyTimed;
  return refusalOfTiming(executor, experiment);
}

std::string refusalOfTiming(const model::Executor& executor, const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return {};
  if (executor.kind != model::EngineKind::Gpu) return {};
  if (!kernel->onlyOnCpu.empty()) return std::string(kernel->onlyOnCpu);
  if (const unsigned has = capabilityNumber(executor.computeCapability); has < kernel->leastCapability)
    return "The variant '" + std::string(kernel->id) + "' needs a GPU of compute capability " +
           std::to_string(kernel->leastCapability / 10) + "." + std::to_string(kernel->leastCapability % 10) +
           "; " + executor.device + " has " + executor.computeCapability + ".";
  if (experiment.op == model::Operator::Custom && kernel->finishedOnCpu)
    return "The CPU combines what the blocks of '" + std::string(kernel->id) +
           "' leave, with your combine, which runs beside the CPU executor.";
  if (experiment.schedule != model::Schedule::LaneByLane)
    return "A GPU schedules its warps itself; '" + std::string(model::nameOf(experiment.schedule)) +
           "' is a schedule of the CPU executor.";
  if (experiment.blockOrder != model::BlockOrder::InOrder)
    return "A GPU chooses the order of its blocks itself; '" +
           std::string(model::nameOf(experiment.blockOrder)) + "' is an order of the CPU executor.";
  return {};
}

std::string whyNotOnCpu(std::uint64_t elements) {
  constexpr std::uint64_t kMaxElementsOnCpu = 1ull << 24;
  if (elements <= kMaxElementsOnCpu) return {};
  return "The CPU executor takes at most " + sizeText(kMaxElementsOnCpu) + " elements; " +
         sizeText(elements) + " were asked for. Take fewer, or run on a GPU.";
}

Result<model::Experiment> runnableExperiment(const model::Executor& executor,
                                             const model::Experiment& asked) {
  auto experiment = checkedExperiment(asked, true);
  if (!experiment) return experiment;
  if (const std::string refusal = refusalOf(executor, *experiment); !refusal.empty())
    return usageError(kernels::kernelOf(*experiment)->onlyTimed.empty()
                          ? refusal + " Step it on the CPU executor."
                          : refusal);
  return experiment;
}

std::optional<model::Experiment> rungBefore(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr || kernel->previous.empty()) return std::nullopt;
  model::Experiment before = experiment;
  before.variant = kernel->previous;
  before.kernel = {};
  const model::Kernel* const previous = kernels::kernelOf(before);
  if (previous == nullptr || previous->isWrong() || previous->merges()) return std::nullopt;
  if (!previous->isOfSeveralGpus()) before.gpus = 1;
  if (experiment.threads == kernel->defaultThreads) before.threads = previous->defaultThreads;
  before.launch = 0;
  before.block = 0;
  const auto checked = checkedExperiment(std::move(before), true);
  return checked ? std::optional(*checked) : std::nullopt;
}

}  // namespace stridescope::engine
