#include <cmath>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "views/panels.h"
#include "views/predict/question_view.h"
#include "views/shared/predicted_sum.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

using session::PredictAct;
using session::PredictStep;

constexpr const char* kPredictTitle = "Predict";
constexpr float kScoreLine = 20, kSquare = 14, kSquareHeight = 9, kConceptWidth = 110, kOfWidth = 64,
                kButtons = 28, kQuestionsTop = 6, kScoreGap = 10, kQuestionsRoom = 400, kSumGap = 8;

struct PredictState {
  std::size_t chosen = 0;  // what the questions were scrolled to
  bool hidden = true;      // then
};

// "Predict stride 16"; a round that was revealed keeps its name.
std::string predictTitle(const ViewContext& view) {
  if (!view.replay.run()) return kPredictTitle;
  if (view.predict.isSummedUp()) return "Predict: all rounds";
  if (const lab::RoundName* const hidden = view.replay.hidden())
    return std::string(kPredictTitle) + " " + hidden->inSentence;
  return std::string(kPredictTitle) + " " +
         narration::nameInSentence(roundAt(view.replay, view.replay.playhead().round));
}

std::string noteOf(const ViewContext& view) {
  if (!view.replay.run()) return {};
  if (view.predict.isSummedUp()) return figure(view.predict.rounds()) + " rounds, all told";
  const std::string round = "round " + figure(view.replay.playhead().round);
  if (view.predict.isHidden()) return round + ", not yet revealed";
  return round + (view.predict.isJudged() ? ", revealed" : ", not asked");
}

// One square a question that was asked of late, filled if it was right.
void drawScoreLine(ViewContext& view, ImDrawList& list, teaching::Topic topic, ImVec2 min, float right) {
  const draw::Palette& colours = view.colours();
  const teaching::TopicScore& score = view.predict.score().of(topic);
  const float bottom = min.y + view.px(kScoreLine);
  view.text(list, min, {min.x + view.px(kConceptWidth), bottom}, teaching::nameOf(topic),
            view.words(colours.dim));
  const std::string text = figure(score.right) + " of " + figure(score.asked);
  view.text(list, {right - view.px(kOfWidth), min.y}, {right + 1, bottom}, text, view.code(colours.text),
            draw::TextAlign::Right);
  const float from = min.x + view.px(kConceptWidth + 8), to = right - view.px(kOfWidth + 8);
  const float step = view.px(kSquare + 2);
  const auto most = std::size_t(std::max(0.0f, std::floor((to - from) / step)));
  const std::size_t shown = std::min(most, score.latest.size());
  const float top = std::round((min.y + bottom - view.px(kSquareHeight)) / 2);
  for (std::size_t i = 0; i < shown; ++i) {
    const ImVec2 squareMin{from + step * float(i), top};
    const ImVec2 squareMax{squareMin.x + view.px(kSquare), top + view.px(kSquareHeight)};
    if (score.latest[score.latest.size() - shown + i])
      list.AddRectFilled(squareMin, squareMax, colours.result);
    else
      draw::outlineInside(view.draw, list, squareMin, squareMax, colours.dim, 1);
  }
}

float scoreHeight(const ViewContext& view) {
  return view.px(kScoreLine) * float(teaching::kTopics.size() + 1) + view.px(kScoreGap);
}

void drawScore(ViewContext& view, ImDrawList& list, ImVec2 min, float right) {
  view.text(list, min, {right, min.y + view.px(kScoreLine)}, "Your score, by concept",
            view.semiBold(view.colours().text));
  for (const teaching::Topic topic : teaching::kTopics) {
    min.y += view.px(kScoreLine);
    drawScoreLine(view, list, topic, min, right);
  }
}

// The question that was answered wrong, to be asked again elsewhere; nullopt: none was.
std::optional<std::size_t> wrongQuestion(const session::Predict& predict) {
  const auto& asked = predict.asked();
  for (std::size_t place = 0; place < asked.size(); ++place)
    if (asked[place].judgement && asked[place].judgement->answered && !asked[place].judgement->right)
      return place;
  return std::nullopt;
}

// All else stays as it was chosen.
session::Command predictFromFirst(const kernels::Variant& variant) {
  return session::FollowLink{{.action = session::LinkAction::Predict,
                              .variant = std::string(variant.id),
                              .place = session::LinkPlace{.round = 0},
                              .question = "active"}};
}

// Gives the y below it.
float drawSum(ViewContext& view, ImDrawList& list, ImVec2 min, float right) {
  const float line = view.px(draw::kBodySize * 1.4f);
  for (const SumLine& each : sumLines(view)) {
    const draw::TextStyle style = each.isStrong ? view.semiBold(view.colours().text, draw::kBodySize)
                                                : view.words(view.colours().text, draw::kBodySize);
    min.y = view.wrapped(list, min, right - min.x, line, each.text, style).max.y + view.px(kSumGap);
  }
  return min.y;
}

struct Offer {
  KeyButton button;
  session::Command command;
};

