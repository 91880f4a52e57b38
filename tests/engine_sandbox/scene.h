// What a hostile program could do harm to, laid out around one test: files, a secret, sockets that listen,
// this process. What happened to it is told afterwards, in words.
#pragma once

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "custom_support.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::sandbox {

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  // A program's text with the places of the scene put in: $NEW, a path where nothing is; $KEEP, $SECRET,
  // $FOLDER, $SOCKET, paths; $ABSTRACT, a socket's name; $TCP, $UDP, ports; $PARENT, this process; $WORD, the
  // address of a number in it; $OPEN, one of its descriptors, open on the secret; $MARKER, a number that no
  // other process has in its command.
  std::string placed(std::string text) const;

  // $TMPDIR, which must be empty in the end.
  const std::filesystem::path& temporary() const { return temporary_->path(); }

  // Where hostile programs are written and may be read; nothing of it is the scene's.
  const std::filesystem::path& workshop() const { return workshop_->path(); }

  // What became known of a program: a sentence, a compiler's words, a trace's.
  void hear(std::string_view words) { heard_ += words; }

  // What happened, a sentence each; empty: nothing. Waits a moment for what comes late.
  std::vector<std::string> harm();

 private:
  struct Entry {
    std::string content, target;
    unsigned mode = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Entries = std::map<std::string, Entry>;
  Entries entries() const;

  std::string secret_;
  std::unique_ptr<PrivateFolder> folder_ = *PrivateFolder::make(), temporary_ = *PrivateFolder::make(),
                                 workshop_ = *PrivateFolder::make();
  Variable home_{"HOME", folder_->path()}, tmpdir_{"TMPDIR", temporary_->path()}, environment_;
  std::vector<std::pair<std::string, Descriptor>> sockets_;
  Descriptor open_;
  int tcpPort_ = 0, udpPort_ = 0;
  rlimit files_{};
  Entries before_;
  std::string heard_;
};

}  // namespace stridescope::engine::sandbox
