// The Source panel where a person's own kernel is edited: the text editor, its buttons, its search, and the
// marks of the round on the lines while the text is what ran.
#pragma once

#include <memory>
#include <string>

#include "views/shared/view_context.h"
#include "views/source/kernel_output.h"

class TextEditor;

namespace stridescope::views {

class KernelEditor {
 public:
  KernelEditor();
  ~KernelEditor();
  KernelEditor(const KernelEditor&) = delete;
  KernelEditor& operator=(const KernelEditor&) = delete;

  // Into the current window, between two points of the screen. Requires view.kernel.isOpen().
  void draw(ViewContext& view, ImVec2 min, ImVec2 max);

 private:
  void follow(const ViewContext& view);  // the session's text and the theme
  void drawButtons(ViewContext& view, ImVec2 min, ImVec2 max);
  void drawSearch(ViewContext& view, ImVec2 min, ImVec2 max);
  void takeKeys(ViewContext& view);
  void drawText(ViewContext& view, ImVec2 min, ImVec2 max);
  void scrollToRound(const ViewContext& view);
  void giveText(ViewContext& view);

  std::unique_ptr<TextEditor> editor_;
  KernelOutput output_;
  std::string path_;
  unsigned loads_ = 0;         // of the session's texts, taken in so far
  std::size_t undoIndex_ = 0;  // where the text was that the session knows
  int theme_ = -1;
  bool hadKeys_ = false;  // before the mouse was pressed
  bool wasFocused_ = false;
  bool searches_ = false, searchAppears_ = false;
  std::string sought_;
  const lab::Run* run_ = nullptr;
  session::Playhead scrolledTo_;
  std::string marks_;  // what was marked last
};

}  // namespace stridescope::views
