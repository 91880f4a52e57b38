// An element that is passed to a function of the text by value. g++ announces no read of such an argument
// where it is a class that is copied as bytes; clang++ does.
#pragma once

#include <type_traits>

#include "core.h"

namespace accesses {

template <class T>
ACCESS_CALL T&& byValue(T&& value) {
#ifndef __clang__
  using Value = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_class_v<Value> && std::is_trivially_copyable_v<Value>) {
    constexpr U32 kWidth = alignof(Value) > 16 ? 16 : alignof(Value);  // as wide as a GPU can read it
    const auto* const bytes = reinterpret_cast<const volatile char*>(__builtin_addressof(value));
    for (U64 at = 0; at < sizeof(Value); at += kWidth) read(bytes + at, kWidth, ACCESS_PLACE);
  }
#endif
  return static_cast<T&&>(value);
}

}  // namespace accesses
