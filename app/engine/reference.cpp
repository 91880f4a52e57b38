#include "engine/reference.h"

#include <algorithm>
#include <cstring>

#include "engine/exact_integer.h"
#include "engine/rounding.h"
#include "model/arithmetic.h"
#include "model/identity.h"
#include "model/operator_table.h"
#include "model/value.h"

namespace stridescope::engine {
namespace {

// Sebastiano Vigna's splitmix64: the state advanced by the golden ratio's fraction, then mixed.
std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kRandomRange = 101, kDigitRange = 10;

// Integer patterns, in two's complement; every pattern's values are integers.
std::int64_t patternValue(const model::Experiment& experiment, std::uint64_t i) {
  switch (experiment.data) {
    case model::DataPattern::Ramp:
      return std::int64_t(i);
    case model::DataPattern::Ones:
      return 1;
    case model::DataPattern::Alternating:
      if (i % 2 == 0) return 1;
      return experiment.type == model::ElementType::Unsigned ? 0 : -1;
    case model::DataPattern::Random:
      return std::int64_t(splitmix64(experiment.seed + i) % kRandomRange);
    case model::DataPattern::Digits:
      return std::int64_t(splitmix64(experiment.seed + i) % kDigitRange);
    case model::DataPattern::Given:
      break;  // inputElement() has it
  }
  return 0;
}

// Combines from left to right. Subtraction begins with the first element, as a person would.
std::uint64_t plainLoop(const model::Experiment& experiment) {
  const bool subtracts = experiment.op == model::Operator::Subtract && experiment.elements > 0;
  std::uint64_t value = subtracts ? inputElement(experiment, 0) : identityOf(experiment);
  for (std::uint64_t i = subtracts ? 1 : 0; i < experiment.elements; ++i)
    value = model::combineBits(experiment.type, experiment.op, value, inputElement(experiment, i));
  return value;
}

// Whether a floating min or max and the expected one are zeros of different sign, and both are among the
// elements.
bool isTheOtherZero(const model::Experiment& experiment, std::uint64_t result, std::uint64_t expected) {
  const bool isExtreme = experiment.op == model::Operator::Min || experiment.op == model::Operator::Max;
  if (!model::isFloating(experiment.type) || !isExtreme || result == expected) return false;
  const std::uint64_t sign = std::uint64_t{1} << (8 * model::bytesOf(experiment.type) - 1);
  if (((result | expected) & ~sign) != 0) return false;
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    if (inputElement(experiment, i) == result) return true;
  return false;
}

// Why a floating min or max is another than the loop's, where a nan among the elements is the reason; else
// empty.
std::string nanNote(const model::Experiment& experiment) {
  const bool isExtreme = experiment.op == model::Operator::Min || experiment.op == model::Operator::Max;
  if (!isExtreme || !model::isFloating(experiment.type)) return {};
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    if (model::isNan(experiment.type, inputElement(experiment, i)))
      return "Element " + std::to_string(i) + " is nan, which is neither less nor greater than a number: " +
             std::string(model::wordOf(experiment.op)) +
             " then keeps its first operand, so that the order decides.";
  return {};
}

}  // namespace

std::uint64_t inputElement(const model::Experiment& experiment, std::uint64_t i) {
  if (experiment.data == model::DataPattern::Given) {
    const model::GivenData* const given = experiment.given.get();
    return given != nullptr && i < given->values.size() ? given->values[i] : identityOf(experiment);
  }
  const std::int64_t value = patternValue(experiment, i);
  return model::withType(experiment.type,
                         [&](auto zero) { return model::bitsOfElement(decltype(zero)(value)); });
}

std::vector<std::uint8_t> makeInput(const model::Experiment& experiment, std::uint64_t paddedElements) {
  const unsigned width = model::bytesOf(experiment.type);
  std::vector<std::uint8_t> bytes(paddedElements * width);
  const std::uint64_t given = std::min(experiment.elements, paddedElements);
  for (std::uint64_t i = 0; i < given; ++i) {
    const std::uint64_t element = inputElement(experiment, i);
    std::memcpy(bytes.data() + i * width, &element, width);  // little-endian: the low bytes come first
  }
  const std::uint64_t identity = identityOf(experiment);
  for (std::uint64_t i = given; i < paddedElements; ++i)
    std::memcpy(bytes.data() + i * width, &identity, width);
  return bytes;
}

Check checkResult(const model::Experiment& experiment, std::uint64_t resultBits) {
  if (model::isFloating(experiment.type) &&
      (experiment.op == model::Operator::Add || experiment.op == model::Operator::Multiply)) {
    const bool isSum = experiment.op == model::Operator::Add;
    if (experiment.type == model::ElementType::Float) {
      const auto result = model::elementOfBits<float>(resultBits);
      return isSum ? checkSum(experiment, result) : checkProduct(experiment, result);
    }
    const auto result = model::elementOfBits<double>(resultBits);
    return isSum ? checkSum(experiment, result) : checkProduct(experiment, result);
  }
  const std::uint64_t expected = plainLoop(experiment);
  if (isTheOtherZero(experiment, resultBits, expected))
    return {model::printElement(experiment.type, resultBits), true,
            "Both 0 and -0 are the " + std::string(model::wordOf(experiment.op)) +
                " of the elements: they are equal, and the order decides which one is left."};
  const std::string printed = model::printElement(experiment.type, expected);
  const auto exact = exactIfWrapped(experiment);
  const bool ok = model::sameElement(experiment.type, resultBits, expected);
  return {printed, ok,
          exact ? wrappedNote(experiment, *exact, printed)
          : ok  ? std::string()
                : nanNote(experiment)};
}

}  // namespace stridescope::engine
