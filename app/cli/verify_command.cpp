// stridescope verify
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/numbers.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/experiment_options.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
#include "cli/verify_check.h"
#include "engine/experiment_check.h"
#include "engine/recorded/recorded_engine.h"

namespace stridescope::cli {
namespace {

const Error kNoCpu{ErrorKind::Unavailable, "This build has no CPU executor to compare with."};

struct Outcome {
  Verdicts verdicts;
  ExitCode failure = ExitCode::Right;  // Missing, Limit: an engine could not do it; `why` has its sentence
};

Outcome failed(const Error& error) { return {notCompared(error.sentence), exitCodeOf(error)}; }

Outcome outcomeOf(Result<model::Trace> trace, const Result<model::Trace>* other,
                  const std::string& whyAlone) {
  if (!trace) return failed(trace.error());
  if (other && !*other) return failed(other->error());
  if (!model::hasEnded(*trace) && metLimit(*trace)) return {notCompared(trace->checkNote), ExitCode::Limit};
  return {verdictsOf(lab::runOf(*std::move(trace)), other ? &**other : nullptr, whyAlone)};
}

// What there is to check, and how a worker gets the traces of one item.
class Subject {
 public:
  Subject(const ChosenEngine& engine, std::vector<model::Experiment> experiments)
      : engine_(engine), experiments_(std::move(experiments)) {}
  Subject(const ChosenEngine& engine, std::vector<archive::RecordingEntry> entries)
      : engine_(engine), entries_(std::move(entries)) {
    for (const archive::RecordingEntry& entry : entries_) experiments_.push_back(entry.experiment);
  }

  std::size_t size() const { return experiments_.size(); }
  const model::Experiment& experiment(std::size_t item) const { return experiments_[item]; }
  // What is held against what: "NVIDIA H100 80GB HBM3 against the CPU executor".
  std::string pairing() const {
    if (isHostAlone()) return "the CPU executor alone";
    const std::string one =
        engine_.isRecording() ? "the recording of " + recordedDevices() : engine_.engine()->executor().device;
    return one + " against the CPU executor";
  }
  // Why no trace is compared with another's; empty if they are.
  std::string whyAlone() const {
    return isHostAlone() ? "Only the CPU executor was chosen: there is no other trace to compare with." : "";
  }

  // `host` is the worker's own CPU executor; `job` is that of all workers, and tells no progress.
  Outcome check(std::size_t item, engine::Engine& host, engine::JobControl& job) {
    const model::Experiment& experiment = experiments_[item];
    if (engine_.isRecording()) return checkRecorded(item, host, job);
    if (const std::string refusal = engine::refusalOf(engine_.engine()->executor(), experiment);
        !refusal.empty())
      return {notCompared(refusal)};
    Result<model::Trace> hosts = host.record(experiment, job);
    if (isHostAlone()) return outcomeOf(std::move(hosts), nullptr, "");
    return outcomeOf(recordOnTheOne(experiment, job), &hosts, "");
  }

 private:
  bool isHostAlone() const {
    return !engine_.isRecording() && engine_.engine()->executor().kind == model::EngineKind::Host;
  }

  // "NVIDIA H100 80GB HBM3 and the CPU executor": as they come.
  std::string recordedDevices() const {
    std::vector<std::string> devices;
    for (const archive::RecordingEntry& entry : entries_) {
      const bool isHost = entry.executor.kind == model::EngineKind::Host;
      const std::string device = isHost ? "the CPU executor" : entry.executor.device;
      if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
    }
    return fmt::format("{}", fmt::join(devices, " and "));
  }

  Outcome checkRecorded(std::size_t item, engine::Engine& host, engine::JobControl& job) const {
    auto recorded = engine::recorded::readJudgedTrace(engine_.file(), entries_[item].id, &job.cancel,
                                                      engine::recorded::kMaxRecomputed);
    if (recorded && recorded->contradiction) {
      Verdicts verdicts =
          verdictsOf(lab::runOf(std::move(recorded->trace)), nullptr, *recorded->contradiction);
      verdicts.result = ResultVerdict::Wrong;
      return {std::move(verdicts)};
    }
    Result<model::Trace> trace = std::move(recorded).map([](auto&& read) { return std::move(read.trace); });
    if (!isOfThisCatalogue(entries_[item]))
      return outcomeOf(std::move(trace), nullptr, "The trace is of another kernel text than this program's.");
    const Result<model::Trace> other = host.record(experiments_[item], job);
    if (!other && engine::asksForTrust(other.error()))
      return outcomeOf(std::move(trace), nullptr, other.error().sentence);
    return outcomeOf(std::move(trace), &other, "");
  }

