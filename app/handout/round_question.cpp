#include "handout/round_question.h"

#include <fmt/format.h>

#include "teaching/choice_question.h"
#include "teaching/given.h"

namespace stridescope::handout {
namespace {

constexpr std::uint64_t kSeed = 1;  // one page is like the other

}  // namespace

std::optional<HtmlQuestion> questionOf(const ToldRun& run, const Place& place) {
  if (run.roundAt(place.launch, place.round).whole().passes > 1) return std::nullopt;
  const auto asked = teaching::choiceQuestionOf({run.trace(), run.analysis(), run.flow()},
                                                {place.launch, place.round}, kSeed);
  if (!asked) return std::nullopt;
  HtmlQuestion question{
      .text = asked->question.text, .choices = asked->choices, .right = asked->right, .why = asked->why};
  if (!asked->question.note.empty()) question.text += fmt::format(" ({})", asked->question.note);
  if (!asked->question.meaning.empty()) question.text += " " + asked->question.meaning;
  if (const std::string before = teaching::givenInWords(asked->question, asked->given); !before.empty())
    question.text += " " + before;
  return question;
}

}  // namespace stridescope::handout
