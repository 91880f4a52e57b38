// A parameter of a catalogue's kernel: its name in the text, what it is for, and what a buffer's elements
// are. T is the element type of the experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/experiment.h"
#include "model/parameter_role.h"

namespace stridescope::kernels {

enum class ElementKind : std::uint8_t {
  T,         // the experiment's elements
  Unsigned,  // 32-bit numbers: counters, the numbers and starts of lists
};

struct Parameter {
  std::string_view name{};
  model::ParameterRole role = model::ParameterRole::Scalar;
  ElementKind elements = ElementKind::T;  // a buffer's

  // Nothing: they are no elements, but plain unsigned numbers.
  std::optional<model::ElementType> elementType(model::ElementType t) const {
    return elements == ElementKind::T ? std::optional(t) : std::nullopt;
  }
  unsigned elementBytes(model::ElementType t) const {
    return elements == ElementKind::T ? model::bytesOf(t) : sizeof(std::uint32_t);
  }
};

// The parameters of the catalogue's kernels. run_plan.cpp says how large each buffer is, and what it holds at
// first.
//   kInput       const T*         a kernel without kCount gets it filled up to whole blocks with the identity
//   kInPlace     T*               the same
//   kOutput      T*               one value per block
//   kCount       an unsigned type how many elements the input has
//   kAccumulator T*               one value
//   kPartials    T*               one value per block
//   kTicket      unsigned*        one counter
//   kListValues  const T*         the lists one after another, or, in a kernel with kLists, interleaved:
//                                 element j of list i is at i + j * k
//   kListStarts  const unsigned*  one list per thread, the last ones empty where there are fewer
//   kLists       unsigned         k, the number of lists, whose lengths differ by one at most
//   kMerged      T*               n values
//   kOrigin      unsigned*        n numbers
inline constexpr Parameter kInput{"in", model::ParameterRole::Input},
    kInPlace{"array", model::ParameterRole::InPlace}, kOutput{"out", model::ParameterRole::Output},
    kCount{"n", model::ParameterRole::Count}, kAccumulator{"total", model::ParameterRole::Accumulator},
    kPartials{"partials", model::ParameterRole::Partials},
    kTicket{"finished", model::ParameterRole::Ticket, ElementKind::Unsigned},
    kListValues{"values", model::ParameterRole::ListValues},
    kListStarts{"starts", model::ParameterRole::ListStarts, ElementKind::Unsigned},
    kLists{"k", model::ParameterRole::ListCount}, kMerged{"merged", model::ParameterRole::Merged},
    kOrigin{"origin", model::ParameterRole::Origin, ElementKind::Unsigned};

}  // namespace stridescope::kernels
