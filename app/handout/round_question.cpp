#include "handout/round_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/numbers.h"
#include "narration/round_kind.h"

namespace stridescope::handout {
namespace {

// The number itself, and others that a person may take for it: half of it, twice as many, a warp, the block.
std::set<unsigned> answersAround(unsigned active, unsigned block) {
  std::set<unsigned> answers{active};
  for (const unsigned other : {active / 2, active * 2, block, model::kWarpSize, 1u})
    if (other >= 1 && other <= block && answers.size() < 4) answers.insert(other);
  return answers;
}

}  // namespace

std::optional<HtmlQuestion> questionOf(const ToldRun& run, const Place& place) {
  std::optional<HtmlQuestion> question;
  run.tellOf(place, [&](const narration::RoundAt& at) {
    const unsigned active = at.round().activeLanes, block = at.launch.block;
    const std::set<unsigned> answers = answersAround(active, block);
    if (active == 0 || answers.size() < 2) return;
    question = HtmlQuestion{
        .text = fmt::format("{}: how many of {} threads are active?", narration::titleOf(at), figure(block))};
    for (const unsigned answer : answers) question->choices.push_back(figure(answer));
    question->right = std::size_t(std::distance(answers.begin(), answers.find(active)));
  });
  return question;
}

}  // namespace stridescope::handout
