#include "model/identity.h"

#include <limits>
#include <type_traits>

#include "model/arithmetic.h"
#include "model/operator_table.h"

namespace stridescope::model {
namespace {

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
T identityValue(Operator op) {
  switch (factsOf(op).identity) {
    case IdentityKind::One:
      return T(1);
    case IdentityKind::Largest:
      return largestOf<T>();
    case IdentityKind::Smallest:
      return smallestOf<T>();
    case IdentityKind::AllBits:
      if constexpr (std::is_integral_v<T>) return T(~T(0));
      return T(0);
    default:
      return T(0);
  }
}

}  // namespace

std::uint64_t identityBits(ElementType type, Operator op) {
  return withType(type, [&](auto zero) { return bitsOfElement(identityValue<decltype(zero)>(op)); });
}

}  // namespace stridescope::model
