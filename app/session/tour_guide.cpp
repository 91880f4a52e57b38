#include "session/tour_guide.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/pending_file.h"
#include "base/plain_text.h"

namespace stridescope::session {
namespace {

std::string nameOf(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

// "2 links of lecture.md lead nowhere; the rest of the tour is open. Line 12, ..."
Message messageOf(const std::vector<std::string>& faults, const std::string& path) {
  const std::string count = std::to_string(faults.size());
  Message message{.kind = MessageKind::ToDo,
                  .sentence = (faults.size() == 1 ? "1 link of " : count + " links of ") + nameOf(path) +
                              (faults.size() == 1 ? " leads" : " lead") +
                              " nowhere; the rest of the tour is open. " + faults.front(),
                  .stays = true};
  for (const std::string& fault : faults) message.details += fault + "\n";
  return message;
}

}  // namespace

TourGuide::TourGuide(AppState& app, LinkFollower& links, std::function<void()> wake)
    : app_(app),
      links_(links),
      jobs_(std::move(wake), [this](const Error& error) { app_.tell(session::messageOf(error)); }) {}

void TourGuide::open(const std::string& path) {
  jobs_.start("Opening " + nameOf(path),
              [this, path, panels = app_.panels()](engine::JobControl&) -> Jobs::Delivery {
                return [this, path, tour = readTour(path, panels)]() mutable {
                  if (!tour) return tellUnread(tour.error(), path);
                  const bool again = app_.tour() && app_.tour()->path == path;
                  const std::vector<std::string> faults = tour->faults();
                  show(*std::move(tour), again ? app_.tourStop() : 0);
                  if (!faults.empty()) app_.tell(messageOf(faults, path));
                };
              });
}

void TourGuide::start(const std::string& id) {
  if (auto tour = parseTour(shippedTourText(id), app_.panels())) show(*std::move(tour), 0);
}

void TourGuide::show(Tour tour, std::size_t stop) {
  app_.dismissMessage();
  if (!tour.path.empty()) app_.keepTour(tour.path);
  const std::size_t last = tour.stops.size() - 1;
  app_.showTour(std::make_shared<const Tour>(std::move(tour)), std::min(stop, last));
  app_.closeOverlay(Overlay::OpenTour);
  app_.openOverlay(Overlay::Tour);
  goTo(app_.tourStop());
}

void TourGuide::goTo(std::size_t stop) {
  if (!app_.tour()) return;
  const auto& stops = app_.tour()->stops;
  app_.showTour(app_.tour(), std::min(stop, stops.size() - 1));
  if (const auto& arrival = stops[app_.tourStop()].arrival) links_.follow(*arrival);
}

void TourGuide::step(int direction) {
  if (!app_.tour() || (direction < 0 && app_.tourStop() == 0)) return;
  if (direction > 0 && app_.tourStop() + 1 == app_.tour()->stops.size()) return;
  goTo(direction > 0 ? app_.tourStop() + 1 : app_.tourStop() - 1);
}

void TourGuide::save(const SaveTour& request) {
  if (!app_.tour()) return;
  jobs_.start(
      "Saving " + nameOf(request.path),
      [this, request, tour = app_.tour()](engine::JobControl&) -> Jobs::Delivery {
        return [this, request, written = writeWhole(request.path, tour->text, request.overwrite)] {
          if (written) {
            app_.closeOverlay(Overlay::SaveTour);
            return app_.tell({.kind = MessageKind::Fine,
                              .sentence = "Saved as " + printable(absoluteOf(request.path)) +
                                          ". Edit it, and open it by File > Open tour."});
          }
          Message message = session::messageOf(written.error(), request.path, SaveTour{request.path, true});
          message.form = Overlay::SaveTour;
          app_.tell(std::move(message));
        };
      });
}

void TourGuide::tellUnread(const Error& error, const std::string& path) {
  Message message = session::messageOf(error);
  message.sentence = nameOf(path) + " was not opened. " + message.sentence;
  message.form = Overlay::OpenTour;
  message.actionLabel = "Open another tour";
  message.action = ShowOverlay{Overlay::OpenTour, path};
  app_.tell(std::move(message));
}

void TourGuide::poll() { jobs_.poll(); }

void TourGuide::waitForJobs() {
  jobs_.wait();
  jobs_.poll();
}

}  // namespace stridescope::session
