#include "export_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "archive/recording_file.h"
#include "base/pending_file.h"
#include "cli/command_line.h"
#include "engine/worker/worker_process.h"
#include "window_services.h"

namespace stridescope::program {
namespace {

using engine::worker::WorkerProcess;
using namespace std::chrono_literals;

constexpr std::string_view kExportProcess = "--export-process";
constexpr std::string_view kDone = "done";
constexpr auto kLook = 50ms;    // how often the job is looked at
constexpr auto kEndTime = 10s;  // for clearing up
constexpr const char* kRecording = "run.stride";

// A folder that goes with everything in it.
class PrivateFolder {
 public:
  PrivateFolder() : entry_(makeTemporaryFolder(std::filesystem::temp_directory_path())) {}
  ~PrivateFolder() {
    std::error_code ignored;
    if (entry_.systemError == 0) std::filesystem::remove_all(entry_.path, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const TemporaryEntry& entry() const { return entry_; }

 private:
  TemporaryEntry entry_;
};

std::string_view formatOf(session::ExportAs as) {
  switch (as) {
    case session::ExportAs::Gif:
      return "gif";
    case session::ExportAs::Html:
      return "html";
    case session::ExportAs::Csv:
      return "csv";
    case session::ExportAs::Markdown:
      return "md";
    case session::ExportAs::Png:
    case session::ExportAs::Pictures:
      break;
  }
  return "png";
}

std::vector<std::string> argumentsOf(const session::ExportOrder& order, const std::string& recording) {
  const session::ExportFile& file = order.file;
  std::vector<std::string> arguments{std::string(kExportProcess), "export"};
  const auto add = [&](std::string_view option, std::string value) {
    arguments.push_back(fmt::format("--{}={}", option, value));
  };
  std::vector<std::string> variants;
  for (const session::ExportedRun& each : order.runs) variants.push_back(each.run->trace.experiment.variant);
  for (const model::Experiment& other : order.others) variants.push_back(other.variant);
  if (variants.size() > 1) arguments.push_back(fmt::format("{}", fmt::join(variants, ",")));
  add("as", std::string(formatOf(file.as)));
  add("output", file.path);
  add("engine", recording);
  if (file.overwrite) arguments.emplace_back("--force");
  if (!file.rounds.empty()) add("rounds", file.rounds);
  if (file.questions && file.as == session::ExportAs::Html) arguments.emplace_back("--question");
  const bool table = file.as == session::ExportAs::Csv || file.as == session::ExportAs::Markdown;
  if (file.values && table) arguments.emplace_back("--values");
  const bool film = file.as == session::ExportAs::Gif;
  if (!film && file.as != session::ExportAs::Pictures) return arguments;
  add("theme", std::string(session::nameOf(order.theme)));
  add("size", fmt::format("{}x{}", file.width, file.height));
  add("scale", fmt::format("{}", file.scale));
  if (!file.panel.empty()) add("panel", file.panel);
  if (film) add("speed", fmt::format("{}", order.speed));
  return arguments;
}

// The runs, and the others, which are recorded now.
Result<void> record(const session::ExportOrder& order, const SharedParts& parts, engine::JobControl& job,
                    const std::filesystem::path& recording) {
  std::vector<model::Trace> traces;
  std::vector<model::ClockRecord> clocks;
  std::vector<model::CounterRecord> counters;
  for (const session::ExportedRun& each : order.runs) {
    traces.push_back(each.run->trace);
    const archive::Measured kept = session::keptOf(each.measured);
    clocks.insert(clocks.end(), kept.clocks.begin(), kept.clocks.end());
    counters.insert(counters.end(), kept.counters.begin(), kept.counters.end());
  }
  for (const model::Experiment& other : order.others) {
    const auto engine = sessionServices(parts, {}).makeEngine(order.engine);
    if (!engine) return tl::unexpected(engine.error());
    auto trace = (*engine)->record(other, job);
    if (!trace) return tl::unexpected(trace.error());
    traces.push_back(*std::move(trace));
  }
  STRIDESCOPE_TRY(
      archive::writeRecording(recording, traces, false, {.clocks = clocks, .counters = counters}));
  return {};
}

// Reads lines of "FRACTION TEXT" until the process closes its end. True: its last line was that it is done.
class Follower {
 public:
  explicit Follower(engine::JobControl& job) : job_(job) {}

  // False: there is no more.
  bool take(int socket) {
    pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, int(std::chrono::milliseconds(kLook).count())) <= 0) return true;
    char bytes[4096];
    const ssize_t got = ::read(socket, bytes, sizeof bytes);
    if (got <= 0) return got < 0 && errno == EINTR;
    text_.append(bytes, std::size_t(got));
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      takeLine(std::string_view(text_).substr(0, end));
      text_.erase(0, end + 1);
    }
    return true;
  }
  bool done() const { return done_; }

