#include "session/own_kernel.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "base/regular_file.h"
#include "engine/access/kernel_file.h"
#include "engine/access/launch_guess.h"

namespace stridescope::session {
namespace {

constexpr double kDraftPause = 0.5, kRunPause = 0.7;  // seconds without a key
constexpr std::size_t kMaxShownLaunches = 1 << 20;    // a form shows them

std::string withReturns(const std::string& text) {
  std::string all;
  for (const char each : text) {
    if (each == '\n') all += '\r';
    all += each;
  }
  return all;
}

// The file stays whose it is to read and to run.
Result<std::monostate> rewrite(const std::string& path, const std::string& text) {
  std::error_code unknown, ignored;
  const auto before = std::filesystem::status(path, unknown);
  auto written = writeWhole(path, text, true);
  if (written && !unknown && std::filesystem::exists(before))
    std::filesystem::permissions(path, before.permissions(), ignored);
  return written;
}

std::string faultOfText(const std::string& name, const std::string& text) {
  if (printableLength(text, Lines::Many) == text.size()) return {};
  return printable(name) + " has characters that the editor cannot show, so its text is only shown.";
}

}  // namespace

OwnKernel::OwnKernel(const SessionServices& services, AppState& app, Workspace& workspace,
                     std::function<void()> recorded)
    : services_(services),
      app_(app),
      workspace_(workspace),
      recorded_(std::move(recorded)),
      drafts_(services.draftFolder),
      changedOnDisk_(std::make_shared<std::atomic<bool>>(false)),
      reads_(services.wake),
      writes_(services.wake, [this](const Error& error) { app_.tell(messageOf(error)); }),
      draftJobs_(services.wake, [this](const Error& error) { app_.tell(messageOf(error)); }) {
  if (services.draftFolder.empty()) return;
  draftJobs_.start("Looking for drafts", [this](engine::JobControl&) -> Jobs::Delivery {
    const std::vector<Draft> all = drafts_.all();
    if (all.empty()) return {};
    return [this, newest = all.front()] {
      if (path_.empty()) tellDraft(newest);
    };
  });
}

OwnKernel::~OwnKernel() {
  draftJobs_.wait();
  if (draftIsDue_ && !isSaved()) (void)drafts_.keep({path_, text_});
}

bool OwnKernel::isOpen() const {
  if (path_.empty() || loads_ == 0) return false;
  if (recordings_.contains(workspace_.engineId())) return true;
  return unrunBeside_ == std::pair(workspace_.engineId(), workspace_.experiment().variant);
}

const KernelRecord* OwnKernel::shown() const {
  const auto found = recordings_.find(workspace_.engineId());
  return found == recordings_.end() ? nullptr : &found->second.record;
}

std::string OwnKernel::name() const { return std::filesystem::path(path_).filename(); }

const std::vector<engine::access::KernelDeclaration>& OwnKernel::kernels() const {
  if (readText_ == text_) return kernels_;
  kernels_ =
      engine::access::kernelsIn(name(), text_).value_or(std::vector<engine::access::KernelDeclaration>());
  readText_ = text_;
  return kernels_;
}

// ---- Opening and running.

void OwnKernel::open(const std::string& path) {
  if (!services_.recordKernel) return;
  if (draftIsDue_) keepDraft();
  watch_.reset();
  const std::string whole = absoluteOf(path);
  if (whole != path_) {
    // What is offered of the file before would be done to this one.
    if (!path_.empty() && app_.message() && app_.message()->stays) app_.dismissMessage();
    recordings_.clear();
    current_.clear(), before_.clear();
  }
  path_ = whole;
  text_.clear(), saved_.clear(), attemptedText_.clear(), faults_.clear(), trouble_.clear();
  loads_ = 0;
  inspected_ = 0;
  sinceEdit_.reset();
  draftIsDue_ = runIsDue_ = isOffered_ = hasConflict_ = false;
  restores_.reset();
  workspace_.recordKernel({.path = path_},
                          [this](const KernelAttempt& attempt) { attempted(attempt, Reason::Opened); });
}

void OwnKernel::run() { start(Reason::Asked); }

void OwnKernel::inspect(std::uint64_t block) {
  inspected_ = block;
  start(Reason::Asked);
}

void OwnKernel::start(Reason reason) {
  if (path_.empty() || loads_ == 0) return;
  runIsDue_ = false;
  workspace_.recordKernel({.path = path_, .text = text_, .inspected = inspected_},
                          [this, reason](const KernelAttempt& attempt) { attempted(attempt, reason); });
}

void OwnKernel::attempted(const KernelAttempt& attempt, Reason reason) {
  if (attempt.order.path != path_) return;
  if (!attempt.order.text) {  // there is no such file
    path_.clear();
    Message message = messageOf(*attempt.error);
    message.form = Overlay::OpenFile;
    message.actionLabel = "Open another";
    message.action = ShowOverlay{Overlay::OpenFile, attempt.order.path};
    return app_.tell(std::move(message));
  }
  const std::string& text = *attempt.order.text;
  attemptedText_ = text;
  readLaunches(attempt.launches, attempt.order.launches);
  if (reason == Reason::Opened) {
    saved_ = text;
    whyNotEdited_ = faultOfText(name(), text);
    take(text);
    watch();
    app_.closeOverlay(Overlay::OpenFile);
    app_.keepRecent(path_);
    readFile();  // whether its lines end with carriage returns
    offerDraft();
  }
  faults_.clear(), trouble_.clear();
  if (attempt.error) {
    faults_ = faultsOf(*attempt.error, name());
    trouble_ = printable(inWindow(attempt.error->sentence));
    if (current_.empty() || reason == Reason::Opened)
      unrunBeside_ = std::pair(workspace_.engineId(), workspace_.experiment().variant);
    // A person who types sees it at its line.
    inspected_ = 0;  // another grid may have no such block
    if (faults_.empty() || reason == Reason::Opened) {
      Message message = messageOf(*attempt.error);
      if (faults_.empty() && attempt.error->kind == ErrorKind::Usage) {
        message.actionLabel = "Say how it is launched";
        message.action = ShowOverlay{Overlay::Launches};
      }
      return app_.tell(std::move(message));
    }
    if (reason == Reason::Asked) app_.showPanel("source");
    return;
  }
  unrunBeside_.reset();
  if (app_.message() && app_.message()->kind == MessageKind::Wrong) app_.dismissMessage();
  const auto last = recordings_.find(current_);
  const bool isOther =
      last != recordings_.end() && (last->second.text != text || last->second.launches != attempt.launches);
  recordings_[attempt.record.recording] = {text, attempt.launches, attempt.record};
  if (isOther) before_ = current_;
  current_ = attempt.record.recording;
  if (isOther) recorded_();
}

// ---- The text.

void OwnKernel::take(const std::string& text) {
  text_ = text;
  ++loads_;
}

void OwnKernel::edit(const std::string& text) {
  if (text == text_ || !isOpen() || !whyNotEdited_.empty()) return;
  if (std::exchange(isOffered_, false)) drafts_.setAside(path_);
  text_ = text;
  sinceEdit_ = 0;
  draftIsDue_ = true;
  runIsDue_ = app_.settings().runsWhileTyping;
}

void OwnKernel::save(bool overwrite) {
  if (!isOpen() || !whyNotEdited_.empty()) return;
  if (hasConflict_ && !overwrite) {
    return app_.tell({.kind = MessageKind::ToDo,
                      .sentence = "Another program has changed " + printable(name()) +
                                  " since it was opened. Save over its text, or take its text and give up "
                                  "the window's.",
                      .actionLabel = "Save over it",
                      .action = SaveKernel{true},
                      .stays = true});
  }
  const std::string text = text_;
  write([path = path_, content = hasReturns_ ? withReturns(text) : text] { return rewrite(path, content); },
        [this, text] {
          saved_ = text;
          hasConflict_ = false;
          if (isSaved()) {
            draftIsDue_ = false;
            keepDraft();
          }
          if (app_.message() && app_.message()->stays) app_.dismissMessage();
          if (attemptedText_ != text) start(Reason::Asked);
        },
        SaveKernel{true});
}

void OwnKernel::write(std::function<Result<std::monostate>()> work, std::function<void()> written,
                      Command overwriting) {
  isWriting_ = true;
  writes_.start("Saving " + printable(name()),
                [this, work = std::move(work), written = std::move(written),
                 overwriting = std::move(overwriting)](engine::JobControl&) -> Jobs::Delivery {
                  return [this, done = work(), written, overwriting] {
                    isWriting_ = false;
                    if (done) return written();
                    app_.tell(messageOf(done.error(), path_, overwriting));
                  };
                });
}

void OwnKernel::takeFileText() {
  if (!isOpen()) return;
  if (app_.message() && app_.message()->stays) app_.dismissMessage();
  hasConflict_ = draftIsDue_ = false;
  if (!isSaved()) take(saved_);
  keepDraft();
  if (attemptedText_ != text_) start(Reason::Asked);
}

// ---- Drafts.

// The file's text needs none.
void OwnKernel::keepDraft() {
  draftIsDue_ = false;
  draftJobs_.start(
      "Keeping a draft",
      [this, draft = Draft{path_, text_}, needed = !isSaved()](engine::JobControl&) -> Jobs::Delivery {
        if (!needed) {
          drafts_.remove(draft.path);
          return {};
        }
        const auto kept = drafts_.keep(draft);
        if (kept) return {};
        return [this, error = kept.error()] { app_.tell(messageOf(error)); };
      });
}

void OwnKernel::offerDraft() {
  if (services_.draftFolder.empty()) return;
  draftJobs_.start("Looking for a draft", [this, path = path_](engine::JobControl&) -> Jobs::Delivery {
    const auto draft = drafts_.find(path);
    if (!draft) return {};
    return [this, draft = *draft] {
      if (draft.path != path_ || draft.text == text_ || draft.text == saved_) return;
      isOffered_ = true;
      if (const auto restores = std::exchange(restores_, std::nullopt)) return restoreDraft(*restores);
      tellDraft(draft);
    };
  });
}

void OwnKernel::tellDraft(const Draft& draft) {
  app_.tell({.kind = MessageKind::ToDo,
             .sentence = "Text of " + printable(std::filesystem::path(draft.path).filename().native()) +
                         " that was typed and not saved has been kept.",
             .actionLabel = "Take it up",
             .action = RestoreDraft{draft.path},
             .stays = true});
}

void OwnKernel::restoreDraft(std::string path) {
  app_.dismissMessage();
  if (path != path_ || !isOpen()) {
    open(path);
    restores_ = path;
    return;
  }
  draftJobs_.start("Reading a draft", [this, path](engine::JobControl&) -> Jobs::Delivery {
    return [this, draft = drafts_.find(path)] {
      if (!draft || draft->path != path_ || !whyNotEdited_.empty()) return;
      isOffered_ = false;
      if (draft->text != text_) take(draft->text);
    };
  });
}

// ---- The disk.

void OwnKernel::watch() {
  const auto changed = changedOnDisk_ = std::make_shared<std::atomic<bool>>(false);
  watch_ = std::make_unique<FileWatch>(std::vector<std::filesystem::path>{path_, launchFileOf(path_)},
                                       [changed, wake = services_.wake] {
                                         *changed = true;
                                         if (wake) wake();
                                       });
}

void OwnKernel::readFile() {
  reads_.start("Reading " + printable(name()), [this, path = path_](engine::JobControl&) -> Jobs::Delivery {
    const auto text = readRegularFile(path, "CUDA C++", engine::access::kMaxKernelTextBytes);
    if (!text) return {};  // it comes again, or Save makes it anew
    std::optional<std::string> launches;
    if (auto content =
            readRegularFile(launchFileOf(path), "a launch file", engine::access::kMaxLaunchFileBytes))
      launches = *std::move(content);
    return [this, path, text = *text, launches] {
      if (path == path_ && loads_ > 0) fileRead(text, launches);
    };
  });
}

void OwnKernel::fileRead(const std::string& content, const std::optional<std::string>& launches) {
  hasReturns_ = content.find('\r') != std::string::npos;
  const std::string text = withoutReturns(content);
  const bool hasText = text != saved_, hasLaunches = launches != launchText_;
  if (!hasText && !hasLaunches) return;
  const bool wasSaved = isSaved();
  saved_ = text;
  readLaunches(launches, launchText_ ? std::nullopt : launches_);
  if (hasText && !wasSaved && text_ != text) {
    hasConflict_ = true;
    return app_.tell({.kind = MessageKind::ToDo,
                      .sentence = "Another program has changed " + printable(name()) +
                                  ". Its text in the window is not saved, and stays.",
                      .actionLabel = "Take the file's text",
                      .action = TakeFileText{},
                      .stays = true});
  }
  if (hasText && wasSaved) {
    whyNotEdited_ = faultOfText(name(), text);
    take(text);
  }
  if (attemptedText_ != text_ || hasLaunches) start(Reason::ByItself);
}

void OwnKernel::readLaunches(const std::optional<std::string>& json,
                             const std::optional<engine::access::LaunchFile>& guessed) {
  launchText_ = json;
  isGuessed_ = !json && guessed;
  launches_.reset();
  if (isGuessed_) {
    launches_ = guessed;
  } else if (!json) {
    launches_.emplace().launches.emplace_back();
  } else if (json->size() > kMaxShownLaunches) {
    return;
  } else if (auto read = engine::access::parseLaunchFile(launchFileOf(name()), *json)) {
    launches_ = *std::move(read);
  }
}

engine::access::LaunchFile OwnKernel::guessed(engine::access::LaunchFile launches) const {
  engine::access::KernelFile file{
      .name = name(), .folder = {}, .text = text_, .launches = std::move(launches)};
  (void)engine::access::guessLaunch(file);  // where the text cannot be read, they stay as they are
  return std::move(file.launches);
}

void OwnKernel::setLaunches(const std::string& json) {
  if (!isOpen()) return;
  write([file = launchFileOf(path_), json] { return rewrite(file, json); },
        [this, json] {
          readLaunches(json, std::nullopt);
          start(Reason::Asked);
        },
        SetLaunches{json});
}

void OwnKernel::create(const CopyVariant& request, const std::string& text, const std::string& launches) {
  const std::string path = absoluteOf(request.path);
  writes_.start("Saving " + printable(path), [=, this](engine::JobControl&) -> Jobs::Delivery {
    auto done = writeWhole(path, text, request.overwrite);
    if (done) done = writeWhole(launchFileOf(path), launches, true);
    return [this, path, done = std::move(done)] {
      if (done) {
        app_.closeOverlay(Overlay::CopyVariant);
        return open(path);
      }
      Message message = messageOf(done.error(), path, CopyVariant{path, true});
      message.form = Overlay::CopyVariant;  // which stays open
      app_.tell(std::move(message));
    };
  });
}

void OwnKernel::update(double seconds) {
  reads_.poll(), writes_.poll(), draftJobs_.poll();
  if (path_.empty() || loads_ == 0) return;
  if (!isWriting_ && changedOnDisk_->exchange(false)) readFile();
  if (!sinceEdit_) return;
  *sinceEdit_ += seconds;
  if (draftIsDue_ && *sinceEdit_ >= kDraftPause) keepDraft();
  if (runIsDue_ && *sinceEdit_ >= kRunPause) start(Reason::ByItself);
  if (!draftIsDue_ && !runIsDue_) sinceEdit_.reset();
}

void OwnKernel::waitForJobs() {
  for (Jobs* const jobs : {&reads_, &writes_, &draftJobs_}) {
    jobs->wait();
    jobs->poll();
  }
}

}  // namespace stridescope::session
