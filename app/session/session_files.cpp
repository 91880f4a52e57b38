// The session's recordings: opened and saved.
#include <algorithm>

#include "session/legal_choices.h"
#include "session/session.h"
#include "trace/plain_text.h"

namespace stridescope {

void Session::openRecording(const std::string& path) {
  const bool interrupts = jobs_.status().has_value();
  jobs_.start(
      "Reading " + printable(path), [=, this, wish = experiment_](JobControl& control) -> Jobs::Delivery {
        auto index = readIndex(path, &control.cancel);
        // Own numbers are compared here: they may be many.
        const bool held = index && std::ranges::any_of(index->traces, [&](const RecordingEntry& entry) {
                            return entry.experiment == wish;
                          });
        return [=, this, index = std::move(index)]() mutable {
          if (index)
            showRecording(path, std::move(*index), held);
          else
            tellUnread(index.error(), Overlay::OpenFile, interrupts);
        };
      });
}

void Session::showRecording(const std::string& path, RecordingIndex index, bool held) {
  auto& recent = settings_.recent;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);

  recording_ = std::move(index);
  engineId_ = path;
  if (!held) {
    experiment_ = recording_->traces.front().experiment;
    elements_ = isOneBlockLoad(experiment_) ? std::nullopt : std::optional(experiment_.elements);
    dataPath_.clear();  // numbers of its own are those of the recording
  }
  startRecording();
}

void Session::tellUnread(const Error& error, Overlay again, bool interrupted) {
  if (interrupted) startRecording();  // which takes the message before away
  message_ = messageOf(error);
  message_->actionLabel = "Open another";
  message_->action = ShowOverlay{again};
}

void Session::saveRecording(const SaveRecording& wish) {
  const auto postpone = [this](std::string sentence) {
    message_ = {.kind = MessageKind::ToDo,
                .sentence = std::move(sentence),
                .details = {},
                .actionLabel = {},
                .action = {}};
  };
  if (!run_ || jobs_.status())
    return postpone("There is nothing to save yet. Save again when the recording has ended.");
  if (saves_.status()) return postpone("Another file is being saved. Save again when it has been written.");
  saves_.poll();  // what became of the one before
  saves_.start("Saving " + printable(wish.path), [this, wish, run = run_](JobControl&) -> Jobs::Delivery {
    auto written = writeRecording(wish.path, {&run->trace, 1}, wish.overwrite);
    return [this, wish, written = std::move(written)] {
      if (!written) {
        message_ = messageOf(written.error());
        if (written.error().cause == ErrorCause::ExistingFile) {  // told without the options of a command
          message_->sentence = "The file " + printable(wish.path) +
                               " exists already. Overwrite it, or save under another name.";
          message_->actionLabel = "Overwrite it";
          message_->action = SaveRecording{wish.path, true};
        }
        return;
      }
      message_ = {.kind = MessageKind::Fine,
                  .sentence = "Saved as " + printable(wish.path) + ".",
                  .details = {},
                  .actionLabel = {},
                  .action = {}};
    };
  });
}

}  // namespace stridescope
