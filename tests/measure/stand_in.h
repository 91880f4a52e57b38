// A device whose times are told and whose clock is turned by hand, so that sampling is tested without
// waiting.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "measure/timing_board.h"
#include "measure/timing_device.h"

namespace stridescope::measure {

// Every look moves it on a little, as time does.
class StandInClock {
 public:
  double now() { return 1e-6 * double(ticks_.fetch_add(1)); }
  void advance(double seconds) { ticks_ += std::uint64_t(seconds * 1e6); }

 private:
  std::atomic<std::uint64_t> ticks_{0};
};

inline constexpr double kStandInEmptyTime = 2.5;  // every subject's, microseconds

struct StandInBehaviour {
  std::map<std::string, double> microseconds;            // by subject; others take 10
  std::map<std::string, double> microsecondsPerElement;  // more of them for each element
  unsigned gpus = 2;                                     // of a device of several
  std::set<std::string> wrongArrays;                     // leave arrays that are wrong
  std::map<std::string, int> wrongFromCall;  // gives wrong results from that call on, counted from 0
  std::map<std::string, std::string> unavailable;
  std::uint64_t mostElements = ~0ull;
  int failsAtCall = -1;  // the whole device is lost
  std::function<void(const std::string& subject)> onSample;
  std::vector<std::string> calls;  // the subjects, in the order in which they were sampled
  std::vector<std::string> disturbances;
  std::function<void()> onLook;  // for disturbances
  bool lostAtLook = false;
  std::vector<model::TimingCase> prepared;
  std::atomic<int> living{0};  // devices
};

std::unique_ptr<TimingDevice> makeStandIn(TimingDeviceKind kind, std::shared_ptr<StandInBehaviour> behaviour,
                                          std::shared_ptr<StandInClock> clock);

inline model::TimingSubject variantNamed(std::string id) {
  return {model::SubjectKind::Variant, std::move(id)};
}

}  // namespace stridescope::measure
