// What the conditions of a person's text become: each tells the program which way it goes. `id` is the
// condition's number (app/engine/access/branch_conditions.h).
#pragma once

#include "core.h"

namespace accesses {

ACCESS_CALL constexpr bool branch(U32 id, bool taken) {
  if (!__builtin_is_constant_evaluated() && hooks != nullptr) hooks->branch(id, false, taken, ACCESS_PLACE);
  return taken;
}
ACCESS_CALL constexpr bool loop(U32 id, bool goesOn) {
  if (!__builtin_is_constant_evaluated() && hooks != nullptr) hooks->branch(id, true, goesOn, ACCESS_PLACE);
  return goesOn;
}

// What a switch is of. Its labels are asked one after the other, up to the one that it goes to.
template <class T>
class Switch {
 public:
  ACCESS_INLINE constexpr explicit Switch(T value) : value_(value) {}
  template <U32 id, class... Label>
  ACCESS_CALL constexpr Switch& label(Label... values) {
    if (found_) return *this;
    found_ = ((value_ == static_cast<T>(values)) || ...);
    if (!__builtin_is_constant_evaluated() && hooks != nullptr)
      hooks->branch(id, false, found_, ACCESS_PLACE);
    return *this;
  }
  ACCESS_INLINE constexpr T value() const { return value_; }

 private:
  T value_;
  bool found_ = false;
};

}  // namespace accesses
