// Opens tours (tour.h) and goes from stop to stop: the window then shows what the first link of the stop's
// text says.
#pragma once

#include "session/app_state.h"
#include "session/command.h"
#include "session/jobs.h"
#include "session/link_follower.h"

namespace stridescope::session {

class TourGuide {
 public:
  // `wake` as of Jobs.
  TourGuide(AppState& app, LinkFollower& links, std::function<void()> wake);

  // A file; one that is open already is read again, and the tour stays at its stop. What is wrong with it is
  // told.
  void open(const std::string& path);
  void start(const std::string& id);  // a tour that comes with the program, from its first stop
  void goTo(std::size_t stop);        // beyond the last is the last; without a tour nothing
  void step(int direction);
  void save(const SaveTour& request);

  void poll();         // takes in what was read and written
  void waitForJobs();  // blocks until that was done

 private:
  void show(Tour tour, std::size_t stop);
  void tellUnread(const Error& error, const std::string& path);

  AppState& app_;
  LinkFollower& links_;
  Jobs jobs_;  // last: its thread ends before what it uses
};

}  // namespace stridescope::session
