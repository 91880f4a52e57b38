// The session's recordings: opened and saved.
#include <algorithm>
#include <optional>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "session/legal_choices.h"
#include "session/recorded_choices.h"
#include "session/workspace.h"

namespace stridescope::session {
namespace {

// The recorded experiment is chosen, as far as it is not for a person who had chosen otherwise: a block size,
// n and a data pattern come back when the recording is left.
ExperimentChoices choicesBeside(const ExperimentChoices& before, const model::Experiment& recorded) {
  ExperimentChoices choices = choicesOf(recorded, !isOneBlockLoad(recorded));
  if (recorded.given.get() != nullptr) return choices;  // numbers that are nowhere else
  const auto keep = [&](bool chosen, bool& flag, auto field) {
    if (!chosen) return;
    flag = true;
    choices.experiment.*field = before.experiment.*field;
  };
  keep(before.threads, choices.threads, &model::Experiment::threads);
  keep(before.elements, choices.elements, &model::Experiment::elements);
  keep(before.data, choices.data, &model::Experiment::data);
  return choices;
}

struct Nearest {
  std::string path;
  archive::RecordingIndex index;
  std::size_t entry = 0;
  unsigned nearness = 0;
};

// The nearest of all traces in these files. If none can be read, the error is the last file's.
Result<Nearest> nearestIn(const std::vector<std::string>& paths, const model::Experiment& shown,
                          engine::JobControl& control) {
  std::optional<Nearest> best;
  Error unread = cancelled().value();
  for (const std::string& path : paths) {
    auto index = archive::readIndex(path, &control.cancel);
    if (!index) {
      unread = index.error();
      continue;
    }
    const auto nearness = [&](const archive::RecordingEntry& entry) {
      return nearnessOf(entry.experiment, shown);
    };
    const auto entry = std::ranges::max_element(index->traces, {}, nearness);
    if (best && nearness(*entry) <= best->nearness) continue;
    const auto place = std::size_t(entry - index->traces.begin());
    const unsigned near = nearness(*entry);
    best = Nearest{path, std::move(*index), place, near};
  }
  if (!best) return tl::unexpected(std::move(unread));
  return *std::move(best);
}

}  // namespace

void Workspace::openRecording(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  const bool interrupts = jobs_.status().has_value();
  const std::string what = paths.size() == 1 ? printable(paths.front()) : "the recordings from a GPU";
  jobs_.start(
      "Reading " + what, [=, this, shown = asked_.experiment](engine::JobControl& control) -> Jobs::Delivery {
        auto nearest = nearestIn(paths, shown, control);  // input data is compared here: it may be large
        return [=, this, nearest = std::move(nearest)]() mutable {
          if (!nearest) return tellUnread(nearest.error(), Overlay::OpenFile, paths.front(), interrupts);
          app_.closeOverlay(Overlay::OpenFile);
          std::optional<model::Experiment> other;
          if (nearest->nearness < kSameExperiment) other = nearest->index.traces[nearest->entry].experiment;
          showRecording(nearest->path, std::move(nearest->index), other);
        };
      });
}

void Workspace::showRecording(const std::string& path, archive::RecordingIndex index,
                              const std::optional<model::Experiment>& other) {
  app_.keepRecent(path);
  asked_.recording = std::move(index);
  asked_.engineId = path;
  if (other) {
    asked_.experiment = *other;
    if (!asked_.before) asked_.before = asked_.choices;
    asked_.choices = choicesBeside(*asked_.before, *other);
  }
  startRecording();
}

void Workspace::tellUnread(const Error& error, Overlay form, const std::string& path, bool interrupted) {
  if (interrupted) startRecording();  // which takes the message before away
  Message message = messageOf(error);
  message.form = form;
  message.actionLabel = "Open another";
  message.action = ShowOverlay{form, path};
  app_.tell(std::move(message));
}

void Workspace::saveRecording(const SaveRecording& request, std::shared_ptr<const Run> run,
                              RunMeasured measured) {
  const auto postpone = [this](std::string sentence) {
    app_.tell({.kind = MessageKind::ToDo, .sentence = std::move(sentence), .form = Overlay::SaveFile});
  };
  if (!run || jobs_.status())
    return postpone("There is nothing to save yet. Save again when the recording has ended.");
  if (saves_.status()) return postpone("Another file is being saved. Save again when it has been written.");
  saves_.poll();  // what became of the one before
  saves_.start(
      "Saving " + printable(request.path),
      [this, request, run = std::move(run),
       measured = std::move(measured)](engine::JobControl&) -> Jobs::Delivery {
        auto written =
            archive::writeRecording(request.path, {&run->trace, 1}, request.overwrite, keptOf(measured));
        return [this, request, written = std::move(written)] {
          if (written) {
            app_.closeOverlay(Overlay::SaveFile);
            return app_.tell({.kind = MessageKind::Fine,
                              .sentence = "Saved as " + printable(absoluteOf(request.path)) + "."});
          }
          Message message = messageOf(written.error(), request.path, SaveRecording{request.path, true});
          message.form = Overlay::SaveFile;
          app_.tell(std::move(message));
        };
      });
}

}  // namespace stridescope::session
