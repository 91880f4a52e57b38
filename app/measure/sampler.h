// Takes samples: one of every subject a turn, in an order drawn anew each turn, so that whatever drifts hits
// all alike. The first turns warm up and are not told of. A result that is wrong is told as a fault, never as
// a sample, and that subject is not sampled again at the station.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "measure/timing_device.h"

namespace stridescope::measure {

inline constexpr unsigned kWarmUpTurns = 3;

// How long one station is sampled. Neither limit: until it is told to stop.
struct StationLimits {
  std::uint64_t samples = 0;  // of each subject; 0: no limit
  double seconds = 0;         // of sampling, warming up and waiting (beginSample) aside; 0: no limit
};

// Hears of what the sampler does, on its thread. Subjects are numbered as they were given to it.
class SampleListener {
 public:
  virtual ~SampleListener() = default;
  virtual void onReady(std::size_t subject, const PreparedSubject& prepared) = 0;
  virtual void onSample(std::size_t subject, const model::TimingSample& sample, double atSeconds) = 0;
  virtual void onFault(std::size_t subject, const std::string& sentence) = 0;
  virtual void onWrongResult(std::size_t subject, const std::string& sentence) = 0;  // a fault, too
  virtual void onNote(const std::string& sentence) = 0;
  virtual void onTurn(std::uint64_t turnsDone, double seconds) = 0;  // as StationLimits counts both

  // Before every sample: waits while sampling is paused. False: stop.
  virtual bool beginSample(std::size_t subject) = 0;
  // After it. False: something else used the device meanwhile, so that the sample does not count.
  virtual bool endSample() = 0;
};

// A device and, of the numbered subjects, those that it times.
struct DeviceSubjects {
  TimingDevice* device = nullptr;
  std::vector<std::size_t> numbers;
};

class Sampler {
 public:
  // `now`: seconds, of a steady clock. `seed`: of the turns' orders. Turns are numbered from `lastTurn` + 1
  // on.
  Sampler(std::vector<model::TimingSubject> subjects, std::vector<DeviceSubjects> devices,
          std::function<double()> now, std::uint64_t seed, std::uint32_t lastTurn = 0);

  // Samples at one station until its limits. What one subject or one device cannot do is told to the listener
  // and the others go on. Cancelled: it was told to stop. Fails when no device is left that works.
  Result<void> sampleStation(const model::TimingStation& station, const StationLimits& limits,
                             SampleListener& listener, engine::JobControl& job);

 private:
  struct Ready {
    std::size_t number;  // of the subject
    TimingDevice* device;
    std::size_t place;  // among the subjects of its device
  };
  Result<void> prepare(const model::TimingStation& station, SampleListener& listener,
                       engine::JobControl& job);
  Result<void> turn(const model::TimingStation& station, std::uint32_t number, bool warmingUp,
                    SampleListener& listener, engine::JobControl& job);
  Result<void> look(SampleListener& listener, engine::JobControl& job);
  void drop(const TimingDevice* device, const Error& error, SampleListener& listener);
  std::string nameOfSubject(std::size_t number) const { return subjects_[number].id; }

  std::vector<model::TimingSubject> subjects_;
  std::vector<DeviceSubjects> devices_;
  std::function<double()> now_;
  std::mt19937_64 random_;
  std::vector<Ready> ready_;
  std::uint64_t expected_ = 0;
  double waited_ = 0;    // seconds, at this station
  std::uint32_t turns_;  // a turn's number is its own at every station
};

}  // namespace stridescope::measure
