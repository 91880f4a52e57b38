// stridescope export
#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "cli/commands.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "handout/handouts.h"

namespace stridescope::cli {
namespace {

struct Format {
  handout::Format format{};
  std::string_view name, ending;
};
constexpr Format kFormats[] = {{handout::Format::Png, "png", ".png"},
                               {handout::Format::Gif, "gif", ".gif"},
                               {handout::Format::Html, "html", ".html"},
                               {handout::Format::Csv, "csv", ".csv"},
                               {handout::Format::Markdown, "md", ".md"}};

std::vector<std::string> formatNames() {
  std::vector<std::string> names;
  for (const Format& each : kFormats) names.emplace_back(each.name);
  return names;
}

class ExportCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "export";
    options.about = "Hands out a run: pictures, a GIF, a page that stands alone, tables";
    options.value("variants", variants_, "One of `stridescope list`, or FILE.cu; or several, between commas",
                  "VARIANT[,VARIANT]");
    options.value("--as", as_, "png, gif, html, csv or md; as FILE ends unless given", "FORMAT");
    options.value("-o,--output", file_, "The file to write; of several pictures a folder", "FILE");
    options.flag("--force", force_, "Replace a file that is there already, or write into a folder that is");
    options.value("--rounds", rounds_, "These rounds: 4 or 2..5; all unless given", "A..B");
    options.value("--size", size_, "png, gif: of the window, in pixels; 1600x1000 unless given", "WxH");
    options.value("--scale", scale_, "png, gif: of text and controls, .5 to 3; 1 unless given", "SCALE");
    options.value("--panel", panel_, "png, gif: only this panel, such as banks", "PANEL");
    options.flag("--presented", presented_,
                 "png, gif: as Present shows it; html: in letters for a projector");
    options.value("--theme", theme_, "dark or light; dark unless given, of html as the reader's system is",
                  "THEME");
    options.value("--speed", speed_, "gif: rounds per second, .25 to 8; 1 unless given", "ROUNDS");
    options.flag("--question", question_, "html: a question before each round is revealed");
    options.flag("--values", values_, "csv, md: the values of shared memory, too");
    options_.declare(options);
    kernels_.declare(options);
    options.footer =
        "Examples:\n"
        "  stridescope export interleaved_contiguous,sequential -o compare.html\n"
        "  stridescope export sequential -o steps.gif --panel shared_memory --theme light\n"
        "  stridescope export sequential --as png -o pictures --rounds 1..4 --scale 2 --size 3200x2000\n"
        "  stridescope export warp_shuffle -o rounds.csv --values";
  }

  ExitCode run(const Context& context) override {
    engine::JobControl job;
    const CancelOnSignal signals(job);
    ProgressLine line(context.terminal);
    followProgress(context, line, job);
    handout::Runs runs;
    const auto written = write(context, runs, job);
    line.clear();
    if (!written) return tell(context, written.error());
    if (context.services.exportWritten) context.services.exportWritten();
    ExitCode code = ExitCode::Right;
    for (const auto& run : runs) code = worseOf(code, tellLimit(context, run->run.analysis));
    return code;
  }

 private:
  static void followProgress(const Context& context, ProgressLine& line, engine::JobControl& job) {
    job.progress = [show = line.follower(), other = context.services.exportProgress](
                       float fraction, const std::string& doing) {
      show(fraction, doing);
      if (other) other(fraction, doing);
    };
  }

  Result<void> write(const Context& context, handout::Runs& runs, engine::JobControl& job) {
    const auto request = readRequest(context);
    if (!request) return tl::unexpected(request.error());
    STRIDESCOPE_TRY(handout::mayBeWritten(*request));
    auto own = recordOwn(context);
    if (!own) return tl::unexpected(own.error());
    const std::string engineName = own->recording.empty() ? options_.engine : own->recording;
    const auto experiments = own->recording.empty() ? readExperiments(context) : readOwn(*own);
    if (!experiments) return tl::unexpected(experiments.error());
    const auto engine = openEngine(context, engineName);
    if (!engine) return tl::unexpected(engine.error());
    for (std::size_t i = 0; i < experiments->size(); ++i) {
      auto trace = traceOf(*engine, *experiments, i, job);
      if (!trace) return tl::unexpected(trace.error());
      runs.push_back(std::make_unique<lab::KnownRun>(lab::KnownRun{.run = lab::runOf(*std::move(trace))}));
      runs.back()->measured.cycles = findCycles(context, *engine, engineName, runs.back()->run, job);
    }
    const handout::Maker maker{context.services.version, context.services.makePainter};
    return handout::write(maker, *request, runs, job);
  }

  // A variant that is named twice means two of the recording's traces of it, in their order.
  static Result<model::Trace> traceOf(const ChosenEngine& engine, std::span<const ExperimentRequest> all,
                                      std::size_t place, engine::JobControl& job) {
    const auto isSame = [&](const ExperimentRequest& each) {
      return each.experiment.variant == all[place].experiment.variant;
    };
    if (!engine.isRecording() || std::ranges::count_if(all, isSame) == 1)
      return engine.traceOf(all[place], job, true);
    return engine.nthTraceOf(all[place], std::size_t(std::ranges::count_if(all.first(place), isSame)), job);
  }

