#include "session/link_to.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "model/experiment_fields.h"
#include "session/comparison.h"
#include "session/experiment_choices.h"
#include "session/link.h"
#include "session/own_kernel.h"

namespace stridescope::session {
namespace {

tl::unexpected<Error> cannot(std::string sentence) {
  return tl::unexpected(Error{.kind = ErrorKind::Usage, .sentence = std::move(sentence)});
}

// The parts behind the ?, each with its mark before it.
class Tail {
 public:
  void add(std::string_view name, std::string value) {
    std::ranges::replace(value, ' ', '-');
    text_ += text_.empty() ? '?' : '&';
    text_.append(name).append("=").append(value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Why no link can say it; empty: one can.
std::string whyNotLinked(const model::Experiment& experiment) {
  if (experiment.given.get() != nullptr)
    return "A link cannot hold input data of your own. Choose a data pattern, or save a recording and hand "
           "that on.";
  if (experiment.op == model::Operator::Custom)
    return "A link cannot hold an operator of your own. Choose another one, or save a recording and hand "
           "that on.";
  return "";
}

// What was chosen otherwise than the variant has it by default.
void addChosen(const Workspace& workspace, Tail& tail) {
  const model::Experiment& experiment = workspace.experiment();
  const ExperimentChoices& choices = workspace.choices();
  const auto fields = chosenAnew(resetChoices(experiment.variant), choices);
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (!field.example.empty() && field.isGiven(fields) && isChosen(field, choices))
      tail.add(field.key, field.typed(experiment));
  }
}

void addRound(const Replay& replay, Tail& tail) {
  const Playhead at = replay.playhead();
  if (replay.run()->analysis.launches.size() > 1) tail.add("launch", std::to_string(at.launch));
  tail.add("round", std::to_string(at.round));
  if (at.pass > 0) tail.add("pass", std::to_string(at.pass));
}

// What is pinned, as a ring; nullopt: nothing is, or a link cannot ring it.
std::optional<std::string> ringOf(const Replay& replay) {
  if (!replay.pinned() || replay.hover()->array != 0) return std::nullopt;
  const std::string index = std::to_string(replay.hover()->index);
  switch (replay.hover()->kind) {
    case HoverKind::Thread:
      return "thread:" + index;
    case HoverKind::Warp:
      return "warp:" + index;
    case HoverKind::Element:
      return "element:" + index;
    case HoverKind::Bank:
      return "bank:" + index;
    case HoverKind::Site:
      return "line:" + std::to_string(replay.run()->trace.sites[replay.hover()->index].line);
    case HoverKind::Round:
      break;
  }
  return std::nullopt;
}

// One choice for both sides is all that a link has.
Result<std::string> linkToBoth(const Parts& parts) {
  const Workspace& left = parts.comparison->workspace(analysis::Side::Left);
  const Workspace& right = parts.comparison->workspace(analysis::Side::Right);
  // Such a link leaves all else as it is where it is followed.
  static const std::set<std::string_view> always{"type", "op", "threads", "data"};
  Tail tail;
  for (const model::ExperimentField& field : model::experimentFields()) {
    if (field.example.empty()) continue;
    const std::string value = field.typed(left.experiment());
    if (value != field.typed(right.experiment()))
      return cannot("A link has one " + std::string(field.title) +
                    " for both sides, and here they differ in it. Choose the same one for both.");
    if (field.key == "n" ? left.choices().elements
                         : always.contains(field.key) || value != field.typed(model::Experiment()))
      tail.add(field.key, value);
  }
  addRound(parts.comparison->replay(analysis::Side::Left), tail);
  return "compare/" + left.experiment().variant + "/" + right.experiment().variant + tail.text();
}

}  // namespace

Result<std::string> linkTo(const Parts& parts) {
  if (parts.kernel.isOpen())
    return cannot("A link leads to variants alone. Hand on the kernel's file and its launch file.");
  const auto isShown = [](const Replay& replay) { return replay.run() != nullptr; };
  if (!isShown(parts.replay)) return cannot("Nothing is shown yet that a link could lead to.");
  const model::Experiment& experiment = parts.workspace.experiment();
  if (std::string why = whyNotLinked(experiment); !why.empty()) return cannot(std::move(why));
  if (parts.comparison != nullptr) {
    for (const analysis::Side side : analysis::kSides) {
      if (!isShown(parts.comparison->replay(side))) return cannot("One side is not shown yet.");
      if (std::string why = whyNotLinked(parts.comparison->workspace(side).experiment()); !why.empty())
        return cannot(std::move(why));
    }
    return linkToBoth(parts);
  }
  Tail tail;
  addChosen(parts.workspace, tail);
  addRound(parts.replay, tail);
  if (isPanelPart(parts.app.focused())) tail.add("panel", parts.app.focused());
  if (const auto ring = ringOf(parts.replay)) tail.add("ring", *ring);
  if (parts.predict.isOn() && !parts.predict.asked().empty()) {
    const teaching::Topic topic = parts.predict.asked()[parts.predict.chosen()].question.topic;
    return "predict/" + std::string(questionOf(topic)) + "/" + experiment.variant + tail.text();
  }
  return "show/" + experiment.variant + tail.text();
}

}  // namespace stridescope::session
