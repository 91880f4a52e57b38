// The size of a caption's letters where it is to change neither from round to round nor with what else the
// window shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/pass_view.h"
#include "narration/round_at.h"
#include "views/shared/view_context.h"
#include "views/transport/round_text.h"

namespace stridescope::views {

// The size at which all captions of a run fit each of the rooms that a caption has in one window. A long run
// has thousands of captions: they are written over several frames, rounds from all over the run first, and
// kept while only the rooms change.
class SteadySize {
 public:
  // `rooms`: pixels; the caption's room now is one of them. `aboveFoot`: those of them, without the foot, in
  // which the foot is left to what is hovered unless letters of the body's size need it.
  void lieIn(std::vector<ImVec2> rooms, const std::vector<ImVec2>& aboveFoot);
  // For a picture: nothing is left to later frames.
  void findAtOnce() { atOnce_ = true; }
  // Units: with the caption that is shown. Does a frame's part of the search. Requires a run.
  float sizeFor(const ViewContext& view, const CaptionText& shown);
  bool isSearching() const { return next_ < rounds_.size() || checked_ < texts_.size(); }

 private:
  struct Place {
    unsigned launch = 0;
    std::size_t round = 0;
  };
  struct Text {
    std::string words;
    bool problem = false;
    float length = 0, longestWord = 0;  // on one line, in ems; at most
  };
  static Text textOf(const ViewContext& view, const CaptionText& caption);
  void begin(const ViewContext& view);
  void write(const ViewContext& view, const Place& place);
  void shrinkFor(const ViewContext& view, const Text& text);
  bool fitsSurely(const ViewContext& view, const Text& text) const;

  bool atOnce_ = false;
  std::shared_ptr<const lab::Run> run_;
  std::size_t clocks_ = 0;  // how many records tell its cycles
  std::vector<Place> rounds_;
  std::size_t next_ = 0;  // of them, to be written
  std::unique_ptr<analysis::PassViewer> passes_;
  unsigned passesOf_ = 0;    // the launch
  std::vector<Text> texts_;  // the longest first when all are written
  std::size_t checked_ = 0;  // so many of them are known to fit
  std::vector<ImVec2> rooms_, tightest_, tightestAboveFoot_;
  float size_ = draw::kCaptionSize;
};

// Whether the text fits a room of that many pixels in letters of that size.
bool fitsAt(const ViewContext& view, float size, const std::string& text, float width, float height);

// The caption of a round or a pass, and what it cost.
CaptionText captionAt(const ViewContext& view, const narration::RoundAt& at, unsigned launch,
                      std::string cost);

// The cross before a problem's caption takes so much of its width.
float crossWidth(const ViewContext& view, bool problem);

}  // namespace stridescope::views
