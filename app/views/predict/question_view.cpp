#include "views/predict/question_view.h"

#include <cmath>

#include "base/numbers.h"
#include "draw/marks.h"
#include "imgui_stdlib.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {
namespace {

using session::AskedQuestion;
using session::PredictAct;
using session::PredictStep;
using teaching::Topic;

constexpr float kNumberBox = 24, kIndent = 34, kChipGap = 5, kQuestionLine = 20, kQuestionGap = 10,
                kWarpChip = 52, kNoneChip = 64, kFieldWidth = 110;

struct QuestionPainter {
  ViewContext& view;
  ImDrawList& list;
  std::size_t place;
  const AskedQuestion& asked;
  float left, right;  // the edges of what stands below the heading
  float y;

  const teaching::Judgement* judgement() const { return asked.judgement ? &*asked.judgement : nullptr; }
  bool isOpen() const { return view.predict.isHidden(); }
  const draw::Palette& colours() const { return view.colours(); }
  void give(PredictStep step) const {
    step.question = place;
    view.commands.push_back(std::move(step));
  }

  // "1 mark wrong", "2 missed", "right", "open"; with a tick or a cross before it.
  struct Verdict {
    std::string text;
    bool tick = false, cross = false;
  };
  Verdict verdict() const {
    if (judgement() == nullptr) return {.text = asked.guess.answered ? "answered" : "open"};
    if (!judgement()->answered) return {.text = "not answered"};
    if (judgement()->right) return {.text = "right", .tick = true};
    const unsigned wrong = judgement()->count(teaching::Mark::Wrong),
                   missed = judgement()->count(teaching::Mark::Missed);
    std::string text;
    if (wrong > 0) text = figure(wrong) + (wrong == 1 ? " mark wrong" : " marks wrong");
    if (missed > 0) text += (text.empty() ? "" : ", ") + figure(missed) + " missed";
    return {.text = text.empty() ? "wrong" : text, .cross = true};
  }

  void heading(float from) {
    const float height = view.px(kNumberBox);
    const bool chosen = isOpen() && view.predict.chosen() == place;
    const ImVec2 box{from, y}, boxMax{from + height, y + height};
    if (pressed(("question " + std::to_string(place + 1)).c_str(), box, {right, boxMax.y}))
      give({.act = PredictAct::Choose});
    list.AddRectFilled(box, boxMax, colours().field, view.px(draw::kFieldRadius));
    if (chosen) draw::outlineInside(view.draw, list, box, boxMax, colours().result, 2, draw::kFieldRadius);
    view.text(list, box, boxMax, std::to_string(place + 1), view.codeBold(colours().text),
              draw::TextAlign::Centre);
    const Verdict said = verdict();
    const ImU32 colour = said.cross ? colours().problem : said.tick ? colours().text : colours().dim;
    const draw::TextStyle style = view.semiBold(colour);
    const float width = draw::textSize(style, said.text).x, markLeft = right - width - view.px(18);
    view.text(list, {right - width, y}, {right + 1, boxMax.y}, said.text, style);
    const ImVec2 middle{markLeft + view.px(8), y + height / 2};
    if (said.tick) draw::drawTick(view.draw, list, middle, view.px(5), colour);
    if (said.cross) draw::drawCross(view.draw, list, middle, view.px(4), colour, 2);
    view.text(list, {left, y}, {markLeft, boxMax.y}, asked.question.text,
              view.semiBold(colours().text, draw::kBodySize));
    y = boxMax.y + view.px(4);
  }

  void line(const std::string& text, const draw::TextStyle& style) {
    y = view.wrapped(list, {left, y}, right - left, view.px(draw::kLabelSize * 1.4f), text, style).max.y +
        view.px(6);
  }
  void words(const std::string& text) { line(text, view.words(colours().dim)); }

