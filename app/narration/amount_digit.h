// An amount of 0 to 32 as one character of a text map.
#pragma once

namespace stridescope::narration {

// '.' for none, then 1-9 and a-w for 10 to 32.
inline char amountDigit(unsigned amount) {
  if (amount == 0) return '.';
  return char(amount < 10 ? '0' + amount : 'a' + (amount - 10));
}

}  // namespace stridescope::narration
