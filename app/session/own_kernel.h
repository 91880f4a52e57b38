// A person's own kernel, edited and run in the window: its file, its text as it stands there, its launches,
// and the runs that were made of it. A text that is typed is kept as a draft until it is saved; a file that
// another program changes is run again by itself.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_watch.h"
#include "engine/access/kernel_declaration.h"
#include "engine/access/launch_file.h"
#include "session/drafts.h"
#include "session/workspace.h"

namespace stridescope::session {

// Carriage returns are no part of a text in the window.
inline std::string withoutReturns(std::string text) {
  std::erase(text, '\r');
  return text;
}

class OwnKernel {
 public:
  // All three outlive it. `recorded` is called in update() when a run of it is there that has another text or
  // other launches than the one before.
  OwnKernel(const SessionServices& services, AppState& app, Workspace& workspace,
            std::function<void()> recorded);
  ~OwnKernel();  // keeps what was typed
  OwnKernel(const OwnKernel&) = delete;
  OwnKernel& operator=(const OwnKernel&) = delete;

  // Its text belongs to what is shown: a run of it, or the attempt to have one.
  bool isOpen() const;
  const std::string& path() const { return path_; }
  std::string name() const;  // of the file
  const std::string& text() const { return text_; }
  // Counts the texts that came from elsewhere than the window's editor.
  unsigned loads() const { return loads_; }
  bool isSaved() const { return text_ == saved_; }
  // A sentence; empty: it can be edited.
  const std::string& whyNotEdited() const { return whyNotEdited_; }
  const std::vector<TextFault>& faults() const { return faults_; }  // of the text that was to be run last
  // What was wrong with that run, as a sentence; empty: nothing.
  const std::string& trouble() const { return trouble_; }
  bool hasBefore() const { return !before_.empty(); }
  const std::string& before() const { return before_; }  // the recording of the run before
  bool isBefore(const std::string& recording) const { return hasBefore() && recording == before_; }

  // What the run that is shown printed, and the sentences that are told of it. Nothing: no run of it is
  // shown.
  const KernelRecord* shown() const;

  const std::optional<engine::access::LaunchFile>& launches() const { return launches_; }
  bool hasLaunchFile() const { return launchText_.has_value(); }
  // There is none, and the launches are guessed from the text.
  bool isGuessed() const { return isGuessed_; }
  // These with what they do not say guessed: the launches of a file that is not there yet.
  engine::access::LaunchFile guessed(engine::access::LaunchFile launches) const;
  // The text's kernels as it stands; empty where it cannot be read.
  const std::vector<engine::access::KernelDeclaration>& kernels() const;

  void open(const std::string& path);
  void edit(const std::string& text);
  void run();
  void inspect(std::uint64_t block);  // of the launches' blocks: the run is recorded again
  void save(bool overwrite);
  void takeFileText();
  void restoreDraft(std::string path);
  void setLaunches(const std::string& json);
  // Both files are written, and the kernel is opened.
  void create(const CopyVariant& request, const std::string& text, const std::string& launches);

  // Takes in what jobs delivered; `seconds` since the last call.
  void update(double seconds);
  bool wantsFrameSoon() const { return sinceEdit_.has_value(); }
  void waitForJobs();  // not for those of the workspace

 private:
  enum class Reason : std::uint8_t { Opened, Asked, ByItself };

  void start(Reason reason);
  void attempted(const KernelAttempt& attempt, Reason reason);
  void take(const std::string& text);  // in the window, from elsewhere than its editor
  void readLaunches(const std::optional<std::string>& json,
                    const std::optional<engine::access::LaunchFile>& guessed);
  void watch();
  void readFile();
  void fileRead(const std::string& text, const std::optional<std::string>& launches);
  void write(std::function<Result<std::monostate>()> work, std::function<void()> written,
             Command overwriting);
  void keepDraft();
  void offerDraft();
  void tellDraft(const Draft& draft);

  const SessionServices& services_;
  AppState& app_;
  Workspace& workspace_;
  std::function<void()> recorded_;
  Drafts drafts_;

  std::string path_;  // empty: none was opened
  std::string text_, saved_, attemptedText_, whyNotEdited_, trouble_;
  bool hasReturns_ = false;  // the file's lines end with carriage returns, too
  unsigned loads_ = 0;
  std::uint64_t inspected_ = 0;
  std::vector<TextFault> faults_;
  std::optional<std::string> launchText_;
  std::optional<engine::access::LaunchFile> launches_;
  bool isGuessed_ = false;
  mutable std::optional<std::string> readText_;  // of which kernels_ are
  mutable std::vector<engine::access::KernelDeclaration> kernels_;

  struct Made {
    std::string text;
    std::optional<std::string> launches;
    KernelRecord record;
  };
  std::map<std::string, Made> recordings_;  // of this file, by path
  std::string current_, before_;            // of those
  // What was asked for when an attempt failed of which there is no run yet.
  std::optional<std::pair<std::string, std::string>> unrunBeside_;

  std::optional<double> sinceEdit_;  // seconds; nullopt: nothing is due
  bool draftIsDue_ = false, runIsDue_ = false;
  bool isOffered_ = false;  // a draft of this file, which nobody has answered for
  bool isWriting_ = false;  // so that what changes on the disk is the session's doing
  bool hasConflict_ = false;
  std::optional<std::string> restores_;  // of path_, once it is open

  std::shared_ptr<std::atomic<bool>> changedOnDisk_;
  // Last: their threads end before what they use.
  std::unique_ptr<FileWatch> watch_;
  Jobs reads_, writes_, draftJobs_;
};

}  // namespace stridescope::session