 private:
  void takeLine(std::string_view line) {
    done_ = line == kDone;
    float fraction = -1;
    const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), fraction);
    if (failed != std::errc() || !job_.progress) return;
    const auto text = std::min(std::size_t(end - line.data()) + 1, line.size());
    job_.progress(fraction, std::string(line.substr(text)));
  }

  engine::JobControl& job_;
  std::string text_;
  bool done_ = false;
};

// What it said last: "stridescope: SENTENCE", and details below it.
Error errorOf(std::string said, const std::string& ending) {
  constexpr std::string_view kName = "stridescope: ";
  if (said.starts_with(kName)) said.erase(0, kName.size());
  if (said.empty())
    return {
        ErrorKind::Unavailable, "Nothing was written: the process that draws " + ending + ". Try again.", {}};
  const std::size_t end = std::min(said.find('\n'), said.size());
  return {ErrorKind::Unavailable, said.substr(0, end), said.substr(std::min(end + 1, said.size()))};
}

}  // namespace

Result<void> exportInItsOwnProcess(const session::ExportOrder& order, const SharedParts& parts,
                                   engine::JobControl& job) {
  const PrivateFolder folder;
  if (folder.entry().systemError != 0)
    return cannotWrite(std::filesystem::temp_directory_path() / kRecording, folder.entry().systemError);
  const std::filesystem::path recording = folder.entry().path / kRecording;
  STRIDESCOPE_TRY(record(order, parts, job, recording));
  engine::worker::WorkerCommand command{.program = engine::worker::kThisProgram,
                                        .arguments = argumentsOf(order, recording.native()),
                                        .name = "stridescope-export"};
  command.subject = "The process that draws";
  command.advice = "Try again.";
  auto process = WorkerProcess::start(command);
  if (!process) return tl::unexpected(process.error());
  Follower follower(job);
  while (!job.cancel && follower.take((*process)->socket())) {
  }
  if (job.cancel) {
    (*process)->letEnd(kEndTime);  // it notices, and takes away what it has begun
    return cancelled();
  }
  const std::string ending = (*process)->ending(kEndTime);
  if (follower.done()) return {};
  return tl::unexpected(errorOf((*process)->standardError(), ending));
}

bool isExportProcess(int argc, const char* const* argv) { return argc > 1 && argv[1] == kExportProcess; }

int serveExport(int argc, const char* const* argv, cli::Services services) {
  const auto send = [](const std::string& line) {
    return ::send(engine::worker::kWorkerSocket, line.data(), line.size(), MSG_NOSIGNAL) ==
           ssize_t(line.size());
  };
  services.exportProgress = [&](float fraction, const std::string& doing) {
    // Nobody reads any more: the window was closed, or has cancelled it. Then it ends as by Ctrl-C.
    if (!send(fmt::format("{} {}\n", fraction, doing))) std::raise(SIGTERM);
  };
  services.exportWritten = [&] { send(std::string(kDone) + "\n"); };
  cli::Streams streams{std::cout, std::cerr, false};
  std::vector<const char*> arguments{argv[0]};
  arguments.insert(arguments.end(), argv + 2, argv + argc);
  const int code = cli::runCommandLine(int(arguments.size()), arguments.data(), streams, services);
  std::cerr.flush();
  return code;
}

}  // namespace stridescope::program
