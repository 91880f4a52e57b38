// An engine for tests of the session and the window: it gives traces made by hand, waits when told to, and
// fails when told to. Several sessions may share one FakeEngines.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "session/session.h"

namespace stridescope::support {

// What the engines of a session do. Set the plain members before the session is made; the functions may be
// called at any time, from any thread.
class FakeEngines {
 public:
  unsigned launches = 1;                   // per trace: copies of the ladder's one
  std::optional<model::Trace> trace;       // what record() gives in place of a trace of the ladder
  std::vector<model::ClockRecord> clocks;  // what the recordings know, whatever is asked for
  std::vector<model::TimelineRecord> timelines{};
  std::vector<model::CostRecord> costs{};
  std::vector<model::PeelRecord> prices{};
  std::vector<model::MachineCode> codes{};
  std::vector<model::CounterRecord> counters;  // the same
  std::optional<Error> refusal;                // what record() answers instead of a trace
  bool outOfMemory = false;                    // record() throws instead
  std::optional<Error> noEngine;               // what making an engine that is not "host" answers

  // While held, record() waits: until let go, or until its job is cancelled.
  void hold();
  void letGo();
  void waitUntilHeld();  // until a record() waits

  int recordings() const { return recordings_; }  // record() calls that were begun
  std::vector<std::string> made() const;          // ids that an engine was made for

  session::SessionServices services();  // this must outlive the session
  lab::Recorded recorded();

 private:
  class Engine;
  void waitForLeave(const engine::JobControl& job);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  int waiting_ = 0;
  std::vector<std::string> made_;
  std::atomic<int> recordings_{0};
};

// A legal experiment on one block's load.
model::Experiment ladderExperiment(const std::string& variant, unsigned threads = 256,
                                   model::ElementType type = model::ElementType::Int);

// Its session, on `engines`, with the round shown.
std::unique_ptr<session::Session> sessionOf(FakeEngines& engines, const model::Experiment& experiment,
                                            unsigned round = 0, const session::Settings& settings = {});

}  // namespace stridescope::support
