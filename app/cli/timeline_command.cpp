// stridescope timeline
#include <string>

#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/experiment_options.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
#include "lab/known/measured_runs.h"
#include "model/clock_record.h"
#include "report/measured.h"

namespace stridescope::cli {
namespace {

class TimelineCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "timeline";
    options.about = "Marks when and on which SM each block of a reduction runs";
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options.value("--size", size_, "The number of elements, as -n", "N");
    options_.declare(options);
    options.flag("--json", json_, "As JSON, format 1, with every block");
    options.value("-o,--output", file_, "Draws the Timeline panel into a picture, too", "FILE.png");
    kernel_.declare(options);
    options.footer =
        "The clean kernel runs with one mark a block: its SM, its start and its end by the GPU's global "
        "timer.\n"
        "It runs without marks as often, so that what they cost is known.\n"
        "Examples:\n"
        "  stridescope timeline sequential --size 2^20\n"
        "  stridescope timeline grid_stride --size 2^24 --json\n"
        "  stridescope timeline transpose.cu";
  }

  ExitCode run(const Context& context) override {
    if (model::isKernelFile(variant_)) return timeKernelFile(context);
    if (const std::string option = kernel_.firstGiven(); !option.empty())
      return tell(context, {ErrorKind::Usage, option + " goes with a file of your own, FILE.cu."});
    if (variant_.empty())
      return tell(context, usageError("timeline takes one variant; `stridescope list` has them.").value());
    if (const auto fault = engineNameFault(options_.engine)) return tell(context, *fault);
    if (!file_.empty() && !file_.ends_with(".png"))
      return tell(context, usageError("-o draws a picture: end " + file_ + " with .png.").value());
    const auto experiment = sizedExperiment(context, variant_, size_, options_);
    if (!experiment) return tell(context, experiment.error());
    LongWork work(context.terminal);
    const auto runs = lab::measuredRuns<model::TimelineRecord>(context.services.sources, options_.engine,
                                                               {&*experiment, 1}, work.job);
    work.line.clear();
    if (!runs) return tell(context, runs.error());
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
    if (runs->records.empty()) return tell(context, unavailable("There is no timeline to show.").value());
    const model::TimelineRecord& record = runs->records.front();
    if (json_)
      report::writeTimelineJson(context.streams.out, record);
    else
      context.streams.out << report::timelineText(record);
    return file_.empty() ? ExitCode::Right : draw(context, *experiment);
  }

 private:
  ExitCode timeKernelFile(const Context& context) const {
    if (const auto refused = KernelOptions::refuseOthers(options_); !refused)
      return tell(context, refused.error());
    const std::string other = !size_.empty() ? "--size" : !file_.empty() ? "-o" : "";
    if (!other.empty())
      return tell(context, {ErrorKind::Usage,
                            other + " is for a variant of `stridescope list`, not for " + variant_ + "."});
    return timeOwnBlocks(context, kernel_,
                         {.file = variant_,
                          .block = options_.typed("--block"),
                          .gpu = engine::gpuOf(options_.engine),
                          .asJson = json_});
  }

  ExitCode draw(const Context& context, const model::Experiment& experiment) const {
    if (!context.services.drawShot)
      return tell(context, {ErrorKind::Unavailable, "Pictures of the window are not built in."});
    ShotRequest picture;
    picture.file = file_;
    picture.experiment = experiment;
    picture.elementsGiven = true;
    picture.engine = options_.engine;
    picture.panel = "timeline";
    const auto drawn = context.services.drawShot(picture);
    return drawn ? ExitCode::Right : tell(context, drawn.error());
  }

  std::string variant_, size_, file_;
  ExperimentOptions options_;
  KernelOptions kernel_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTimelineCommand() { return std::make_unique<TimelineCommand>(); }

}  // namespace stridescope::cli
