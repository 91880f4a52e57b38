#include "views/transport/steady_size.h"

#include <algorithm>
#include <limits>

#include "draw/text.h"
#include "narration/caption.h"
#include "narration/outcome.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

constexpr float kSizeStep = 2;                                // units, from a size to the next smaller one
constexpr std::size_t kRoundsTried = 4096;                    // a run of more has some left out
constexpr std::uint32_t kPassesTried = 8;                     // so has a round
constexpr std::size_t kTextsAFrame = 256;                     // that are written, and that are measured
constexpr std::size_t kSpread = 16;                           // from a round to the one written next
constexpr float kLineHeight = 1.3f, kMeasuresDiffer = 1.05f;  // ems; from size to size

// Those into which none of the others fits: what fits them fits all.
std::vector<ImVec2> tightestOf(const std::vector<ImVec2>& rooms) {
  std::vector<ImVec2> tightest;
  for (const ImVec2 room : rooms) {
    const auto isWithin = [](ImVec2 a, ImVec2 b) { return a.x <= b.x && a.y <= b.y; };
    if (std::ranges::any_of(tightest, [&](ImVec2 other) { return isWithin(other, room); })) continue;
    std::erase_if(tightest, [&](ImVec2 other) { return isWithin(room, other); });
    tightest.push_back(room);
  }
  return tightest;
}

}  // namespace

bool fitsAt(const ViewContext& view, float size, const std::string& text, float width, float height) {
  const draw::TextStyle style = view.semiBold(0, size);
  return float(draw::wrappedLineCount(style, text, width)) * view.px(size * kLineHeight) <= height;
}

CaptionText captionAt(const ViewContext& view, const narration::RoundAt& at, unsigned launch,
                      std::string cost) {
  CaptionText caption{.text = narration::captionOf(at).text()};
  const std::vector<std::string> trouble = narration::troubleIn(at);
  if (!trouble.empty()) {
    caption = {.text = trouble.front(), .problem = true};
  } else if (const std::string elsewhere =
                 narration::troubleInAnotherPass(at, view.replay.run()->stalePasses[launch]);
             !elsewhere.empty()) {
    caption.text += " " + elsewhere;
  }
  // What went wrong comes first: the result follows where there is room for both.
  if (narration::endsTheRun(at)) {
    caption.result = narration::resultSentence(at.trace);
    caption.needsResult = trouble.empty();
    caption.problem = caption.problem || model::isWrong(at.trace);
  }
  if (trouble.empty()) caption.cost = std::move(cost);
  return caption;
}

float crossWidth(const ViewContext& view, bool problem) { return problem ? view.px(24) : 0; }

void SteadySize::lieIn(std::vector<ImVec2> rooms, const std::vector<ImVec2>& aboveFoot) {
  if (std::ranges::equal(rooms, rooms_, [](ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; })) return;
  rooms_ = std::move(rooms);
  tightest_ = tightestOf(rooms_), tightestAboveFoot_ = tightestOf(aboveFoot);
  size_ = draw::kCaptionSize;
  checked_ = 0;
}

SteadySize::Text SteadySize::textOf(const ViewContext& view, const CaptionText& caption) {
  Text text{.words = caption.text, .problem = caption.problem};
  for (const std::string& sentence : {caption.result, caption.cost})
    if (!sentence.empty()) text.words += " " + sentence;
  const draw::TextStyle style = view.semiBold(0, draw::kCaptionSize);
  text.length = draw::textSize(style, text.words).x / style.sizePx;
  std::size_t begin = 0;
  while (begin < text.words.size()) {
    const std::size_t end = std::min(text.words.find(' ', begin), text.words.size());
    text.longestWord = std::max(text.longestWord, float(end - begin));  // no letter is wider than an em
    begin = end + 1;
  }
  return text;
}

