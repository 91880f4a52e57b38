#include "engine/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/rounding.h"
#include "trace/value.h"

namespace stridescope {
namespace {

// Sebastiano Vigna's splitmix64: the state advanced by the golden ratio's fraction, then mixed.
std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kRandomRange = 101;

// Integer patterns, in two's complement; every pattern's values are integers.
std::int64_t patternValue(const Experiment& experiment, std::uint64_t i) {
  switch (experiment.data) {
    case DataPattern::Ramp:
      return std::int64_t(i);
    case DataPattern::Ones:
      return 1;
    case DataPattern::Alternating:
      if (i % 2 == 0) return 1;
      return experiment.type == ElementType::Unsigned ? 0 : -1;
    case DataPattern::Random:
      return std::int64_t(splitmix64(experiment.seed + i) % kRandomRange);
  }
  return 0;
}

// Calls visit(T{}) with the C++ type of the element type; 64-bit integers are long long, as in the kernels.
template <class Visit>
auto withType(ElementType type, Visit visit) {
  switch (type) {
    case ElementType::Int:
      return visit(std::int32_t{});
    case ElementType::Unsigned:
      return visit(std::uint32_t{});
    case ElementType::Int64:
      return visit(std::int64_t{});
    case ElementType::Float:
      return visit(float{});
    default:
      return visit(double{});
  }
}

template <class T>
std::uint64_t bitsOf(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T fromBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
T smallestOf() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::min();
}
template <class T>
T largestOf() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}

template <class T>
T identityOf(Operator op) {
  switch (op) {
    case Operator::Multiply:
      return T(1);
    case Operator::Min:
      return largestOf<T>();
    case Operator::Max:
      return smallestOf<T>();
    case Operator::And:
      if constexpr (std::is_integral_v<T>) return T(~T(0));
      return T(0);
    default:
      return T(0);
  }
}

// Unsigned arithmetic, so that overflow wraps.
template <class T>
T combineIntegers(Operator op, T left, T right) {
  using Wrapping = std::make_unsigned_t<T>;
  const auto a = Wrapping(left), b = Wrapping(right);
  switch (op) {
    case Operator::Add:
      return T(a + b);
    case Operator::Multiply:
      return T(a * b);
    case Operator::Min:
      return std::min(left, right);
    case Operator::Max:
      return std::max(left, right);
    case Operator::And:
      return T(a & b);
    case Operator::Or:
      return T(a | b);
    case Operator::Xor:
      return T(a ^ b);
  }
  return left;
}

template <class T>
Check checkIntegers(const Experiment& experiment, T result) {
  T expected = identityOf<T>(experiment.op);
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    expected = combineIntegers(experiment.op, expected, fromBits<T>(inputElement(experiment, i)));
  return {printElement(experiment.type, bitsOf(expected)), result == expected, {}};
}

template <class T>
Check checkExtremes(const Experiment& experiment, T result) {
  T expected = identityOf<T>(experiment.op);
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const T element = fromBits<T>(inputElement(experiment, i));
    expected = experiment.op == Operator::Min ? std::min(expected, element) : std::max(expected, element);
  }
  return {printElement(experiment.type, bitsOf(expected)), result == expected, {}};
}

}  // namespace

std::uint64_t inputElement(const Experiment& experiment, std::uint64_t i) {
  const std::int64_t value = patternValue(experiment, i);
  return withType(experiment.type, [&](auto zero) { return bitsOf(decltype(zero)(value)); });
}

std::uint64_t identityBits(ElementType type, Operator op) {
  return withType(type, [&](auto zero) { return bitsOf(identityOf<decltype(zero)>(op)); });
}

std::vector<std::uint8_t> makeInput(const Experiment& experiment, std::uint64_t paddedElements) {
  const unsigned width = bytesOf(experiment.type);
  std::vector<std::uint8_t> bytes(paddedElements * width);
  const std::uint64_t given = std::min(experiment.elements, paddedElements);
  for (std::uint64_t i = 0; i < given; ++i) {
    const std::uint64_t element = inputElement(experiment, i);
    std::memcpy(bytes.data() + i * width, &element, width);  // little-endian: the low bytes come first
  }
  const std::uint64_t identity = identityBits(experiment.type, experiment.op);
  for (std::uint64_t i = given; i < paddedElements; ++i)
    std::memcpy(bytes.data() + i * width, &identity, width);
  return bytes;
}

Check checkResult(const Experiment& experiment, std::uint64_t resultBits) {
  return withType(experiment.type, [&](auto zero) {
    using T = decltype(zero);
    const T result = fromBits<T>(resultBits);
    if constexpr (std::is_integral_v<T>) {
      return checkIntegers<T>(experiment, result);
    } else {
      if (experiment.op == Operator::Add) return checkSum(experiment, result);
      if (experiment.op == Operator::Multiply) return checkProduct(experiment, result);
      return checkExtremes<T>(experiment, result);
    }
  });
}

}  // namespace stridescope
