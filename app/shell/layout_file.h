// The file in which a person's docking is kept, from one start to the next. What it holds is read once, held
// against the rules of layout_check.h, and never lost: a file that cannot be used is kept beside its place,
// under its name with ".kept" (".kept-2", ... where an older one has that name and holds something else).
//
// A file may be sound and yet bring the window down. So there is a marker beside it (".starting") from before
// the file is used until the second frame has been drawn, or an orderly end. Who finds one that nobody holds
// comes after a start that ended in between, by a crash, a hang or a kill, and begins with the default
// layout. The marker is held by a lock (flock) which the system gives back whatever becomes of the process:
// while another window is in its first frames, the marker is its, and says nothing about the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

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

}  // namespace stridescope::shell
