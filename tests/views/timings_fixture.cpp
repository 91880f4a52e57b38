#include "timings_fixture.h"

#include <chrono>
#include <cmath>
#include <map>
#include <thread>

#include "kernels/catalog.h"
#include "measure/timing_data.h"
#include "workbench_ui.h"

namespace stridescope::views::test {
namespace {

constexpr const char* kRecordedOn = "2026-11-21T10:00:00Z";

struct Cost {
  double launches;  // microseconds
  double rate;      // GB/s
};

const std::map<std::string, Cost, std::less<>>& costs() {
  static const std::map<std::string, Cost, std::less<>> all{
      {"interleaved_modulo", {9, 390}},
      {"interleaved_contiguous", {9, 620}},
      {"sequential", {9, 790}},
      {"first_add_on_load", {8, 1380}},
      {"unrolled_last_warp", {8, 1820}},
      {"fully_unrolled", {8, 1900}},
      {"grid_stride", {7, 2300}},
      {"warp_shuffle", {7, 2400}},
      {"warp_redux", {7, 2450}},
      {"cooperative_groups", {7, 2420}},
      {"vectorized_atomic", {6, 2700}},
      {"single_pass", {5, 2800}},
      {"cub", {7, 2600}},
      {"thrust", {11, 2550}},
      {"floor", {3.5, 2900}},
      {"cpu_loop", {0.2, 12}},
      {"cpu_vector_loop", {0.2, 24}},
      {"cpu_reduce_par", {6, 40}},
      {"cpu_openmp", {4, 45}},
  };
  return all;
}

bool isOnGpu(const model::TimingSubject& subject) { return subject.kind != model::SubjectKind::CpuBaseline; }

model::Executor executorOf(bool gpu, const char* recordedOn = "") {
  model::Executor executor;
  executor.kind = gpu ? model::EngineKind::Gpu : model::EngineKind::Host;
  executor.device = gpu ? kHandMadeGpu : kHandMadeCpu;
  executor.recordedOn = recordedOn;
  return executor;
}

// What the devices of a board share.
struct HandMadeWorld {
  std::atomic<std::uint64_t> clock = 1;  // microseconds
  std::atomic<bool> standsStill = false;
};

class HandMadeDevice final : public measure::TimingDevice {
 public:
  HandMadeDevice(bool gpu, int repetitions, std::shared_ptr<HandMadeWorld> world)
      : repetitions_(repetitions), world_(std::move(world)) {
    facts_.kind = gpu ? measure::TimingDeviceKind::Gpu : measure::TimingDeviceKind::Cpu;
    facts_.executor = executorOf(gpu);
    if (gpu)
      facts_.ceiling = measure::MeasuredCeiling{.bytes = 1 << 30, .read = {}, .copy = {}, .datasheet = 3350};
    if (gpu) facts_.ceiling->read.median = kHandMadeCeiling;
  }
  const measure::TimingDeviceFacts& facts() const override { return facts_; }

  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                                        std::span<const model::TimingSubject> subjects,
                                                        engine::JobControl&) override {
    case_ = timingCase;
    subjects_.assign(subjects.begin(), subjects.end());
    taken_.assign(subjects.size(), 0);
    expected_ = measure::expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    std::vector<measure::PreparedSubject> prepared(subjects.size());
    for (measure::PreparedSubject& subject : prepared)
      subject.threads = timingCase.threads == 0 ? 256 : timingCase.threads;
    return prepared;
  }

