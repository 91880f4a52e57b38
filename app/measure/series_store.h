// All live samples that are kept, by subject and case, and what they come to as series.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/sample_ring.h"
#include "measure/timing_board.h"

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

}  // namespace stridescope::measure
