// stridescope shot
#include <algorithm>

#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "kernels/catalog.h"

namespace stridescope::cli {
namespace {

class ShotCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "shot";
    options.about = "Draws the window into a PNG; needs no display";
    options.value("file", file_, "The picture to write", "FILE.png");
    options.value("--size", size_, "1600x1000 unless given", "WxH");
    options.value("--scale", scale_, "Of text and controls, .5 to 3; 1 unless given", "SCALE");
    options.value("--theme", theme_, "dark (default) or light", "THEME");
    options.value(
        "--variant", variant_,
        "One of `stridescope list`, or FILE.cu; interleaved_contiguous unless given, or what the recording "
        "begins with",
        "VARIANT");
    options.value("--pass", pass_, "Of a round of several: the pass shown; 0 unless given", "PASS");
    options.value("--round", round_, "The round shown; 0 unless given", "ROUND");
    options.value("--thread", thread_, "A thread of the block that every map follows", "THREAD");
    options.value("--beside", beside_, "Draws the Compare mode, with this variant at the right", "VARIANT");
    options.value("--panel", panel_, "Draws only this panel, such as banks", "PANEL");
    options.value("--mode", mode_,
                  "Of the window: explore (default); predict, with the round hidden; compare; or present",
                  "MODE");
    options_.declare(options);
    kernels_.declare(options);
    options.footer =
        "Examples:\n"
        "  stridescope shot picture.png --variant interleaved_contiguous --round 4\n"
        "  stridescope shot slide.png --size 1920x1080 --scale 1.5 --theme light --engine lecture.stride\n"
        "  stridescope shot banks.png --panel banks --variant interleaved_contiguous --round 4\n"
        "  stridescope shot slide.png --mode present --size 1920x1080 --round 4";
  }

  ExitCode run(const Context& context) override {
    const std::string named = variant_.value_or(kDefaultVariant);
    const auto isOwn = kernels_.takes({&named, 1}, options_);
    if (!isOwn) return tell(context, isOwn.error());
    RecordedKernels own;  // what is drawn is read from it
    if (*isOwn) {
      auto recorded = recordKernels(context, {named}, kernels_, options_, {.code = true});
      if (!recorded) return tell(context, recorded.error());
      own = *std::move(recorded);
      options_ = ExperimentOptions();
      options_.engine = own.recording;
      variant_.reset();
    }
    auto request = readRequest(context);
    if (!request) return tell(context, request.error());
    if (!context.services.drawShot)
      return tell(context, {ErrorKind::Unavailable, "Pictures of the window are not built in."});
    ProgressLine line(context.terminal);
    request->progress = line.follower();
    const auto executor = context.services.drawShot(*request);
    line.clear();
    if (!executor) return tell(context, executor.error());
    if (request->engine == "auto") context.streams.error << "engine: " << executor->device << "\n";
    return ExitCode::Right;
  }

 private:
  Result<ShotRequest> readRequest(const Context& context) const {
    if (file_.empty()) return usageError("shot needs a file to write, such as picture.png.");
    ShotRequest request;
    request.file = file_;
    const auto size = parsePictureSize(size_);
    if (!size) return tl::unexpected(size.error());
    request.width = size->width;
    request.height = size->height;
    const auto scale = parseScale(scale_);
    if (!scale) return tl::unexpected(scale.error());
    request.scale = *scale;
    if (theme_ != "dark" && theme_ != "light")
      return tl::unexpected(notOneOf("--theme", theme_, {"dark", "light"}));
    if (panel_ && std::ranges::find(context.services.panels, *panel_) == context.services.panels.end())
      return tl::unexpected(notOneOf("--panel", *panel_, context.services.panels));
    request.panel = panel_.value_or("");
    request.beside = variantNamed(beside_);
    if (!beside_.empty() && kernels::findVariant(request.beside) == nullptr)
      return tl::unexpected(noVariant("--beside", beside_));
    if (!beside_.empty() && panel_)
      return usageError("--panel draws one panel of one run; leave out --beside.");
    if (mode_ && std::ranges::find(context.services.modes, *mode_) == context.services.modes.end())
      return tl::unexpected(notOneOf("--mode", *mode_, context.services.modes));
    request.mode = mode_.value_or("");
    request.theme = theme_ == "dark" ? ShotTheme::Dark : ShotTheme::Light;
    const auto round = parseNumberWithin("--round", round_, 0, kMaxRounds);
    if (!round) return tl::unexpected(round.error());
    request.round = unsigned(*round);
    const auto pass = parseNumberWithin("--pass", pass_, 0, kMaxRounds);
    if (!pass) return tl::unexpected(pass.error());
    request.pass = unsigned(*pass);
    if (const auto fault = engineNameFault(options_.engine)) return tl::unexpected(*fault);
    request.engine = options_.engine;
    auto experimentRequest = readExperimentRequest(variant_.value_or(""), options_);
    if (!experimentRequest) return tl::unexpected(experimentRequest.error());
    if (!variant_) experimentRequest->experiment.variant = kDefaultVariant;
    allowTypedCode(*experimentRequest, *context.services.trust);
    const auto experiment = experimentOf(context, *experimentRequest, request.recording);
    if (!experiment) return tl::unexpected(experiment.error());
    request.experiment = *experiment;
    if (!thread_.empty()) {
      const auto thread = parseNumberWithin("--thread", thread_, 0, experiment->threads - 1);
      if (!thread) return tl::unexpected(thread.error());
      request.thread = unsigned(*thread);
    }
    request.elementsGiven = experimentRequest->given.has(&model::Experiment::elements);
    return request;
  }

  // The experiment to draw. A recording has the one that opening it in the window shows, unless an option
  // asks for another.
  Result<model::Experiment> experimentOf(const Context& context, const ExperimentRequest& experimentRequest,
                                         std::optional<archive::RecordingIndex>& index) const {
    if (!isRecordingName(options_.engine)) return completed(experimentRequest);
    const auto recording = openEngine(context, options_.engine);
    if (!recording) return tl::unexpected(recording.error());
    const auto entry = recording->entryOf(experimentRequest, true);
    if (!entry) return tl::unexpected(entry.error());
    index = recording->index();
    return (*entry)->experiment;
  }

  static constexpr std::uint64_t kMaxRounds = 1u << 20;
  static constexpr const char* kDefaultVariant = "interleaved_contiguous";

  std::string file_, size_ = "1600x1000", scale_ = "1", theme_ = "dark", round_ = "0", pass_ = "0", thread_,
                     beside_;
  std::optional<std::string> variant_, panel_, mode_;
  ExperimentOptions options_;
  KernelOptions kernels_;
};

}  // namespace

std::unique_ptr<Command> makeShotCommand() { return std::make_unique<ShotCommand>(); }

}  // namespace stridescope::cli
