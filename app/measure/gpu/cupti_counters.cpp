#include <cmath>
#include <string>
#include <string_view>

#include "measure/gpu/cupti_api.h"
#include "measure/gpu/hardware_counters.h"

namespace stridescope::measure::gpu {
namespace {

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