  // "you: 0 to 8      answer: 0 to 7"
  void yourThreads() {
    const draw::TextStyle code = view.code(colours().text);
    const draw::TextStyle strong = view.codeBold(colours().text);
    const float bottom = y + view.px(kQuestionLine);
    const teaching::Guess& guess = asked.guess;
    const std::string you =
        guess.answered ? "you: " + teaching::inWords(guess.marks) : std::string("you: mark them in Lanes");
    float x = left;
    if (judgement() == nullptr || guess.answered) {
      view.text(list, {x, y}, {right, bottom}, you, code);
      x += draw::textSize(code, you).x + view.px(20);
    }
    if (judgement() != nullptr)
      view.text(list, {x, y}, {right, bottom}, "answer: " + judgement()->answer, strong);
    if (isOpen() && chip("none", "no thread", {x, y}, view.px(kNoneChip),
                         asked.guess.isNone() ? ChipLook::Chosen : ChipLook::Plain))
      give({.act = PredictAct::AnswerNone});
    y = bottom + view.px(6);
  }

  bool chip(const std::string& text, const std::string& label, ImVec2 min, float width, ChipLook look) {
    return drawChip(view, list, label.c_str(), text, min, {min.x + width, min.y + view.px(kNumberBox)}, look,
                    isOpen());
  }

  // Chips one after the other, on as many lines as they need.
  struct ChipRow {
    QuestionPainter& painter;
    float x, width;
    ImVec2 next() {
      if (x + width > painter.right && x > painter.left) {
        x = painter.left;
        painter.y += painter.view.px(kNumberBox + kChipGap);
      }
      const ImVec2 min{x, painter.y};
      x += width + painter.view.px(kChipGap);
      return min;
    }
  };
  void endChips() { y += view.px(kNumberBox + 6); }

  ChipLook lookOf(bool chosen, bool isTrue) const {
    if (judgement() == nullptr) return chosen ? ChipLook::Chosen : ChipLook::Plain;
    if (isTrue) return chosen ? ChipLook::ChosenTrue : ChipLook::True;
    return chosen ? ChipLook::ChosenFalse : ChipLook::Plain;
  }

  void warps() {
    const unsigned count = warpsOf(view.replay.launch());
    ChipRow row{*this, left, view.px(kWarpChip)};
    bool anyTrue = false;
    for (unsigned warp = 0; warp < count; ++warp) {
      const bool chosen = asked.guess.answered && warp < asked.guess.marks.size() && asked.guess.marks[warp];
      const auto mark = judgement() != nullptr ? judgement()->marks[warp] : teaching::Mark::None;
      const bool isTrue = mark == teaching::Mark::Right || mark == teaching::Mark::Missed;
      anyTrue = anyTrue || isTrue;
      const std::string name = "W" + std::to_string(warp);
      if (chip(name, name, row.next(), row.width, lookOf(chosen, isTrue)))
        give({.act = PredictAct::Mark, .first = warp, .last = warp, .on = !chosen});
    }
    row.width = view.px(kNoneChip);
    if (chip("none", "no warp", row.next(), row.width,
             lookOf(asked.guess.isNone(), judgement() != nullptr && !anyTrue)))
      give({.act = PredictAct::AnswerNone});
    endChips();
  }

  void ways() {
    ChipRow row{*this, left, view.px(kWarpChip)};
    const auto offer = [&](unsigned way, const std::string& text) {
      if (way == teaching::kOtherWay) row.width = view.px(kNoneChip);
      const bool chosen = asked.guess.answered && asked.guess.way == way;
      const bool isTrue = judgement() != nullptr && way == judgement()->way;
      if (chip(text, text + " ways", row.next(), row.width, lookOf(chosen, isTrue)))
        give({.act = PredictAct::AnswerWay, .way = way});
    };
    for (const unsigned way : teaching::kWays) offer(way, std::to_string(way));
    offer(teaching::kOtherWay, "other");
    endChips();
  }

