// A person's own kernel on the command line: in place of a variant of step, record, compare, export, shot and
// quiz. There `--recorder access` has a variant, too, recorded as such a kernel: as a copy.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "engine/access/kernel_run.h"
#include "engine/access/launch_file.h"
#include "engine/sandbox/object_compiler.h"
#include "report/own_kernel.h"

namespace stridescope::cli {

// What is had of a run on a GPU, beside the run.
struct AlsoOnGpu {
  bool clock = false;  // the clock is read
  bool code = false;   // the machine code is listed
};

class KernelOptions {
 public:
  void declare(Options& options);  // this outlives them
  // The same with --block, for commands that have none.
  void declareWithBlock(Options& options);
  const std::optional<std::string>& block() const { return block_; }  // declareWithBlock()'s

  // The error: one of a variant's options was given, or a recording in place of an engine.
  static Result<void> refuseOthers(const ExperimentOptions& options);

  // Whether run() records what was typed: files with kernels, and variants by --recorder access; otherwise it
  // is variants, which an engine records, or what a recording has, where --engine names one. Usage: a
  // recorder that there is not, files and variants together that only an engine records, or an option for
  // files where there is none.
  Result<bool> takes(std::span<const std::string> names, const ExperimentOptions& options) const;
  // Requires that the above found no fault.
  bool takes(const std::string& name, const ExperimentOptions& options) const;

  // Compiles, runs and records it. `name`: the text's path; of `options`, those that the CPU executor has for
  // a variant, --block and --engine. What the launch leaves out is guessed, and told among the notes. Or the
  // name of a variant, all of whose options count: a copy of its text is launched as the CPU executor does.
  Result<report::KernelStep> run(const Context& context, const std::string& name,
                                 const ExperimentOptions& options, AlsoOnGpu also = {}) const;

  bool wantsAccesses() const { return recorder_ == kAccess; }

  // Its launches without running it, and which parts of them are guessed. `init` writes them.
  struct Launches {
    engine::access::KernelFile file;
    std::vector<std::string> guessed;
  };
  // `anew`: the launch file beside it does not count.
  Result<Launches> launches(const std::string& file, const std::optional<std::string>& block,
                            bool anew = false) const;

  // Which blocks are recorded, and by what.
  Result<engine::access::KernelRunOptions> runOptions() const;
  // The same for a command that runs the kernel on a GPU. Usage: --recorder source.
  Result<engine::access::KernelRunOptions> runOptionsOnGpu() const;

  // One that was given; empty: none was.
  std::string firstGiven() const;

 private:
  static Result<engine::access::KernelRun> record(const Context& context,
                                                  const engine::access::KernelFile& kernel,
                                                  engine::access::KernelRunOptions options,
                                                  const ExperimentOptions& experiment);
  Result<void> change(engine::access::LaunchRequest& launch, const std::optional<std::string>& block) const;

  Result<report::KernelStep> runCopy(const Context& context, const std::string& variant,
                                     const ExperimentOptions& options, AlsoOnGpu also) const;
  std::string firstForFiles() const;  // without --recorder
  Result<engine::access::KernelRunOptions> runOptions(const ExperimentOptions& options) const;
  Result<report::KernelStep> step(const Context& context, const engine::access::KernelFile& file,
                                  const std::string& guesses, const ExperimentOptions& options,
                                  AlsoOnGpu also) const;
  Result<void> expect(engine::access::LaunchRequest& launch) const;

  static constexpr std::string_view kAuto = "auto", kAccess = "access";
  std::string recorder_{kAuto};
  std::optional<std::string> block_, kernel_, template_, grid_, shared_, launchFile_, inspect_,
      inspectLaunch_, sameAs_;
  std::vector<std::string> arguments_, expected_;
};

// Runs of persons' kernels, and of what else KernelOptions takes, as a recording, for commands that take one
// in place of an engine. It goes with this.
struct RecordedKernels {
  std::unique_ptr<engine::sandbox::PrivateFolder> folder;
  std::string recording;           // its path
  std::vector<std::string> names;  // by what was named: the variant that the recording has it as
};
Result<RecordedKernels> recordKernels(const Context& context, const std::vector<std::string>& kernelNames,
                                      const KernelOptions& kernels, const ExperimentOptions& options,
                                      AlsoOnGpu also = {});

// Tells the notes of a run that is kept or compared rather than shown, and why it did not end, or what is
// wrong.
void tellRun(const Context& context, const report::KernelStep& step);

// The code that a command ends with that shows it; `limited`: a limit was met.
ExitCode exitCodeOf(const report::KernelStep& step, bool limited);

}  // namespace stridescope::cli