  Result<handout::Request> readRequest(const Context& context) const {
    handout::Request request;
    if (file_.empty()) return usageError("export needs a file to write, such as -o page.html.");
    request.file = file_;
    request.overwrite = force_;
    request.engine = options_.engine;
    const auto format = readFormat();
    if (!format) return tl::unexpected(format.error());
    request.format = *format;
    if (const auto stray = strayOption(*format)) return tl::unexpected(*stray);
    if (rounds_) {
      const auto rounds = parseRounds(*rounds_, "--rounds");
      if (!rounds) return tl::unexpected(rounds.error());
      request.rounds = handout::Rounds{rounds->first, rounds->last};
    }
    const auto size = parsePictureSize(size_.value_or("1600x1000"));
    if (!size) return tl::unexpected(size.error());
    const auto scale = parseScale(scale_.value_or("1"));
    if (!scale) return tl::unexpected(scale.error());
    request.window = {size->width, size->height, *scale, presented_};
    const auto& panels = context.services.panels;
    if (panel_ && std::ranges::find(panels, *panel_) == panels.end())
      return tl::unexpected(notOneOf("--panel", *panel_, panels));
    request.panel = panel_.value_or("");
    if (theme_ && *theme_ != "dark" && *theme_ != "light")
      return tl::unexpected(notOneOf("--theme", *theme_, {"dark", "light"}));
    if (theme_) request.theme = *theme_ == "dark" ? ShotTheme::Dark : ShotTheme::Light;
    const auto speed = parseSpeed(speed_.value_or("1"));
    if (!speed) return tl::unexpected(speed.error());
    request.speed = *speed;
    request.questions = question_;
    request.values = values_;
    return request;
  }

  Result<handout::Format> readFormat() const {
    const std::string ending = std::filesystem::path(file_).extension().string();
    const auto found = std::ranges::find_if(
        kFormats, [&](const Format& each) { return as_ ? each.name == *as_ : each.ending == ending; });
    if (found != std::end(kFormats)) return found->format;
    if (as_) return tl::unexpected(notOneOf("--as", *as_, formatNames()));
    return usageError(fmt::format("What \"{}\" shall be is not known. Say it with --as {}.", file_,
                                  fmt::join(formatNames(), ", ")));
  }

  // An option that the format has nothing to do with.
  std::optional<Error> strayOption(handout::Format format) const {
    const bool pictures = format == handout::Format::Png || format == handout::Format::Gif;
    const bool tables = format == handout::Format::Csv || format == handout::Format::Markdown;
    const struct {
      bool given, belongs;
      std::string_view option, formats;
    } all[] = {{size_.has_value(), pictures, "--size", "png and gif"},
               {scale_.has_value(), pictures, "--scale", "png and gif"},
               {panel_.has_value(), pictures, "--panel", "png and gif"},
               {presented_, !tables, "--presented", "png, gif and html"},
               {theme_.has_value(), !tables, "--theme", "png, gif and html"},
               {speed_.has_value(), format == handout::Format::Gif, "--speed", "gif"},
               {question_, format == handout::Format::Html, "--question", "html"},
               {values_, tables, "--values", "csv and md"}};
    for (const auto& each : all)
      if (each.given && !each.belongs)
        return Error{ErrorKind::Usage,
                     fmt::format("{} is an option of {} alone. Leave it out.", each.option, each.formats)};
    return std::nullopt;
  }

  // Persons' own kernels, where such are named: all of them, or none.
  Result<RecordedKernels> recordOwn(const Context& context) const {
    std::vector<std::string> named;
    for (std::size_t begin = 0; begin <= variants_.size();) {
      const std::size_t end = std::min(variants_.find(',', begin), variants_.size());
      named.push_back(variants_.substr(begin, end - begin));
      begin = end + 1;
    }
    const auto isOwn = kernels_.takes(named, options_);
    if (!isOwn) return tl::unexpected(isOwn.error());
    if (!*isOwn || variants_.empty()) return RecordedKernels();
    if (!std::ranges::all_of(named, [&](const std::string& name) { return kernels_.takes(name, options_); }))
      return usageError(
          "export takes variants or files of your own, not both at once. Export them one by one.");
    return recordKernels(context, named, kernels_, options_, {.code = true});
  }
  static Result<std::vector<ExperimentRequest>> readOwn(const RecordedKernels& own) {
    std::vector<ExperimentRequest> requests;
    for (const std::string& name : own.names) {
      auto request = readExperimentRequest(name, ExperimentOptions());
      if (!request) return tl::unexpected(request.error());
      requests.push_back(*std::move(request));
    }
    return requests;
  }

  Result<std::vector<ExperimentRequest>> readExperiments(const Context& context) const {
    if (const auto fault = engineNameFault(options_.engine)) return tl::unexpected(*fault);
    const bool recorded = isRecordingName(options_.engine);
    if (variants_.empty() && !recorded)
      return usageError("export needs a variant; `stridescope list` has them.");
    std::vector<ExperimentRequest> requests;
    for (std::size_t begin = 0; begin <= variants_.size();) {
      const std::size_t end = std::min(variants_.find(',', begin), variants_.size());
      auto request = readExperimentRequest(variants_.substr(begin, end - begin), options_);
      if (!request) return tl::unexpected(request.error());
      allowTypedCode(*request, *context.services.trust);
      // What cannot run at all is said before an engine is started; a recording may hold what the catalogue
      // no longer has.
      if (!recorded)
        if (const auto experiment = completed(*request); !experiment)
          return tl::unexpected(experiment.error());
      requests.push_back(*std::move(request));
      begin = end + 1;
    }
    return requests;
  }

  std::string variants_, file_;
  std::optional<std::string> as_, rounds_, size_, scale_, panel_, theme_, speed_;
  bool force_ = false, presented_ = false, question_ = false, values_ = false;
  ExperimentOptions options_;
  KernelOptions kernels_;
};

}  // namespace

std::unique_ptr<Command> makeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace stridescope::cli
