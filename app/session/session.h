// The four things that a window is about, wired together. One session a window; it draws nothing and knows no
// window. Commands go in here, and views read the four.
#pragma once

#include "session/command.h"
#include "session/link_follower.h"
#include "session/parts.h"
#include "session/services.h"
#include "session/tour_guide.h"

namespace stridescope::session {

class Session {
 public:
  // Starts recording at once; the round is shown when it is there.
  Session(const SessionServices& services, Settings settings, const Start& start);

  const Workspace& workspace() const { return workspace_; }
  const Replay& replay() const { return replay_; }
  const Measurements& measurements() const { return measurements_; }
  const AppState& app() const { return app_; }
  AppState& app() { return app_; }  // the window tells it things, and takes what it has to do
  Parts parts() const { return {workspace_, replay_, measurements_, app_}; }

  void apply(const Command& command);
  void apply(const Commands& commands);

  // Advances playing and takes in what jobs delivered. `seconds` since the last call.
  void update(double seconds);
  bool wantsFrameSoon() const;  // playing, a transition or a job is running
  void waitForJobs();           // blocks until what was asked for is on screen; for headless use

 private:
  AppState app_;
  Replay replay_;
  Workspace workspace_;  // ends its jobs, which deliver to those above, first
  Measurements measurements_;
  LinkFollower links_;
  TourGuide tours_;
};

}  // namespace stridescope::session
