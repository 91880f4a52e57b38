#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"
#include "measure/gpu/hardware_counters.h"

namespace stridescope::measure::gpu {
namespace {

// CUPTI, NVIDIA's profiling library, opened at run time: a table of the functions that read counters.

#define STRIDESCOPE_CUPTI_FUNCTIONS(use)                                                                    \
  use(cuptiGetResultString) use(cuptiProfilerInitialize) use(cuptiProfilerDeviceSupported)                  \
      use(cuptiDeviceGetChipName) use(cuptiProfilerGetCounterAvailability) use(cuptiProfilerHostInitialize) \
          use(cuptiProfilerHostDeinitialize) use(cuptiProfilerHostConfigAddMetrics)                         \
              use(cuptiProfilerHostGetConfigImageSize) use(cuptiProfilerHostGetConfigImage)                 \
                  use(cuptiProfilerHostEvaluateToGpuValues) use(cuptiProfilerHostGetMetricProperties)       \
                      use(cuptiRangeProfilerEnable) use(cuptiRangeProfilerDisable)                          \
                          use(cuptiRangeProfilerGetCounterDataSize)                                         \
                              use(cuptiRangeProfilerCounterDataImageInitialize)                             \
                                  use(cuptiRangeProfilerSetConfig) use(cuptiRangeProfilerStart)             \
                                      use(cuptiRangeProfilerStop) use(cuptiRangeProfilerDecodeData)         \
                                          use(cuptiRangeProfilerGetCounterDataInfo)

#define STRIDESCOPE_DECLARE_FUNCTION(name) engine::LibraryFunction<decltype(&::name)> name{#name};
struct CuptiApi {
  std::shared_ptr<engine::gpu::SharedLibrary> library;
  STRIDESCOPE_CUPTI_FUNCTIONS(STRIDESCOPE_DECLARE_FUNCTION)
};
#undef STRIDESCOPE_DECLARE_FUNCTION

using engine::gpu::SharedLibrary;

Result<std::shared_ptr<CuptiApi>> openCupti(const std::string& candidate) {
  auto library = SharedLibrary::open({candidate});
  if (!library) return tl::unexpected(library.error());
  auto api = std::make_shared<CuptiApi>();
  api->library = *library;
#define STRIDESCOPE_LOOK_UP(name)                               \
  api->name = api->library->function<decltype(&::name)>(#name); \
  if (api->name == nullptr) return unavailable({}, candidate + " has no " #name);
  STRIDESCOPE_CUPTI_FUNCTIONS(STRIDESCOPE_LOOK_UP)
#undef STRIDESCOPE_LOOK_UP
  return api;
}

const char* sentenceOf(CUptiResult code) {
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "The driver lets only administrators read this GPU's counters. An administrator allows it to "
             "everyone with the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia "
             "(in /etc/modprobe.d, then restart), or starts this program.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "This is a virtual GPU whose host does not allow profiling. Whoever runs the host can turn it "
             "on "
             "for this machine.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "This is a virtual GPU, whose counters cannot be read.";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "This GPU is partitioned (MIG), and the counters of this part cannot be read.";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "This GPU runs in confidential computing, which keeps its counters from everyone.";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "In this release of WSL the counters cannot be read.";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return "With SLI the counters cannot be read. Turn it off.";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return "NVIDIA's mining processors have no counters that can be read.";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return "Another profiler reads this GPU's counters. Close it and try again.";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_INVALID_DEVICE:
      return "This CUPTI does not know this GPU. Install the CUDA toolkit of a newer release, or name its "
             "libcupti in STRIDESCOPE_CUPTI.";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "There is not enough memory to read the counters. Close other programs.";
    default:
      return nullptr;
  }
}

// The first CUPTI (shared_library.h) that has the range profiler, which came with CUDA 12.6.
Result<std::shared_ptr<const CuptiApi>> loadCupti() {
  std::string reasons;
  for (const std::string& candidate : engine::gpu::cuptiCandidates()) {
    auto opened = openCupti(candidate);
    if (opened) return *opened;
    reasons += (reasons.empty() ? "" : "\n") + opened.error().details;
  }
  return unavailable(
      "CUPTI, which reads the GPU's counters, was not found (libcupti.so.13, or .12 from CUDA 12.6 on). "
      "Install "
      "the CUDA toolkit, or name the file in STRIDESCOPE_CUPTI.",
      reasons);
}

// The one way from CUPTI's code to a person: what it means for reading counters and what helps; the details
// name the call and the code.
Error cuptiError(const CuptiApi& api, CUptiResult code, std::string_view call) {
  const char* name = nullptr;
  if (api.cuptiGetResultString(code, &name) != CUPTI_SUCCESS || name == nullptr) name = "an unknown code";
  const char* const sentence = sentenceOf(code);
  return {.kind = ErrorKind::Unavailable,
          .sentence = sentence != nullptr ? std::string(sentence)
                                          : "The GPU's counters could not be read: " + std::string(name) +
                                                ". Update the driver and the CUDA toolkit to one release.",
          .details = std::string(call) + ": " + name + " (" + std::to_string(int(code)) + ")"};
}

// Why this GPU's counters cannot be read, a sentence; empty: they can, as far as CUPTI tells beforehand.
std::string whyUnsupported(const CUpti_Profiler_DeviceSupported_Params& support) {
  if (support.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED ||
      support.isSupported == CUPTI_PROFILER_CONFIGURATION_UNKNOWN)
    return {};
  const auto lacks = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (lacks(support.architecture))
    return "This GPU is too old to have its counters read: that needs compute capability 7.0.";
  if (support.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED)
    return sentenceOf(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
  if (lacks(support.vGpu)) return sentenceOf(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
  if (lacks(support.confidentialCompute)) return sentenceOf(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
  if (lacks(support.sli)) return sentenceOf(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
  if (lacks(support.cmp)) return sentenceOf(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
  if (lacks(support.wsl)) return sentenceOf(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
  return "CUPTI says that this GPU's counters cannot be read.";
}

template <class Params>
Params sized(std::size_t bytes) {
  Params params{};
  params.structSize = bytes;
  return params;
}
#define STRIDESCOPE_PARAMS(type) sized<type>(type##_STRUCT_SIZE)

class CuptiCounters final : public HardwareCounters {
 public:
  explicit CuptiCounters(std::shared_ptr<const CuptiApi> api);
  ~CuptiCounters() override;
  CuptiCounters(const CuptiCounters&) = delete;
  CuptiCounters& operator=(const CuptiCounters&) = delete;

  Result<void> prepare(unsigned index, CUdevice device);  // before anything else
  Result<CounterLists> count(std::size_t kernels, const std::function<Result<void>()>& launches) override;

 private:
  class Session;
  Result<void> addMetrics();
  Result<void> check(CUptiResult code, std::string_view call) const;

  std::shared_ptr<const CuptiApi> api_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  std::vector<std::uint8_t> availability_, configuration_;
  std::vector<model::Counter> counters_;  // that this chip has
  std::vector<const char*> metrics_;      // theirs
};

// Lasts from cuptiRangeProfilerEnable to the profiler's end.
class CuptiCounters::Session {
 public:
  explicit Session(const CuptiCounters& owner) : owner_(owner), api_(*owner.api_) {}
  ~Session() {
    if (profiler_ == nullptr) return;
    auto disable = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_Disable_Params);
    disable.pRangeProfilerObject = profiler_;
    api_.cuptiRangeProfilerDisable(&disable);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // In the context that is current.
  Result<void> begin(std::size_t kernels) {
    auto enable = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_Enable_Params);
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerEnable(&enable), "cuptiRangeProfilerEnable"));
    profiler_ = enable.pRangeProfilerObject;
    STRIDESCOPE_TRY(makeImage(kernels));
    auto config = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    config.pRangeProfilerObject = profiler_;
    config.configSize = owner_.configuration_.size();
    config.pConfig = owner_.configuration_.data();
    config.counterDataImageSize = image_.size();
    config.pCounterDataImage = image_.data();
    config.range = CUPTI_AutoRange;
    config.replayMode = CUPTI_KernelReplay;
    config.maxRangesPerPass = kernels;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.targetNestingLevel = 1;
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerSetConfig(&config), "cuptiRangeProfilerSetConfig"));
    auto start = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = profiler_;
    return owner_.check(api_.cuptiRangeProfilerStart(&start), "cuptiRangeProfilerStart");
  }

  Result<CounterLists> end(std::size_t kernels) {
    auto stop = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = profiler_;
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop"));
    auto decode = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler_;
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData"));
    auto info = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = image_.data();
    info.counterDataImageSize = image_.size();
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerGetCounterDataInfo(&info),
                                 "cuptiRangeProfilerGetCounterDataInfo"));
    if (info.numTotalRanges != kernels)
      return unavailable("The GPU's counters were read of " + std::to_string(info.numTotalRanges) +
                         " kernels, but " + std::to_string(kernels) + " were launched.");
    CounterLists launches(kernels);
    for (std::size_t i = 0; i < kernels; ++i) STRIDESCOPE_TRY(evaluate(i, launches[i]));
    return launches;
  }

 private:
  Result<void> makeImage(std::size_t kernels) {
    auto size = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = const_cast<const char**>(owner_.metrics_.data());
    size.numMetrics = owner_.metrics_.size();
    size.maxNumOfRanges = kernels;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(kernels);
    STRIDESCOPE_TRY(owner_.check(api_.cuptiRangeProfilerGetCounterDataSize(&size),
                                 "cuptiRangeProfilerGetCounterDataSize"));
    image_.resize(size.counterDataSize);
    auto initialize = STRIDESCOPE_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    initialize.pRangeProfilerObject = profiler_;
    initialize.counterDataSize = image_.size();
    initialize.pCounterData = image_.data();
    return owner_.check(api_.cuptiRangeProfilerCounterDataImageInitialize(&initialize),
                        "cuptiRangeProfilerCounterDataImageInitialize");
  }

  Result<void> evaluate(std::size_t range, std::vector<model::CounterValue>& values) {
    std::vector<double> numbers(owner_.metrics_.size());
    auto evaluate = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    evaluate.pHostObject = owner_.host_;
    evaluate.pCounterDataImage = image_.data();
    evaluate.counterDataImageSize = image_.size();
    evaluate.rangeIndex = range;
    evaluate.ppMetricNames = const_cast<const char**>(owner_.metrics_.data());
    evaluate.numMetrics = numbers.size();
    evaluate.pMetricValues = numbers.data();
    STRIDESCOPE_TRY(owner_.check(api_.cuptiProfilerHostEvaluateToGpuValues(&evaluate),
                                 "cuptiProfilerHostEvaluateToGpuValues"));
    // A ratio of nothing, such as a hit rate without a request, is no number: it is left out.
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (std::isfinite(numbers[i])) values.push_back({owner_.counters_[i], numbers[i]});
    return {};
  }

  const CuptiCounters& owner_;
  const CuptiApi& api_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> image_;
};

CuptiCounters::CuptiCounters(std::shared_ptr<const CuptiApi> api) : api_(std::move(api)) {}

CuptiCounters::~CuptiCounters() {
  if (host_ == nullptr) return;
  auto deinitialize = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
  deinitialize.pHostObject = host_;
  api_->cuptiProfilerHostDeinitialize(&deinitialize);
}

Result<void> CuptiCounters::check(CUptiResult code, std::string_view call) const {
  if (code == CUPTI_SUCCESS) return {};
  return tl::unexpected(cuptiError(*api_, code, call));
}

Result<void> CuptiCounters::prepare(unsigned index, CUdevice device) {
  auto initialize = STRIDESCOPE_PARAMS(CUpti_Profiler_Initialize_Params);
  STRIDESCOPE_TRY(check(api_->cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
  auto supported = STRIDESCOPE_PARAMS(CUpti_Profiler_DeviceSupported_Params);
  supported.cuDevice = device;
  supported.api = CUPTI_PROFILER_RANGE_PROFILING;
  // Where it cannot tell, the calls that follow do.
  if (api_->cuptiProfilerDeviceSupported(&supported) == CUPTI_SUCCESS)
    if (std::string why = whyUnsupported(supported); !why.empty()) return unavailable(std::move(why));
  auto chip = STRIDESCOPE_PARAMS(CUpti_Device_GetChipName_Params);
  chip.deviceIndex = index;
  STRIDESCOPE_TRY(check(api_->cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName"));
  auto available = STRIDESCOPE_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
  for (int pass = 0; pass < 2; ++pass) {  // first its size
    STRIDESCOPE_TRY(
        check(api_->cuptiProfilerGetCounterAvailability(&available), "cuptiProfilerGetCounterAvailability"));
    availability_.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability_.data();
  }
  auto host = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_Initialize_Params);
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = availability_.data();
  STRIDESCOPE_TRY(check(api_->cuptiProfilerHostInitialize(&host), "cuptiProfilerHostInitialize"));
  host_ = host.pHostObject;
  return addMetrics();
}

Result<void> CuptiCounters::addMetrics() {
  for (const model::CounterFacts& facts : model::counterFacts()) {
    const char* const metric = facts.metric.data();  // a literal: it ends with a zero
    auto properties = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params);
    properties.pHostObject = host_;
    properties.pMetricName = metric;
    if (api_->cuptiProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS) continue;
    counters_.push_back(facts.counter);
    metrics_.push_back(metric);
  }
  if (metrics_.empty()) return unavailable("This GPU has none of the counters that are shown.");
  auto add = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = host_;
  add.ppMetricNames = metrics_.data();
  add.numMetrics = metrics_.size();
  STRIDESCOPE_TRY(check(api_->cuptiProfilerHostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics"));
  auto size = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = host_;
  STRIDESCOPE_TRY(
      check(api_->cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize"));
  configuration_.resize(size.configImageSize);
  auto image = STRIDESCOPE_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = host_;
  image.configImageSize = configuration_.size();
  image.pConfigImage = configuration_.data();
  return check(api_->cuptiProfilerHostGetConfigImage(&image), "cuptiProfilerHostGetConfigImage");
}

Result<CounterLists> CuptiCounters::count(std::size_t kernels,
                                          const std::function<Result<void>()>& launches) {
  // A session of its own for each call costs 0.2 s, but CUPTI 13.0 crashes where modules and memory come and
  // go within one.
  Session session(*this);
  return session.begin(kernels).and_then(launches).and_then([&] { return session.end(kernels); });
}

}  // namespace

Result<std::unique_ptr<HardwareCounters>> openCuptiCounters(unsigned index, int device) {
  auto api = loadCupti();
  if (!api) return tl::unexpected(api.error());
  auto counters = std::make_unique<CuptiCounters>(*api);
  STRIDESCOPE_TRY(counters->prepare(index, device));
  return counters;
}

}  // namespace stridescope::measure::gpu
