// What a run of a person's own kernel printed, and the sentences that are told of the run: below the text in
// Source.
#pragma once

#include <string>
#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

class KernelOutput {
 public:
  // At most `most` pixels high, `width` wide; 0: there is nothing to show.
  float height(const ViewContext& view, float width, float most);
  // Between two points of the screen, as high as height() said.
  void draw(ViewContext& view, ImVec2 min, ImVec2 max);

 private:
  struct Line {
    std::string text;
    bool isPrinted = false;  // by the kernel, character by character; else a sentence
  };
  void follow(const ViewContext& view, float width);

  std::vector<Line> lines_;
  std::string head_;                // "Printed: 12 lines. Notes: 2."
  std::vector<std::string> notes_;  // what the lines were made of,
  std::string printed_;             // and this
  float width_ = 0, scale_ = 0;     // and for which width
  bool isFolded_ = false;
};

// The same as text; empty: the kernel printed nothing, and nothing is told.
std::string kernelOutputText(const session::OwnKernel& kernel);

}  // namespace stridescope::views
