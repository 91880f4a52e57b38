// A path while it is typed: what it begins with, and how Tab goes on. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/file_dialog.h"
#include "shell/folder_list.h"

namespace stridescope::views {

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

// What the typed path may become: the folders, and the files of these kinds, whose names begin as typed.
std::vector<shell::FolderEntry> candidatesFor(const TypedPath& typed, const shell::FolderListing& listing,
                                              const std::vector<shell::FileKind>& kinds);

// "~/rec/" and a folder "old" give "~/rec/old/".
std::string pathOf(const TypedPath& typed, const shell::FolderEntry& entry);

// The path with all that the candidates have in common; as it was typed, if that is no more.
std::string completed(const TypedPath& typed, const std::vector<shell::FolderEntry>& candidates);

// "/home/a/b/" is in "/home/a/"; "" in "../", "~/" in "~/../"; empty: there is nothing above it.
std::string folderAbove(std::string_view folder);

}  // namespace stridescope::views
