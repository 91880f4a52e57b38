// How the program learns of the kernels of a person's text and calls them: for each a function that takes its
// arguments as cuLaunchKernel does, and what the types of its parameters are. The generated source includes
// this behind the person's text.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "facts.h"
#include "runtime.h"

namespace accesses {

// ---- What an element is made of: numbers, one after the other.

template <class T>
inline constexpr NumberKind kNumberKind = std::is_floating_point_v<T>                  ? NumberKind::Floating
                                          : std::is_enum_v<T> || std::is_unsigned_v<T> ? NumberKind::Unsigned
                                          : std::is_integral_v<T>                      ? NumberKind::Signed
                                                                                       : NumberKind::Bytes;

// Converts to whatever a member is: how many of them initialize a struct says how many members it has.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... index>
constexpr bool takesMembers(std::index_sequence<index...>) {
  return requires { T{(void(index), Anything{})...}; };
}
template <class T, std::size_t most = 8>
constexpr std::size_t countMembers() {
  if constexpr (most == 0)
    return 0;
  else if constexpr (takesMembers<T>(std::make_index_sequence<most>{}))
    return most;
  else
    return countMembers<T, most - 1>();
}

// The members as a visitor takes them, by address and type.
template <class T, class Visit>
void visitMembers(const T& value, Visit visit) {
  constexpr std::size_t count = countMembers<T>();
  if constexpr (count == 1) {
    const auto& [a] = value;
    visit(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = value;
    visit(a), visit(b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = value;
    visit(a), visit(b), visit(c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = value;
    visit(a), visit(b), visit(c), visit(d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = value;
    visit(a), visit(b), visit(c), visit(d), visit(e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = value;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = value;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g);
  } else if constexpr (count == 8) {
    const auto& [a, b, c, d, e, f, g, h] = value;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h);
  }
}

template <class T>
void addMembers(ParameterFacts& facts, const T& value, const char* begin) {
  const auto add = [&](NumberKind kind) {
    if (facts.members < kMaxMembers)
      facts.member[facts.members++] = {kind, U32(sizeof(T)),
                                       U32(reinterpret_cast<const char*>(&value) - begin)};
    else
      facts.isWhole = false;
  };
  if constexpr (requires { T::access_number; }) {  // __half and __nv_bfloat16 say what they are
    add(T::access_number);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) {
    add(kNumberKind<T>);
  } else if constexpr (std::is_array_v<T>) {
    for (const auto& one : value) addMembers(facts, one, begin);
  } else if constexpr (requires { T::access_members; }) {  // float4, __half2, which have constructors
    const auto* const each = &value.x;
    for (std::size_t i = 0; i < T::access_members; ++i) addMembers(facts, each[i], begin);
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    visitMembers(value, [&](const auto& member) { addMembers(facts, member, begin); });
    if (countMembers<T>() == 0) facts.isWhole = false;
  } else {
    facts.isWhole = false;
  }
}

template <class Parameter>
ParameterFacts factsOfParameter() {
  using Bare = std::remove_cv_t<std::remove_reference_t<Parameter>>;
  using Element = std::remove_cv_t<std::remove_pointer_t<Bare>>;
  ParameterFacts facts{};
  facts.isPointer = std::is_pointer_v<Bare>;
  facts.isConst = std::is_pointer_v<Bare> && std::is_const_v<std::remove_pointer_t<Bare>>;
  facts.isWhole = true;
  if constexpr (!std::is_void_v<Element>) {
    facts.bytes = sizeof(Element);
    alignas(Element) static const char room[sizeof(Element)]{};
    addMembers(facts, *reinterpret_cast<const Element*>(room), room);
  }
  return facts;
}

template <auto kernel>
struct Kernel;
template <class... Parameter, void (*kernel)(Parameter...)>
struct Kernel<kernel> {
  __attribute__((no_sanitize("thread"))) static void call(void** arguments) {
    unpack(arguments, std::index_sequence_for<Parameter...>{});
    hooks->finished();
  }
  static unsigned parameters() { return sizeof...(Parameter); }
  static void tell(ParameterFacts* facts) { ((*facts++ = factsOfParameter<Parameter>()), ...); }

 private:
  template <std::size_t... index>
  __attribute__((no_sanitize("thread"))) static void unpack(void** arguments, std::index_sequence<index...>) {
    kernel(*static_cast<std::remove_const_t<Parameter>*>(arguments[index])...);
  }
};

template <auto kernel>
constexpr KernelEntry entryOf() {
  return {Kernel<kernel>::call, Kernel<kernel>::parameters, Kernel<kernel>::tell};
}

}  // namespace accesses
