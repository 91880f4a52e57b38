#include "engine/worker/gpu_worker.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "archive/printable_labels.h"
#include "base/plain_text.h"
#include "engine/worker/rpc_client.h"
#include "engine/worker/rpc_server.h"

namespace stridescope::engine::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kEngineCommand = "gpu-worker";
constexpr std::string_view kQueryCommand = "gpu-query";
constexpr std::chrono::seconds kHangIsRemembered{60};
constexpr std::chrono::seconds kStatusIsFresh{5};
constexpr std::chrono::seconds kCompileSilence{90};  // how long NVRTC and nvdisasm may be silent
constexpr std::chrono::seconds kNcclSilence{90};     // while NCCL, which has some 300 MB, comes from a disk

struct CodeQuestion {
  model::Experiment experiment;
  std::optional<unsigned> gpu;
};

template <class Fields, Described<CodeQuestion> Value>
constexpr void describe(Fields&& fields, Value& question) {
  fields("experiment", question.experiment);
  fields("gpu", question.gpu);
}

constexpr CallType<Nothing, GpuStatus> kAskStatus{1, kMaxBodyBytes};
constexpr CallType<CodeQuestion, model::MachineCode> kAskCode{2, kMaxBodyBytes};
constexpr CallType<Nothing, GroupStatus> kAskGroup{3, kMaxBodyBytes};
constexpr Service kQueryService = serviceOf<Nothing>("gpu-query", kAskStatus, kAskCode, kAskGroup);

void makePrintable(std::vector<std::string>& texts) {
  for (std::string& text : texts) text = printable(text);
}

void makePrintable(GpuStatus& status) {
  for (std::string* text : {&status.driverLibrary, &status.driverVersion, &status.cudaVersion,
                            &status.nvrtcLibrary, &status.nvrtcVersion, &status.cacheFolder})
    *text = printable(*text);
  makePrintable(status.problems);
  for (GpuDescription& gpu : status.gpus) {
    gpu.name = printable(gpu.name);
    gpu.computeCapability = printable(gpu.computeCapability);
    makePrintable(gpu.problems);
  }
}

void makePrintable(GroupStatus& status) {
  for (std::string* text : {&status.whyNotAsked, &status.ncclLibrary, &status.ncclVersion, &status.whyNoNccl})
    *text = printable(*text);
}

}  // namespace

struct GpuWorkers::Shared {
  std::atomic<milliseconds::rep> callLimit{kCallLimit.count()};
  JobControl closing;

  std::mutex hangMutex;  // guards the next two
  std::optional<Error> hang;
  Clock::time_point hungAt;

  std::mutex statusMutex;  // guards the next two; held while it is asked
  std::optional<GpuStatus> status;
  Clock::time_point askedAt;

  std::mutex compilerMutex;  // guards the next; held while it compiles
  std::unique_ptr<RpcClient> compiler;

  milliseconds limit() const { return milliseconds(callLimit); }
  Result<void> mayStart() {
    if (closing.cancel) return cancelled();
    const std::scoped_lock lock(hangMutex);
    if (hang && Clock::now() - hungAt < kHangIsRemembered) return tl::unexpected(*hang);
    return {};
  }
};

GpuWorkers::GpuWorkers() : shared_(std::make_shared<Shared>()) {}
// What compiles holds `shared_`, in its command: each would keep the other.
GpuWorkers::~GpuWorkers() { shared_->compiler.reset(); }

void GpuWorkers::limitCalls(milliseconds limit) { shared_->callLimit = limit.count(); }

void GpuWorkers::close() { shared_->closing.cancel = true; }

WorkerCommand GpuWorkers::command(std::vector<std::string> arguments) const {
  WorkerCommand command{.program = kThisProgram, .arguments = std::move(arguments), .name = "stridescope"};
  command.callLimit = shared_->limit();
  command.adviceOnHang =
      "NVIDIA's driver, or a library of NVIDIA's, hangs: see whether nvidia-smi answers, and restart the "
      "machine if it does not. Where they are only slow, a start with more patience helps (on the command "
      "line: --driver-limit 30 before a command). The CPU executor does without (on the command line: "
      "--engine host).";
  command.mayStart = [shared = shared_] { return shared->mayStart(); };
  command.onHang = [shared = shared_](const Error& error) {
    const std::scoped_lock lock(shared->hangMutex);
    shared->hang = error;
    shared->hungAt = Clock::now();
  };
  return command;
}

