// What the window shows apart from runs and timings: settings, a message, an overlay, and what it has yet to
// do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "session/message.h"
#include "session/mode.h"
#include "session/settings.h"

namespace stridescope::session {

inline constexpr std::string_view kBarPart = "experiment bar", kMessagePart = "message";

class AppState {
 public:
  explicit AppState(Settings settings) : settings_(std::move(settings)) {}
  AppState(const AppState&) = delete;
  AppState& operator=(const AppState&) = delete;

  const Settings& settings() const { return settings_; }
  void changeSettings(const Settings& settings);  // the text size is brought into its range
  void setSpeed(double roundsPerSecond);          // so is this
  void keepExperiment(const model::Experiment& experiment) { settings_.lastExperiment = experiment; }
  void keepRecent(const std::string& recording);  // its path; the newest of at most kMaxRecent

  const std::optional<Message>& message() const { return message_; }
  void tell(Message message);
  // Where two runs are compared: what is told is about that side's, and what is offered is done to it.
  void speakFor(std::optional<analysis::Side> side) { speaker_ = side; }
  void dismissMessage() { message_.reset(); }
  // In passing: a message that asks for something stays, with that as its note.
  void remark(const std::string& sentence);
  // Whether the open form shows it, so that nothing else need.
  bool isToldInForm() const {
    return message_ && message_->form != Overlay::None && message_->form == overlay_;
  }

  Overlay overlay() const { return overlay_; }
  void openOverlay(Overlay overlay) { overlay_ = overlay; }
  void closeOverlay() { overlay_ = Overlay::None; }
  void closeOverlay(Overlay one) {  // if it is that one
    if (overlay_ == one) closeOverlay();
  }
  // `subject`: what the overlay is about, if it is about one thing (ShowOverlay).
  void toggleOverlay(Overlay overlay, const std::string& subject = {});
  const std::string& overlaySubject() const { return overlaySubject_; }

  // Panels by their ids; all of the mode are shown but those that a person hides. To show one of another mode
  // is to go there.
  bool isShown(std::string_view panel) const;
  void showPanel(const std::string& panel);
  void hidePanel(const std::string& panel);

  // The part of the window that has the keyboard: a panel's id, kBarPart or kMessagePart; empty: none of
  // them, keys step.
  const std::string& focused() const { return focused_; }
  void focus(const std::string& part);  // a panel is shown and comes to the front

  // Explore at first.
  Mode mode() const { return mode_; }
  // Present ends where it began: asked for again, it gives way to the mode before it.
  void enterMode(Mode mode);

  bool fullscreen() const { return fullscreen_; }
  void toggleFullscreen() { fullscreen_ = !fullscreen_; }
  bool quitting() const { return quitting_; }
  void quit() { quitting_ = true; }

  // Requests that the window fulfils, each told once.
  void resetLayout();  // all panels are shown again
  bool takeLayoutReset() { return std::exchange(layoutReset_, false); }
  std::optional<std::string> takePanelToFront() { return std::exchange(toFront_, std::nullopt); }
  // And says so: "Copied the timings as CSV.", without `what` "Copied 3 lines.".
  void copyText(std::string text, const std::string& what);
  std::optional<std::string> takeCopiedText() { return std::exchange(copied_, std::nullopt); }
  void askForPicture(const ExportFile& request) { picture_ = request; }
  std::optional<ExportFile> takePictureRequest() { return std::exchange(picture_, std::nullopt); }

 private:
  Settings settings_;
  std::optional<Message> message_;
  std::optional<analysis::Side> speaker_;
  Overlay overlay_ = Overlay::None;
  Mode mode_ = Mode::Explore, beforePresent_ = Mode::Explore;
  std::string overlaySubject_, focused_;
  bool layoutReset_ = false, fullscreen_ = false, quitting_ = false;
  std::optional<std::string> toFront_, copied_;
  std::optional<ExportFile> picture_;
};

}  // namespace stridescope::session
