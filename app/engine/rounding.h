// How far a floating sum or product may lie from the exact one, whatever the shape of the tree.
//
// u is the unit roundoff of the type (2^-24, 2^-53), gamma(k) = k u / (1 - k u) (Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd ed., lemma 3.1).
// - Sum: |result - exact| <= gamma(k) * sum |x_i|, where k is the most additions that any one element passes
//   through (4.2, inequality 4.4 for the tree). Adding the identity is exact and does not count.
// - Product: |result - exact| <= gamma(m - 1) * |exact|, where m is the number of factors other than 1 and
// -1:
//   each product of two of them is rounded once (3.1). It holds while nothing can overflow; where partial
//   products can underflow, what that may lose is added.
//
// The exact value comes from a plain loop in long double (u = 2^-64); where that rounds, as for products, the
// loop's own gamma is added to the bound. Where the order shows in the result, the check's note sets the
// tree's result and a left-to-right loop's in the same type against the exact one.
#pragma once

#include "engine/reference.h"

namespace stridescope {

// The most additions that one element of the experiment passes through, over all launches. For a variant that
// the catalogue does not know: as many as any order can have.
std::uint64_t additionDepth(const Experiment& experiment);

Check checkSum(const Experiment& experiment, float result);
Check checkSum(const Experiment& experiment, double result);
Check checkProduct(const Experiment& experiment, float result);
Check checkProduct(const Experiment& experiment, double result);

}  // namespace stridescope
