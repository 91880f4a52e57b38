#include "measure/gpu/device_timed_run.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/result.h"

namespace stridescope::measure::gpu {
namespace {

constexpr std::chrono::seconds kLongestRun{60};

}  // namespace

Result<std::unique_ptr<DeviceTimedRun>> DeviceTimedRun::make(
    engine::gpu::GpuDevice& device, const TimingApi& api, TimedPlan plan,
    const std::vector<engine::gpu::GpuModule*>& modules) {
  std::unique_ptr<DeviceTimedRun> run(new DeviceTimedRun(device, api, std::move(plan)));
  STRIDESCOPE_TRY(run->prepare(modules));
  return run;
}

DeviceTimedRun::~DeviceTimedRun() {
  device_.release(generation_, [&](const engine::gpu::DriverApi&) {
    destroyGraph();
    if (begin_ != nullptr) api_.destroyEvent(begin_);
    for (const CUevent event : {end_, moment_})
      if (event != nullptr) api_.destroyEvent(event);
  });
}

Result<void> DeviceTimedRun::prepare(const std::vector<engine::gpu::GpuModule*>& modules) {
  generation_ = device_.generation();
  auto module = modules.begin();
  const auto prepareAll = [&](const std::vector<TimedStep>& given, std::vector<Step>& steps) -> Result<void> {
    for (const TimedStep& each : given) {
      auto step = prepared(each, std::holds_alternative<TimedLaunch>(each) ? *module++ : nullptr);
      if (!step) return tl::unexpected(step.error());
      steps.push_back(std::move(*step));
      if (auto* launch = std::get_if<Launch>(&steps.back()))
        for (std::size_t i = 0; i < launch->values.size(); ++i) {
          const auto structure = launch->structures.find(i);
          launch->pointers.push_back(structure == launch->structures.end() ? &launch->values[i]
                                                                           : structure->second.data());
        }
    }
    return {};
  };
  STRIDESCOPE_TRY(prepareAll(plan_.before, before_));
  STRIDESCOPE_TRY(prepareAll(plan_.steps, steps_));
  STRIDESCOPE_TRY(result_.reserve(plan_.resultBytes));
  const std::string doing = "prepare " + plan_.name + " for timing";
  for (CUevent* event : {&begin_, &end_})
    STRIDESCOPE_TRY(device_.check(api_.createEvent(event, CU_EVENT_DEFAULT), "cuEventCreate", doing));
  const bool hasMoment = std::ranges::any_of(
      before_, [](const Step& step) { return std::holds_alternative<TimedMoment>(step); });
  if (!hasMoment) return {};
  return device_.check(api_.createEvent(&moment_, CU_EVENT_DEFAULT), "cuEventCreate", doing);
}

Result<DeviceTimedRun::Step> DeviceTimedRun::prepared(const TimedStep& step,
                                                      engine::gpu::GpuModule* module) const {
  if (const auto* copy = std::get_if<TimedCopy>(&step)) return Copy{*copy, copy->from == plan_.inputPlace};
  if (const auto* fill = std::get_if<TimedFill>(&step)) return *fill;
  if (const auto* work = std::get_if<TimedWork>(&step)) return *work;
  if (const auto* moment = std::get_if<TimedMoment>(&step)) return *moment;
  const auto& given = std::get<TimedLaunch>(step);
  const engine::gpu::LaunchSize size{
      .grid = given.grid, .block = given.block, .sharedBytes = given.sharedBytes, .cluster = given.cluster};
  STRIDESCOPE_TRY(module->allow(size));
  Launch launch{.function = module->function(),
                .size = size,
                .values = given.arguments,
                .structures = given.structures,
                .pointers = {},
                .inputs = {}};
  for (std::size_t i = 0; i < launch.values.size(); ++i)
    if (launch.values[i] == plan_.inputPlace) launch.inputs.push_back(i);
  return launch;
}

Result<engine::gpu::GpuDevice::Entered> DeviceTimedRun::enter() {
  auto entered = device_.enter();
  if (entered && !device_.isAlive(generation_))
    return unavailable(plan_.name + " was lost with the GPU's context. Start the timing again.");
  return entered;
}

Result<TimedOutcome> DeviceTimedRun::run(std::uint64_t input) {
  const auto entered = enter();
  if (!entered) return tl::unexpected(entered.error());
  setInput(before_, input);
  setInput(steps_, input);
  STRIDESCOPE_TRY(enqueueSteps(before_, input));
  if (plan_.graph) STRIDESCOPE_TRY(captureSteps(input));
  STRIDESCOPE_TRY(device_.finish("prepare the input of " + plan_.name, kLongestRun));

  auto timed = timeSteps(input);
  if (timed) timed = device_.finish("run " + plan_.name, kLongestRun);
  destroyGraph();
  if (!timed) return tl::unexpected(timed.error());
  const auto between = microsecondsBetween(begin_, end_);
  if (!between) return tl::unexpected(between.error());
  TimedOutcome outcome{*between, result()};
  if (moment_ == nullptr) return outcome;
  const auto since = microsecondsBetween(moment_, begin_);
  if (!since) return tl::unexpected(since.error());
  outcome.sinceMoment = *since;
  return outcome;
}

Result<double> DeviceTimedRun::microsecondsBetween(CUevent first, CUevent last) const {
  float milliseconds = 0;
  STRIDESCOPE_TRY(device_.check(api_.elapsedTime(&milliseconds, first, last), "cuEventElapsedTime",
                                "read the time of " + plan_.name));
  return double(milliseconds) * 1e3;
}

Result<void> DeviceTimedRun::prepareInput(std::uint64_t input) {
  const auto entered = enter();
  if (!entered) return tl::unexpected(entered.error());
  setInput(before_, input);
  STRIDESCOPE_TRY(enqueueSteps(before_, input));
  return device_.finish("prepare the input of " + plan_.name, kLongestRun);
}

Result<void> DeviceTimedRun::runSteps(std::uint64_t input) {
  setInput(steps_, input);
  STRIDESCOPE_TRY(enqueueSteps(steps_, input));
  return device_.finish("run " + plan_.name, kLongestRun);
}

Result<void> DeviceTimedRun::enqueue(std::uint64_t input) {
  const auto entered = enter();
  if (!entered) return tl::unexpected(entered.error());
  setInput(steps_, input);
  STRIDESCOPE_TRY(enqueueSteps(steps_, input));
  if (plan_.resultBytes == 0) return {};
  return device_.check(copyResult(), "cuMemcpyDtoHAsync", "copy the result of " + plan_.name);
}

std::span<const std::uint8_t> DeviceTimedRun::result() const {
  return {reinterpret_cast<const std::uint8_t*>(result_.data()), plan_.resultBytes};
}

void DeviceTimedRun::setInput(std::vector<Step>& steps, std::uint64_t input) {
  for (Step& step : steps) {
    if (auto* launch = std::get_if<Launch>(&step))
      for (const std::size_t place : launch->inputs) launch->values[place] = input;
    if (auto* copy = std::get_if<Copy>(&step); copy && copy->fromInput) copy->copy.from = input;
  }
}

// Nothing but the driver's own calls between the events: no text is made unless something fails.
Result<void> DeviceTimedRun::timeSteps(std::uint64_t input) {
  const CUstream stream = device_.stream();
  CUresult code = api_.recordEvent(begin_, stream);
  if (code == CUDA_SUCCESS && plan_.graph) {
    code = api_.launchGraph(executable_, stream);
  } else if (code == CUDA_SUCCESS) {
    STRIDESCOPE_TRY(enqueueSteps(steps_, input));
  }
  if (code == CUDA_SUCCESS && plan_.resultIsTimed) code = copyResult();
  if (code == CUDA_SUCCESS) code = api_.recordEvent(end_, stream);
  if (code == CUDA_SUCCESS && !plan_.resultIsTimed) code = copyResult();
  return device_.check(code, "cuEventRecord", "time " + plan_.name);
}

CUresult DeviceTimedRun::copyResult() {
  return device_.api().cuMemcpyDtoHAsync(result_.data(), plan_.resultAddress, plan_.resultBytes,
                                         device_.stream());
}

CUresult DeviceTimedRun::enqueueLaunch(const Launch& launch) {
  return engine::gpu::enqueueLaunch(device_.api(), launch.function, launch.size, device_.stream(),
                                    const_cast<void**>(launch.pointers.data()));
}

Result<void> DeviceTimedRun::enqueueSteps(const std::vector<Step>& steps, std::uint64_t input) {
  for (const Step& step : steps) {
    CUresult code = CUDA_SUCCESS;
    if (const auto* launch = std::get_if<Launch>(&step)) {
      code = enqueueLaunch(*launch);
    } else if (const auto* copy = std::get_if<Copy>(&step)) {
      code = api_.copyWithin(copy->copy.to, copy->copy.from, copy->copy.bytes, device_.stream());
    } else if (const auto* fill = std::get_if<TimedFill>(&step)) {
      code = device_.api().cuMemsetD8Async(fill->to, fill->value, fill->bytes, device_.stream());
    } else if (std::holds_alternative<TimedMoment>(step)) {
      code = api_.recordEvent(moment_, device_.stream());
    } else {
      STRIDESCOPE_TRY(std::get<TimedWork>(step).enqueue(input, device_.stream()));
    }
    if (code != CUDA_SUCCESS) return device_.check(code, "cuLaunchKernel", "run " + plan_.name);
  }
  return {};
}

Result<void> DeviceTimedRun::captureSteps(std::uint64_t input) {
  const std::string doing = "make a CUDA graph of " + plan_.name;
  STRIDESCOPE_TRY(device_.check(api_.beginCapture(device_.stream(), CU_STREAM_CAPTURE_MODE_RELAXED),
                                "cuStreamBeginCapture", doing));
  auto enqueued = enqueueSteps(steps_, input);
  const CUresult ended = api_.endCapture(device_.stream(), &graph_);
  if (!enqueued) return enqueued;
  STRIDESCOPE_TRY(device_.check(ended, "cuStreamEndCapture", doing));
  return device_.check(api_.instantiateGraph(&executable_, graph_, 0), "cuGraphInstantiate", doing);
}

void DeviceTimedRun::destroyGraph() {
  if (executable_ != nullptr) api_.destroyExecutable(executable_);
  if (graph_ != nullptr) api_.destroyGraph(graph_);
  executable_ = nullptr;
  graph_ = nullptr;
}

namespace {

std::string busIdOf(const engine::gpu::GpuDevice& device) {
  const engine::LibraryCall call("cuDeviceGetPCIBusId");
  const auto ask = device.api().library->function<decltype(&::cuDeviceGetPCIBusId)>("cuDeviceGetPCIBusId");
  std::array<char, 32> text{};
  const bool told = ask != nullptr &&
                    ask(text.data(), static_cast<int>(text.size()), device.facts().device) == CUDA_SUCCESS;
  return told ? text.data() : "";
}

}  // namespace

Result<GpuMemoryFacts> factsOfMemory(engine::gpu::GpuDevice& device) {
  const engine::gpu::DriverApi& api = device.api();
  std::size_t free = 0, total = 0;
  STRIDESCOPE_TRY(device.check(api.cuMemGetInfo(&free, &total), "cuMemGetInfo",
                               "ask for the free memory of " + device.facts().name));
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    const bool told = api.cuDeviceGetAttribute(&value, which, device.facts().device) == CUDA_SUCCESS;
    return told && value > 0 ? double(value) : 0.0;
  };
  const double clockKilohertz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  const double busBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  constexpr double kTransfersPerClock = 2;  // double data rate
  return GpuMemoryFacts{
      .name = device.facts().name,
      .computeCapability = device.facts().capabilityText(),
      .multiprocessors = device.facts().multiprocessors,
      .freeBytes = free,
      .l2Bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
      .peakGigabytesPerSecond = clockKilohertz * 1e3 * kTransfersPerClock * busBits / 8 / 1e9,
      .busId = busIdOf(device)};
}

}  // namespace stridescope::measure::gpu