// What to step next.
std::vector<Offer> sumOffers(const ViewContext& view) {
  std::vector<Offer> offers;
  const kernels::Variant* const after = variantAfter(view);
  if (teaching::weakest(view.predict.score()))
    offers.push_back(
        {{"Ask me in another variant", "A", view.predict.sum().right() < view.predict.sum().answered()},
         PredictStep{.act = PredictAct::AskWeakest}});
  if (after != nullptr)
    offers.push_back(
        {{"Next variant", "", offers.empty() || !offers.front().button.primary}, predictFromFirst(*after)});
  offers.push_back({{"Back", "Left"}, session::StepBack{}});
  return offers;
}

std::vector<Offer> offersOf(const ViewContext& view) {
  std::vector<Offer> offers;
  const auto step = [](PredictAct act, std::size_t question = 0) {
    return session::Command(PredictStep{.act = act, .question = question});
  };
  if (view.predict.isHidden()) {
    offers.push_back({{"Reveal", revealKeys(view.app), true}, step(PredictAct::Reveal)});
    offers.push_back({{"Skip", "S"}, step(PredictAct::Skip)});
    const auto& asked = view.predict.asked();
    if (view.predict.chosen() < asked.size())
      offers.push_back({{"Hint", "H, " + std::to_string(asked[view.predict.chosen()].hints.size()) + " of " +
                                     std::to_string(teaching::kHints)},
                        step(PredictAct::Hint)});
    return offers;
  }
  if (view.predict.isSummedUp()) return sumOffers(view);
  if (!view.replay.atLast()) offers.push_back({{"Next round", "Right", true}, session::StepForward{}});
  if (view.replay.atLast()) offers.push_back({{"Sum up", "Right", true}, session::StepForward{}});
  offers.push_back({{"Try again", "R"}, step(PredictAct::TryAgain)});
  if (const auto wrong = wrongQuestion(view.predict))
    offers.push_back({{"Ask me in another variant", "A"}, step(PredictAct::AskElsewhere, *wrong)});
  return offers;
}

struct PlacedOffer {
  Offer offer;
  ImVec2 min;
};

// From the left, on as many lines as they need, the last of them above `bottom`. Not empty.
std::vector<PlacedOffer> placeOffers(const ViewContext& view, float left, float right, float bottom) {
  std::vector<PlacedOffer> placed;
  const float step = view.px(kButtons + 6);
  float x = left;
  const float y = bottom - view.px(kButtons);
  for (Offer& offer : offersOf(view)) {
    const float width = widthOf(view, offer.button);
    if (x + width > right && x > left) {
      x = left;
      for (PlacedOffer& each : placed) each.min.y -= step;
    }
    placed.push_back({std::move(offer), {x, y}});
    x += width + view.px(8);
  }
  return placed;
}

// What scrolls: the questions, and with `withScore` the score below them.
void drawQuestions(ViewContext& view, PredictState& state, ImVec2 min, ImVec2 max, bool withScore) {
  const ScrolledPart part("questions", min, max, ImGuiChildFlags_NavFlattened);
  if (!part) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start = part.origin();
  const float right = min.x + ImGui::GetContentRegionAvail().x - view.px(2);
  float y = start.y;
  if (view.predict.isSummedUp()) {
    const float below = drawSum(view, list, start, right);
    if (withScore) drawScore(view, list, {start.x, below + view.px(kScoreGap)}, right);
    return part.fill(below - start.y + (withScore ? view.px(kScoreGap) + scoreHeight(view) : 0));
  }
  const auto& asked = view.predict.asked();
  if (std::exchange(state.hidden, view.predict.isHidden()) != view.predict.isHidden()) {
    ImGui::SetScrollY(0);
    if (!state.hidden) state.chosen = view.predict.chosen();  // what was revealed is read from the top
  }
  for (std::size_t place = 0; place < asked.size(); ++place) {
    const float top = y;
    y = drawQuestion(view, list, place, start.x, right, y);
    if (place != view.predict.chosen() || state.chosen == place) continue;
    state.chosen = place;
    if (top < min.y || y > max.y) ImGui::SetScrollFromPosY(top - ImGui::GetWindowPos().y, 0);
  }
  if (asked.empty()) {
    const std::string text =
        view.predict.isHidden()
            ? "Nothing can be asked about this round: not everything that it does is determined."
            : "Nothing was asked about this round. Try again hides it and asks.";
    y = view.wrapped(list, {start.x, y}, right - start.x, view.px(draw::kBodySize * 1.4f), text,
                     view.words(view.colours().dim, draw::kBodySize))
            .max.y;
  }
  if (withScore) {
    y += view.px(kScoreGap);
    drawScore(view, list, {start.x, y}, right);
    pressed("your score", {start.x, y}, {right, y + scoreHeight(view)});  // the keyboard comes to it
    y += scoreHeight(view);
  }
  part.fill(y - start.y);
}