  static bool isOfThisCatalogue(const archive::RecordingEntry& entry) {
    const std::string_view text = kernels::kernelText(entry.experiment);
    return !text.empty() && model::hashOf(text) == entry.kernelHash;
  }

  // A GPU does one run at a time.
  Result<model::Trace> recordOnTheOne(const model::Experiment& experiment, engine::JobControl& job) {
    const std::lock_guard lock(one_);
    return engine_.engine()->record(experiment, job);
  }

  const ChosenEngine& engine_;
  std::vector<model::Experiment> experiments_;
  std::vector<archive::RecordingEntry> entries_;  // a recording's
  std::mutex one_;
};

constexpr std::chrono::milliseconds kBetweenLooks{50};  // at whether it was cancelled

// Checks everything on all cores and gives the outcomes to `tellOne` in their order. False: `job` was
// cancelled, and the rest was not told.
template <class Tell>
bool checkAll(Subject& subject, const Context& context, engine::JobControl& job, Tell tellOne) {
  std::vector<std::optional<Outcome>> outcomes(subject.size());
  std::mutex mutex;
  std::condition_variable arrived;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    std::unique_ptr<engine::Engine> host;
    for (std::size_t item = next++; item < subject.size(); item = next++) {
      auto outcome = withoutExceptions("checking it", [&]() -> Result<Outcome> {
        if (!host) host = context.services.sources.makeHost();
        return subject.check(item, *host, job);
      });
      if (!outcome) outcome = failed(outcome.error());
      const std::lock_guard lock(mutex);
      outcomes[item] = std::move(*outcome);
      arrived.notify_one();
    }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> workers;
  const auto started = withoutExceptions("starting threads", [&] {
    while (workers.size() < std::min(cores, subject.size())) workers.emplace_back(work);
  });
  if (!started && workers.empty()) work();  // fewer threads do it too, and so does this one
  // Should telling fail, nothing more is begun.
  const struct AtEnd {
    std::atomic<std::size_t>& next;
    std::size_t end;
    ~AtEnd() { next = end; }
  } atEnd{next, subject.size()};
  for (std::size_t item = 0; item < subject.size(); ++item) {
    std::unique_lock lock(mutex);
    while (!job.cancel &&
           !arrived.wait_for(lock, kBetweenLooks, [&] { return outcomes[item].has_value(); })) {
    }
    if (job.cancel) return false;
    const Outcome outcome = *outcomes[item];
    lock.unlock();
    tellOne(item, outcome);
  }
  return true;
}

class VerifyCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "verify";
    options.about =
        "Holds results against a plain loop, snapshots against a replay, traces against another engine";
    options.value("variants", variants_, "Some of `stridescope list`; all unless given", "VARIANT");
    options.value("--engine", engine_, "auto (default), gpu, gpu:N, host or a recording's file", "ENGINE");
    options.value(std::string(kBlockOrderOption), blockOrder_, std::string(blockOrderHelp()), "ORDER");
    options.flag("--trust-code", trustCode_,
                 "Compile and run the operators that a recording carries, to compare them");
    options.flag("--quick", quick_, "Every variant and type once");
    options.flag("--full", full_, "Every block size with every type, operator and data pattern");
    options.flag("--counters", counters_,
                 "Holds the GPU's hardware counters of shared memory against the model instead");
    kernel_.declareWithBlock(options);
    options.flag("--json", json_, "The same as JSON");
    options.footer =
        "A line for each experiment, and totals. Four things are told apart: whether the result is right, "
        "whether\n"
        "two engines' traces are equal, whether a broken variant is reported for what is wrong with it, and "
        "what\n"
        "was not compared. The exit code is 1 if anything is wrong, different, missing or unexpected.\n"
        "Examples:\n"
        "  stridescope verify\n"
        "  stridescope verify sequential --full --engine gpu\n"
        "  stridescope verify --engine lecture.stride\n"
        "  stridescope verify transpose.cu --engine gpu";
  }