WorkerCommand GpuWorkers::queryCommand() const {
  WorkerCommand asking = command({std::string(kQueryCommand)});
  asking.subject = "The process that looks for GPUs";
  asking.advice =
      "NVIDIA's driver may be damaged: see whether nvidia-smi answers, and install the driver anew if it "
      "does not. The CPU executor does without (on the command line: --engine host).";
  return asking;
}

GpuStatus GpuWorkers::status() {
  const std::scoped_lock lock(shared_->statusMutex);
  if (shared_->status && Clock::now() - shared_->askedAt < kStatusIsFresh) return *shared_->status;
  RpcClient worker(queryCommand(), kQueryService);
  const auto answer = worker.start().and_then([&] {
    return worker.call(kAskStatus, {}, {.silence = shared_->limit(), .onSilence = ErrorKind::Unavailable},
                       shared_->closing);
  });
  if (!answer) {
    GpuStatus failed;
    failed.compiledIn = true;
    failed.problems.push_back(answer.error().sentence);
    return failed;
  }
  shared_->status = *answer;
  shared_->askedAt = Clock::now();
  makePrintable(*shared_->status);
  return *shared_->status;
}

GroupStatus GpuWorkers::group() {
  RpcClient worker(queryCommand(), kQueryService);
  const auto answer = worker.start().and_then([&] {
    return worker.call(kAskGroup, {}, {.silence = kNcclSilence, .onSilence = ErrorKind::Unavailable},
                       shared_->closing);
  });
  GroupStatus status;
  if (answer)
    status = *answer;
  else
    status.whyNotAsked = status.whyNoNccl = answer.error().sentence;
  makePrintable(status);
  return status;
}

Result<std::unique_ptr<Engine>> GpuWorkers::engine(unsigned index) {
  // All calls of opening together: what falls back to the CPU executor does so within ten seconds.
  constexpr double kCallsOfOpening = 1.6;
  const WorkerLimits limits{
      .start = std::chrono::round<milliseconds>(kCallsOfOpening *
                                                std::chrono::duration<double, std::milli>(shared_->limit()))};
  return makeWorkerEngine(command({std::string(kEngineCommand), std::to_string(index)}), limits,
                          shared_->closing);
}

Result<model::MachineCode> GpuWorkers::machineCode(const model::Experiment& experiment,
                                                   std::optional<unsigned> gpu) {
  const std::scoped_lock lock(shared_->compilerMutex);
  if (!shared_->compiler || !shared_->compiler->isOpen()) {
    WorkerCommand compiling = command({std::string(kQueryCommand)});
    compiling.subject = "The process that compiles kernels";
    compiling.advice = "Try again.";
    shared_->compiler = std::make_unique<RpcClient>(std::move(compiling), kQueryService);
    STRIDESCOPE_TRY(shared_->compiler->start());
  }
  auto code = shared_->compiler->call(kAskCode, {experiment, gpu},
                                      {.silence = kCompileSilence, .onSilence = ErrorKind::Unavailable},
                                      shared_->closing);
  if (!code) return code;
  if (const auto fault = model::faultOf(*code))
    return shared_->compiler->nonsense("What it compiled cannot be shown: " + *fault + ".");
  archive::makeLabelsPrintable(*code);
  return code;
}

std::optional<unsigned> gpuWorkerIndex(int argc, const char* const* argv) {
  return indexAfter(kEngineCommand, argc, argv);
}

bool isGpuQueryWorker(int argc, const char* const* argv) { return argc == 2 && argv[1] == kQueryCommand; }

int serveGpuQueries(const GpuQueries& queries) {
  const auto stream = beginWorker();
  if (!stream) return kNotAWorker;
  CallTable calls;
  calls.on(kAskStatus, [&](Nothing, JobControl&) { return Result<GpuStatus>(queries.status()); })
      .on(kAskGroup, [&](Nothing, JobControl&) { return Result<GroupStatus>(queries.group()); })
      .on(kAskCode, [&](const CodeQuestion& asked, JobControl&) {
        return queries.machineCode(asked.experiment, asked.gpu);
      });
  RpcServer(kQueryService, *stream).serve(calls);
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::worker
