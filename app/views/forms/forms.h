// Forms: what those about files have in common, sentences in them, and the forms themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/frame/overlays.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The middle of a form about a file, the same wherever one is opened or saved: a field for its path, the
// desktop's own dialog, what came of it, and a list of the files in the folder that is typed.

struct FileForm {
  const char* title = "";  // the dialog's
  bool save = false;
  std::vector<shell::FileKind> kinds = {};
  std::vector<OfferedFile> first = {};         // what stands first in the list of files
  std::string path = {};                       // to begin with
  std::optional<session::JobStatus> job = {};  // what it has asked for and waits for; none: the workspace's
};

struct GivenPath {
  std::string path;
  bool mayOverwrite = false;  // the dialog has asked
};

// state.text is the path. The answer: one that was given by Enter, by the button or in the dialog. What was
// typed stays until the overlay closes, which is up to whoever takes the path.
std::optional<GivenPath> drawFileForm(ViewContext& view, OverlayState& state, const FileForm& form,
                                      float width, bool appearing);

// What the form's request came to: the message about it, with what can be done. Texts that change take it
// away: `edited`.
void drawFormMessage(ViewContext& view, float width, bool edited);

// Sentences in forms and lists.

// A paragraph, as one item of `width` pixels; `indent` pixels from the left.
void sentence(ViewContext& view, float width, const std::string& text, ImU32 colour, float indent = 0);

// What a person should heed, with an edge as messages have: orange is no colour for text on white.
void remark(ViewContext& view, float width, const std::string& text, session::MessageKind kind);

// Two buttons, `no` first; nullopt: neither was pressed yet. Whatever has the keyboard in the form but `yes`
// itself, Enter is no.
std::optional<bool> askYesOrNo(const char* no, const char* yes, bool appearing);

// The form that asks before a person's score is deleted.

void drawDeleteScore(ViewContext& view, float width, bool appearing);

// The forms for a tour's file: to open one, and to keep a copy of the open one for editing.

// `appearing`: this is its first frame; `width`: its sentences' and fields', pixels.
void drawOpenTour(ViewContext& view, OverlayState& state, float width, bool appearing);
void drawSaveTour(ViewContext& view, OverlayState& state, float width, bool appearing);

// The form that exports what is shown. It asks for the format, for what to export, and for the place.

// `windowSize`: whose pictures are asked for, pixels.
void drawExport(ViewContext& view, OverlayState& state, float width, bool appearing, ImVec2 windowSize);

}  // namespace stridescope::views