void drawPredict(ViewContext& view, PredictState& state) {
  const std::string title = predictTitle(view), note = noteOf(view);
  draw::Panel panel(
      view.draw, {.name = kPredictTitle, .title = title, .note = note, .leastWidth = 240, .leastHeight = 90});
  if (!panel || !view.replay.run()) return;
  ImDrawList& list = panel.list();
  const ImVec2 min{panel.contentMin().x, panel.contentMin().y + view.px(kQuestionsTop)},
      max = panel.contentMax();
  const std::vector<PlacedOffer> offers = placeOffers(view, min.x, max.x, max.y);
  float bottom = offers.front().min.y - view.px(kScoreGap);
  const float score = scoreHeight(view);
  const bool isRoom = bottom - min.y > score + view.px(kQuestionsRoom);
  if (isRoom) {
    drawScore(view, list, {min.x, bottom - score + view.px(kScoreGap)}, max.x);
    bottom -= score;
  }
  drawQuestions(view, state, min, {max.x, bottom}, !isRoom);
  for (const PlacedOffer& placed : offers)
    if (drawKeyButton(view, list, placed.min, placed.offer.button))
      view.commands.push_back(placed.offer.command);
}

// A command of the mode: elsewhere its key means something else, or nothing.
CommandEntry entryOf(const char* name, const char* also, ImGuiKeyChord keys,
                     std::function<PredictStep(const session::Parts&)> make,
                     std::function<bool(const session::Parts&)> enabled) {
  return {.menu = "Predict",
          .name = name,
          .also = also,
          .keys = keys,
          .make = [make = std::move(make)](const session::Parts& parts) -> session::Command {
            return make(parts);
          },
          .enabled = std::move(enabled),
          .mode = session::Mode::Predict};
}

bool isRoundHidden(const session::Parts& parts) { return parts.predict.isHidden(); }
bool isRoundShown(const session::Parts& parts) {
  return parts.replay.run() != nullptr && !parts.predict.isHidden();
}

// Whether there are questions, to be answered or with their answers.
bool hasQuestions(const session::Parts& parts) { return !parts.predict.asked().empty(); }

// Goes from one question to the next, and from the last to the first.
PredictStep chooseQuestion(const session::Parts& parts, std::size_t by) {
  const std::size_t count = parts.predict.asked().size();
  return {.act = PredictAct::Choose, .question = count == 0 ? 0 : (parts.predict.chosen() + by) % count};
}

std::vector<CommandEntry> entries() {
  const auto act = [](PredictAct what) {
    return [what](const session::Parts&) { return PredictStep{.act = what}; };
  };
  std::vector<CommandEntry> entries{
      entryOf("Reveal the round", "answer show guess", ImGuiKey_Enter, act(PredictAct::Reveal),
              isRoundHidden),
      entryOf("Skip the round", "pass", ImGuiKey_S, act(PredictAct::Skip), isRoundHidden),
      entryOf("Try the round again", "repeat hide", ImGuiKey_R, act(PredictAct::TryAgain), isRoundShown),
      entryOf(
          "Hint", "help question", ImGuiKey_H, act(PredictAct::Hint),
          [](const session::Parts& parts) { return isRoundHidden(parts) && !parts.predict.asked().empty(); }),
      entryOf(
          "Mark the thread", "lane guess", ImGuiKey_M,
          [](const session::Parts& parts) {
            const auto [first, last] = *pointedThreads(parts.replay);
            return toggleMarks(parts.predict, first, last);
          },
          [](const session::Parts& parts) {
            return isRoundHidden(parts) && pointedThreads(parts.replay) && threadMarks(parts.predict);
          }),
      entryOf(
          "Next question", "down", ImGuiKey_DownArrow,
          [](const session::Parts& parts) { return chooseQuestion(parts, 1); }, hasQuestions),
      entryOf(
          "Previous question", "up", ImGuiKey_UpArrow,
          [](const session::Parts& parts) {
            return chooseQuestion(parts, std::max<std::size_t>(1, parts.predict.asked().size()) - 1);
          },
          hasQuestions),
      entryOf(
          "Ask me in another variant", "weakest concept difficulty", ImGuiKey_A,
          [](const session::Parts& parts) -> PredictStep {
            if (const auto wrong = wrongQuestion(parts.predict))
              return {.act = PredictAct::AskElsewhere, .question = *wrong};
            return {.act = PredictAct::AskWeakest};
          },
          [](const session::Parts& parts) {
            return parts.replay.run() != nullptr &&
                   (wrongQuestion(parts.predict) || teaching::weakest(parts.predict.score()));
          }),
  };
  entries.front().otherKeys = ImGuiKey_KeypadEnter;
  entries.push_back({.menu = "Predict",
                     .group = 1,
                     .name = "Delete the score...",
                     .also = "forget reset",
                     .make = opens(session::Overlay::DeleteScore)});
  return entries;
}

}  // namespace

Panel predictPanel() {
  return {.id = "predict",
          .title = kPredictTitle,
          .places = {{.mode = session::Mode::Predict, .dock = {.region = shell::Region::Right}}},
          .draw = [state = PredictState{}](ViewContext& view) mutable { drawPredict(view, state); },
          .commands = entries()};
}

}  // namespace stridescope::views
