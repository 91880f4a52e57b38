#include "session/exports.h"

#include <algorithm>
#include <utility>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "picture/image.h"
#include "session/experiment_choices.h"

namespace stridescope::session {
namespace {

// Before anything is made for it.
Result<void> mayBeWritten(const ExportFile& request) {
  if (request.as == ExportAs::Pictures) {
    STRIDESCOPE_TRY(PendingFolder::create(request.path, request.overwrite));
  } else {
    STRIDESCOPE_TRY(PendingFile::create(request.path, request.overwrite));
  }
  return {};
}

Result<void> writePicture(const ExportFile& request, const Result<picture::Image>& picture) {
  if (!picture) return tl::unexpected(picture.error());
  if (picture->rgba.empty())
    return unavailable(
        "The panel is not on screen, so there is nothing to save. Bring it to the front and "
        "save again.");
  const auto png = picture::pngOf(*picture);
  if (!png) return tl::unexpected(png.error());
  STRIDESCOPE_TRY(writeWhole(request.path, *png, request.overwrite));
  return {};
}

}  // namespace

Exports::Exports(const SessionServices& services, AppState& app)
    : exportRun_(services.exportRun), app_(app), jobs_(services.wake, [&app](const Error& error) {
        Message message = messageOf(error);
        message.form = Overlay::Export;
        app.tell(std::move(message));
      }) {}

void Exports::start(const ExportFile& request, const Workspace& workspace, std::vector<ExportedRun> runs) {
  if (job()) return postpone("Another file is being written. Export again when it is done, or cancel it.");
  if (workspace.job() || !std::ranges::all_of(runs, [](const auto& each) { return each.run != nullptr; }))
    return postpone("There is nothing to export yet. Export again when the recording has ended.");
  if (request.as == ExportAs::Png) return app_.askForPicture(request);
  if (!exportRun_) return postpone("This build makes no such files.");
  ExportOrder order{.file = request,
                    .runs = std::move(runs),
                    .others = {},
                    .engine = workspace.engineId(),
                    .theme = request.presented ? app_.settings().presenterTheme : app_.settings().theme,
                    .speed = app_.settings().speed};
  if (!request.other.empty()) {
    ExperimentChoices choices = workspace.choices();
    choices.experiment.variant = request.other;
    order.others.push_back(experimentFor(choices));
  }
  startJob(request,
           [order = std::move(order), make = exportRun_](engine::JobControl& control) -> Result<void> {
             STRIDESCOPE_TRY(mayBeWritten(order.file));
             return make(order, control);
           });
}

void Exports::write(const ExportFile& request, Result<picture::Image> picture) {
  startJob(request, [request, picture = std::move(picture)](engine::JobControl&) {
    return writePicture(request, picture);
  });
}

void Exports::wait() {
  jobs_.wait();
  poll();
}

void Exports::startJob(const ExportFile& request, std::function<Result<void>(engine::JobControl&)> work) {
  jobs_.start("Writing " + printable(request.path),
              [this, request, work = std::move(work)](engine::JobControl& control) -> Jobs::Delivery {
                return [this, request, written = work(control)] { tell(request, written); };
              });
}

void Exports::tell(const ExportFile& request, const Result<void>& written) {
  if (written) {
    // A page has the browser download a folder of pictures as one archive.
    const bool isArchive = request.as == ExportAs::Pictures && !app_.pageAddress().empty();
    std::string path = absoluteOf(request.path);
    while (isArchive && path.size() > 1 && path.back() == '/') path.pop_back();
    return app_.tellSaved(path + (isArchive ? ".zip" : ""), Overlay::Export);
  }
  ExportFile overwriting = request;
  overwriting.overwrite = true;
  Message message = messageOf(written.error(), request.path, overwriting);
  message.form = Overlay::Export;
  if (request.as == ExportAs::Pictures && message.action) {
    message.sentence = "The folder " + printable(request.path) +
                       " is not empty. Write into it, which replaces pictures of the same names, or save "
                       "under another name.";
    message.actionLabel = "Write into it";
  }
  app_.tell(std::move(message));
}

void Exports::postpone(std::string sentence) {
  app_.tell({.kind = MessageKind::ToDo, .sentence = std::move(sentence), .form = Overlay::Export});
}

}  // namespace stridescope::session
