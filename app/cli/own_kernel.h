// A person's own kernel on the command line: in place of a variant of step, record, compare, export and shot.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "cli/options.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "engine/sandbox/object_compiler.h"
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

  // Compiles, runs and records it. `file`: the text's path; of `options`, those that the CPU executor has for
  // a variant, --block and --engine. What the launch leaves out is guessed, and told among the notes.
  // `isClocked`: on a GPU, the clock is read, too.
  Result<report::KernelStep> run(const Context& context, const std::string& file,
                                 const ExperimentOptions& options, bool isClocked = false) const;

  // A variant recorded by its accesses, as --recorder access asks: `trace` is of the variant, and a copy of
  // its text is launched alike.
  bool wantsAccesses() const { return recorder_ == kAccess; }
  Result<report::KernelStep> runCopy(const Context& context, const model::Trace& trace,
                                     const ExperimentOptions& options, bool isClocked = false) const;

  // Its launches without running it, and which parts of them are guessed. `init` writes them.
  struct Launches {
    engine::access::KernelFile file;
    std::vector<std::string> guessed;
  };
  // `anew`: the launch file beside it does not count.
  Result<Launches> launches(const std::string& file, const std::optional<std::string>& block,
                            bool anew = false) const;

  // Which blocks are recorded.
  Result<engine::access::KernelRunOptions> runOptions() const;

  // One that was given; empty: none was.
  std::string firstGiven() const;

 private:
  static Result<engine::access::KernelRun> record(const Context& context,
                                                  const engine::access::KernelFile& kernel,
                                                  engine::access::KernelRunOptions options,
                                                  const ExperimentOptions& experiment);
  Result<void> change(engine::access::LaunchRequest& launch, const std::optional<std::string>& block) const;

  Result<engine::access::KernelRunOptions> runOptions(const ExperimentOptions& options) const;
  Result<report::KernelStep> step(const Context& context, const engine::access::KernelFile& file,
                                  const std::string& guesses, const ExperimentOptions& options,
                                  bool isClocked) const;
  Result<void> expect(engine::access::LaunchRequest& launch) const;

  static constexpr std::string_view kAccess = "access";
  std::string recorder_ = "auto";
  std::optional<std::string> block_, kernel_, template_, grid_, shared_, launchFile_, inspect_,
      inspectLaunch_, sameAs_;
  std::vector<std::string> arguments_, expected_;
};

// Runs of persons' kernels as a recording, for commands that take one in place of an engine. It goes with
// this.
struct RecordedKernels {
  std::unique_ptr<engine::sandbox::PrivateFolder> folder;
  std::string recording;           // its path
  std::vector<std::string> names;  // by file: the variant that the recording has it as
};
Result<RecordedKernels> recordKernels(const Context& context, const std::vector<std::string>& files,
                                      const KernelOptions& kernels, const ExperimentOptions& options);

// The code that a command ends with that shows it; `limited`: a limit was met.
ExitCode exitCodeOf(const report::KernelStep& step, bool limited);

}  // namespace stridescope::cli
