#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "kernels/variants.h"
#include "model/operator_table.h"

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

std::string_view embeddedKernel(std::string_view fileName);  // generated from the files in this folder

bool Variant::takesCustom() const {
  return hardwareForm == HardwareForm::None &&
         std::ranges::all_of(model::kOperators,
                             [&](model::Operator op) { return std::ranges::count(operators, op) > 0; });
}

bool Variant::offers(model::ElementType type, model::Operator op) const {
  if (op == model::Operator::Custom) return takesCustom() && std::ranges::find(types, type) != types.end();
  return std::ranges::find(types, type) != types.end() &&
         std::ranges::find(operators, op) != operators.end() && model::isOffered(type, op) &&
         hasHardwareForm(hardwareForm, type, op);
}

bool Variant::takes(model::ParameterRole role) const {
  return std::ranges::find(parameters, role, &Parameter::role) != parameters.end();
}

std::span<const Variant> catalog() {
  static const std::vector<Variant> variants = allVariants();
  return variants;
}

const Variant* findVariant(std::string_view id) {
  const auto all = catalog();
  const auto found = std::ranges::find(all, id, &Variant::id);
  return found == all.end() ? nullptr : &*found;
}

const Variant* findRung(unsigned number) {
  for (const Variant& variant : catalog())
    if (isRung(variant) && --number == 0) return &variant;
  return nullptr;
}

std::string numberOf(const Variant& variant) {
  if (variant.family != Family::Ladder) return {};
  unsigned rung = 0;
  char letter = 'a';
  for (const Variant& each : catalog()) {
    if (isRung(each)) ++rung, letter = 'a';
    if (each.id == variant.id)
      return std::to_string(rung) + (variant.sideBranch ? std::string(1, letter) : "");
    if (each.family == Family::Ladder && each.sideBranch) ++letter;
  }
  return {};
}

model::DataPattern defaultData(std::string_view id, model::Operator op) {
  const Variant* const variant = findVariant(id);
  if (variant != nullptr && variant->merges()) return model::DataPattern::Random;
  const bool vanishes = op == model::Operator::Multiply || op == model::Operator::And;
  return vanishes ? model::DataPattern::Ones : model::DataPattern::Digits;
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

std::string_view kernelText(std::string_view id) { return embeddedKernel(std::string(id) + ".cu"); }

bool hasHardwareForm(HardwareForm form, model::ElementType type, model::Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !model::isFloating(type) && model::bytesOf(type) == 4 && !model::factsOf(op).reduce.empty();
    case HardwareForm::Atomic:
      return model::isFloating(type) ? op == model::Operator::Add : !model::factsOf(op).atomic.empty();
  }
  return false;
}

}  // namespace stridescope::kernels
