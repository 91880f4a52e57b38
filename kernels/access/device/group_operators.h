// The operators that cooperative groups' reductions and scans are given (CUDA C++ Programming Guide,
// Cooperative Groups, reduce), and how a group's lanes combine their values.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

// `kFold`: which of the program's reductions it is.
#define ACCESS_OPERATOR(name, fold, result)                       \
  template <class T = void>                                       \
  struct name {                                                   \
    static constexpr accesses::Fold kFold = accesses::Fold::fold; \
    ACCESS_INLINE T operator()(T a, T b) const { return result; } \
  };                                                              \
  template <>                                                     \
  struct name<void> {                                             \
    static constexpr accesses::Fold kFold = accesses::Fold::fold; \
    template <class T>                                            \
    ACCESS_INLINE T operator()(T a, T b) const {                  \
      return result;                                              \
    }                                                             \
  };
ACCESS_OPERATOR(plus, Add, static_cast<T>(a + b))
ACCESS_OPERATOR(less, Min, b < a ? b : a)
ACCESS_OPERATOR(greater, Max, a < b ? b : a)
ACCESS_OPERATOR(bit_and, And, static_cast<T>(a& b))
ACCESS_OPERATOR(bit_or, Or, static_cast<T>(a | b))
ACCESS_OPERATOR(bit_xor, Xor, static_cast<T>(a ^ b))
#undef ACCESS_OPERATOR

// By the program, where it has the operator and the value fits.
template <class T, class Operator>
ACCESS_INLINE accesses::U64 foldBy(accesses::U64 left, accesses::U64 right) {
  return accesses::bitsOf<T>(Operator()(accesses::fromBits<T>(left), accesses::fromBits<T>(right)));
}
template <class T, class Operator>
concept Folded = sizeof(T) <= 8 && requires {
  Operator::kFold;
};

// By shuffles elsewhere: every lane is given each lane's value and combines them in the lanes' order.
template <class T, class Operator>
ACCESS_INLINE T combineLanes(U32 lanes, const T& value, Operator combine, const void* place) {
  if constexpr (Folded<T, Operator>) {
    return accesses::fromBits<T>(accesses::hooks->reduce(Operator::kFold, lanes, accesses::bitsOf<T>(value),
                                                         sizeof(T), &foldBy<T, Operator>, place));
  } else {
    T result = shuffleLanes(lanes, value, static_cast<U32>(__builtin_ctz(lanes)), place);
    for (U32 left = lanes & (lanes - 1); left != 0; left &= left - 1) {
      result = combine(result, shuffleLanes(lanes, value, static_cast<U32>(__builtin_ctz(left)), place));
    }
    return result;
  }
}

}  // namespace cooperative_groups
