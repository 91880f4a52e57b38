// All live samples that are kept, by subject and case, and what they come to as series.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "measure/statistics.h"
#include "measure/timing_board.h"
#include "measure/timing_device.h"

namespace stridescope::measure {

// Use it on one thread.
class SeriesStore {
 public:
  // The subjects that the following samples number. Their earlier samples stay, and so do other subjects'.
  void begin(const std::vector<model::TimingSubject>& subjects);
  void clear();  // forgets the samples of all, and the subjects of earlier plans

  // A case begins; its earlier samples stay.
  void enter(const model::TimingCase& timingCase);

  void setDevice(std::size_t subject, const TimingDeviceFacts& facts);
  void setPrepared(std::size_t subject, const PreparedSubject& prepared) { prepared_[subject] = prepared; }
  void setFault(std::size_t subject, const std::string& sentence) { line(subject).fault = sentence; }
  void add(std::size_t subject, const model::TimingSample& sample, double atSeconds);

  // Brings the points of the current case up to date: sorts its samples.
  void summarizeCase();

  // The current plan's subjects in its order, then those of earlier plans.
  std::vector<TimingSeries> series() const;
  std::vector<model::TimingRecord> records() const;
  std::vector<model::GroupTimingRecord> groupRecords() const;
  std::uint32_t lastRepetition() const { return lastRepetition_; }
  std::size_t bytesHeld() const;  // by samples

 private:
  struct Visit {
    TimingPoint point;  // as of the last summarizeCase()
    SampleRing ring;
  };
  struct Line {
    model::TimingSubject subject;
    unsigned mark = 0;
    model::Executor executor;
    std::optional<MeasuredCeiling> ceiling;
    std::optional<model::GpuLimits> limits;
    unsigned gpus = 0;
    std::vector<model::GpuLink> links;
    std::string fault;
    std::vector<Visit> visits;  // one a case; cases in the order of the last visit
  };
  Line& line(std::size_t subject) { return lines_[places_[subject]]; }
  const Visit* visitOf(const Line& line) const;
  Visit& visitHere(std::size_t subject);
  TimingSeries seriesOf(const Line& line) const;

  std::vector<Line> lines_;
  std::vector<std::size_t> places_;        // where the plan's subjects are among the lines
  std::vector<PreparedSubject> prepared_;  // the plan's subjects, at the current case
  model::TimingCase case_;
  std::uint32_t lastRepetition_ = 0;
  Summarizer summarizer_;
};

// Series of a recording: one a subject and executor. `costs`: what launching cost on the same GPUs.
std::vector<TimingSeries> recordedSeries(const std::vector<model::TimingRecord>& records,
                                         const std::vector<model::CostRecord>& costs = {});

// Takes samples: one of every subject a repetition, in an order drawn anew each repetition, so that whatever
// drifts hits all alike. The first repetitions warm up and are not told of. A result that is wrong is told as
// a fault, never as a sample, and that subject is not sampled again at the case.

inline constexpr unsigned kWarmUpRepetitions = 3;

// How long one case is sampled. Neither limit: until it is told to stop.
inline constexpr std::uint64_t kMinSamples = 11;

struct CaseLimits {
  std::uint64_t samples = 0;     // per subject; 0: no limit
  double seconds = 0;            // spent sampling, without warming up and waiting (beginSample); 0: no limit
  double secondsPerSubject = 0;  // spent on one stretch's subjects, for kMinSamples at least; 0: no limit
  bool interleaved = false;  // all subjects of a device in each repetition, in place of each alone with CUB
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
  virtual void onRepetition(std::uint64_t repetitionsDone, double seconds) = 0;  // as CaseLimits counts both

  // Before every sample: waits while sampling is paused. False: stop.
  virtual bool beginSample(std::size_t subject) = 0;
  // Call it after the sample. False: something else used the device meanwhile, so that the sample does not
  // count.
  virtual bool endSample() = 0;
};

// A device, and the numbers of the subjects that it times.
struct DeviceSubjects {
  TimingDevice* device = nullptr;
  std::vector<std::size_t> numbers;
};

class Sampler {
 public:
  // `now` tells a steady clock's seconds. `seed` decides the repetitions' orders. Repetitions are numbered
  // from `lastRepetition` + 1 on.
  Sampler(std::vector<model::TimingSubject> subjects, std::vector<DeviceSubjects> devices,
          std::function<double()> now, std::uint64_t seed, std::uint32_t lastRepetition = 0);

  // Samples at one case until its limits: each subject alone with CUB in stretches, so that nothing else
  // disturbs either. What one subject or one device cannot do is told to the listener
  // and the others go on. Cancelled: it was told to stop. Fails when no device is left that works.
  Result<void> sampleCase(const model::TimingCase& timingCase, const CaseLimits& limits,
                          SampleListener& listener, engine::JobControl& job);

 private:
  struct Ready {
    std::size_t number;  // the subject's
    TimingDevice* device;
    std::size_t place;  // among the subjects of its device
  };
  Result<void> prepare(const model::TimingCase& timingCase, SampleListener& listener,
                       engine::JobControl& job);
  // Subjects that are sampled in turn, and nothing else meanwhile.
  struct Stretch {
    std::vector<std::size_t> numbers{};
    std::optional<std::size_t> partner{};  // CUB, sampled beside one that still can be
    std::uint64_t done = 0;                // repetitions
    double seconds = 0;                    // spent on them
  };
  // One for each subject, alone with CUB, where that can be timed; else, and with `interleaved`, one for each
  // device.
  std::vector<Stretch> stretchesOf(bool interleaved) const;
  bool isReady(std::size_t number) const;
  bool isReady(const Stretch& stretch) const;  // one of its subjects, beside the partner
  // One sample of each of its subjects.
  Result<void> repetition(const Stretch& stretch, const model::TimingCase& timingCase, std::uint32_t number,
                          bool warmingUp, SampleListener& listener, engine::JobControl& job);
  Result<void> look(SampleListener& listener, engine::JobControl& job);
  void drop(const TimingDevice* device, const Error& error, SampleListener& listener);
  std::string nameOfSubject(std::size_t number) const { return subjects_[number].id; }

  std::vector<model::TimingSubject> subjects_;
  std::vector<DeviceSubjects> devices_;
  std::function<double()> now_;
  std::mt19937_64 random_;
  std::vector<Ready> ready_;
  std::uint64_t expected_ = 0;
  double waited_ = 0;          // seconds, at this case
  std::uint32_t repetitions_;  // a repetition's number is its own at every case
};

}  // namespace stridescope::measure
