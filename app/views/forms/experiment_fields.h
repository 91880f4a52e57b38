// The choices of an experiment, once for the bar above the panels and once for the Experiment menu.
#pragma once

#include <span>
#include <string>

#include "model/experiment_fields.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct ExperimentField {
  std::string_view key;  // model/experiment_fields.h
  float width;           // units, its combo box's in the bar where there is room
  std::string (*shown)(const session::Parts& parts);
  // The entries of its list: what may not be chosen is greyed out, with its reason under the pointer.
  void (*entries)(ViewContext& view);
  // What a person chose and the variant or the recording does not have, so that another value is borrowed;
  // empty: nothing is borrowed.
  std::string (*chosen)(const session::Parts& parts);
  bool isTyped = false;        // a value can be typed into its list
  bool givesWayLast = false;   // where there is too little room: what is measured is of this n
  bool ofSeveralGpus = false;  // other variants do not have it

  bool standsIn(const model::Experiment& experiment) const;

  std::string label() const { return std::string(model::experimentField(key).title); }
};

// In the order in which they stand.
std::span<const ExperimentField> experimentFields();

inline constexpr const char* kBlockLabel = "block shown";

// Dear ImGui's last item is the closed list of a field that a value can be typed into: a digit that is typed
// while it has the keyboard opens it, and is the first of what is typed there.
void openByTyping();

// Which block of the shown launch is inspected; greyed out where there is only one. Requires
// view.replay.run().
void blockInput(ViewContext& view);
// Pixels: the last of its blocks, and the buttons.
float blockInputWidth(const ViewContext& view);

}  // namespace stridescope::views
