#include "plain_loop.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

// The textbook's generator, with its state, as its author gives it.
struct SplitMix64 {
  std::uint64_t x;
  std::uint64_t next() {
    std::uint64_t z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

std::vector<long long> elementsOf(const model::Experiment& experiment) {
  std::vector<long long> elements;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    if (experiment.data == model::DataPattern::Ramp) elements.push_back((long long)i);
    if (experiment.data == model::DataPattern::Ones) elements.push_back(1);
    if (experiment.data == model::DataPattern::Alternating)
      elements.push_back(i % 2 == 0 ? 1 : experiment.type == model::ElementType::Unsigned ? 0 : -1);
    if (experiment.data == model::DataPattern::Random)
      elements.push_back((long long)(SplitMix64{experiment.seed + i}.next() % 101));
    if (experiment.data == model::DataPattern::Digits)
      elements.push_back((long long)(SplitMix64{experiment.seed + i}.next() % 10));
  }
  return elements;
}

// All integer types wrap at a power of two, so 64 bits serve for sums, products and bits; min and max compare
// in the type.
template <class T>
std::string integerLoop(const std::vector<long long>& elements, model::Operator op) {
  std::uint64_t acc = op == model::Operator::Multiply ? 1 : op == model::Operator::And ? ~0ull : 0;
  T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::min();
  for (long long element : elements) {
    const auto x = std::uint64_t(element);
    if (op == model::Operator::Add) acc += x;
    if (op == model::Operator::Multiply) acc *= x;
    if (op == model::Operator::And) acc &= x;
    if (op == model::Operator::Or) acc |= x;
    if (op == model::Operator::Xor) acc ^= x;
    if (T(element) < least) least = T(element);
    if (T(element) > most) most = T(element);
  }
  if (op == model::Operator::Min) return std::to_string(least);
  if (op == model::Operator::Max) return std::to_string(most);
  return std::to_string(T(acc));
}

template <class T>
std::optional<std::string> floatingLoop(const model::Experiment& experiment,
                                        const std::vector<long long>& elements) {
  // Every partial sum and product that is an integer of at most this size is exact in the type.
  constexpr double kExact = sizeof(T) == 4 ? double(1 << 24) : double(1ll << 53);
  double acc = experiment.op == model::Operator::Multiply ? 1 : 0, magnitude = acc, partial = 1;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (long long element : elements) {
    const double x = double(T(element));
    if (experiment.op == model::Operator::Add) acc += x;
    if (experiment.op == model::Operator::Multiply) acc *= x;
    magnitude += std::fabs(x);
    partial *= std::fabs(x) > 1 ? std::fabs(x) : 1;
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  if (experiment.op == model::Operator::Add && magnitude > kExact) return std::nullopt;
  if (experiment.op == model::Operator::Multiply && partial > kExact) return std::nullopt;
  const T result = T(experiment.op == model::Operator::Min   ? least
                     : experiment.op == model::Operator::Max ? most
                                                             : acc);
  if constexpr (sizeof(T) == 4)
    return model::printElement(experiment.type, std::bit_cast<std::uint32_t>(result));
  else
    return model::printElement(experiment.type, std::bit_cast<std::uint64_t>(result));
}

}  // namespace

std::optional<std::string> plainLoop(const model::Experiment& experiment) {
  const auto elements = elementsOf(experiment);
  switch (experiment.type) {
    case model::ElementType::Int:
      return integerLoop<std::int32_t>(elements, experiment.op);
    case model::ElementType::Unsigned:
      return integerLoop<std::uint32_t>(elements, experiment.op);
    case model::ElementType::Int64:
      return integerLoop<std::int64_t>(elements, experiment.op);
    case model::ElementType::Float:
      return floatingLoop<float>(experiment, elements);
    case model::ElementType::Double:
      return floatingLoop<double>(experiment, elements);
  }
  return std::nullopt;
}

}  // namespace stridescope::engine
