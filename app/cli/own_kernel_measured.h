// A person's own kernel measured on a GPU: `time FILE.cu`, `counters FILE.cu`, `timeline FILE.cu`; and its
// two recordings held against each other: `verify FILE.cu`.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/own_kernel.h"

namespace stridescope::cli {

struct OwnKernelRequest {
  std::string file;
  std::optional<std::string> block;  // as --block has it
  unsigned gpu = 0;                  // the driver's number
  bool asJson = false;
};

Error noGpuForOwnKernels();

ExitCode timeOwnKernel(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request);

// When its blocks run, and on which multiprocessor.
ExitCode timeOwnBlocks(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request);

// What is known of why it takes its time: the time beside an empty kernel's, the blocks in time, and the
// hardware counters, if they can be read. `other`: a file that is measured alike, and what differs from it;
// empty: none.
ExitCode explainOwnKernel(const Context& context, const KernelOptions& kernel,
                          const OwnKernelRequest& request, const std::string& other);

// Beside what the access recorder's run on the same GPU comes to.
ExitCode countOwnKernel(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request);

// The GPU's arrays and snapshots against those of the CPU. Exit code Wrong where they differ.
ExitCode verifyOwnKernel(const Context& context, const KernelOptions& kernel,
                         const OwnKernelRequest& request);

}  // namespace stridescope::cli