  Result<measure::Timed> sample(std::size_t number, engine::JobControl& job) override {
    while (taken_[number] >= repetitions_ && !job.cancel) {
      world_->standsStill = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const int slow = ++taken_[number] % 10 == 0 ? 1 : 0;
    const double us = handMadeTime(subjects_[number], case_.elements, case_.threads) * (1 + 0.1 * slow);
    world_->clock += std::uint64_t(us) + 2000;
    return measure::Timed{us, expected_};
  }

 private:
  int repetitions_;
  std::shared_ptr<HandMadeWorld> world_;
  measure::TimingDeviceFacts facts_;
  model::TimingCase case_;
  std::vector<model::TimingSubject> subjects_;
  std::vector<int> taken_;
  std::uint64_t expected_ = 0;
};

}  // namespace

double handMadeTime(const model::TimingSubject& subject, std::uint64_t elements, unsigned threads) {
  const auto cost = costs().find(subject.id);
  if (cost == costs().end()) return 50;
  const double fromTheBest = threads == 0 ? 0 : std::abs(std::log2(double(threads) / 256));
  return cost->second.launches + double(elements) * 4 / cost->second.rate / 1e3 * (1 + 0.15 * fromTheBest);
}

std::vector<model::TimingRecord> handMadeRecords() {
  std::vector<model::TimingSubject> subjects;
  for (const kernels::Variant& variant : kernels::catalog())
    if (costs().contains(variant.id))
      subjects.push_back({model::SubjectKind::Variant, std::string(variant.id)});
  for (model::TimingSubject& baseline :
       measure::baselineSubjects(model::ElementType::Int, model::Operator::Add))
    subjects.push_back(std::move(baseline));
  std::vector<model::TimingRecord> records;
  const auto add = [&](const model::TimingSubject& subject, std::uint64_t elements, unsigned threads) {
    model::TimingRecord record;
    record.subject = subject;
    record.threads = threads == 0 ? 256 : threads;
    record.timingCase.elements = elements;
    record.timingCase.threads = threads;
    record.executor = executorOf(isOnGpu(subject), kRecordedOn);
    if (isOnGpu(subject)) record.readCeiling = kHandMadeCeiling, record.copyCeiling = kHandMadeCeiling * 0.95;
    const double us = handMadeTime(subject, elements, threads);
    for (std::uint32_t repetition = 1; repetition <= 11; ++repetition)
      record.samples.push_back({repetition, float(us * (repetition % 5 == 0 ? 1.1 : 1))});
    records.push_back(std::move(record));
  };
  for (std::uint64_t elements = 1u << 10; elements <= 1u << 28; elements *= 4)
    for (const model::TimingSubject& subject : subjects) add(subject, elements, 0);
  for (unsigned threads = 32; threads <= 1024; threads *= 2)
    for (const model::TimingSubject& subject : subjects)
      if (isOnGpu(subject)) add(subject, 1u << 24, threads);
  return records;
}

std::vector<model::GroupTimingRecord> handMadeGroups() {
  std::vector<model::GroupTimingRecord> records;
  for (int e = 10; e <= 28; e += 2) {
    const double n = double(std::uint64_t{1} << e), message = 30 + n / 2e6, one = 20 + n / 1e6;
    for (const auto& [id, more] :
         {std::pair("nvlink_message", 0.0), std::pair("host_adds", 5.0), std::pair("nccl_reduce", 15.0)}) {
      model::GroupTimingRecord record;
      record.experiment.variant = id;
      record.experiment.threads = 512;
      record.experiment.elements = std::uint64_t{1} << e;
      record.experiment.gpus = 2;
      record.executor = {.kind = model::EngineKind::Gpu,
                         .device = kHandMadeGpu,
                         .compiler = "NVRTC 13.0, NCCL 2.28.9",
                         .recordedOn = "2026-11-29T12:00:00Z"};
      record.samples = 51;
      record.microseconds = record.least = record.low = record.high = message + more;
      record.lowerQuartile = record.upperQuartile = message + more;
      record.others = {{.subject = "one_gpu",
                        .microseconds = one,
                        .ratio = (message + more) / one,
                        .low = (message + more) / one,
                        .high = (message + more) / one}};
      records.push_back(record);
    }
  }
  return records;
}

std::vector<model::LinkRecord> handMadeLinks() {
  const model::GpuLink link{.from = 0,
                            .to = 1,
                            .copyGigabytesPerSecond = 395,
                            .loadGigabytesPerSecond = 374,
                            .messageNanoseconds = 650};
  return {{.executor = handMadeGroups().front().executor, .gpus = 2, .links = {link}}};
}

std::shared_ptr<HandMadeBoard> handMadeBoard(const HandMadeInput& request) {
  auto world = std::make_shared<HandMadeWorld>();
  const auto make = [=](bool gpu) -> Result<std::unique_ptr<measure::TimingDevice>> {
    if (!request.failure.empty()) return unavailable(request.failure);
    return std::make_unique<HandMadeDevice>(gpu, request.repetitions, world);
  };
  measure::TimingMakers makers;
  if (request.gpu) makers.makeGpu = [make](unsigned, engine::JobControl&) { return make(true); };
  makers.makeCpu = [make] { return make(false); };
  makers.now = [world] { return double(world->clock.fetch_add(1)) / 1e6; };
  return std::make_shared<HandMadeBoard>(
      std::move(makers), std::shared_ptr<const std::atomic<bool>>(world, &world->standsStill));
}

session::SessionServices timedServices(std::shared_ptr<measure::TimingBoard> board, bool gpu) {
  session::SessionServices services = hostServices();
  if (gpu)
    services.listEngines = [] { return std::vector<session::EngineChoice>{{.id = "gpu:0", .label = "GPU"}}; };
  services.timings = std::move(board);
  return services;
}

void waitUntilStill(const HandMadeBoard& board) {
  const auto runs = [&] {
    const measure::TimingState state = board.snapshot()->state;
    return state != measure::TimingState::Idle && state != measure::TimingState::Done &&
           state != measure::TimingState::Failed;
  };
  while (!board.standsStill() && runs()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace stridescope::views::test
