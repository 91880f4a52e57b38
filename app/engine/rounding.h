// How far a floating sum or product may lie from the exact one, whatever the shape of the tree, and what else
// is right.
//
// u is the unit roundoff of the type (2^-24, 2^-53), gamma(k) = k u / (1 - k u) (Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd ed., lemma 3.1).
//
// A finite result is right if it is the exact value rounded to the nearest, or within the bound of it:
// - Sum: |result - exact| <= gamma(k) * sum |x_i|, where k is the most additions that any one element passes
//   through (4.2, inequality 4.4 for the tree). Adding the identity is exact and does not count. The exact
//   sum is computed exactly (exact_sum.h). Once a partial sum is not finite, no later one is: so a finite
//   result has overflowed nowhere, and an addition cannot underflow. The bound holds whatever the elements
//   are.
// - Product: |result - exact| <= gamma(m - 1) * |exact| + lost, where m is the number of factors other than 1
// and -1:
//   each product of two of them is rounded once (3.1). `lost` is 0 where no partial product can be less than
//   the least normal number. Elsewhere one that is loses at most half the least number d, which the other
//   factors then enlarge by at most L, the product of all |x_i| above 1: by induction over the tree the m - 1
//   products lose at most lost = (m - 1) * d / 2 * L * (1 + u)^(m - 1), and (1 + u)^(m - 1) <= 1 + gamma(m -
//   1). The exact product is known to about 240 bits (exact_sum.h); what it may lack is added to the
//   bound. Again a finite result has overflowed nowhere.
//
// A result that is not finite is right only if a plain loop, from left to right in the same type, gives the
// same: the same infinity, or nan too. The exact value does not decide then: whether a partial result
// overflows is up to the order, and the plain loop's order is the one that a result is held against.
//
// Zeros: a product's sign is that of its factors, in any order. A sum is -0 only if all its elements are, so
// that -0 is right only for such a sum; 0 is right for it, too, as variants differ in whether they add the
// identity 0.
//
// Where the order shows in the result, the check's note sets the tree's result and a left-to-right loop's in
// the same type against the exact one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/reference.h"
#include "model/experiment.h"

namespace stridescope::engine {

// The most additions that one element of the experiment passes through, over all launches. For a variant that
// the catalogue does not know: as many as any order can have.
std::uint64_t additionDepth(const model::Experiment& experiment);

// Whether the partial results of a floating sum or product can leave the type's range in some order, so that
// a right kernel's result may be infinite, or nan, where another order's is finite. It is false for other
// experiments.
bool mayOverflow(const model::Experiment& experiment);

Check checkSum(const model::Experiment& experiment, float result);
Check checkSum(const model::Experiment& experiment, double result);
Check checkProduct(const model::Experiment& experiment, float result);
Check checkProduct(const model::Experiment& experiment, double result);

// What an integer sum, difference or product comes to without the limits of its type.

// The exact result, printed; a product beyond 2^127 has its first six digits, as in "1.40501e+51". nullopt:
// the type holds it, so nothing wraps, or the type or operator is another. Reads every element.
std::optional<std::string> exactIfWrapped(const model::Experiment& experiment);

// "The sum wraps: exact 4 999 950 000, wrapped to 704 982 704 in 32 bits." `wrapped`: the value in the type,
// printed.
std::string wrappedNote(const model::Experiment& experiment, const std::string& exact,
                        const std::string& wrapped);

}  // namespace stridescope::engine
