#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "kernels/variants.h"

namespace stridescope::kernels {
namespace {

struct FamilyTexts {
  std::string_view name, title;
};
constexpr std::array<FamilyTexts, std::size_t(Family::CommonBugs) + 1> kFamilies{
    {{"first steps", "First steps"},
     {"global memory", "Global memory"},
     {"ladder", "Ladder"},
     {"one warp", "One warp"},
     {"whole program", "Whole program"},
     {"merge", "Merge"},
     {"common bugs", "Common bugs"}}};

bool isRung(const Variant& variant) { return variant.family == Family::Ladder && !variant.sideBranch; }

}  // namespace

std::string_view nameOf(Family family) { return kFamilies[std::size_t(family)].name; }
std::string_view titleOf(Family family) { return kFamilies[std::size_t(family)].title; }

std::span<const Variant> catalog() {
  static const std::vector<Variant> variants = allVariants();
  return variants;
}

const Variant* findVariant(std::string_view id) {
  const auto all = catalog();
  const auto found = std::ranges::find(all, id, &Variant::id);
  return found == all.end() ? nullptr : &*found;
}

const model::Kernel* kernelOf(const model::Experiment& experiment) {
  const bool isOwn = experiment.kernel != nullptr && experiment.kernel->id == experiment.variant;
  return isOwn ? experiment.kernel.get() : findVariant(experiment.variant);
}

std::string titleOf(std::string_view id) {
  const Variant* const variant = findVariant(id);
  return variant == nullptr ? std::string(id) : variant->title;
}

std::string titleOf(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernelOf(experiment);
  return kernel == nullptr ? experiment.variant : kernel->title;
}

std::optional<Family> familyOf(std::string_view id) {
  const Variant* const variant = findVariant(id);
  return variant == nullptr ? std::nullopt : std::optional(variant->family);
}

bool buildsOn(std::string_view later, std::string_view earlier) {
  const Variant* variant = findVariant(later);
  if (variant == nullptr) return false;
  const Family family = variant->family;
  while ((variant = findVariant(variant->previous)) != nullptr && variant->family == family)
    if (variant->id == earlier) return true;
  return false;
}

const Variant* findRung(unsigned number) {
  for (const Variant& variant : catalog())
    if (isRung(variant) && --number == 0) return &variant;
  return nullptr;
}

std::string numberOf(std::string_view id) {
  unsigned rung = 0;
  char letter = 'a';
  for (const Variant& each : catalog()) {
    if (isRung(each)) ++rung, letter = 'a';
    if (each.family != Family::Ladder) continue;
    if (each.id == id) return std::to_string(rung) + (each.sideBranch ? std::string(1, letter) : "");
    if (each.sideBranch) ++letter;
  }
  return {};
}

namespace {

model::DataPattern dataFor(const model::Kernel* kernel, model::Operator op) {
  if (kernel != nullptr && kernel->merges()) return model::DataPattern::Random;
  const bool vanishes = op == model::Operator::Multiply || op == model::Operator::And;
  return vanishes ? model::DataPattern::Ones : model::DataPattern::Digits;
}

}  // namespace

model::DataPattern defaultData(std::string_view variant, model::Operator op) {
  return dataFor(findVariant(variant), op);
}

model::DataPattern defaultData(const model::Experiment& experiment) {
  return dataFor(kernelOf(experiment), experiment.op);
}

std::vector<std::vector<const Variant*>> byFamily(std::span<const Variant> variants) {
  std::vector<std::vector<const Variant*>> families;
  for (const Variant& variant : variants) {
    const auto found = std::ranges::find_if(
        families, [&](const auto& family) { return family.front()->family == variant.family; });
    if (found == families.end())
      families.push_back({&variant});
    else
      found->push_back(&variant);
  }
  return families;
}

std::string_view kernelText(std::string_view id) {
  const Variant* const variant = findVariant(id);
  return variant == nullptr ? std::string_view() : std::string_view(variant->text);
}

std::string_view kernelText(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernelOf(experiment);
  return kernel == nullptr ? std::string_view() : std::string_view(kernel->text);
}

}  // namespace stridescope::kernels
