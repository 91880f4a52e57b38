#include "views/chrome/score_form.h"

#include "base/numbers.h"
#include "narration/wording.h"
#include "teaching/topic.h"
#include "views/chrome/form_text.h"

namespace stridescope::views {
namespace {

// "12 of 15 answers were right. ", as far as the score is known; empty: it is not read before Predict is.
std::string standing(const teaching::Score& score) {
  std::uint64_t asked = 0, right = 0;
  for (const teaching::Topic topic : teaching::kTopics) {
    asked += score.of(topic).asked;
    right += score.of(topic).right;
  }
  if (asked == 0) return {};
  return figure(right) + " of " + narration::count(asked, "answer") + (asked == 1 ? " was" : " were") +
         " right. ";
}

}  // namespace

void drawDeleteScore(ViewContext& view, float width, bool appearing) {
  sentence(view, width,
           standing(view.predict.score()) +
               "The answers of all concepts are deleted, those of earlier sessions, too, and the questions "
               "become easy again. This cannot be undone.",
           view.colours().text);
  const auto answer = askYesOrNo("Keep it", "Delete the score", appearing);
  if (!answer) return;
  view.commands.push_back(session::ShowOverlay{session::Overlay::DeleteScore});
  if (*answer) view.commands.push_back(session::PredictStep{.act = session::PredictAct::DeleteScore});
}

}  // namespace stridescope::views
