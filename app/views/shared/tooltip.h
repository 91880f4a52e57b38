// What is said under the pointer. All tooltips of the window come from here, so that all look alike: Dear
// ImGui gives a tooltip the padding of the window in which it begins, and a list may have none.
#pragma once

#include <string>

#include "imgui.h"

namespace stridescope::views {

struct ViewContext;

// Begins the tooltip in its constructor and ends it in its destructor:
//   if (const Tooltip tooltip(view); tooltip) ImGui::TextUnformatted(...);
class Tooltip {
 public:
  explicit Tooltip(const ViewContext& view);
  Tooltip(const Tooltip&) = delete;
  Tooltip& operator=(const Tooltip&) = delete;
  ~Tooltip();
  explicit operator bool() const { return begun_; }

 private:
  bool begun_ = false;
};

// Sentences, broken where they get long.
void wideTooltip(const ViewContext& view, const std::string& text);

}  // namespace stridescope::views
