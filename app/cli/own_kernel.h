// A person's own kernel on the command line: `step FILE.cu`, `record FILE.cu`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "cli/options.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "report/kernel_step.h"

namespace stridescope::cli {

class KernelOptions {
 public:
  void declare(Options& options);  // this outlives them
  // The same with --block, for commands that have none.
  void declareWithBlock(Options& options);
  const std::optional<std::string>& block() const { return block_; }  // declareWithBlock()'s

  // The error: one of a variant's options was given, or a recording in place of an engine.
  static Result<void> refuseOthers(const ExperimentOptions& options);

  // Compiles, runs and records it. `file`: the text's path; --block and --engine are those of `options`.
  Result<report::KernelStep> run(const Context& context, const std::string& file,
                                 const ExperimentOptions& options, bool isClocked = false) const;

  // The text with its launches, as the options change them. `block`: as --block has it.
  Result<engine::access::KernelFile> read(const std::string& file,
                                          const std::optional<std::string>& block) const;
  // What is recorded of it.
  Result<engine::access::KernelRunOptions> runOptions() const;

  // One that was given; empty: none was.
  std::string firstGiven() const;

 private:
  static Result<engine::access::KernelRun> record(const Context& context,
                                                  const engine::access::KernelFile& kernel,
                                                  engine::access::KernelRunOptions options,
                                                  const std::string& engine);
  Result<void> change(engine::access::LaunchRequest& launch, const std::optional<std::string>& block) const;

  std::optional<std::string> block_, kernel_, template_, grid_, shared_, launchFile_, inspect_;
  std::vector<std::string> arguments_;
};

// The code that a command ends with that shows it; `limited`: a limit was met.
ExitCode exitCodeOf(const report::KernelStep& step, bool limited);

}  // namespace stridescope::cli
