#include "engine/exact_integer.h"

#include <limits>

#include "engine/long_product.h"
#include "engine/reference.h"
#include "model/arithmetic.h"
#include "model/wide_integer.h"

namespace stridescope::engine {
namespace {

using Wide = model::WideInteger;

Wide elementOf(const model::Experiment& experiment, std::uint64_t i) {
  return model::wideOf(experiment.type, inputElement(experiment, i));
}

Wide leastOf(model::ElementType type) {
  return model::withType(type, [](auto zero) { return Wide(std::numeric_limits<decltype(zero)>::lowest()); });
}
Wide greatestOf(model::ElementType type) {
  return model::withType(type, [](auto zero) { return Wide(std::numeric_limits<decltype(zero)>::max()); });
}

Wide exactSum(const model::Experiment& experiment) {
  const bool subtracts = experiment.op == model::Operator::Subtract;
  Wide sum = 0;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const Wide element = elementOf(experiment, i);
    sum += subtracts && i > 0 ? -element : element;
  }
  return sum;
}

// nullopt: it is beyond 2^127.
std::optional<Wide> exactProduct(const model::Experiment& experiment) {
  Wide product = 1;
  bool tooLarge = false;
  for (std::uint64_t i = 0; i < experiment.elements; ++i) {
    const Wide element = elementOf(experiment, i);
    if (element == 0) return 0;
    tooLarge = tooLarge || __builtin_mul_overflow(product, element, &product);
  }
  return tooLarge ? std::nullopt : std::optional(product);
}

std::string roundedProduct(const model::Experiment& experiment) {
  LongProduct product;
  for (std::uint64_t i = 0; i < experiment.elements; ++i)
    product.multiplyBy(double(elementOf(experiment, i)));
  constexpr int kDigits = 6;
  return product.value().number.print(kDigits);
}

}  // namespace

std::optional<std::string> exactIfWrapped(const model::Experiment& experiment) {
  if (model::isFloating(experiment.type)) return std::nullopt;
  const auto fits = [&](Wide value) {
    return value >= leastOf(experiment.type) && value <= greatestOf(experiment.type);
  };
  switch (experiment.op) {
    case model::Operator::Add:
    case model::Operator::Subtract: {
      const Wide sum = exactSum(experiment);
      return fits(sum) ? std::nullopt : std::optional(model::print(sum));
    }
    case model::Operator::Multiply: {
      const std::optional<Wide> product = exactProduct(experiment);
      if (!product) return roundedProduct(experiment);
      return fits(*product) ? std::nullopt : std::optional(model::print(*product));
    }
    default:
      return std::nullopt;
  }
}

std::string wrappedNote(const model::Experiment& experiment, const std::string& exact,
                        const std::string& wrapped) {
  std::string note = model::wrapClause(experiment.type, experiment.op, exact, wrapped) + ".";
  note.front() = 'T';
  return note;
}

}  // namespace stridescope::engine
