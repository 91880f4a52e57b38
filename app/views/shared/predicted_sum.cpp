#include "views/shared/predicted_sum.h"

#include <optional>

#include "base/numbers.h"

namespace stridescope::views {
namespace {

// "stride 16, stride 4 and the write": each once.
std::string roundsInWords(const session::Predict& predict, const std::vector<std::size_t>& rounds) {
  std::string words;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    words += (i == 0 ? "" : i + 1 == rounds.size() ? " and " : ", ") + predict.nameOf(rounds[i]).inSentence;
  return words;
}

std::string sumSentence(const session::PredictionSum& sum, std::size_t rounds) {
  if (sum.predicted == 0) return "You have predicted none of the " + figure(rounds) + " rounds.";
  const std::string answers = figure(sum.answered()) + (sum.answered() == 1 ? " answer" : " answers");
  return "You have predicted " + figure(sum.predicted) + " of " + figure(rounds) +
         (rounds == 1 ? " round: " : " rounds: ") + figure(sum.right()) + " of " + answers +
         (sum.answered() == 1 ? " is right." : " are right.");
}

}  // namespace

const kernels::Variant* variantAfter(const session::Parts& parts) {
  const kernels::Variant* const shown = kernels::findVariant(parts.workspace.experiment().variant);
  bool isBehind = false;
  for (const kernels::Variant& variant : kernels::catalog()) {
    const bool isTaught =
        shown != nullptr && variant.family == shown->family && !variant.sideBranch && !variant.isWrong();
    if (isBehind && isTaught && parts.workspace.whyNotRecorded(variant.id).empty()) return &variant;
    isBehind = isBehind || &variant == shown;
  }
  return nullptr;
}

std::vector<SumLine> sumLines(const session::Parts& parts) {
  const session::PredictionSum sum = parts.predict.sum();
  std::vector<SumLine> lines{{sumSentence(sum, parts.predict.rounds()), true}};
  std::optional<teaching::Topic> worst;
  for (const teaching::Topic topic : teaching::kTopics) {
    const session::PredictionSum::OfTopic& of = sum.of(topic);
    if (of.answered == 0) continue;
    lines.push_back(
        {std::string(teaching::nameOf(topic)) + ": " + figure(of.right) + " of " + figure(of.answered) +
             " right" +
             (of.wrong.empty() ? "." : "; wrong at " + roundsInWords(parts.predict, of.wrong) + "."),
         false});
    if (!of.wrong.empty() && (!worst || of.wrong.size() > sum.of(*worst).wrong.size())) worst = topic;
  }
  const kernels::Variant* const after = variantAfter(parts);
  if (worst)
    lines.push_back({"Next: " + std::string(teaching::nameOf(*worst)) + ". Try this variant again from " +
                         parts.predict.nameOf(sum.of(*worst).wrong.front()).inSentence +
                         ", or be asked in another variant.",
                     true});
  else if (after != nullptr)
    lines.push_back({"Next: " + std::string(after->title) + ", which is taught after this variant.", true});
  return lines;
}

}  // namespace stridescope::views
