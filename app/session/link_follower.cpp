#include "session/link_follower.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "model/experiment_fields.h"
#include "narration/requests.h"
#include "narration/wording.h"
#include "session/comparison.h"
#include "session/experiment_choices.h"
#include "session/link.h"
#include "session/own_kernel.h"
#include "session/replay.h"
#include "session/tour.h"

namespace stridescope::session {
namespace {

// The first round of the stride, in the order of launches or in the one given.
std::optional<Playhead> roundOfStride(const lab::Run& run, std::uint64_t stride,
                                      const std::optional<unsigned>& only) {
  const auto& launches = run.analysis.launches;
  for (unsigned launch = only.value_or(0); launch < launches.size(); ++launch) {
    const auto& rounds = launches[launch].rounds;
    const auto found = std::ranges::find(rounds, std::optional(stride), &analysis::Round::stride);
    if (found != rounds.end()) return Playhead{launch, unsigned(found - rounds.begin())};
    if (only) break;
  }
  return std::nullopt;
}

// What a link names that the run does not have, so that the last one is shown in its place; empty: it has
// all. `launch`: where the link's round is. A link that asks for the last has ~0u.
std::string missingIn(const lab::Run& run, const LinkPlace& place, unsigned launch) {
  constexpr unsigned kLast = ~0u;
  const auto& launches = run.analysis.launches;
  const auto text = [](const std::string& whose, const char* what, unsigned number, std::size_t count) {
    return whose + " has no " + what + " " + std::to_string(number) + "; its last one is " +
           std::to_string(count - 1);
  };
  if (launches.empty()) return "";
  if (place.launch && *place.launch != kLast && *place.launch >= launches.size())
    return text("this run", "launch", *place.launch, launches.size());
  const std::size_t index = std::min<std::size_t>(launch, launches.size() - 1);
  const std::size_t rounds = launches[index].rounds.size();
  if (place.round && *place.round != kLast && *place.round >= rounds && rounds > 0)
    return text(launches.size() > 1 ? "launch " + std::to_string(index) : "this run", "round", *place.round,
                rounds);
  return "";
}

// Finds the request by its name, in any case.
std::optional<analysis::RequestId> requestOf(const Replay& replay, const std::string& name) {
  const auto alike = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  for (const narration::NamedRequest& request : narration::namedRequests(shownRound(replay)))
    if (std::ranges::equal(request.name, name, alike)) return *request.request;
  return std::nullopt;
}

// A site of the line that the round executes; else any of the line.
std::optional<std::uint64_t> siteOf(const Replay& replay, std::uint64_t line) {
  const auto& sites = replay.run()->trace.sites;
  const auto isThere = [&](std::uint32_t site) {
    return site < sites.size() && std::cmp_equal(sites[site].line, line);
  };
  for (const analysis::WarpOperation& operation : replay.round().operations)
    if (isThere(operation.site)) return operation.site;
  for (std::uint32_t site = 0; site < sites.size(); ++site)
    if (isThere(site)) return site;
  return std::nullopt;
}

tl::unexpected<Error> cannot(std::string sentence) {
  return tl::unexpected(Error{.kind = ErrorKind::Usage, .sentence = std::move(sentence)});
}

// The parts behind the ?, each with its mark before it.
class Tail {
 public:
  void add(std::string_view name, std::string value) {
    std::ranges::replace(value, ' ', '-');
    text_ += text_.empty() ? '?' : '&';
    text_.append(name).append("=").append(value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Why no link can say it; empty: one can.
std::string whyNotLinked(const model::Experiment& experiment) {
  if (experiment.given.get() != nullptr)
    return "A link cannot hold input data of your own. Choose a data pattern, or save a recording and hand "
           "that on.";
  if (experiment.op == model::Operator::Custom)
    return "A link cannot hold an operator of your own. Choose another one, or save a recording and hand "
           "that on.";
  return "";
}

// What was chosen otherwise than the variant has it by default.
void addChosen(const Workspace& workspace, Tail& tail) {
  const model::Experiment& experiment = workspace.experiment();
  const ExperimentChoices& choices = workspace.choices();
  const auto fields = chosenAnew(resetChoices(experiment.variant), choices);
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (!field.example.empty() && field.isGiven(fields) && isChosen(field, choices))
      tail.add(field.key, field.typed(experiment));
  }
}

void addRound(const Replay& replay, Tail& tail) {
  const Playhead at = replay.playhead();
  if (replay.run()->analysis.launches.size() > 1) tail.add("launch", std::to_string(at.launch));
  tail.add("round", std::to_string(at.round));
  if (at.pass > 0) tail.add("pass", std::to_string(at.pass));
}

// What is pinned, as a ring; nullopt: nothing is, or a link cannot ring it.
std::optional<std::string> ringOf(const Replay& replay) {
  if (!replay.pinned() || replay.hover()->array != 0) return std::nullopt;
  const std::string index = std::to_string(replay.hover()->index);
  switch (replay.hover()->kind) {
    case HoverKind::Thread:
      return "thread:" + index;
    case HoverKind::Warp:
      return "warp:" + index;
    case HoverKind::Element:
      return "element:" + index;
    case HoverKind::Bank:
      return "bank:" + index;
    case HoverKind::Site:
      return "line:" + std::to_string(replay.run()->trace.sites[replay.hover()->index].line);
    case HoverKind::Round:
      break;
  }
  return std::nullopt;
}

// One choice for both sides is all that a link has.
Result<std::string> linkToBoth(const Parts& parts) {
  const Workspace& left = parts.comparison->workspace(analysis::Side::Left);
  const Workspace& right = parts.comparison->workspace(analysis::Side::Right);
  // Such a link leaves all else as it is where it is followed.
  static const std::set<std::string_view> always{"type", "op", "threads", "data"};
  Tail tail;
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (field.example.empty()) continue;
    const std::string value = field.typed(left.experiment());
    if (value != field.typed(right.experiment()))
      return cannot("A link has one " + std::string(field.title) +
                    " for both sides, and here they differ in it. Choose the same one for both.");
    if (field.key == "n" ? left.choices().elements
                         : always.contains(field.key) || value != field.typed(model::Experiment()))
      tail.add(field.key, value);
  }
  addRound(parts.comparison->replay(analysis::Side::Left), tail);
  return "compare/" + left.experiment().variant + "/" + right.experiment().variant + tail.text();
}

}  // namespace

void LinkFollower::follow(const Link& link) {
  coming_.reset();
  ExperimentChoices choices = workspace_.choices();
  choose(link, choices);
  const auto wanted = engine::checkedExperiment(experimentFor(choices), choices.elements);
  const bool isThere = replay_.run() && !workspace_.job() && wanted && *wanted == workspace_.experiment() &&
                       replay_.run()->trace.experiment == *wanted;
  if (isThere) return land(link);
  workspace_.choose([&](ExperimentChoices& all) { choose(link, all); });
  coming_ = {link, workspace_.experiment()};
}

void LinkFollower::loaded() {
  if (!coming_ || coming_->experiment != workspace_.experiment()) return;
  land(std::exchange(coming_, std::nullopt)->link);
}

void LinkFollower::polled() {
  if (coming_ && !workspace_.job()) coming_.reset();
}

void LinkFollower::land(const Link& link) {
  if (replay_.playing()) replay_.togglePlaying();
  if (!link.panel.empty()) app_.showPanel(link.panel);
  if (link.place) replay_.moveTo(placeOf(link));
  if (!link.request.empty()) {
    const auto request = requestOf(replay_, link.request);
    if (request)
      replay_.chooseRequest(*request);
    else
      complain(link, "this round has no request called " + link.request);
  }
  if (replay_.isRinged()) replay_.unpin();
  if (link.ring) ring(link);
  if (factsOf(modeOf(link)).isLeftByLinks) arrived_(link);
}

void LinkFollower::ring(const Link& link) {
  const LinkRing& ring = *link.ring;
  replay_.unpin();
  if (const auto hover = hoverOf(ring)) replay_.ring(*hover);
  if (!replay_.pinned()) return complain(link, "what the link rings is not in this run");
  if (ring.kind == RingKind::Request) replay_.chooseRequest(*requestOf(replay_, ring.request));
}

void LinkFollower::complain(const Link& link, const std::string& what) const {
  std::optional<std::size_t> line;
  if (app_.overlay() == Overlay::Tour && app_.tour()) line = lineOf(*app_.tour(), link, app_.panels());
  app_.remark(line ? "Line " + std::to_string(*line) + " of the tour: " + what + "."
                   : narration::sentenceOf({what}));
}

Playhead LinkFollower::placeOf(const Link& link) const {
  const LinkPlace& place = *link.place;
  Playhead at = link.anew ? Playhead() : replay_.playhead();
  if (place.launch) at.launch = *place.launch;
  if (place.round) at.round = *place.round;
  if (place.round || place.stride) at.pass = place.round == ~0u ? kLastPass : 0;
  if (place.stride) {
    const auto found = roundOfStride(*replay_.run(), *place.stride, place.launch);
    if (found)
      at = *found;
    else
      complain(link, "this run has no stride " + std::to_string(*place.stride));
  }
  if (place.pass) at.pass = *place.pass;
  if (const std::string what = missingIn(*replay_.run(), place, at.launch); !what.empty())
    complain(link, what);
  return at;
}

std::optional<Hover> LinkFollower::hoverOf(const LinkRing& ring) const {
  switch (ring.kind) {
    case RingKind::Thread:
      return Hover{HoverKind::Thread, ring.index};
    case RingKind::Warp:
      return Hover{HoverKind::Warp, ring.index};
    case RingKind::Element:
      return Hover{HoverKind::Element, ring.index};
    case RingKind::Bank:
      return Hover{HoverKind::Bank, ring.index};
    case RingKind::Line:
      if (const auto site = siteOf(replay_, ring.index)) return Hover{HoverKind::Site, *site};
      break;
    case RingKind::Request:
      if (const auto request = requestOf(replay_, ring.request)) return Hover{HoverKind::Site, request->site};
      break;
  }
  return std::nullopt;
}

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
          if (written)
            return app_.tellSaved(absoluteOf(request.path), Overlay::SaveTour,
                                  " Edit it, and open it by File > Open tour.");
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

Result<std::string> linkTo(const Parts& parts) {
  if (parts.kernel.isOpen())
    return cannot("A link leads to variants alone. Hand on the kernel's file and its launch file.");
  const auto isShown = [](const Replay& replay) { return replay.run() != nullptr; };
  if (!isShown(parts.replay)) return cannot("Nothing is shown yet that a link could lead to.");
  const model::Experiment& experiment = parts.workspace.experiment();
  if (std::string why = whyNotLinked(experiment); !why.empty()) return cannot(std::move(why));
  if (parts.comparison != nullptr) {
    for (const analysis::Side side : analysis::kSides) {
      if (!isShown(parts.comparison->replay(side))) return cannot("One side is not shown yet.");
      if (std::string why = whyNotLinked(parts.comparison->workspace(side).experiment()); !why.empty())
        return cannot(std::move(why));
    }
    return linkToBoth(parts);
  }
  Tail tail;
  addChosen(parts.workspace, tail);
  addRound(parts.replay, tail);
  if (isPanelPart(parts.app.focused())) tail.add("panel", parts.app.focused());
  if (const auto ring = ringOf(parts.replay)) tail.add("ring", *ring);
  if (parts.predict.isOn() && !parts.predict.asked().empty()) {
    const teaching::Topic topic = parts.predict.asked()[parts.predict.chosen()].question.topic;
    return "predict/" + std::string(questionOf(topic)) + "/" + experiment.variant + tail.text();
  }
  return "show/" + experiment.variant + tail.text();
}

}  // namespace stridescope::session