  ExitCode run(const Context& context) override {
    if (trustCode_) context.services.trust->allowAll();
    if (std::ranges::any_of(variants_, model::isKernelFile)) return verifyKernelFile(context);
    if (const std::string option = kernel_.firstGiven(); !option.empty())
      return tell(context, {ErrorKind::Usage, option + " goes with a file of your own, FILE.cu."});
    for (std::string& id : variants_) id = variantNamed(id);
    const auto variants = chosenVariants();
    if (!variants) return tell(context, variants.error());
    const auto blockOrder = chosenBlockOrder();
    if (!blockOrder) return tell(context, blockOrder.error());
    if (counters_) {
      if (!context.services.sources.makeHost) return tell(context, kNoCpu);
      return verifyCounters(context, engine_, *variants, json_);
    }
    const auto engine = openEngine(context, engine_, engine::OnGpuFailure::Tell);
    if (!engine) return tell(context, engine.error());
    if (!context.services.sources.makeHost) return tell(context, kNoCpu);
    engine::JobControl job;
    const CancelOnSignal signals(job);
    if (engine->isRecording()) {
      std::vector<archive::RecordingEntry> entries;
      for (const archive::RecordingEntry& entry : engine->index().traces)
        if (variants_.empty() || std::ranges::find(variants_, entry.experiment.variant) != variants_.end())
          entries.push_back(entry);
      if (entries.empty())
        return tell(context, {ErrorKind::Usage, engine_ + " has no trace of these variants."});
      Subject subject(*engine, std::move(entries));
      return checkAndTell(context, subject, job);
    }
    std::vector<model::Experiment> experiments = verifyMatrix(*variants, thoroughness());
    for (model::Experiment& experiment : experiments) {
      experiment.blockOrder = blockOrder->order;
      experiment.blockOrderSeed = blockOrder->seed;
    }
    if (const auto ready = prepare(context, *engine->engine(), experiments, job); !ready)
      return tell(context, ready.error());
    Subject subject(*engine, std::move(experiments));
    return checkAndTell(context, subject, job);
  }

 private:
  ExitCode verifyKernelFile(const Context& context) const {
    if (variants_.size() > 1 || quick_ || full_ || counters_ || json_ || blockOrder_)
      return tell(context,
                  {ErrorKind::Usage,
                   "Of a kernel of your own, verify takes one FILE.cu, --engine and how it is launched; "
                   "the other options are for variants."});
    return verifyOwnKernel(
        context, kernel_,
        {.file = variants_.front(), .block = kernel_.block(), .gpu = engine::gpuOf(engine_)});
  }

  static Result<void> prepare(const Context& context, engine::Engine& engine,
                              std::span<const model::Experiment> experiments, engine::JobControl& job) {
    ProgressLine line(context.terminal);
    job.progress = [&](float fraction, const std::string& doing) {
      line.show(fmt::format("{:3.0f} %  {}", fraction * 100, doing));
    };
    auto prepared = engine.prepare(experiments, job);
    job.progress = {};
    return prepared;
  }

  Result<BlockOrderRequest> chosenBlockOrder() const {
    if (!blockOrder_) return BlockOrderRequest{};
    if (counters_)
      return usageError(
          "verify --counters runs on a GPU, which chooses the order of its blocks itself. Leave out "
          "--block-order.");
    if (const auto wrong = whyNoBlockOrder(kBlockOrderOption, engine_)) return tl::unexpected(*wrong);
    return parseBlockOrderOption(*blockOrder_);
  }

  Thoroughness thoroughness() const {
    return full_ ? Thoroughness::Full : quick_ ? Thoroughness::Quick : Thoroughness::Default;
  }

  Result<std::vector<const kernels::Variant*>> chosenVariants() const {
    if (quick_ && full_) return usageError("verify takes either --quick or --full, not both.");
    std::vector<const kernels::Variant*> chosen;
    for (const kernels::Variant& variant : kernels::catalog())
      if (variants_.empty() || std::ranges::find(variants_, variant.id) != variants_.end())
        chosen.push_back(&variant);
    for (const std::string& id : variants_) {
      if (!kernels::findVariant(id)) return tl::unexpected(noVariant("verify:", id));
    }
    return chosen;
  }

  ExitCode checkAndTell(const Context& context, Subject& subject, engine::JobControl& job) const {
    report::VerifyReport report(context.streams.out, subject.pairing(), subject.whyAlone(), json_);
    std::size_t limited = 0;
    ProgressLine line(context.terminal);
    const bool whole = checkAll(subject, context, job, [&](std::size_t item, const Outcome& outcome) {
      line.clear();
      report.add(subject.experiment(item), outcome.verdicts, outcome.failure != ExitCode::Right);
      limited += outcome.failure == ExitCode::Limit;
      line.show(fmt::format("{} of {} checked", figure(item + 1), figure(subject.size())));
    });
    line.clear();
    if (!whole) return tell(context, cancelled().value());
    report.finish();
    if (report.bad() > 0) return ExitCode::Wrong;
    if (report.failed() > limited) return ExitCode::Missing;
    return limited > 0 ? ExitCode::Limit : ExitCode::Right;
  }

  std::vector<std::string> variants_;
  KernelOptions kernel_;
  std::string engine_ = "auto";
  std::optional<std::string> blockOrder_;
  bool quick_ = false, full_ = false, trustCode_ = false, counters_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

}  // namespace stridescope::cli
