#include "plain_loop.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "model/arithmetic.h"

namespace stridescope::test {
namespace {

// Element i as a small integer; about half are negative in signed types.
int smallNumber(model::Operator op, bool isSigned, std::uint64_t i) {
  if (op == model::Operator::Multiply)
    return i % 1999 == 7 && i < 20'000 ? 3 : isSigned && i % 3 == 1 ? -1 : 1;
  const int number = int(i * 7919 % 27);
  return isSigned ? number - 13 : number;
}

template <class T>
T identityOf(model::Operator op) {
  if (op == model::Operator::Multiply) return T(1);
  if (op == model::Operator::And) return T(-1);
  if (op == model::Operator::Min)
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  if (op == model::Operator::Max)
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  return T(0);
}

// The bitwise operators do not exist for floating types.
template <class T>
T combined(model::Operator op, T a, T b) {
  switch (op) {
    case model::Operator::Add:
      return T(a + b);
    case model::Operator::Multiply:
      return T(a * b);
    case model::Operator::Min:
      return std::min(a, b);
    case model::Operator::Max:
      return std::max(a, b);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == model::Operator::And) return T(a & b);
    if (op == model::Operator::Or) return T(a | b);
    if (op == model::Operator::Xor) return T(a ^ b);
  }
  return a;
}

}  // namespace

model::Experiment withPlainData(model::Experiment experiment) {
  model::GivenData given{.name = "plain"};
  given.values.reserve(experiment.elements);
  const bool isSigned = experiment.type != model::ElementType::Unsigned;
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    given.values.push_back(model::withType(experiment.type, [&](auto zero) {
      return model::bitsOfElement(decltype(zero)(smallNumber(experiment.op, isSigned, i)));
    }));
  experiment.data = model::DataPattern::Given;
  experiment.given = model::SharedData(std::move(given));
  return experiment;
}

double plainResult(const model::Experiment& experiment) {
  return model::withType(experiment.type, [&](auto zero) {
    using T = decltype(zero);
    T value = identityOf<T>(experiment.op);
    for (std::uint64_t bits : experiment.given.get()->values)
      value = combined(experiment.op, value, model::elementOfBits<T>(bits));
    return double(value);
  });
}

double printedNumber(const std::string& printed) { return std::strtod(printed.c_str(), nullptr); }

}  // namespace stridescope::test
