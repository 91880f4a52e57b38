// The file in which a person's docking is kept, from one start to the next. What it holds is read once, held
// against the rules below, and never lost: a file that cannot be used is kept beside its place,
// under its name with ".kept" (".kept-2", ... where an older one has that name and holds something else).
//
// A file may be sound and yet bring the window down. So there is a marker beside it (".starting") from before
// the file is used until the second frame has been drawn, or an orderly end. Who finds one that nobody holds
// comes after a start that ended in between, by a crash, a hang or a kill, and begins with the default
// layout. The marker is held by a lock (flock) which the system gives back whatever becomes of the process:
// while another window is in its first frames, the marker is its, and says nothing about the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::shell {

class LayoutFile {
 public:
  // No file: the default layout, which is not kept.
  LayoutFile();
  // `dockSpace`: as faultOfLayout() takes it. The folder must exist.
  LayoutFile(const std::filesystem::path& file, std::uint32_t dockSpace);
  ~LayoutFile();
  LayoutFile(LayoutFile&&) noexcept;
  LayoutFile& operator=(LayoutFile&&) noexcept;

  // What Dear ImGui may read; empty: the default layout.
  const std::string& text() const { return text_; }
  // Where it may write; empty: nowhere, since what stands there is no file or could not be moved away.
  const std::string& path() const { return path_; }
  // What a person should know: why the panels do not stand where they left them, and where the file is now. A
  // sentence; empty: nothing.
  const std::string& note() const { return note_; }

  // Two frames were drawn: the file does no harm.
  void setStarted();

 private:
  class Marker;

  void read(std::uint32_t dockSpace);
  void keepBeside(const std::string& why);

  std::string text_, path_, note_;
  std::unique_ptr<Marker> marker_;  // null: there is nothing to mark, or another window's start holds it
};

// Is a layout file one that Dear ImGui may read? It trusts what it reads: a node that is its own parent hangs
// it, doubled ids and half-split nodes crash it. So a file passes only if it is what Dear ImGui itself writes
// (imgui.cpp, WindowSettingsHandler_WriteAll and DockSettingsHandler_WriteAll), line by line, and its nodes
// are trees:
// - At most kMaxLayoutBytes of UTF-8 without control characters but line breaks, ending in one.
// - Sections [Window][name], each name once, and one [Docking][Data]; in them known keys in Dear ImGui's
//   order, numbers that fit its 16-bit coordinates, no extent that is negative.
// - Node ids are not 0 and stand once. A node's parent stands before it, so that there are no cycles. A node
//   has two children and says how it is split, or has none and does not. There are at most kMaxLayoutNodes
//   nodes, kMaxLayoutDepth deep, and each tree has one central node, which has no children.
// - A dock space is a root. `dockSpace`, the program's own, is one if it is there.
// - A window that is docked is in a node without children.

inline constexpr std::size_t kMaxLayoutBytes = 64 << 10;  // a usual one has 2 KiB
inline constexpr std::size_t kMaxLayoutNodes = 256, kMaxLayoutDepth = 32, kMaxLayoutWindows = 256;

// The first thing wrong, as a clause: "line 12: node 0x00000003 has no parent before it". Nothing: it is
// sound.
std::optional<std::string> faultOfLayout(std::string_view text, std::uint32_t dockSpace);

}  // namespace stridescope::shell
