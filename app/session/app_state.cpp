#include "session/app_state.h"

#include <algorithm>
#include <memory>

#include "base/numbers.h"
#include "base/plain_text.h"

namespace stridescope::session {

std::string inWindow(std::string sentence) {
  constexpr std::string_view kBegin = " (on the command line: ";
  for (std::size_t at = sentence.find(kBegin); at != sentence.npos; at = sentence.find(kBegin, at)) {
    const std::size_t end = sentence.find(')', at);
    if (end == sentence.npos) break;
    sentence.erase(at, end + 1 - at);
  }
  return sentence;
}

Message messageOf(const Error& error) {
  return {.kind = MessageKind::Wrong,
          .sentence = printable(inWindow(error.sentence)),
          .details = printable(error.details, Lines::Many)};
}

Message messageOf(const Error& error, const std::string& path, const Command& overwriting) {
  Message message = messageOf(error);
  if (error.cause != ErrorCause::ExistingFile) return message;
  // told without the options of a command
  message.sentence =
      "The file " + printable(path) + " exists already. Overwrite it, or save under another name.";
  message.actionLabel = "Overwrite it";
  message.action = overwriting;
  return message;
}

// A form is opened for the side that is chosen.
void AppState::tell(Message message) {
  if (speaker_ && message.action && !std::holds_alternative<ShowOverlay>(message.action->any()))
    message.action = OnSide{*speaker_, std::make_shared<const Command>(*message.action)};
  endRemark();
  message_ = std::move(message);
  toldBefore_ = false;
}

void AppState::remark(const std::string& sentence) {
  endRemark();
  remarkLeft_ = kRemarkSeconds;
  if (isMessageShown())
    message_->note = sentence;
  else
    loneRemark_ = sentence;
}

void AppState::tellSaved(const std::string& path, Overlay form, const std::string& more) {
  if (message_ && message_->form == form) message_.reset();
  closeOverlay(form);
  endRemark();
  // What a page saves the browser puts among its downloads, under a path that the page is not told.
  if (pageAddress_.empty()) {
    savedPath_ = path;
    loneRemark_ = "Saved as " + printable(path) + "." + more;
  } else {
    loneRemark_ = "The browser downloads " + printable(path.substr(path.rfind('/') + 1)) + "." + more;
  }
  isOfSaved_ = true;
  remarkLeft_ = kSavedSeconds;
}

void AppState::offerRecordings(std::uint64_t bytes) {
  shipped_ = ShippedRecordings::Offered;
  recordingsBytes_ = bytes;
}

std::string AppState::recordingsSize() const { return factorText(double(recordingsBytes_) / 1e6) + " MB"; }

void AppState::askForRecordings() {
  if (!areRecordingsOffered()) return;
  shipped_ = ShippedRecordings::Asked;
  recordingsWanted_ = true;
  remark("The recordings are fetched: " + recordingsSize() + ".");
}

void AppState::takeRecordings(bool areHere) {
  shipped_ = areHere ? ShippedRecordings::Here : ShippedRecordings::Lost;
}

void AppState::endRemark() {
  loneRemark_.reset();
  isOfSaved_ = false;
  if (message_) message_->note.clear();
}

void AppState::passTime(double seconds) {
  remarkLeft_ -= seconds;
  if (hasRemark() && remarkLeft_ <= 0) endRemark();
}

void AppState::changeSettings(const Settings& settings) {
  settings_ = settings;
  settings_.textSize = std::clamp(settings_.textSize, kMinTextSize, kMaxTextSize);
}

void AppState::setSpeed(double roundsPerSecond) {
  settings_.speed = std::clamp(roundsPerSecond, kSlowest, kFastest);
}

void AppState::keepRecent(const std::string& recording) {
  if (unlisted_.contains(recording)) return;
  auto& recent = settings_.recent;
  std::erase(recent, recording);
  recent.insert(recent.begin(), recording);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

void AppState::setPanels(std::vector<KnownPanel> panels) {
  knownPanels_ = std::move(panels);
  panels_.clear();
  for (const KnownPanel& panel : knownPanels_) {
    panels_.push_back(panel.id);
    if (panel.isPresentedFirst && presentedMap_.empty()) presentedMap_ = panel.id;
  }
}

bool AppState::hasPanel(Mode mode, std::string_view panel) const {
  const auto found = std::ranges::find(knownPanels_, panel, &KnownPanel::id);
  return found == knownPanels_.end() || found->roleIn(factsOf(mode).panelsOf) != PanelRole::None;
}

PanelRole AppState::roleOf(std::string_view panel) const {
  const auto found = std::ranges::find(knownPanels_, panel, &KnownPanel::id);
  return found == knownPanels_.end() ? PanelRole::None : found->roleIn(mode_);
}

bool AppState::isShown(std::string_view panel) const {
  return hasPanel(mode_, panel) &&
         std::ranges::find(settings_.hiddenPanels, panel) == settings_.hiddenPanels.end();
}

void AppState::showPanel(const std::string& panel) {
  const auto offers = [&](const ModeFacts& facts) { return hasPanel(facts.mode, panel); };
  if (const auto mode = std::ranges::find_if(kModes, offers); !offers(modeFacts()) && mode != kModes.end())
    enterMode(mode->mode);
  if (isPresenting()) {
    const PanelRole role = roleOf(panel);
    mapInFront_ = role != PanelRole::Main;
    if (role == PanelRole::Turn) presentedMap_ = panel;
    return;
  }
  std::erase(settings_.hiddenPanels, panel);
  toFront_ = panel;
}

void AppState::hidePanel(const std::string& panel) {
  if (isShown(panel)) settings_.hiddenPanels.push_back(panel);
  if (focused_ == panel) focused_.clear();
}

void AppState::focus(const std::string& part) {
  focused_ = part;
  if (isPanelPart(part)) showPanel(part);
}

void AppState::enterMode(Mode mode) {
  if (factsOf(mode).presents && isPresenting()) mode = beforePresent_;
  const bool presents = factsOf(mode).presents;
  if (isPresenting() && !presents) {
    fullscreen_ = fullscreenBefore_;
    bringTextsBack();
  }
  if (presents) {
    putTextsAway();
    beforePresent_ = mode_;
    fullscreenBefore_ = std::exchange(fullscreen_, true);
    tools_ = {};
    mapInFront_ = false;
    toldBefore_ = true;
  }
  if (mode_ != mode) focused_.clear();
  if (mode_ != mode && !presents && !isPresenting()) closeOverlay(Overlay::Welcome);
  mode_ = mode;
  if (isPanelPart(focused_) && !isShown(focused_)) focused_.clear();
}

void AppState::putTextsAway() {
  putAway_ = std::exchange(beneath_, {});
  if (isReadBeside(overlay_)) putAway_.push_back(std::exchange(overlay_, Overlay::None));
}

// What was opened meanwhile is in front of them.
void AppState::bringTextsBack() {
  std::vector<Overlay> meanwhile = std::exchange(beneath_, {});
  const bool isText = overlay_ == Overlay::None || isReadBeside(overlay_);
  if (isReadBeside(overlay_)) meanwhile.push_back(overlay_);
  for (const Overlay text : std::exchange(putAway_, {}))
    if (std::ranges::find(meanwhile, text) == meanwhile.end()) beneath_.push_back(text);
  beneath_.insert(beneath_.end(), meanwhile.begin(), meanwhile.end());
  if (isText) closeOverlay();
}

Settings AppState::withTheme(ThemeName theme) const {
  Settings settings = settings_;
  (isPresenting() ? settings.presenterTheme : settings.theme) = theme;
  return settings;
}

void AppState::copyText(std::string text, const std::string& what) {
  const auto newlines = std::ranges::count(text, '\n');
  const auto lines = newlines + (text.ends_with('\n') || text.empty() ? 0 : 1);
  const std::string counted = std::to_string(lines) + (lines == 1 ? " line" : " lines");
  copied_ = std::move(text);
  remark("Copied " + (what.empty() ? counted : what) + ".");
}

void AppState::resetLayout() {
  settings_.hiddenPanels.clear();
  layoutReset_ = true;
}

// A message that was read in the form closes with it.
void AppState::toggleOverlay(Overlay overlay, const std::string& subject) {
  if (isToldInForm()) message_.reset();
  if (overlay_ == overlay)
    closeOverlay();
  else
    openOverlay(overlay);
  overlaySubject_ = subject;
}

void AppState::openOverlay(Overlay overlay) {
  const auto place = std::ranges::find(beneath_, overlay);
  if (place != beneath_.end())
    beneath_.erase(place, beneath_.end());
  else if (isReadBeside(overlay_) && overlay_ != overlay &&
           !(overlay_ == Overlay::Welcome && isReadBeside(overlay)))
    beneath_.push_back(overlay_);
  if (overlay == Overlay::Welcome) settings_.welcomed = true;
  overlay_ = overlay;
  if (overlay == Overlay::Tour && tour_ == nullptr) focused_ = kReadingPart;  // tours to choose from
}

void AppState::closeOverlay() {
  overlay_ = beneath_.empty() ? Overlay::None : beneath_.back();
  if (!beneath_.empty()) beneath_.pop_back();
}

void AppState::showTour(std::shared_ptr<const Tour> tour, std::size_t stop) {
  if (tour_ == nullptr && focused_ == kReadingPart) focused_.clear();
  tour_ = std::move(tour);
  tourStop_ = stop;
}

}  // namespace stridescope::session
