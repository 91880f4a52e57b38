// A person's own kernel on the command line: `step FILE.cu`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"

namespace stridescope::cli {

// Whether the word names a file of CUDA C++ rather than a variant.
bool isKernelFile(std::string_view word);

class KernelOptions {
 public:
  void declare(Options& options);  // this outlives them

  // `file`: the text's path. `block`: as --block has it.
  ExitCode step(const Context& context, const std::string& file, const std::optional<std::string>& block,
                const std::optional<report::RoundRange>& rounds, bool json) const;

  // One that was given; empty: none was.
  std::string firstGiven() const;

 private:
  std::optional<std::string> kernel_, template_, grid_, shared_, launchFile_, inspect_;
  std::vector<std::string> arguments_;
};

}  // namespace stridescope::cli
