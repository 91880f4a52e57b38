// stridescope timeline
#include <fmt/format.h>

#include <ostream>
#include <string>

#include "analysis/grid_timeline.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/experiment_options.h"
#include "cli/json_writer.h"
#include "cli/long_work.h"
#include "engine/experiment_check.h"
#include "lab/known/measured_runs.h"
#include "model/clock_record.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

// A reduction's blocks in time, as text and as JSON.

narration::MeasuredFrom originOf(const model::TimelineRecord& record) {
  return record.executor.kind == model::EngineKind::Recorded ? narration::MeasuredFrom::Recording
                                                             : narration::MeasuredFrom::ThisRun;
}

std::string paragraph(const std::string& text) {
  return narration::wrapped(text, narration::kTextColumns) + "\n";
}

// Lists launches and gaps, and draws the blocks in characters: a row for each multiprocessor, time to the
// right.
std::string timelineText(const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  std::string text =
      engine::summaryOf(record.experiment) + "\n" + paragraph(narration::markedRun(originOf(record), record));
  if (const std::string cost = narration::markingCost(record); !cost.empty()) text += paragraph(cost);
  for (std::size_t launch = 0; launch < record.launches.size(); ++launch)
    text += paragraph(narration::launchTimes(record, timeline, launch));
  return text + "\n" + narration::timelineMap(timeline);
}

// Format 1, with every block.
void writeTimelineJson(std::ostream& out, const model::TimelineRecord& record) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  writeRun(json, record.experiment, record.executor);
  json.member("grid", timeline.launches.front().blocks);
  json.member("threads", record.experiment.threads);
  json.member("multiprocessors", record.multiprocessors);
  json.member("runs", record.runs);
  json.member("microseconds_marked", record.markedMicroseconds);
  json.member("microseconds_clean", record.cleanMicroseconds);
  json.member("nanoseconds", timeline.nanoseconds);
  json.member("begin_known_within_nanoseconds", record.placedWithin);
  json.key("launches");
  json.beginArray();
  for (std::size_t i = 0; i < record.launches.size(); ++i) {
    const analysis::LaunchTimes& times = timeline.launches[i];
    json.beginObject();
    json.member("grid", times.blocks);
    json.member("threads", record.launches[i].block);
    json.member("resident_blocks_per_multiprocessor", times.residentBlocks);
    json.member("multiprocessors_used", times.used);
    json.member("waves", times.waves);
    json.member("start", times.time.begin);
    json.member("last_start", times.lastStart);
    json.member("end", times.time.end);
    json.endObject();
  }
  json.endArray();
  json.key("blocks");
  json.beginArray();
  for (const analysis::BlockBar& bar : timeline.bars) {
    json.breakLine();
    json.beginObject();
    json.member("launch", bar.launch);
    json.member("block", bar.block);
    json.member("multiprocessor", timeline.rows[bar.row].multiprocessor);
    json.member("slot", bar.slot);
    json.member("start", bar.time.begin);
    json.member("end", bar.time.end);
    json.endObject();
  }
  json.breakLine();
  json.endArray();
  json.endObject();
  json.endLine();
}

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
    options.footer =
        "The clean kernel runs with one mark a block: its SM, its start and its end by the GPU's global "
        "timer.\n"
        "It runs without marks as often, so that what they cost is known.\n"
        "Examples:\n"
        "  stridescope timeline sequential --size 2^20\n"
        "  stridescope timeline grid_stride --size 2^24 --json";
  }

  ExitCode run(const Context& context) override {
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
      writeTimelineJson(context.streams.out, record);
    else
      context.streams.out << timelineText(record);
    return file_.empty() ? ExitCode::Right : draw(context, *experiment);
  }

 private:
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
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTimelineCommand() { return std::make_unique<TimelineCommand>(); }

}  // namespace stridescope::cli
