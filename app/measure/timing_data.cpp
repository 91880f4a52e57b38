#include "measure/timing_data.h"

#include <cstring>

#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"

namespace stridescope::measure {
namespace {

// Sebastiano Vigna's splitmix64: one multiplication-and-shift mix of the index.
std::uint64_t scattered(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kSeldom = 4096;  // one element in so many is not the usual one
constexpr std::uint64_t kTwoAt = 100, kHalfAt = 200;
constexpr std::uint64_t kWalkRange = 7, kDoubleWalkRange = (1ull << 21) + 1;  // odd: as many below 0 as above

template <class T>
T floatingElement(model::Operator op, std::uint64_t i, std::uint64_t random) {
  if (op == model::Operator::Multiply) {
    if (i == kTwoAt) return T(2);
    if (i == kHalfAt) return T(0.5);
    return random % 2 == 0 ? T(1) : T(-1);
  }
  const bool wide = sizeof(T) == 8 || op != model::Operator::Add;
  const std::uint64_t range = wide ? kDoubleWalkRange : kWalkRange;
  return T(std::int64_t(random % range) - std::int64_t(range / 2));
}

template <class T>
T integerElement(model::Operator op, std::uint64_t random) {
  using Bits = std::make_unsigned_t<T>;
  constexpr unsigned kBits = 8 * sizeof(T);
  // One bit of the lower half, so that the upper half must come through everything.
  const Bits seldom = random % kSeldom == 0 ? Bits(Bits(1) << (random >> 32) % (kBits / 2)) : Bits(0);
  if (op == model::Operator::And) return T(Bits(~seldom));
  if (op == model::Operator::Or) return T(seldom);
  if (op == model::Operator::Multiply) return T(Bits(random) | Bits(1));
  return T(Bits(random));
}

template <class T>
T element(model::Operator op, std::uint64_t i) {
  const std::uint64_t random = scattered(i);
  if constexpr (std::is_integral_v<T>)
    return integerElement<T>(op, random);
  else
    return floatingElement<T>(op, i, random);
}

// One whole period and what is left after the last, each by a plain loop; then the periods one after another.
template <class T, class Combine>
T combineAll(model::Operator op, std::uint64_t elements, Combine combine) {
  const std::uint64_t periods = elements / kDataPeriod, rest = elements % kDataPeriod;
  T whole = Combine::kIdentity, partial = Combine::kIdentity;
  for (std::uint64_t i = 0; i < (periods > 0 ? kDataPeriod : rest); ++i) {
    if (i == rest) partial = whole;
    whole = combine(whole, element<T>(op, i));
  }
  if (periods == 0) return whole;
  T all = partial;
  for (std::uint64_t i = 0; i < periods; ++i) all = combine(all, whole);
  return all;
}

}  // namespace

std::uint64_t timedElements(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  const bool isOneLoad =
      experiment.elements == 0 ||
      (kernel != nullptr && experiment.elements == engine::defaultElements(*kernel, experiment.threads));
  return isOneLoad ? kDefaultTimedElements : experiment.elements;
}

bool isTimed(model::ElementType type, model::Operator op) {
  return std::ranges::find(model::kOperators, op) != model::kOperators.end() && model::isOffered(type, op);
}

std::vector<std::uint8_t> timingData(model::ElementType type, model::Operator op, std::uint64_t count,
                                     std::uint64_t from) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::uint8_t> bytes(count * sizeof(T));
    for (std::uint64_t i = 0; i < count; ++i) {
      const T value = element<T>(op, (from + i) % kDataPeriod);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
  });
}

std::uint64_t expectedResult(model::ElementType type, model::Operator op, std::uint64_t elements) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(
        op, [&](auto combine) { return model::bitsOfElement(combineAll<T>(op, elements, combine)); });
  });
}

std::string wrongResultText(model::ElementType type, std::uint64_t got, std::uint64_t expected) {
  return "gave " + model::printElement(type, got) + " instead of " + model::printElement(type, expected);
}

}  // namespace stridescope::measure
