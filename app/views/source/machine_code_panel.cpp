#include <algorithm>

#include "base/plain_text.h"
#include "draw/panel.h"
#include "model/machine_code.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "views/panels.h"
#include "views/source/source_lines.h"

namespace stridescope::views {
namespace {

constexpr const char* kMachineCodeTitle = "Machine code";
constexpr float kListingGap = 6, kNumberRoom = 34;  // units

struct MachineCodeState {
  const lab::Run* run = nullptr;
  session::Playhead scrolledTo;
  int framesToSettle = 0;
  unsigned pointed = 0;  // the line of the text whose instructions light up; 0: none
};

// The lines of the text that execute in the round.
std::vector<unsigned> executing(const ViewContext& view) {
  std::vector<unsigned> lines;
  for (const auto& [number, line] : executingLines(view.replay, shownThread(view.replay, view.linked)))
    lines.push_back(unsigned(number));
  return lines;
}

class CodePainter {
 public:
  CodePainter(ViewContext& view, const model::MachineCode& code, std::vector<unsigned> lit, unsigned pointed)
      : view_(view),
        code_(code),
        lit_(std::move(lit)),
        pointed_(pointed),
        list_(*ImGui::GetWindowDrawList()),
        left_(ImGui::GetCursorScreenPos().x),
        right_(left_ + ImGui::GetContentRegionAvail().x),
        top_(ImGui::GetCursorScreenPos().y),
        height_(view.px(draw::kCodeLineHeight)) {}

  float height() const { return height_ * float(code_.lines.size()); }
  bool isLit(std::size_t row) const {
    return code_.lines[row].line > 0 && std::ranges::find(lit_, code_.lines[row].line) != lit_.end();
  }
  // From the top of the listing to the first instruction of the round; nullopt: none is of it.
  std::optional<float> firstLit() const {
    for (std::size_t row = 0; row < code_.lines.size(); ++row)
      if (isLit(row)) return height_ * float(row);
    return std::nullopt;
  }

  void draw(float clipTop, float clipBottom) const {
    const auto first = std::size_t(std::max(0.0f, (clipTop - top_) / height_));
    for (std::size_t row = first; row < code_.lines.size(); ++row) {
      const float y = top_ + height_ * float(row);
      if (y > clipBottom) break;
      drawRow(row, y);
    }
  }

  // The line of the text under the pointer; 0: none.
  unsigned answer(float visibleHeight) {
    const HitArea area =
        hitArea("machine code", {left_, top_}, {right_, top_ + std::max(height(), visibleHeight)});
    if (!area.hovered) return 0;
    const auto row = std::size_t(std::max(0.0f, area.pointer.y / height_));
    if (row >= code_.lines.size() || code_.lines[row].line == 0) return 0;
    const unsigned line = code_.lines[row].line;
    const std::vector<std::string> text = splitLines(view_.replay.run()->trace.kernelText);
    if (line <= text.size())
      wideTooltip(view_, "line " + std::to_string(line) + ":  " +
                             printable(text[line - 1].substr(
                                 std::min(text[line - 1].find_first_not_of(' '), text[line - 1].size()))));
    return line;
  }

