#include "views/chrome/link_words.h"

#include <algorithm>

#include "base/numbers.h"
#include "kernels/catalog.h"
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
  const session::LinkChoices& choices = link->choices;
  add(kernels::titleOf(link->variant));
  add(kernels::titleOf(link->other));
  if (choices.type) add(std::string(model::nameOf(*choices.type)));
  if (choices.op) add(std::string(model::wordOf(*choices.op)));
  if (choices.threads) add("block size " + figure(*choices.threads));
  if (choices.elements) add("n = " + sizeText(*choices.elements));
  if (choices.data) add(std::string(model::nameOf(*choices.data)));
  if (choices.seed) add("seed " + figure(*choices.seed));
  if (choices.schedule) add(std::string(model::nameOf(*choices.schedule)));
  if (choices.scheduleSeed) add("its seed " + figure(*choices.scheduleSeed));
  if (choices.blockOrder) add("blocks " + std::string(model::nameOf(*choices.blockOrder)));
  if (choices.blockOrderSeed) add("their seed " + figure(*choices.blockOrderSeed));
  if (link->place) add(placeWords(*link->place));
  const Panel* const panel = findPanel(view.panels, link->panel);
  if (panel != nullptr) add(panel->title);
  add(link->request);
  if (link->ring) add(ringWords(*link->ring));
  return verbOf(*link) + words;
}

}  // namespace stridescope::views
