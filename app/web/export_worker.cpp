// What a worker does that the page asked for an export: with the traces in a recording of its own it makes
// what the command `export` would make of it. Then the files are in the worker's memory.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "base/pending_file.h"
#include "engine/worker/byte_archive.h"
#include "export_question.h"
#include "handout/handouts.h"
#include "handout/question_sheet.h"
#include "lab/known/recorded.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "lab/sources/sources.h"
#include "page_services.h"
#include "painter/window_painter.h"
#include "teaching/sheet.h"
#include "worker_question.h"

EM_JS(void, workerProgress, (double fraction, const char* doing),
      { postMessage({fraction, doing : UTF8ToString(doing)}); });

namespace stridescope::web {
namespace {

constexpr const char* kRecording = "/run.stride";

handout::Format formatOf(session::ExportAs as) {
  switch (as) {
    case session::ExportAs::Gif:
      return handout::Format::Gif;
    case session::ExportAs::Html:
      return handout::Format::Html;
    case session::ExportAs::Csv:
      return handout::Format::Csv;
    case session::ExportAs::Markdown:
      return handout::Format::Markdown;
    case session::ExportAs::Png:
    case session::ExportAs::Pictures:
    case session::ExportAs::Quiz:
      break;
  }
  return handout::Format::Png;
}

Result<handout::Request> requestOf(const session::ExportFile& file, session::ThemeName theme, double speed) {
  handout::Request request{.format = formatOf(file.as),
                           .file = file.path,
                           .overwrite = true,
                           .rounds = {},
                           .window = {.presented = file.presented},
                           .panel = file.panel,
                           .theme = {},
                           .speed = speed,
                           .questions = file.questions,
                           .values = file.values,
                           .engine = kRecording};
  if (!file.rounds.empty()) {
    const auto rounds = handout::parseRounds(file.rounds, "--rounds");
    if (!rounds) return tl::unexpected(rounds.error());
    request.rounds = *rounds;
  }
  if (request.format == handout::Format::Gif || request.format == handout::Format::Png) {
    request.window = {file.width, file.height, file.scale, file.presented};
    request.theme =
        theme == session::ThemeName::Dark ? handout::PictureTheme::Dark : handout::PictureTheme::Light;
  }
  return request;
}

// The traces with their cycles, as a recording of them tells.
Result<handout::Runs> runsOf(const session::ExportedTraces& traces) {
  STRIDESCOPE_TRY(archive::writeRecording(kRecording, traces.traces, true, {traces.clocks, traces.counters}));
  const auto index = archive::readIndex(kRecording);
  if (!index) return tl::unexpected(index.error());
  const lab::Recorded recorded = lab::recordedFor(kRecording, {});
  handout::Runs runs;
  for (const archive::RecordingEntry& entry : index->traces) {
    auto trace = archive::readTrace(kRecording, entry.id);
    if (!trace) return tl::unexpected(trace.error());
    auto known = std::make_unique<lab::KnownRun>(lab::KnownRun{.run = lab::runOf(*std::move(trace))});
    const auto clocks = lab::recordsOf(recorded.of<model::ClockRecord>(), entry.experiment);
    known->measured.cycles = lab::cyclesOf(known->run, clocks);
    runs.push_back(std::move(known));
  }
  return runs;
}

// What a session is given that is only drawn. What the recordings have measured is read once.
class PaintedServices {
 public:
  session::SessionServices make() {
    session::SessionServices services = pageServices(fetched_, {});
    if (isRead_) {
      services.timings->showRecorded(fetched_->records.of<model::TimingRecord>().all(),
                                     fetched_->records.of<model::CostRecord>().all(),
                                     fetched_->records.of<model::GroupTimingRecord>().all(),
                                     fetched_->records.of<model::LinkRecord>().all());
    } else {
      RecordingsReader reader;
      while (!reader.takeTurn(*fetched_, *services.timings)) {
      }
      isRead_ = true;
    }
    services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
      return unavailable("Nothing is recorded while pictures are drawn.");
    };
    return services;
  }

 private:
  std::shared_ptr<FetchedRecordings> fetched_ = std::make_shared<FetchedRecordings>();
  bool isRead_ = false;
};

Result<void> writeSheet(const std::filesystem::path& file, const lab::Run& run) {
  const teaching::Sheet sheet = teaching::sheetOf(run, model::Experiment().seed, handout::kSheetQuestions);
  if (sheet.questions.empty())
    return unavailable(
        "Nothing can be asked about this run: no round of it determines an answer. Choose another kernel.");
  STRIDESCOPE_TRY(writeWhole(file, handout::sheetHtml(run.trace, sheet), true));
  return {};
}

Result<void> makeFiles(std::span<const std::byte> question) {
  engine::worker::ByteReader reader(question);
  session::ExportFile file;
  session::ThemeName theme{};
  double speed = 1;
  session::ExportedTraces traces;
  exchangeFile(reader, file);
  reader(theme, speed);
  exchangeTraces(reader, traces);
  if (!reader.isComplete()) return unavailable("The worker was sent no export. Load the page again.");
  auto request = requestOf(file, theme, speed);
  if (!request) return tl::unexpected(request.error());
  const auto runs = runsOf(traces);
  if (!runs) return tl::unexpected(runs.error());
  if (file.as == session::ExportAs::Quiz) return writeSheet(file.path, runs->front()->run);
  engine::JobControl job;
  job.progress = [](float fraction, const std::string& doing) {
    workerProgress(double(fraction), doing.c_str());
  };
  const auto services = std::make_shared<PaintedServices>();
  const handout::Maker maker{STRIDESCOPE_VERSION, [services](const handout::PainterSetup& setup) {
                               return painter::makeWindowPainter(setup,
                                                                 [services] { return services->make(); });
                             }};
  return handout::write(maker, *request, *runs, job);
}

}  // namespace

engine::worker::ByteWriter answerTo(std::span<const std::byte> question) {
  const auto made = withoutExceptions("exporting", [&] { return makeFiles(question); });
  engine::worker::ByteWriter answer;
  answer(made ? std::optional<Error>() : std::optional(made.error()));
  return answer;
}

}  // namespace stridescope::web
