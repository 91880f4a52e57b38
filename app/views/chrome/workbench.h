// The whole window: bars, docked panels, caption and transport, over one session.
#pragma once

#include <functional>
#include <memory>

#include "session/session.h"
#include "shell/app.h"
#include "views/chrome/overlays.h"
#include "views/lessons/ladder_view.h"
#include "views/measure/timings_view.h"
#include "views/memory/shared_memory_view.h"
#include "views/source/source_view.h"

namespace stridescope::views {

class Workbench : public shell::App {
 public:
  // `saveSettings` is called once, when the window closes.
  Workbench(session::Session& session, std::function<void(const session::Settings&)> saveSettings);

  void drawFrame(shell::Frame& frame) override;
  shell::Appearance appearance() const override;
  bool wantsFrameSoon() const override { return session_.wantsFrameSoon(); }
  std::string title() const override;
  void onNotice(const std::string& sentence) override;
  void onDrop(const std::filesystem::path& path) override;
  bool wantsToClose() const override { return session_.app().quitting(); }
  std::optional<shell::PictureWish> takePictureWish() override {
    return std::exchange(picture_, std::nullopt);
  }
  void onPictureWritten(const shell::PictureWish& wish, const Result<void>& written) override {
    session_.app().tellPictureSaved(wish.path.string(), written);
  }
  TimingsState& timings() { return timings_; }  // for pictures of its tabs
  void saveState() override { saveSettings_(session_.app().settings()); }

 private:
  void tellNotice();

  session::Session& session_;
  std::function<void(const session::Settings&)> saveSettings_;
  LadderState ladder_;
  SharedMemoryState sharedMemory_;
  SourceState source_;
  TimingsState timings_;
  OverlayState overlay_;
  std::optional<shell::PictureWish> picture_;
  std::string notice_;  // waits to be told; empty: none
  // The hover's twins and the round's trouble, worked out again when the replay says that they may be others.
  struct {
    bool stale = true;
    Twins twins;
    TroubleMarks trouble;
  } lit_;
  session::Subscription litChanges_;
  double lastSeconds_ = 0;
};

}  // namespace stridescope::views
