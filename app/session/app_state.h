// What the window shows apart from runs and timings: settings, a message, an overlay, and what it has yet to
// do.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/command.h"
#include "session/mode.h"
#include "session/settings.h"
#include "session/tour.h"

namespace stridescope::session {

inline constexpr double kRemarkSeconds = 6, kSavedSeconds = 12;

// Parts of the window that are no panels.
inline constexpr std::string_view kBarPart = "experiment bar", kMessagePart = "message",
                                  kReadingPart = "text";
constexpr bool isPanelPart(std::string_view part) {
  return !part.empty() && part != kBarPart && part != kMessagePart && part != kReadingPart;
}

// Where the recordings are that come with the program. A page fetches them once somebody asks for what they
// have.
enum class ShippedRecordings : std::uint8_t {
  Here,     // or there are none
  Offered,  // they can be fetched
  Asked,    // they are under way
  Lost,     // they could not be fetched, and a person may try again
};

class AppState {
 public:
  // `pageAddress`: see SessionServices.
  explicit AppState(Settings settings, std::string pageAddress = {})
      : settings_(std::move(settings)), pageAddress_(std::move(pageAddress)) {}
  AppState(const AppState&) = delete;
  AppState& operator=(const AppState&) = delete;

  const Settings& settings() const { return settings_; }
  void changeSettings(const Settings& settings);  // the text size is brought into its range
  void setSpeed(double roundsPerSecond);          // so is this
  void keepExperiment(const model::Experiment& experiment) { settings_.lastExperiment = experiment; }
  void keepRound(unsigned launch, unsigned round) {
    settings_.lastLaunch = launch;
    settings_.lastRound = round;
  }
  void keepTour(const std::string& path) { settings_.tour = path; }
  void keepRecent(const std::string& recording);  // its path; the newest of at most kMaxRecent
  // A recording that goes with the session is none to come back to.
  void leaveOutOfRecent(const std::string& recording) { unlisted_.insert(recording); }

  const std::optional<Message>& message() const { return message_; }
  void tell(Message message);
  // Where two runs are compared: what is told is about that side's, and what is offered is done to it.
  void speakFor(std::optional<analysis::Side> side) { speaker_ = side; }
  // In a strip of its own. Present shows those alone that were told while it went on.
  bool isMessageShown() const { return message_ && !isToldInForm() && !(isPresenting() && toldBefore_); }
  void dismissMessage() { message_.reset(); }
  // In passing: beside a message that is shown, as its note, or alone where none is. It goes after
  // kRemarkSeconds, or when the person does something else.
  void remark(const std::string& sentence);
  // That a file or folder was saved at `path`, a whole one, from `form`, which closes with what it told;
  // `more` follows the sentence. Stands alone for kSavedSeconds, whatever the person does meanwhile, with the
  // path to copy.
  void tellSaved(const std::string& path, Overlay form, const std::string& more = {});
  // One that stands alone.
  const std::optional<std::string>& loneRemark() const { return loneRemark_; }
  // Whether it says where something was saved.
  bool isRemarkOfSaved() const { return loneRemark_ && isOfSaved_; }
  // What was saved last, since the window opened; empty: nothing.
  const std::string& savedPath() const { return savedPath_; }
  void endRemark();
  // The person does something else: what was said in passing goes, but for where something was saved.
  void goOn() {
    if (!isRemarkOfSaved()) endRemark();
  }
  void passTime(double seconds);
  // Seconds until a remark goes; nullopt: there is none.
  std::optional<double> remarkGoesIn() const {
    return hasRemark() ? std::optional(remarkLeft_) : std::nullopt;
  }
  // Whether the open form shows it, so that nothing else need.
  bool isToldInForm() const {
    return message_ && message_->form != Overlay::None && message_->form == overlay_;
  }

  ShippedRecordings shippedRecordings() const { return shipped_; }
  bool areRecordingsOffered() const {
    return shipped_ == ShippedRecordings::Offered || shipped_ == ShippedRecordings::Lost;
  }
  std::string recordingsSize() const;  // what is to be transferred: "5.23 MB"
  void offerRecordings(std::uint64_t bytes);
  void askForRecordings();            // says so; nothing where they are not offered
  void takeRecordings(bool areHere);  // what was asked for came, or is lost

  Overlay overlay() const { return overlay_; }
  // The text that is read beside the panels, under what lies over them, too; None: there is none.
  Overlay textBeside() const {
    if (isReadBeside(overlay_)) return overlay_;
    return beneath_.empty() ? Overlay::None : beneath_.back();
  }
  // The same where the mode has a place for it: in Present a tour and the first start's doors have none.
  Overlay seenText() const {
    const Overlay text = textBeside();
    return isPresenting() && (text == Overlay::Tour || text == Overlay::Welcome) ? Overlay::None : text;
  }
  // One that is read beside the panels comes back when another one that was opened over it closes; the first
  // start's doors have led somewhere when it is read beside the panels, too.
  void openOverlay(Overlay overlay);
  void closeOverlay();
  void closeOverlay(Overlay one) {  // if it is that one
    if (overlay_ == one) closeOverlay();
  }
  // `subject`: what the overlay is about, if it is about one thing (ShowOverlay).
  void toggleOverlay(Overlay overlay, const std::string& subject = {});
  // What is read beside the panels is open, or comes back when what was opened over it closes.
  bool isReading() const { return textBeside() != Overlay::None; }
  const std::string& overlaySubject() const { return overlaySubject_; }