  // While the question is chosen, a number is typed without going to its field first.
  bool typeAhead(std::string& typed) const {
    const ImGuiIO& io = ImGui::GetIO();
    if (!asksForNumber(view.predict) || view.predict.chosen() != place || !areLettersFree(view.app))
      return false;
    const std::string before = typed;
    for (const ImWchar c : io.InputQueueCharacters)
      if ((c >= '0' && c <= '9') || c == '-' || c == '.') typed += char(c);
    if (!typed.empty() && ImGui::IsKeyPressed(ImGuiKey_Backspace)) typed.pop_back();
    return typed != before;
  }

  // Letters that belong to no number do what they do elsewhere: H is a hint.
  static int takeOfNumbers(ImGuiInputTextCallbackData* data) {
    const ImWchar c = data->EventChar;
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == 'h' || c == 'H') *static_cast<bool*>(data->UserData) = true;
    return isLetter && c != 'e' && c != 'E' ? 1 : 0;
  }

  void value() {
    const float height = view.px(kNumberBox);
    const draw::TextStyle dim = view.words(colours().dim);
    if (isOpen()) {
      std::string typed = asked.guess.typed;
      bool edited = typeAhead(typed), wantsHint = false;
      ImGui::SetCursorScreenPos({left, y});
      ImGui::SetNextItemWidth(view.px(kFieldWidth));
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, view.px(1));
      ImGui::PushStyleColor(ImGuiCol_Border, colours().dim);
      edited |= ImGui::InputText("##value", &typed, ImGuiInputTextFlags_CallbackCharFilter, takeOfNumbers,
                                 &wantsHint);
      ImGui::PopStyleColor();
      ImGui::PopStyleVar();
      if (edited) give({.act = PredictAct::AnswerText, .text = typed, .goesOn = true});
      if (wantsHint) {
        give({.act = PredictAct::Choose});
        give({.act = PredictAct::Hint});
      }
      const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
      if (ImGui::IsItemDeactivated() && entered) give({.act = PredictAct::Reveal});
      view.text(list, {left + view.px(kFieldWidth + 12), y}, {right, y + height}, asked.question.note, dim);
    } else {
      const std::string& answer = judgement()->answer;
      const auto widthOfChip = [&](const std::string& text) {
        return draw::textSize(view.code(0), text).x + view.px(44);
      };
      float x = left;
      if (judgement()->answered && !judgement()->right) {
        chip(asked.guess.typed, "your value", {x, y}, widthOfChip(asked.guess.typed), ChipLook::ChosenFalse);
        x += widthOfChip(asked.guess.typed) + view.px(kChipGap);
      }
      chip(answer, "value", {x, y}, widthOfChip(answer),
           judgement()->right ? ChipLook::ChosenTrue : ChipLook::True);
    }
    endChips();
  }

  // The hints, until the reason says more.
  void below() {
    if (judgement() != nullptr) return words(judgement()->why);
    for (std::size_t i = 0; i < asked.hints.size(); ++i)
      words("Hint " + std::to_string(i + 1) + ": " + asked.hints[i]);
  }
};

}  // namespace

float drawQuestion(ViewContext& view, ImDrawList& list, std::size_t place, float left, float right,
                   float top) {
  const AskedQuestion& asked = view.predict.asked()[place];
  QuestionPainter painter{view, list, place, asked, left + view.px(kIndent), right, top};
  painter.heading(left);
  const bool isNoteBelow = asked.question.topic == Topic::ConflictWays || asked.question.barrier;
  if (isNoteBelow && !asked.question.note.empty())
    painter.line(asked.question.note, view.code(view.colours().dim));
  if (!asked.question.meaning.empty()) painter.words(asked.question.meaning);
  switch (asked.question.topic) {
    case Topic::ActiveThreads:
      painter.yourThreads();
      break;
    case Topic::PartialWarps:
      painter.warps();
      break;
    case Topic::ConflictWays:
      painter.ways();
      break;
    case Topic::CellValues:
      painter.value();
      break;
  }
  painter.below();
  const float rule = std::round(painter.y + view.px(kQuestionGap / 2));
  list.AddRectFilled({left, rule}, {right, rule + view.px(1)}, view.colours().line);
  return rule + view.px(kQuestionGap);
}

