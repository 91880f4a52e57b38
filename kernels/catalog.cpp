#include "kernels/catalog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "kernels/variant_entry.h"
#include "model/arithmetic.h"
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
     {"several GPUs", "Several GPUs"},
     {"common bugs", "Common bugs"}}};

bool isRung(const Variant& variant) { return variant.family == Family::Ladder && !variant.sideBranch; }

}  // namespace

std::string_view nameOf(Family family) { return kFamilies[std::size_t(family)].name; }
std::string_view titleOf(Family family) { return kFamilies[std::size_t(family)].title; }

// Those of which no steps can be seen are the last.
std::span<const Variant> catalogAndTimedOnly() {
  static const std::vector<Variant> variants = allVariants();
  return variants;
}

std::span<const Variant> catalog() {
  const auto all = catalogAndTimedOnly();
  const auto hasSteps = [](const Variant& variant) { return variant.onlyTimed.empty(); };
  return all.first(std::size_t(std::ranges::count_if(all, hasSteps)));
}

std::span<const Variant> timedOnly() { return catalogAndTimedOnly().subspan(catalog().size()); }

const Variant* findVariant(std::string_view id) {
  const auto all = catalogAndTimedOnly();
  const auto found = std::ranges::find(all, id, &Variant::id);
  return found == all.end() ? nullptr : &*found;
}

const model::Kernel* kernelOf(const model::Experiment& experiment) {
  const model::Kernel* const own = experiment.kernel.get();
  return own != nullptr && own->id == experiment.variant ? own : findVariant(experiment.variant);
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

namespace {

using model::HardwareForm;

std::string_view identityOf(model::ElementType type, model::Operator op) {
  switch (model::factsOf(op).identity) {
    case model::IdentityKind::Zero:
      return "0";
    case model::IdentityKind::One:
      return "1";
    case model::IdentityKind::Largest:
      return model::factsOf(type).largest;
    case model::IdentityKind::Smallest:
      return model::factsOf(type).smallest;
    case model::IdentityKind::AllBits:
      return "~T(0)";
    case model::IdentityKind::Given:
      break;  // Experiment::custom has it
  }
  return {};
}

bool isIdentifierPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool names(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool before = at > 0 && isIdentifierPart(text[at - 1]);
    const auto end = at + name.size();
    const bool after = end < text.size() && isIdentifierPart(text[end]);
    if (!before && !after) return true;
  }
  return false;
}

// The bitwise functions are there for unsigned numbers only, and 64-bit addition too: two's complement gives
// the same bits.
bool goesThroughUnsigned(HardwareForm form, model::ElementType type, model::Operator op) {
  const bool bitwise = model::factsOf(op).isBitwise;
  if (form == HardwareForm::WarpReduction) return type == model::ElementType::Int && bitwise;
  return type == model::ElementType::Int64 && (bitwise || op == model::Operator::Add);
}

std::string combineWarpOf(model::ElementType type, model::Operator op) {
  const std::string call = "__reduce_" + std::string(model::factsOf(op).reduce) + "_sync(0xffffffff, ";
  return "__device__ T combineWarp(T value) { return " +
         (goesThroughUnsigned(HardwareForm::WarpReduction, type, op) ? "T(" + call + "unsigned(value)))"
                                                                     : call + "value)") +
         "; }\n";
}

std::string combineAtomicallyOf(model::ElementType type, model::Operator op) {
  const std::string call = "atomic" + std::string(model::factsOf(op).atomic) + "(";
  const bool cast = goesThroughUnsigned(HardwareForm::Atomic, type, op);
  return "__device__ void combineAtomically(T* total, T value) { " + call +
         (cast ? "reinterpret_cast<unsigned long long*>(total), (unsigned long long)value" : "total, value") +
         "); }\n";
}

// By its bits: a NaN has no literal.
std::string nanOf(model::ElementType type, std::uint64_t bits) {
  const model::ElementFacts& facts = model::factsOf(type);
  std::array<char, 24> digits{};
  std::snprintf(digits.data(), digits.size(), "0x%0*llx%s", int(2 * facts.bytes),
                static_cast<unsigned long long>(bits), facts.bytes == sizeof(unsigned) ? "u" : "ull");
  return "__builtin_bit_cast(" + std::string(facts.cppName) + ", " + digits.data() + ")";
}

// The element as a C++ expression of its type that gives the same bits.
std::string literalOf(model::ElementType type, std::uint64_t bits) {
  const model::ElementFacts& facts = model::factsOf(type);
  return model::withType(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    const T value = model::elementOfBits<T>(bits);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isinf(value)) return std::string(value < 0 ? facts.smallest : facts.largest);
      if (std::isnan(value)) return nanOf(type, bits);
      std::string text = model::printElement(type, bits);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      return text + std::string(facts.suffix);
    } else {
      if (std::is_signed_v<T> && value == std::numeric_limits<T>::min()) return std::string(facts.smallest);
      return model::printElement(type, bits) + std::string(facts.suffix);
    }
  });
}

std::string preambleLines(std::string_view text, model::ElementType type, model::Operator op,
                          unsigned threads, std::string_view identity, std::string_view body) {
  std::string lines = "using T = " + std::string(model::cppNameOf(type)) + ";\n";
  lines += "constexpr T identity = " + std::string(identity) + ";\n";
  lines += "__device__ T combine(T a, T b) { " + std::string(body) + " }\n";
  if (names(text, "combineWarp") && model::hasHardwareForm(HardwareForm::WarpReduction, type, op))
    lines += combineWarpOf(type, op);
  if (names(text, "combineAtomically") && model::hasHardwareForm(HardwareForm::Atomic, type, op))
    lines += combineAtomicallyOf(type, op);
  if (namesBlockSize(text)) lines += "constexpr unsigned blockSize = " + std::to_string(threads) + ";\n";
  return lines;
}

}  // namespace

bool namesBlockSize(std::string_view text) { return names(text, "blockSize"); }

std::string combineBody(std::string_view combine) {
  return hasOwnReturn(combine) ? std::string(combine) : "return " + std::string(combine) + ";";
}

bool hasOwnReturn(std::string_view combine) { return names(combine, "return"); }

std::string preambleOf(std::string_view text, model::ElementType type, model::Operator op, unsigned threads) {
  const std::string body = "return " + std::string(model::factsOf(op).expression) + ";";
  return preambleLines(text, type, op, threads, identityOf(type, op), body);
}

std::string preambleOf(std::string_view text, const model::Experiment& experiment) {
  if (experiment.op != model::Operator::Custom)
    return preambleOf(text, experiment.type, experiment.op, experiment.threads);
  return preambleLines(text, experiment.type, experiment.op, experiment.threads,
                       literalOf(experiment.type, experiment.custom.identityBits),
                       combineBody(experiment.custom.combine));
}

}  // namespace stridescope::kernels