  // The tour that is open, and the stop where it stands; null: none.
  const std::shared_ptr<const Tour>& tour() const { return tour_; }
  std::size_t tourStop() const { return tourStop_; }
  void showTour(std::shared_ptr<const Tour> tour, std::size_t stop);  // `stop` is one of its stops

  // Panels by their ids; all of the mode are shown but those that a person hides. To show one of another mode
  // is to go there.
  bool isShown(std::string_view panel) const;
  void showPanel(const std::string& panel);
  void hidePanel(const std::string& panel);

  // The part of the window that has the keyboard: a panel's id or one of those above; empty: none of them,
  // keys step.
  const std::string& focused() const { return focused_; }
  void focus(const std::string& part);  // a panel is shown and comes to the front

  const std::string& pageAddress() const { return pageAddress_; }

  // The ids of all panels that the window has, which links may name.
  const std::vector<std::string>& panels() const { return panels_; }
  void setPanels(std::vector<KnownPanel> panels);
  // The mode offers the panel; one that the window does not have is offered everywhere.
  bool hasPanel(Mode mode, std::string_view panel) const;

  // Explore at first.
  Mode mode() const { return mode_; }
  const ModeFacts& modeFacts() const { return factsOf(mode_); }
  // Present ends where it began: asked for again, it gives way to the mode before it. It fills the screen
  // meanwhile, and begins without any tool and without the texts that are read, which come back when it ends.
  // Who goes to another mode has left the first start's doors behind.
  void enterMode(Mode mode);
  bool isPresenting() const { return modeFacts().presents; }
  bool isOn(PresenterTool tool) const { return tools_[std::size_t(tool)]; }
  void toggleTool(PresenterTool tool) { tools_[std::size_t(tool)] = !isOn(tool); }
  // In Present the panel beside the caption; showPanel() puts another one there.
  const std::string& presentedMap() const { return presentedMap_; }
  // Where there is room for one panel alone: that one rather than Shared memory.
  bool isMapInFront() const { return mapInFront_; }

  ThemeName theme() const { return isPresenting() ? settings_.presenterTheme : settings_.theme; }
  // The settings with this theme in the mode that is shown.
  Settings withTheme(ThemeName theme) const;

  bool fullscreen() const { return fullscreen_; }
  void toggleFullscreen() { fullscreen_ = !fullscreen_; }
  // The window with the speaker notes is wanted: it waits, closed, while no tour is open.
  bool wantsNotes() const { return wantsNotes_; }
  // One that is open and may stand behind others comes to the front first.
  void toggleNotes() {
    if (wantsNotes_ && !notesInFront_)
      raisesNotes_ = true;
    else
      wantsNotes_ = !wantsNotes_;
  }
  void seeNotes(bool inFront) { notesInFront_ = inFront; }
  // Esc closed their window just now: pressed once too often it lands in the first window, and does nothing.
  void restEscape(bool rests) { escapeRests_ = rests; }
  bool escapeRests() const { return escapeRests_; }
  bool takeNotesRaise() { return std::exchange(raisesNotes_, false); }
  bool quitting() const { return quitting_; }
  void quit() { quitting_ = true; }

  // Requests that the window fulfils, each told once.
  void resetLayout();  // all panels are shown again
  bool takeLayoutReset() { return std::exchange(layoutReset_, false); }
  std::optional<std::string> takePanelToFront() { return std::exchange(toFront_, std::nullopt); }
  // And says so: "Copied the timings as CSV.", without `what` "Copied 3 lines.".
  void copyText(std::string text, const std::string& what);
  std::optional<std::string> takeCopiedText() { return std::exchange(copied_, std::nullopt); }
  bool takeRecordingsRequest() { return std::exchange(recordingsWanted_, false); }
  void askForPicture(const ExportFile& request) { picture_ = request; }
  std::optional<ExportFile> takePictureRequest() { return std::exchange(picture_, std::nullopt); }

 private:
  bool hasRemark() const { return loneRemark_ || (message_ && !message_->note.empty()); }
  PanelRole roleOf(std::string_view panel) const;  // in the mode that is shown
  void putTextsAway();
  void bringTextsBack();

  Settings settings_;
  std::string pageAddress_;
  std::optional<Message> message_;
  std::optional<std::string> loneRemark_;
  double remarkLeft_ = 0;   // seconds
  bool isOfSaved_ = false;  // the lone remark
  std::string savedPath_;
  std::set<std::string> unlisted_;  // recordings that go with the session
  ShippedRecordings shipped_ = ShippedRecordings::Here;
  std::uint64_t recordingsBytes_ = 0;
  bool recordingsWanted_ = false;
  std::optional<analysis::Side> speaker_;
  Overlay overlay_ = Overlay::None;
  std::vector<Overlay> beneath_;  // read beside the panels, the one that comes back first last
  std::vector<Overlay> putAway_;  // likewise, until Present ends
  std::shared_ptr<const Tour> tour_;
  std::size_t tourStop_ = 0;
  Mode mode_ = Mode::Explore, beforePresent_ = Mode::Explore;
  std::array<bool, kPresenterTools> tools_{};
  std::string presentedMap_;
  bool fullscreenBefore_ = false, mapInFront_ = false;
  bool toldBefore_ = false;  // the message, before Present
  std::string overlaySubject_, focused_;
  std::vector<KnownPanel> knownPanels_;
  std::vector<std::string> panels_;  // their ids
  bool layoutReset_ = false, fullscreen_ = false, wantsNotes_ = false, quitting_ = false;
  bool notesInFront_ = true, raisesNotes_ = false, escapeRests_ = false;
  std::optional<std::string> toFront_, copied_;
  std::optional<ExportFile> picture_;
};

}  // namespace stridescope::session