void SteadySize::begin(const ViewContext& view) {
  run_ = view.replay.sharedRun();
  clocks_ = view.replay.cycles().clocks.size();
  rounds_.clear(), texts_.clear(), passes_.reset();
  next_ = checked_ = 0;
  size_ = draw::kCaptionSize;
  const auto& launches = run_->analysis.launches;
  std::size_t all = 0;
  for (const auto& launch : launches) all += launch.rounds.size();
  std::vector<Place> inOrder;
  for (unsigned launch = 0; launch < launches.size(); ++launch)
    for (std::size_t round = 0; round < launches[launch].rounds.size(); round += all / kRoundsTried + 1)
      inOrder.push_back({launch, round});
  // The end of the run has the result, too, and is the longest as a rule.
  if (!inOrder.empty())
    rounds_.push_back({inOrder.back().launch, launches[inOrder.back().launch].rounds.size() - 1});
  for (std::size_t first = 0; first < kSpread; ++first)
    for (std::size_t place = first; place < inOrder.size(); place += kSpread)
      rounds_.push_back(inOrder[place]);
}

void SteadySize::write(const ViewContext& view, const Place& place) {
  const analysis::LaunchAnalysis& analysed = run_->analysis.launches[place.launch];
  narration::RoundAt at = run_->at(place.launch, place.round);
  const std::uint32_t count = analysed.rounds[place.round].passes;
  if (count <= 1) {
    const std::string cost = countedCycles(view.replay, place.launch, place.round);
    return texts_.push_back(textOf(view, captionAt(view, at, place.launch, cost)));
  }
  if (passes_ == nullptr || passesOf_ != place.launch)
    passes_ = std::make_unique<analysis::PassViewer>(run_->trace, run_->trace.launches[place.launch],
                                                     analysed, run_->flow[place.launch]);
  passesOf_ = place.launch;
  for (std::uint32_t pass = 0; pass < count; pass += count / kPassesTried + 1) {
    const auto shown = passes_->view(std::uint32_t(place.round), pass);
    at.pass = &*shown;
    texts_.push_back(textOf(view, captionAt(view, at, place.launch, {})));
  }
}

// Makes the size as small as the text needs, down to that of labels.
void SteadySize::shrinkFor(const ViewContext& view, const Text& text) {
  const auto shrink = [&](const std::vector<ImVec2>& rooms, float least) {
    for (const ImVec2 room : rooms)
      while (size_ > least &&
             !fitsAt(view, size_, text.words, room.x - crossWidth(view, text.problem), room.y))
        size_ = std::max(least, size_ - kSizeStep);
  };
  shrink(tightestAboveFoot_, draw::kBodySize);
  shrink(tightest_, draw::kLabelSize);
}

// A line leaves less room than the longest word takes, so that there are at most so many.
bool SteadySize::fitsSurely(const ViewContext& view, const Text& text) const {
  const float em = view.px(size_) * kMeasuresDiffer;
  const auto fits = [&](const ImVec2& room) {
    const float line = room.x - crossWidth(view, true) - text.longestWord * em;
    return line > 0 && (text.length * em / line + 1) * view.px(size_ * kLineHeight) <= room.y;
  };
  return std::ranges::all_of(tightest_, fits) &&
         (size_ <= draw::kBodySize || std::ranges::all_of(tightestAboveFoot_, fits));
}

float SteadySize::sizeFor(const ViewContext& view, const CaptionText& shown) {
  if (run_ != view.replay.sharedRun() || clocks_ != view.replay.cycles().clocks.size()) begin(view);
  const std::size_t most = atOnce_ ? std::numeric_limits<std::size_t>::max() : kTextsAFrame;
  if (next_ < rounds_.size()) {
    const std::size_t before = texts_.size();
    while (next_ < rounds_.size() && texts_.size() - before < most) write(view, rounds_[next_++]);
    if (next_ == rounds_.size()) {
      std::ranges::sort(texts_, std::greater(), &Text::length);
      checked_ = 0;
    }
  }
  for (std::size_t measured = 0; checked_ < texts_.size() && measured < most; ++measured) {
    if (next_ == rounds_.size() && fitsSurely(view, texts_[checked_])) {
      checked_ = texts_.size();
      break;
    }
    shrinkFor(view, texts_[checked_++]);
  }
  shrinkFor(view, textOf(view, shown));  // one that was left out, or is yet to be written
  return size_;
}

}  // namespace stridescope::views
