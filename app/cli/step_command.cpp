// stridescope step
#include <fmt/format.h>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "report/runs.h"

namespace stridescope::cli {
namespace {

// The rounds that were asked for, if there is any such round.
Result<std::optional<report::RoundRange>> existingRounds(const std::optional<std::string>& given,
                                                         const analysis::Analysis& analysis) {
  if (!given) return std::optional<report::RoundRange>();
  return parseRounds(*given).and_then(
      [&](report::RoundRange range) -> Result<std::optional<report::RoundRange>> {
        const std::size_t most = analysis::mostRounds(analysis);
        if (range.first < most) return std::optional(range);
        return usageError(most == 0 ? fmt::format("--round {} is not there: nothing was recorded.", *given)
                                    : fmt::format("--round {} is not there: the rounds are 0 to {}.", *given,
                                                  figure(most - 1)));
      });
}

class StepCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "step";
    options.about = "Runs one reduction and tells what each of its rounds did";
    options.value("variant", variant_,
                  "One of `stridescope list`, or a file with a kernel of your own: FILE.cu", "VARIANT");
    options_.declare(options);
    kernel_.declare(options);
    options.value("--round", rounds_, "Show only these rounds, such as 4 or 2-5, and more of each", "ROUND");
    options.flag("--cycles", cycles_, "What each round cost in cycles of the SM's clock; on a GPU");
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "Examples:\n"
        "  stridescope step interleaved_contiguous\n"
        "  stridescope step sequential --type int64 --op max --threads 64 --data random --seed 7\n"
        "  stridescope step unrolled_last_warp -n 2^20 --round 4 --engine host\n"
        "  stridescope step sequential --combine 'a > b ? a : b' --identity=-2147483648\n"
        "  stridescope step sequential --engine lecture.stride --json\n"
        "  stridescope step transpose.cu --grid 2x2 --block 32x8 --arg in=ramp:4096 --arg out=zero:4096 "
        "--arg n=64";
  }

  ExitCode run(const Context& context) override {
    const auto isOwn = kernel_.takes({&variant_, 1}, options_);
    if (!isOwn) return tell(context, isOwn.error());
    if (*isOwn) return runKernel(context);
    const auto experimentRequest = readExperimentRequest(variant_, options_);
    if (!experimentRequest) return tell(context, experimentRequest.error());
    allowTypedCode(*experimentRequest, *context.services.trust);
    if (rounds_)
      if (const auto range = parseRounds(*rounds_); !range) return tell(context, range.error());
    if (const auto fault = engineNameFault(options_.engine)) return tell(context, *fault);
    // What cannot run at all is said before an engine is started; a recording may hold what the catalogue
    // no longer has.
    const bool recorded = isRecordingName(options_.engine);
    if (!recorded)
      if (const auto experiment = completed(*experimentRequest); !experiment)
        return tell(context, experiment.error());

    const auto engine = openEngine(context, options_.engine);
    if (!engine) return tell(context, engine.error());
    LongWork work(context.terminal);
    auto trace = engine->traceOf(*experimentRequest, work.job);
    work.line.clear();
    if (!trace) return tell(context, trace.error());
    for (const std::string& warning : model::warningsOf(trace->trial))
      context.streams.error << "warning: " << warning << "\n";
    const lab::Run run = lab::runOf(*std::move(trace));
    const auto rounds = existingRounds(rounds_, run.analysis);
    if (!rounds) return tell(context, rounds.error());
    std::optional<lab::RunCycles> cycles;
    if (cycles_) {
      cycles = findCycles(context, *engine, options_.engine, run, work.job);
      work.line.clear();
      for (const std::string& note : cycles->notes) context.streams.error << printable(note) << "\n";
    }
    const lab::RunCycles* const shown = cycles ? &*cycles : nullptr;
    MemoryBudget text;  // apart from the analysis: what is printed is not kept
    bool whole = true;
    if (json_)
      whole = report::writeStepJson(context.streams.out, run, *rounds, text, shown);
    else
      context.streams.out << report::stepText(run, *rounds, shown);
    return exitCodeOf(run.trace, !whole || metLimit(run.analysis));
  }

 private:
  ExitCode runKernel(const Context& context) const {
    if (rounds_)
      if (const auto range = parseRounds(*rounds_); !range) return tell(context, range.error());
    return printStep(context, kernel_.run(context, variant_, options_, {.clock = cycles_}));
  }

  ExitCode printStep(const Context& context, const Result<report::KernelStep>& step) const {
    if (!step) return tell(context, step.error());
    const auto range = rounds_ ? std::optional(*parseRounds(*rounds_)) : std::nullopt;
    if (const auto rounds = existingRounds(rounds_, step->run.analysis); !rounds)
      return tell(context, rounds.error());
    MemoryBudget budget;
    bool isWhole = true;
    if (json_)
      isWhole = report::writeKernelStepJson(context.streams.out, *step, range, budget);
    else
      context.streams.out << report::kernelStepText(*step, range);
    return exitCodeOf(*step, !isWhole);
  }

  std::string variant_;
  KernelOptions kernel_;
  ExperimentOptions options_;
  std::optional<std::string> rounds_;
  bool cycles_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeStepCommand() { return std::make_unique<StepCommand>(); }

}  // namespace stridescope::cli
