#include "export_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>

#include "archive/recording_file.h"
#include "base/pending_file.h"
#include "cli/command_line.h"
#include "engine/worker/rpc_client.h"
#include "engine/worker/rpc_server.h"
#include "session/exported_traces.h"

namespace stridescope::program {
namespace {

namespace rpc = engine::worker;
using namespace std::chrono_literals;

constexpr std::string_view kExportProcess = "--export-process";
constexpr auto kEndTime = 10s;  // for clearing up
constexpr std::size_t kMaxSaidBytes = 4096;
constexpr const char* kRecording = "run.stride";

// Asked with the arguments of `stridescope`.
constexpr rpc::CallType<std::vector<std::string>, rpc::Nothing> kExport{1};
constexpr rpc::Service kExportService = rpc::serviceOf<rpc::Nothing>("export", kExport);

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
    case session::ExportAs::Quiz:
      break;
  }
  return "png";
}

std::vector<std::string> argumentsOf(const session::ExportOrder& order, const std::string& recording) {
  const session::ExportFile& file = order.file;
  std::vector<std::string> arguments;
  const auto add = [&](std::string_view option, std::string value) {
    arguments.push_back(fmt::format("--{}={}", option, value));
  };
  if (file.as == session::ExportAs::Quiz) {
    arguments = {"quiz"};
    add("export", file.path);
    add("engine", recording);
    if (file.overwrite) arguments.emplace_back("--force");
    return arguments;
  }
  arguments = {"export"};
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
  if (file.presented) arguments.emplace_back("--presented");
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

// The order's traces, of which some are recorded now.
Result<void> record(const session::ExportOrder& order, const lab::sources::Sources& sources,
                    engine::JobControl& job, const std::filesystem::path& recording) {
  const auto open = [&sources](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
    auto opened = sources.open(id);
    if (!opened) return tl::unexpected(opened.error());
    return std::shared_ptr<engine::Engine>(std::move(opened->engine));
  };
  const auto all = session::tracesOf(order, open, job);
  if (!all) return tl::unexpected(all.error());
  STRIDESCOPE_TRY(archive::writeRecording(recording, all->traces, false, {all->clocks, all->counters}));
  return {};
}

// What the command said, "stridescope: SENTENCE", and details below it.
Error errorOf(std::string said, int exitCode) {
  constexpr std::string_view kName = "stridescope: ";
  if (said.starts_with(kName)) said.erase(0, kName.size());
  if (said.empty())
    said = fmt::format("Nothing was written: the process that draws ended with exit code {}. Try again.",
                       exitCode);
  const std::size_t end = std::min(said.find('\n'), said.size());
  return {ErrorKind::Unavailable, said.substr(0, end), said.substr(std::min(end + 1, said.size()))};
}

// The command `export` or `quiz`, with these arguments.
Result<rpc::Nothing> runExport(const std::vector<std::string>& asked, cli::Services& services,
                               engine::JobControl& job) {
  bool isWritten = false;
  services.exportProgress = [&job](float fraction, const std::string& doing) {
    job.progress(std::clamp(fraction, 0.0f, 1.0f), doing);
  };
  services.exportWritten = [&isWritten] { isWritten = true; };
  std::vector<const char*> arguments{"stridescope"};
  for (const std::string& argument : asked) arguments.push_back(argument.c_str());
  std::ostringstream printed, said;
  cli::Streams streams{printed, said, false};
  const int code = cli::runCommandLine(int(arguments.size()), arguments.data(), streams, services);
  if (isWritten) return rpc::Nothing();
  return tl::unexpected(errorOf(said.str().substr(0, kMaxSaidBytes), code));
}

}  // namespace

Result<void> exportInItsOwnProcess(const session::ExportOrder& order, const lab::sources::Sources& sources,
                                   engine::JobControl& job) {
  const PrivateFolder folder;
  if (folder.entry().systemError != 0)
    return cannotWrite(std::filesystem::temp_directory_path() / kRecording, folder.entry().systemError);
  const std::filesystem::path recording = folder.entry().path / kRecording;
  STRIDESCOPE_TRY(record(order, sources, job, recording));
  rpc::WorkerCommand command{
      .program = rpc::kThisProgram, .arguments = {std::string(kExportProcess)}, .name = "stridescope-export"};
  command.subject = "Nothing was written: the process that draws";
  command.advice = "Try again.";
  rpc::RpcClient client(std::move(command), kExportService, {.cancelling = kEndTime});
  STRIDESCOPE_TRY(client.start());
  const auto written = client.call(kExport, argumentsOf(order, recording.native()), {}, job);
  client.letEnd(kEndTime);  // where it was cancelled, it takes away what it has begun
  if (!written) return tl::unexpected(written.error());
  return {};
}

bool isExportProcess(int argc, const char* const* argv) { return argc == 2 && argv[1] == kExportProcess; }

int serveExport(cli::Services services) {
  const auto stream = rpc::beginWorker();
  if (!stream) return rpc::kNotAWorker;
  // The window was closed, or has cancelled it: it ends as by Ctrl-C.
  rpc::RpcServer server(kExportService, *stream, [] { ::kill(::getpid(), SIGTERM); });
  rpc::CallTable calls;
  calls.on(kExport, [&](const std::vector<std::string>& arguments, engine::JobControl& job) {
    return runExport(arguments, services, job);
  });
  server.serve(calls);
  return EXIT_SUCCESS;
}

}  // namespace stridescope::program
