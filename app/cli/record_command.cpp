// stridescope record
#include <fmt/format.h>

#include <span>
#include <system_error>

#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "kernels/catalog.h"

namespace stridescope {
namespace {

class RecordCommand : public Command {
 public:
  CLI::App* addTo(CLI::App& program) override {
    CLI::App* command =
        program.add_subcommand("record", "Runs reductions and keeps their traces in a recording");
    command->add_option("variants", variants_, "Some of `stridescope list`")->type_name("VARIANT");
    command->add_flag("--all", all_, "Every variant");
    command->add_option("-o,--output", file_, "The recording to write")->type_name("FILE.stride");
    command->add_flag("--force", force_, "Replace a file that is there already");
    options_.addTo(*command);
    command->footer(
        "Examples:\n"
        "  stridescope record interleaved_contiguous sequential -o lecture.stride\n"
        "  stridescope record --all --threads 1024 --type float -o ladder.stride --force");
    return command;
  }

  ExitCode run(const Context& context) override {
    const auto wishes = readWishes();
    if (!wishes) return tell(context, wishes.error());
    const auto engine = openEngine(context, options_.engine);
    if (!engine) return tell(context, engine.error());
    bool allRight = true;
    std::vector<Trace> traces;
    for (const ExperimentWish& wish : *wishes) {
      if (context.streams.errorIsTerminal)
        context.streams.error << "recording " << wish.experiment.variant << "\n";
      JobControl job;
      auto trace = engine->traceOf(wish, job);
      if (!trace) return tell(context, trace.error());
      allRight = allRight && trace->ok;
      traces.push_back(std::move(*trace));
    }
    if (const auto written = writeRecording(file_, traces, force_); !written)
      return tell(context, written.error());
    for (const Trace& trace : traces)
      context.streams.out << fmt::format("{}: {}\n", describe(trace.experiment),
                                         trace.ok ? "equal" : "DIFFERENT");
    context.streams.out << fmt::format("{}: {} trace{}\n", file_, traces.size(),
                                       traces.size() == 1 ? "" : "s");
    return allRight ? ExitCode::Right : ExitCode::Wrong;
  }

 private:
  // Everything that can be wrong is said before anything runs.
  Result<std::vector<ExperimentWish>> readWishes() const {
    if (file_.empty()) return usageError("record needs a file to write: -o FILE.stride.");
    if (variants_.empty() && !all_)
      return usageError("record needs one variant or more, or --all; `stridescope list` has them.");
    if (!variants_.empty() && all_) return usageError("record takes either variants or --all, not both.");
    std::error_code ignored;
    if (!force_ && std::filesystem::exists(file_, ignored))
      return unavailable(fmt::format("{} is there already; --force replaces it.", file_));
    if (const auto fault = engineNameFault(options_.engine)) return tl::unexpected(*fault);
    std::vector<std::string> ids = variants_;
    if (all_)
      for (const Variant& variant : catalog()) ids.emplace_back(variant.id);

    std::vector<ExperimentWish> wishes;
    for (const std::string& id : ids) {
      auto wish = readWish(id, options_);
      if (!wish) return tl::unexpected(wish.error());
      const auto experiment = completed(*wish);
      if (!experiment && !isRecordingName(options_.engine)) return tl::unexpected(experiment.error());
      wishes.push_back(std::move(*wish));
    }
    return wishes;
  }

  std::vector<std::string> variants_;
  std::string file_;
  bool all_ = false, force_ = false;
  ExperimentOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeRecordCommand() { return std::make_unique<RecordCommand>(); }

}  // namespace stridescope
