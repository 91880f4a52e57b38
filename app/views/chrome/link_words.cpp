#include "views/chrome/link_words.h"

#include <algorithm>

#include "base/numbers.h"
#include "kernels/catalog.h"
#include "model/experiment_fields.h"
#include "session/link.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

std::string placeWords(const session::LinkPlace& place) {
  std::string words;
  if (place.stride) words = "stride " + figure(*place.stride);
  if (place.round)
    words = *place.round == 0     ? "first round"
            : *place.round == ~0u ? "last round"
                                  : "round " + figure(*place.round);
  if (place.launch && *place.launch != ~0u && *place.launch != 0)
    words += (words.empty() ? "launch " : " of launch ") + figure(*place.launch);
  if (place.pass) words += (words.empty() ? "pass " : ", pass ") + figure(*place.pass);
  return words;
}

std::string ringWords(const session::LinkRing& ring) {
  using enum session::RingKind;
  switch (ring.kind) {
    case Thread:
      return "thread " + figure(ring.index) + " ringed";
    case Warp:
      return "warp " + figure(ring.index) + " ringed";
    case Element:
      return "element " + figure(ring.index) + " ringed";
    case Bank:
      return "bank " + figure(ring.index) + " ringed";
    case Line:
      return "line " + figure(ring.index) + " ringed";
    case Request:
      break;
  }
  return ring.request + " ringed";
}

const char* verbOf(const session::Link& link) {
  switch (link.action) {
    case session::LinkAction::Show:
      return "Show";
    case session::LinkAction::Try:
      return "Try";
    case session::LinkAction::Predict:
      return "Predict";
    case session::LinkAction::Compare:
      return "Compare";
  }
  return "";
}

}  // namespace

std::string linkWords(const ViewContext& view, std::string_view target) {
  const auto link = session::parseLink(target, idsOf(view.panels));
  if (!link) return {};
  std::string words;
  const auto add = [&](const std::string& piece) {
    if (!piece.empty()) words += (words.empty() ? ": " : " · ") + piece;
  };
  add(kernels::titleOf(link->variant));
  add(kernels::titleOf(link->other));
  for (const model::ExperimentField& field : model::experimentFields())
    if (field.words != nullptr && field.isGiven(link->choices.given))
      add(field.words(link->choices.experiment));
  if (link->place) add(placeWords(*link->place));
  const Panel* const panel = findPanel(view.panels, link->panel);
  if (panel != nullptr) add(panel->title);
  add(link->request);
  if (link->ring) add(ringWords(*link->ring));
  return verbOf(*link) + words;
}

}  // namespace stridescope::views
