// What is known of why a person's own kernel takes its time on a GPU, as text and as JSON.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "analysis/reduction_cost.h"
#include "report/kernel_measured.h"
#include "report/measured.h"

namespace stridescope::report {

// All of the same launches on the same GPU.
struct KernelWhy {
  KernelTimes times;
  KernelTimeline timeline;
  std::optional<CountedCase> counted{};
  std::string whyNotCounted{};  // a sentence; empty: the counters are there
};

// As a reduction's cost, which two files are compared by: its file is the variant. Without limits of the GPU
// and prices of steps.
analysis::ReductionCost costOf(const KernelWhy& why);

// `before`: another file's, and what differs from it; null: there is none.
std::string kernelWhyText(const KernelWhy& why, const KernelWhy* before);
// Format 1.
void writeKernelWhyJson(std::ostream& out, const KernelWhy& why, const KernelWhy* before);

}  // namespace stridescope::report