 private:
  void drawRow(std::size_t row, float y) const {
    const draw::Palette& colours = view_.colours();
    const model::CodeLine& line = code_.lines[row];
    const model::CodeWords words = model::wordsOf(line.text);
    if (isLit(row)) {
      list_.AddRectFilled({left_, y}, {right_, y + height_}, colours.raised);
      list_.AddRectFilled({left_, y}, {left_ + view_.px(2), y + height_}, colours.result);
    }
    if (pointed_ > 0 && line.line == pointed_)
      list_.AddRect({left_ + 1, y}, {right_ - 1, y + height_}, colours.dim);
    const float text = left_ + view_.px(kNumberRoom);
    const draw::TextStyle dim = view_.code(colours.dim);
    const bool first = row == 0 || code_.lines[row - 1].line != line.line;
    if (line.line > 0 && first)
      view_.text(list_, {left_ + view_.px(4), y}, {text - view_.px(8), y + height_},
                 std::to_string(line.line), dim, draw::TextAlign::Right);
    float x = text;
    const auto piece = [&](std::size_t from, std::size_t to, const draw::TextStyle& style) {
      if (from >= to || x >= right_) return;
      x = view_
              .text(list_, {x, y}, {right_, y + height_}, printable(line.text.substr(from, to - from)), style)
              .max.x;
    };
    if (words.isLabel) return piece(0, line.text.size(), dim);
    const draw::TextStyle plain = view_.code(colours.text);
    const auto bold = [&](ImU32 colour) { return view_.codeBold(colour); };
    piece(0, words.predicateEnd, bold(colours.operandLine));
    if (words.predicateEnd > 0) x += draw::textSize(plain, " ").x;
    piece(words.operation, words.operationEnd,
          words.flow == model::Flow::Branch    ? bold(colours.resultLine)
          : words.flow == model::Flow::Barrier ? bold(colours.text)
                                               : plain);
    piece(words.operationEnd, line.text.size(), plain);
  }

  ViewContext& view_;
  const model::MachineCode& code_;
  const std::vector<unsigned> lit_;
  const unsigned pointed_;
  ImDrawList& list_;
  const float left_, right_, top_, height_;
};

void drawListing(ViewContext& view, const model::MachineCode& code, MachineCodeState& state,
                 const ScrolledPart& part, float room) {
  CodePainter painter(view, code, executing(view), state.pointed);
  if (state.run != view.replay.run() || state.scrolledTo != view.replay.playhead())
    state = {view.replay.run(), view.replay.playhead(), kFramesToSettle, 0};
  if (state.framesToSettle > 0) {
    --state.framesToSettle;
    if (const auto first = painter.firstLit()) ImGui::SetScrollY(std::max(0.0f, *first - room / 3));
  }
  const float top = ImGui::GetWindowPos().y;
  state.pointed = painter.answer(room);
  painter.draw(top, top + room);
  part.fill(painter.height());
}

void drawMachineCodePanel(ViewContext& view, MachineCodeState& state) {
  draw::Panel panel(view.draw, {.name = kMachineCodeTitle, .leastWidth = 260, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  if (!view.replay.code().record) {
    drawInstead(view, panel,
                whyNone(view, view.replay.code().why, narration::noMachineCode(view.replay.run()->trace)));
    return;
  }
  const model::MachineCode& code = *view.replay.code().record;
  const std::string text = narration::codeSentence(code, executing(view)) + " " +
                           narration::compiledCode(code, view.replay.code().live);
  const float bottom = drawFoot(view, panel, text, kListingGap, 4);
  const ScrolledPart part("listing", panel.contentMin(), {panel.contentMax().x, bottom});
  if (part) drawListing(view, code, state, part, bottom - panel.contentMin().y);
}

std::string machineCodeText(const ViewContext& view) {
  if (!view.replay.run() || !view.replay.code().record) return {};
  const model::MachineCode& code = *view.replay.code().record;
  std::string text =
      narration::wrapped(narration::compiledCode(code, view.replay.code().live), narration::kTextColumns) +
      "\n";
  for (const model::CodeLine& line : code.lines) {
    const std::string number = line.line > 0 ? std::to_string(line.line) : "";
    text += std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + "  " + line.text + "\n";
  }
  return text;
}

}  // namespace

Panel machineCodePanel() {
  return {
      .id = "machine_code",
      .title = kMachineCodeTitle,
      .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::Right}},
                 {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
      .draw = [state = MachineCodeState()](ViewContext& view) mutable { drawMachineCodePanel(view, state); },
      .text = machineCodeText,
      .isOfRecordings = true};
}

}  // namespace stridescope::views