namespace {

constexpr float kKeyButtonInset = 12, kKeyGap = 10, kButtonHeight = 28;

}  // namespace

bool pressed(const char* label, ImVec2 min, ImVec2 max, bool enabled) {
  ImGui::SetCursorScreenPos(min);
  ImGui::BeginDisabled(!enabled);
  const bool was = ImGui::InvisibleButton(
      label, {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)}, ImGuiButtonFlags_EnableNav);
  ImGui::EndDisabled();
  return was;
}

float widthOf(const ViewContext& view, const KeyButton& button) {
  const float label = draw::textSize(view.semiBold(0, draw::kBodySize), button.label).x;
  const float key = draw::textSize(view.words(0), button.key).x;
  return label + (button.key.empty() ? 0 : view.px(kKeyGap) + key) + 2 * view.px(kKeyButtonInset);
}

bool drawKeyButton(ViewContext& view, ImDrawList& list, ImVec2 min, const KeyButton& button) {
  const draw::Palette& colours = view.colours();
  const ImVec2 max{min.x + widthOf(view, button), min.y + view.px(kButtonHeight)};
  const bool was = pressed(button.label, min, max);
  const bool hovered = ImGui::IsItemHovered();
  list.AddRectFilled(min, max,
                     button.primary ? colours.result
                     : hovered      ? colours.line
                                    : colours.field,
                     view.px(draw::kFieldRadius));
  const ImU32 ink = button.primary ? colours.ink : colours.text,
              dim = button.primary ? colours.ink : colours.dim;
  const float left = min.x + view.px(kKeyButtonInset);
  const draw::TextStyle words = view.semiBold(ink, draw::kBodySize);
  view.text(list, {left, min.y}, max, button.label, words);
  const float keyLeft = left + draw::textSize(words, button.label).x + view.px(kKeyGap);
  view.text(list, {keyLeft, min.y}, max, button.key, view.words(dim));
  return was;
}

bool drawChip(ViewContext& view, ImDrawList& list, const char* label, const std::string& text, ImVec2 min,
              ImVec2 max, ChipLook look, bool open) {
  const draw::Palette& colours = view.colours();
  const bool was = open && pressed(label, min, max);
  const bool hovered = open && ImGui::IsItemHovered();
  const bool isTrue = look == ChipLook::True || look == ChipLook::ChosenTrue;
  list.AddRectFilled(min, max,
                     isTrue    ? colours.result
                     : hovered ? colours.line
                               : colours.field,
                     view.px(draw::kFieldRadius));
  const ImU32 ink = isTrue ? colours.ink : colours.text;
  const float height = max.y - min.y, mark = std::round(height * 0.2f);
  const bool marked = look != ChipLook::Plain;
  const float room = marked ? height * 0.7f : 0;
  view.text(list, min, {max.x - room, max.y}, text, view.code(ink), draw::TextAlign::Centre);
  const ImVec2 middle{std::round(max.x - height * 0.5f), std::round((min.y + max.y) / 2)};
  switch (look) {
    case ChipLook::Chosen:
      draw::outlineInside(view.draw, list, min, max, colours.text, 2, draw::kFieldRadius);
      list.AddRectFilled({middle.x - mark, middle.y - mark}, {middle.x + mark, middle.y + mark},
                         colours.text);
      break;
    case ChipLook::True:
      draw::drawDashedRectangle(view.draw, list, {middle.x - mark, middle.y - mark},
                                {middle.x + mark, middle.y + mark}, colours.ink, 1.5f, 2);
      break;
    case ChipLook::ChosenTrue:
      draw::drawTick(view.draw, list, middle, mark, colours.ink, 2);
      break;
    case ChipLook::ChosenFalse:
      draw::outlineInside(view.draw, list, min, max, colours.problem, 2, draw::kFieldRadius);
      draw::drawCross(view.draw, list, middle, mark, colours.problem, 2);
      break;
    case ChipLook::Plain:
      break;
  }
  return was;
}

}  // namespace stridescope::views
