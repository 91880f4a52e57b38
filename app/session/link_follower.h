// Follows links (link.h): asks for their experiment and, when that is on the screen, goes where they lead.
// Writes the link to what is shown.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "session/app_state.h"
#include "session/command.h"
#include "session/jobs.h"
#include "session/link.h"
#include "session/parts.h"
#include "session/replay.h"
#include "session/workspace.h"

namespace stridescope::session {

class LinkFollower {
 public:
  // `arrived`: is told of a link that is in its place, where what its mode does there is to be done.
  LinkFollower(Workspace& workspace, Replay& replay, AppState& app, std::function<void(const Link&)> arrived)
      : workspace_(workspace), replay_(replay), app_(app), arrived_(std::move(arrived)) {}

  // At once where the run is there, else when it was recorded. What the run does not have, such as a stride,
  // is told in a sentence. What a link before it ringed is released; what a person pinned stays, unless the
  // link rings something.
  void follow(const Link& link);
  // A run was loaded.
  void loaded();
  // The jobs were asked for news: a run that did not come is not waited for any longer.
  void polled();

 private:
  void land(const Link& link);
  void ring(const Link& link);
  Playhead placeOf(const Link& link) const;
  // Tells what is wrong; for a link of the open tour it names the line.
  void complain(const Link& link, const std::string& what) const;
  std::optional<Hover> hoverOf(const LinkRing& ring) const;

  struct Coming {
    Link link;
    model::Experiment experiment;
  };
  Workspace& workspace_;
  Replay& replay_;
  AppState& app_;
  std::function<void(const Link&)> arrived_;
  std::optional<Coming> coming_;
};

// Opens tours (tour.h) and goes from stop to stop: the window then shows what the first link of the stop's
// text says.

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

// Writes links, in the language that link.h reads.

// The link to what is shown: "show/sequential?type=int64&round=4&panel=banks&ring=thread:5". It has the
// variant, what was chosen otherwise than the variant has it by default, the round, the panel that has the
// keyboard, and what is pinned; in Predict the question, in Compare both variants. Error: no run is shown
// yet, or a link cannot say what is shown, such as a person's own input data; the sentence names it.
Result<std::string> linkTo(const Parts& parts);

}  // namespace stridescope::session
