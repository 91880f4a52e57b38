// The middle of a form about a file, the same wherever one is opened or saved: a field for its path, the
// desktop's own dialog, what came of it, and a list of the files in the folder that is typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/chrome/overlays.h"

namespace stridescope::views {

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

}  // namespace stridescope::views
