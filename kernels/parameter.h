// The parameters that the catalogue's kernels have. T is the element type of the experiment.
//
// run_plan.cpp says how large each buffer is, and what it holds at first.
//   kInput       const T*         a kernel without kCount gets it filled up to whole blocks with the identity
//   kInPlace     T*               the same
//   kOutput      T*               one value per block
//   kCount       unsigned         how many elements the input has
//   kAccumulator T*               one value
//   kPartials    T*               one value per block
//   kTicket      unsigned*        one counter
//   kListValues  const T*         the lists one after another, or, in a kernel with kLists, interleaved:
//                                 element j of list i is at i + j * k
//   kListStarts  const unsigned*  one list per thread, the last ones empty where there are fewer
//   kLists       unsigned         k, the number of lists, whose lengths differ by one at most
//   kMerged      T*               n values
//   kOrigin      unsigned*        n numbers
#pragma once

#include "model/kernel.h"

namespace stridescope::kernels {

inline const model::ParameterType kUnsigned{"unsigned", 4};

inline const model::KernelParameter kInput{"in", model::ParameterRole::Input},
    kInPlace{"array", model::ParameterRole::InPlace}, kOutput{"out", model::ParameterRole::Output},
    kCount{"n", model::ParameterRole::Count, kUnsigned},
    kAccumulator{"total", model::ParameterRole::Accumulator},
    kPartials{"partials", model::ParameterRole::Partials},
    kTicket{"finished", model::ParameterRole::Ticket, kUnsigned},
    kListValues{"values", model::ParameterRole::ListValues},
    kListStarts{"starts", model::ParameterRole::ListStarts, kUnsigned},
    kLists{"k", model::ParameterRole::ListCount, kUnsigned}, kMerged{"merged", model::ParameterRole::Merged},
    kOrigin{"origin", model::ParameterRole::Origin, kUnsigned};

}  // namespace stridescope::kernels
