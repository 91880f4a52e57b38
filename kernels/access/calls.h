// How the program calls the kernels of a person's text: for each a function that takes its arguments as
// cuLaunchKernel does. The generated source includes this behind the person's text.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "hooks.h"
#include "runtime.h"

namespace accesses {

template <auto kernel>
struct Kernel;
template <class... Given, void (*kernel)(Given...)>
struct Kernel<kernel> {
  __attribute__((ACCESS_UNSEEN)) static void call(void** arguments) {
    unpack(arguments, std::index_sequence_for<Given...>{});
    hooks->finished();
  }

 private:
  template <std::size_t... index>
  __attribute__((ACCESS_UNSEEN)) static void unpack(void** arguments, std::index_sequence<index...>) {
    kernel(*static_cast<std::remove_const_t<Given>*>(arguments[index])...);
  }
};

// A parameter's type, by its place.
template <std::size_t place, class First, class... Rest>
struct OneOf : OneOf<place - 1, Rest...> {};
template <class First, class... Rest>
struct OneOf<0, First, Rest...> {
  using Type = std::remove_const_t<First>;
};
template <std::size_t place, class... Given>
typename OneOf<place, Given...>::Type parameterOf(void (*)(Given...));

template <class... Given>
constexpr U32 countOf(void (*)(Given...)) {
  return sizeof...(Given);
}

template <auto kernel>
KernelEntry entryOf(const void* const* defaults) {
  return {Kernel<kernel>::call, reinterpret_cast<const void*>(kernel), countOf(kernel), defaults};
}

}  // namespace accesses
