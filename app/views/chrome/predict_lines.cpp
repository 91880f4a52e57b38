#include "views/chrome/predict_lines.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "narration/memory_words.h"
#include "views/shared/map_bytes.h"
#include "views/shared/memory_stage.h"
#include "views/shared/predicted.h"

namespace stridescope::views {
namespace {

HoverLine threadLine(const ViewContext& view, unsigned thread) {
  const std::vector<bool>* const marks = threadMarks(view.predict);
  HoverLine line{.tag = "thread " + figure(thread),
                 .pieces = {"warp " + figure(thread / model::kWarpSize) + " lane " +
                            std::to_string(thread % model::kWarpSize)}};
  if (marks != nullptr)
    line.pieces.emplace_back(thread < marks->size() && (*marks)[thread] ? "marked" : "not marked");
  return line;
}

HoverLine warpLine(const ViewContext& view, unsigned warp) {
  const unsigned first = warp * model::kWarpSize, lanes = lanesOf(view.replay.launch(), warp);
  HoverLine line{.tag = "warp " + figure(warp),
                 .pieces = {"threads " + figure(first) + " to " + figure(first + lanes - 1)}};
  const std::vector<bool>* const marks = threadMarks(view.predict);
  if (marks == nullptr) return line;
  unsigned marked = 0;
  for (unsigned thread = first; thread < first + lanes && thread < marks->size(); ++thread)
    marked += (*marks)[thread] ? 1 : 0;
  line.pieces.push_back(figure(marked) + " marked");
  return line;
}

// What it holds before the round.
HoverLine elementLine(const ViewContext& view, std::uint64_t element) {
  const narration::RoundAt at = roundAt(view.replay);
  const MemoryStage stage(at.launch, at.analysis);
  if (!stage.exists()) return {"element " + figure(element), {"not in this launch"}};
  const auto words = stage.wordsBefore(at);
  const bool known = words && element < words->size() && (*words)[element];
  return {.tag = stage.nameOf(element),
          .pieces = {known ? grouped(narration::WordPrinter(stage.array()).brief(*(*words)[element]))
                           : std::string("never written"),
                     "before the round"}};
}

}  // namespace

std::string hiddenCaption(const ViewContext& view) {
  const std::string next = "Next is " + view.replay.hidden()->inSentence + ". ";
  const auto& asked = view.predict.asked();
  if (view.predict.isHeld())
    return next + "It is hidden: reveal it with " + revealKeys(view.app) + ", or skip it with S.";
  if (asked.empty())
    return next +
           "Nothing can be asked about it, because not everything that it does is determined. Reveal it, "
           "or skip it.";
  if (asked.front().question.topic != teaching::Topic::ActiveThreads)
    return next + "Answer what you can, then reveal.";
  const std::string& does = asked.front().question.does;
  return next + "Mark the threads that will " + (does.empty() ? "be active" : does) + ", then reveal.";
}

HoverLine hiddenHoverLine(const ViewContext& view, const session::Hover& hover) {
  switch (hover.kind) {
    case session::HoverKind::Thread:
      return threadLine(view, unsigned(hover.index));
    case session::HoverKind::Warp:
      return warpLine(view, unsigned(hover.index));
    case session::HoverKind::Element:
      return elementLine(view, hover.index);
    case session::HoverKind::Bank:
      return {.tag = "bank " + std::to_string(hover.index), .pieces = {kHiddenWords}, .words = true};
    case session::HoverKind::Site: {
      const model::Site& site = view.replay.run()->trace.sites[hover.index];
      return {.tag = "line " + std::to_string(site.line), .pieces = {inOneLine(site.text)}};
    }
    case session::HoverKind::Round:
      break;
  }
  return hoverLineOf(view.replay, hover, view.linked);
}

std::string judgedMark(const ViewContext& view, unsigned thread) {
  const teaching::Judgement* const judgement = threadJudgement(view.predict);
  if (judgement == nullptr || !judgement->answered || thread >= judgement->marks.size()) return {};
  switch (judgement->marks[thread]) {
    case teaching::Mark::Right:
      return "marked, and active";
    case teaching::Mark::Wrong:
      return "marked, but not active";
    case teaching::Mark::Missed:
      return "active, but not marked";
    case teaching::Mark::None:
      break;
  }
  return "not marked, and not active";
}

}  // namespace stridescope::views
