#include "views/chrome/tour_forms.h"

#include "views/chrome/file_form.h"
#include "views/chrome/form_text.h"

namespace stridescope::views {
namespace {

const std::vector<shell::FileKind> kKinds{{"Tours", "*.md"}};

}  // namespace

void drawOpenTour(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width, "Path of a tour, a Markdown file (.md). A file can also be dropped on the window.",
           view.colours().text);
  FileForm form{.title = "Open a tour", .kinds = kKinds, .path = view.app.overlaySubject()};
  for (const session::ShippedTour& tour : session::kShippedTours)
    form.first.push_back({.label = std::string(tour.title),
                          .note = "comes with Stridescope",
                          .command = session::StartTour{std::string(tour.id)}});
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::OpenTour{given->path});
}

void drawSaveTour(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(view, width, "Where to save a copy of the tour, to edit it and to change the order of its stops:",
           view.colours().text);
  const FileForm form{.title = "Save a copy of the tour", .save = true, .kinds = kKinds, .path = "tour.md"};
  if (const auto given = drawFileForm(view, state, form, width, appearing))
    view.commands.push_back(session::SaveTour{given->path, given->mayOverwrite});
}

}  // namespace stridescope::views
