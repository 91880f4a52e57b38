#include "session/app_state.h"

#include <algorithm>

#include "base/plain_text.h"

namespace stridescope::session {

Message messageOf(const Error& error) {
  return {.kind = MessageKind::Wrong,
          .sentence = printable(error.sentence),
          .details = printable(error.details, Lines::Many)};
}

void AppState::changeSettings(const Settings& settings) {
  settings_ = settings;
  settings_.textSize = std::clamp(settings_.textSize, kLeastTextSize, kMostTextSize);
}

void AppState::setSpeed(double roundsPerSecond) {
  settings_.speed = std::clamp(roundsPerSecond, kSlowest, kFastest);
}

void AppState::keepRecent(const std::string& recording) {
  auto& recent = settings_.recent;
  std::erase(recent, recording);
  recent.insert(recent.begin(), recording);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

void AppState::tellPictureSaved(const std::string& path, const Result<void>& saved) {
  message_ = {.kind = saved ? MessageKind::Fine : MessageKind::Wrong,
              .sentence = saved ? "Saved as " + printable(path) + "." : printable(saved.error().sentence),
              .details = saved ? std::string() : printable(saved.error().details, Lines::Many)};
}

}  // namespace stridescope::session
