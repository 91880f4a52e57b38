// Accesses that are calls in the text: loads and stores with a hint to the caches, elements passed by value,
// and elements that results of functions are stored in.
#pragma once

#include <type_traits>

#include "core.h"

// Loads and stores with a hint to the caches (CUDA C++ Programming Guide, Load Functions Using Cache Hints
// and Store Functions Using Cache Hints): plain ones here.

#define ACCESS_LOAD(name)                       \
  template <class T>                            \
  ACCESS_CALL T name(const T* address) {        \
    accesses::readWhole(address, ACCESS_PLACE); \
    return accesses::unrecorded(address);       \
  }
ACCESS_LOAD(__ldg)
ACCESS_LOAD(__ldcg)
ACCESS_LOAD(__ldca)
ACCESS_LOAD(__ldcs)
ACCESS_LOAD(__ldlu)
ACCESS_LOAD(__ldcv)
#undef ACCESS_LOAD

#define ACCESS_STORE(name)                                      \
  template <class T>                                            \
  ACCESS_CALL void name(T* address, accesses::Given<T> value) { \
    accesses::writeWhole(address, ACCESS_PLACE);                \
    *address = value;                                           \
  }
ACCESS_STORE(__stwb)
ACCESS_STORE(__stcg)
ACCESS_STORE(__stcs)
ACCESS_STORE(__stwt)
#undef ACCESS_STORE

// An element that is passed to a function of the text by value. g++ announces no read of such an argument
// where it is a class that is copied as bytes; clang++ does.

namespace accesses {

template <class T>
ACCESS_INLINE void readByValue(const T& value, const void* place) {
#ifndef __clang__
  if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T>) {
    constexpr U32 kWidth = alignof(T) > 16 ? 16 : alignof(T);  // as wide as a GPU can read it
    const auto* const bytes = reinterpret_cast<const volatile char*>(__builtin_addressof(value));
    for (U64 at = 0; at < sizeof(T); at += kWidth) read(bytes + at, kWidth, place);
  }
#endif
}

template <class T>
ACCESS_CALL T&& byValue(T&& value) {
  readByValue(value, ACCESS_PLACE);
  return static_cast<T&&>(value);
}

#ifndef __clang__
// Whether a functor, a lambda, or a function by its pointer takes the argument at that place by value. Of one
// with several operator(), or with a template of more than two parameters, it is not known: then not.
template <U32 place, class... Given>
constexpr bool isValue() {
  constexpr bool all[] = {!std::is_reference_v<Given>..., false};
  return place < sizeof...(Given) && all[place < sizeof...(Given) ? place : 0];
}
template <U32 place, class Result, class... Given>
constexpr bool takesValue(Result (*)(Given...)) {
  return isValue<place, Given...>();
}
template <U32 place, class Result, class Class, class... Given>
constexpr bool takesValue(Result (Class::*)(Given...)) {
  return isValue<place, Given...>();
}
template <U32 place, class Result, class Class, class... Given>
constexpr bool takesValue(Result (Class::*)(Given...) const) {
  return isValue<place, Given...>();
}
template <U32 place, class Function, class Value, class = void>
struct TakesValue : std::false_type {};
template <U32 place, class Function, class Value>
struct TakesValue<place, Function, Value, std::enable_if_t<std::is_pointer_v<Function>>>
    : std::bool_constant<takesValue<place>(Function())> {};
template <U32 place, class Function, class Value>
struct TakesValue<place, Function, Value, std::void_t<decltype(&Function::operator())>>
    : std::bool_constant<takesValue<place>(&Function::operator())> {};
template <U32 place, class Function, class Value>
struct TakesValue<place, Function, Value, std::void_t<decltype(&Function::template operator()<Value>)>>
    : std::bool_constant<takesValue<place>(&Function::template operator()<Value>)> {};
template <U32 place, class Function, class Value>
struct TakesValue<place, Function, Value, std::void_t<decltype(&Function::template operator()<Value, Value>)>>
    : std::bool_constant<takesValue<place>(&Function::template operator()<Value, Value>)> {};

#endif

// The argument at that place of a call of such a one.
template <class Function, U32 place, class T>
ACCESS_CALL T&& argumentOf(T&& value) {
#ifndef __clang__
  using Called = std::remove_cv_t<std::remove_reference_t<Function>>;
  using Value = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (TakesValue<place, Called, Value>::value) readByValue(value, ACCESS_PLACE);
#endif
  return static_cast<T&&>(value);
}

// An element in which the result of a call is stored. If it is a class, g++ (12) lets the call store it, and
// announces nothing; clang++ announces it.
template <class T>
class StoredElement {
 public:
  // g++ evaluates this behind the value, and has its place where the element is.
  ACCESS_INLINE StoredElement(T* element, const void* place) : element_(element), place_(place) {}

  template <class Value>
  ACCESS_INLINE T& operator=(Value&& value) const {
    using Given = std::remove_cv_t<std::remove_reference_t<Value>>;
    constexpr bool isObject = std::is_lvalue_reference_v<Value>;
    if constexpr (isObject && std::is_same_v<Given, T>) readWhole(__builtin_addressof(value), place_);
    if constexpr (std::is_convertible_v<Value, T>) writeWhole(element_, place_);
    return *element_ = static_cast<Value&&>(value);
  }

 private:
  T* element_;
  const void* place_;
};

template <class T>
ACCESS_CALL decltype(auto) element(T&& stored) {
  using Value = std::remove_reference_t<T>;
#ifndef __clang__
  if constexpr (std::is_class_v<Value> && std::is_trivially_copyable_v<Value>)
    return StoredElement<Value>(__builtin_addressof(stored), ACCESS_PLACE);
  else
#endif
    return static_cast<T&&>(stored);
}

}  // namespace accesses
