// The whole window: bars, docked panels, caption and transport, over one session.
#pragma once

#include <chrono>
#include <functional>

#include "session/session.h"
#include "shell/frame.h"
#include "views/compare/compare_view.h"
#include "views/frame/key_focus.h"
#include "views/frame/menu_bar.h"
#include "views/frame/mode_layout.h"
#include "views/frame/overlays.h"
#include "views/frame/presenter.h"
#include "views/reading/speaker_notes.h"
#include "views/shared/cell_walk.h"
#include "views/shared/explanations.h"
#include "views/shared/panel.h"

namespace stridescope::views {

struct PanelArea {
  ImVec2 min, max;
};

class Workbench : public shell::App {
 public:
  // `saveSettings` is called once, when the window closes. `panels`: those that the window has, allPanels()
  // as a rule. `commands`: those that a person can give; empty: all of the panels' table.
  Workbench(session::Session& session, std::function<void(const session::Settings&)> saveSettings,
            std::vector<Panel> panels, std::vector<CommandEntry> commands = {});

  void drawFrame(shell::Frame& frame) override;
  shell::Appearance appearance() const override;
  bool wantsFrameSoon() const override;
  // A remark goes by itself, and neither the desktop's dialog nor whoever reads a folder rings the bell.
  double looksAgainIn() const override;
  std::string title() const override;
  void onNotice(const std::string& sentence) override;
  void onDrop(const std::filesystem::path& path) override;
  bool wantsToClose() const override { return session_.app().quitting(); }
  std::optional<std::string> secondTitle() const override { return notesTitle(session_.app()); }
  void onSecondClosed() override;
  bool takeSecondRaise() override;
  std::optional<shell::PictureRequest> takePictureRequest() override;
  void onPicture(Result<shell::Image> picture) override;
  // From now on for a picture: without what tells a person what to press and where to point.
  void drawForPicture() { isPicture_ = true; }
  const ShownTimes& times() const { return times_; }
  // Where the last frame drew a panel, in Dear ImGui's coordinates; empty where it is hidden or behind
  // another tab.
  PanelArea areaOf(std::string_view panel) const;
  // Where the last frame led to the program for a machine, for a page.
  std::span<const LinkPlaceOnPage> programLinks() const { return programLinks_; }
  void saveState() override { saveSettings_(session_.app().settings()); }

 private:
  void tellNotice();
  void seeNotes(const shell::Frame& frame);
  void takeKeys(shell::KeyInput& keys);
  void drawPanels(ViewContext& view, shell::DockSpace& docks);
  void drawCompared(ViewContext& view, ImVec2 min, ImVec2 max);
  void drawOverlays(ViewContext& view, ImVec2 readingMin, ImVec2 readingMax);
  void drawFocus(const ViewContext& view, const Panel& panel);
  void present(ViewContext& view, shell::DockSpace& docks);
  void restPointer(shell::PointerRest& pointer, session::Playhead before);

  session::Session& session_;
  std::function<void(const session::Settings&)> saveSettings_;
  std::vector<Panel> panels_;
  std::vector<CommandEntry> commands_;
  ShownTimes times_;
  Explanations explanations_;
  OverlayState overlay_, beside_;    // what lies over the panels; the text beside them
  std::vector<std::string> hidden_;  // the frame before's
  std::string ladder_;               // the id of the panel that gives way to a text; empty: none does
  bool withoutLadder_ = false;       // a text is read in its place
  bool readingCovers_ = false;       // in a low window all panels; in a narrow one the lower ones
  bool hasFields_ = true;            // the experiment bar
  float ladderWidth_ = 0;            // when it was there last, pixels, with no text beside it
  float shrink_ = 1;                 // what the panels' widths were multiplied with in the last frame
  std::string toFront_;              // its title
  int framesToFront_ = 0;
  int framesToSettleIn_ = 0;  // until the others have the room of a panel that went
  KeyFocus focus_;
  CellWalk walk_;  // in the focused panel
  CompareView compare_;
  int framesAway_ = 0;  // until the panels have come back from another mode
  KeysOf keysOf_ = KeysOf::Window;
  TabFollower tabs_;
  std::vector<LinkPlaceOnPage> programLinks_;
  Presenter presenter_;
  bool isPicture_ = false;
  ShownStop notes_;  // in the speaker notes' window
  bool hasNotes_ = false, notesWereClosed_ = false;
  double notesClosedAt_ = -1e9;  // by the person, by lastSeconds_
  double notesRaisedAt_ = 0;     // or opened, by lastSeconds_
  JobLineState jobLine_;
  session::Mode mode_ = session::Mode::Explore;   // the frame before's
  bool pointerWentToRest_ = false;                // in this frame: the next one shows it
  ImVec2 size_{1280, 720};                        // the window's in the last frame
  std::optional<session::ExportFile> exporting_;  // the frame that is drawn is its picture
  std::string notice_;                            // waits to be told; empty: none
  // The hover's linked marks and the round's trouble, worked out again when the replay says that they may be
  // others.
  struct {
    bool stale = true;
    LinkedHighlight linked;
    TroubleMarks trouble;
  } lit_;
  session::Subscription litChanges_;
  double lastSeconds_ = 0;
  std::chrono::steady_clock::time_point lastFrame_{};
};

}  // namespace stridescope::views
