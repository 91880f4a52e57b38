#include "cli/engine_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "cli/parse.h"
#include "engine/auto_engine.h"
#include "engine/engine_limits.h"

namespace stridescope {
namespace {

constexpr std::string_view kGpuPrefix = "gpu:";
constexpr unsigned kMostGpus = 1024;

// The GPU's number of "gpu" or "gpu:N".
Result<unsigned> gpuNumber(const std::string& name) {
  if (name == "gpu") return 0u;
  return parseNumberWithin("--engine gpu:N", std::string_view(name).substr(kGpuPrefix.size()), 0,
                           kMostGpus - 1)
      .map([](std::uint64_t number) { return unsigned(number); });
}

Result<std::unique_ptr<Engine>> makeGpu(const Context& context, unsigned index) {
  if (!context.services.makeGpuEngine)
    return unavailable("This build has no GPU engine; use --engine host or a recording.");
  return context.services.makeGpuEngine(index);
}

Result<ChosenEngine> makeHost(const Context& context) {
  if (!context.services.makeHostEngine) return unavailable("This build has no CPU executor.");
  return ChosenEngine(context.services.makeHostEngine());
}

Result<ChosenEngine> openAuto(const Context& context) {
  auto gpu = makeGpu(context, 0);
  if (gpu) {
    context.streams.error << "engine: " << (*gpu)->executor().device << "\n";
    auto host = makeHost(context);
    if (!host) return ChosenEngine(std::move(*gpu));
    return ChosenEngine(makeAutoEngine(std::move(*gpu), host->release()), context.streams.error);
  }
  context.streams.error << "engine: CPU executor, because no GPU can be used: " << gpu.error().sentence
                        << "\n";
  return makeHost(context);
}

std::string listOf(const std::vector<const RecordingEntry*>& entries) {
  std::string list;
  for (const RecordingEntry* entry : entries)
    list += fmt::format("{}  {}", list.empty() ? "" : "\n", describe(entry->experiment));
  return list;
}

}  // namespace

bool isRecordingName(const std::string& name) {
  if (name == "auto" || name == "host" || name == "gpu" || name.starts_with(kGpuPrefix)) return false;
  std::error_code ignored;
  return name.ends_with(kRecordingSuffix) || name.find('/') != std::string::npos ||
         std::filesystem::exists(name, ignored);
}

std::string describe(const Experiment& experiment) {
  std::string text =
      fmt::format("{} {} {} {} threads, n {}, {}", experiment.variant, nameOf(experiment.type),
                  nameOf(experiment.op), experiment.threads, experiment.elements, nameOf(experiment.data));
  if (experiment.data == DataPattern::Random) text += fmt::format(" seed {}", experiment.seed);
  if (experiment.launch != 0 || experiment.block != 0)
    text += fmt::format(", launch {} block {}", experiment.launch, experiment.block);
  return text;
}

std::optional<Error> engineNameFault(const std::string& name) {
  if (name == "auto" || name == "gpu" || name == "host") return std::nullopt;
  if (name.starts_with(kGpuPrefix)) {
    const auto number = gpuNumber(name);
    return number ? std::nullopt : std::optional(number.error());
  }
  if (isRecordingName(name)) return std::nullopt;
  if (name == "cpu" || name == "CPU")  // by its letters nearest to gpu
    return Error{ErrorKind::Usage,
                 fmt::format("--engine {} is not one of {}; did you mean host?", name,
                             "auto, gpu, gpu:N, host, a recording's file"),
                 {}};
  return notOneOf("--engine", name, {"auto", "gpu", "gpu:N", "host", "a recording's file"});
}

Result<ChosenEngine> openEngine(const Context& context, const std::string& name) {
  if (const auto fault = engineNameFault(name)) return tl::unexpected(*fault);
  if (name == "auto") return openAuto(context);
  if (name == "host") return makeHost(context);
  if (name == "gpu" || name.starts_with(kGpuPrefix)) {
    const auto number = gpuNumber(name);
    auto gpu = makeGpu(context, *number);
    if (!gpu) return tl::unexpected(gpu.error());
    return ChosenEngine(std::move(*gpu));
  }
  auto index = readIndex(name);
  if (!index) return tl::unexpected(index.error());
  return ChosenEngine(name, std::move(*index));
}

Result<Trace> ChosenEngine::traceOf(const ExperimentWish& wish, JobControl& job) const {
  if (engine_) {
    const auto experiment = completed(wish);
    if (!experiment) return tl::unexpected(experiment.error());
    auto trace = engine_->record(*experiment, job);
    if (trace && notes_ && trace->executor.kind == EngineKind::Host)
      if (const std::string reason = refusalOf(engine_->executor(), *experiment); !reason.empty())
        *notes_ << "engine: CPU executor: " << reason << "\n";
    return trace;
  }
  std::vector<const RecordingEntry*> all, admitted;
  for (const RecordingEntry& entry : index_.traces) {
    all.push_back(&entry);
    if (wish.admits(entry.experiment)) admitted.push_back(&entry);
  }
  if (admitted.empty())
    return tl::unexpected(Error{ErrorKind::Usage,
                                fmt::format("{} has no trace that matches; it has these:", file_.string()),
                                listOf(all)});
  if (admitted.size() > 1) {
    const auto experiment = completed(wish);
    const auto whole = [&](const RecordingEntry* entry) {
      return experiment && entry->experiment == *experiment;
    };
    const auto found = std::ranges::find_if(admitted, whole);
    if (found == admitted.end())
      return tl::unexpected(
          Error{ErrorKind::Usage,
                fmt::format("{} has {} traces that match; say which:", file_.string(), admitted.size()),
                listOf(admitted)});
    admitted = {*found};
  }
  return readTrace(file_, admitted.front()->id, &job.cancel);
}

}  // namespace stridescope
