// The field of a form for a path, and the list of files under it: Tab completes what is typed, arrows go
// through the list, Enter and a click take a line of it. Folders are read by shell::FolderReader.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/command.h"
#include "shell/file_dialog.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A path while it is typed: what it begins with, and how Tab goes on. Pure.

struct TypedPath {
  std::string folder;  // with its slash; empty: the current one
  std::string begun;   // the beginning of a name in it; may be empty

  friend bool operator==(const TypedPath&, const TypedPath&) = default;
};

// "~/rec/h1" is "h1" in "~/rec/". "~" and a last ".." are folders.
TypedPath typedPath(std::string_view text);

// Whether a file's name is one of the kinds', whose patterns are such as "*.txt *.csv"; without kinds any
// name is.
bool isOfKinds(std::string_view name, const std::vector<shell::FileKind>& kinds);

// A path to write to: a name without an ending gets that of the kind, where all files to choose from are of
// one pattern such as "*.html".
std::string withEnding(std::string path, const std::vector<shell::FileKind>& kinds);

// What the typed path may become: the folders, and the files of these kinds, whose names begin as typed.
std::vector<shell::FolderEntry> candidatesFor(const TypedPath& typed, const shell::FolderListing& listing,
                                              const std::vector<shell::FileKind>& kinds);

// "~/rec/" and a folder "old" give "~/rec/old/".
std::string pathOf(const TypedPath& typed, const shell::FolderEntry& entry);

// The path with all that the candidates have in common; as it was typed, if that is no more.
std::string completed(const TypedPath& typed, const std::vector<shell::FolderEntry>& candidates);

// "/home/a/b/" is in "/home/a/"; "" in "../", "~/" in "~/../"; empty: there is nothing above it.
std::string folderAbove(std::string_view folder);

// Something that stands first in the list, such as a recording that comes with the program.
struct OfferedFile {
  std::string label;  // as it is shown; what is typed finds it
  std::string note = {};
  std::string path = {};
  std::optional<session::Command> command = {};  // in place of the path
};

struct PathFieldState {
  std::unique_ptr<shell::FolderReader> reader = {};  // reads the folder that is listed next
  bool isRead = false;                               // its answer was taken
  TypedPath listed = {};                             // whose listing is kept
  Result<shell::FolderListing> listing = shell::FolderListing{};
  int chosen = -1;                    // line of the list; -1: none, Enter takes the text
  std::optional<TypedPath> cycled{};  // as it was typed before Tab went through the names
  int cycle = -1;                     // which of them
  bool tabWaits = false;              // Tab was pressed before the folder was read
  bool isTyped = false;               // the text is a person's, not what the form proposed
  bool toEnd = false, refocus = false;
  bool shows = false;  // the chosen line is to be scrolled into view
};

// A listing was read and a frame is due that shows it.
bool hasListing(const PathFieldState& state);
bool awaitsListing(const PathFieldState& state);  // a folder is being read, or that was not taken in yet

struct PathFieldSpec {
  std::vector<shell::FileKind> kinds = {};
  std::vector<OfferedFile> first = {};
  bool save = false;         // a file of the list fills the field, and nothing more
  bool listsFolders = true;  // a page has downloads, and none of its folders is a person's
};

// The field, `width` pixels wide; `text` as typed. The answer: a path that Enter gave, with its home folder.
std::optional<std::string> drawPathField(ViewContext& view, PathFieldState& state, std::string& text,
                                         const PathFieldSpec& spec, float width);

// What Enter does: the chosen line of the list is taken, else the text. A folder is no path to give: the
// field goes on in it.
std::optional<std::string> takePath(ViewContext& view, PathFieldState& state, std::string& text,
                                    const PathFieldSpec& spec);

// The list, `lines` high. The answer: a path that was taken from it. Commands of offered lines go to the
// view.
std::optional<std::string> drawFileList(ViewContext& view, PathFieldState& state, std::string& text,
                                        const PathFieldSpec& spec, float width, int lines);

}  // namespace stridescope::views
