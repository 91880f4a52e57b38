#include "views/source/kernel_output.h"

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "draw/marks.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "session/own_kernel.h"
#include "views/shared/panel.h"

namespace stridescope::views {
namespace {

constexpr float kGapAbove = 5, kHeadHeight = 24, kOutputLine = 19;  // units

// "grid 2, block 256, out = zero:512, n = 512"
std::string guessOf(const engine::access::LaunchFile& launches) {
  const engine::access::LaunchRequest& launch = launches.launches.front();
  std::string text = "grid " + engine::access::extentsText(launch.grid) + ", block " +
                     engine::access::extentsText(launch.block);
  if (launch.sharedBytes > 0) text += ", dynamic shared bytes " + std::to_string(launch.sharedBytes);
  for (const engine::access::ArgumentRequest& argument : launch.arguments)
    text += ", " + printable(argument.name) + " = " + engine::access::whatOf(argument);
  return text;
}

std::vector<std::string> notesOf(const session::OwnKernel& kernel) {
  std::vector<std::string> notes;
  const session::KernelRecord* const record = kernel.shown();
  if (record == nullptr) return notes;
  if (kernel.isGuessed())
    notes.push_back("There is no " + printable(session::launchFileOf(kernel.name())) +
                    ", so the launch is guessed: " + guessOf(*kernel.launches()) +
                    ". Launch... changes it, and keeps it.");
  for (const std::string& note : record->notes) notes.push_back(printable(note));
  return notes;
}

constexpr std::size_t kTabStops = 8;  // as a terminal has them

std::string withoutTabs(std::string_view line) {
  std::string text;
  for (const char each : line)
    if (each == '\t')
      text.append(kTabStops - text.size() % kTabStops, ' ');
    else
      text += each;
  return text;
}

std::vector<std::string> printedLines(const session::OwnKernel& kernel) {
  std::vector<std::string> lines;
  const session::KernelRecord* const record = kernel.shown();
  if (record == nullptr || record->printed.empty()) return lines;
  const std::string text = printable(record->printed, Lines::Many);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(withoutTabs(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void KernelOutput::follow(const ViewContext& view, float width) {
  std::vector<std::string> notes = notesOf(view.kernel);
  const session::KernelRecord* const record = view.kernel.shown();
  const std::string_view printed = record == nullptr ? std::string_view() : record->printed;
  if (notes == notes_ && printed == printed_ && width == width_ && view.draw.scale == scale_) return;
  notes_ = std::move(notes), printed_ = printed, width_ = width, scale_ = view.draw.scale;
  lines_.clear();
  const draw::TextStyle words = view.words(0);
  for (const std::string& note : notes_)
    for (const std::string_view line : draw::wrappedLines(words, note, width))
      lines_.push_back({std::string(line)});
  const std::vector<std::string> shown = printedLines(view.kernel);
  for (const std::string& line : shown) lines_.push_back({line, true});
  head_.clear();
  if (!notes_.empty()) head_ = narration::count(notes_.size(), "note") + " on the run";
  if (!shown.empty())
    head_ += (head_.empty() ? "" : ", ") + narration::count(shown.size(), "line") + " printed by the kernel";
}

float KernelOutput::height(const ViewContext& view, float width, float most) {
  follow(view, width - ImGui::GetStyle().ScrollbarSize);
  if (lines_.empty()) return 0;
  const float head = view.px(kGapAbove + kHeadHeight), line = view.px(kOutputLine);
  if (isFolded_) return head;
  const float room = std::max(1.0f, std::floor((most - head) / line));  // whole lines
  return head + line * std::min(room, float(lines_.size()));
}

void KernelOutput::draw(ViewContext& view, ImVec2 min, ImVec2 max) {
  if (lines_.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const draw::Palette& colours = view.colours();
  const float head = view.px(kHeadHeight);
  min.y += view.px(kGapAbove);
  list.AddLine(min, {max.x, min.y}, colours.line, view.px(1));
  const char* const copy = "Copy";
  const float copyWidth = ImGui::CalcTextSize(copy).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetCursorScreenPos(min);
  const float headRight = max.x - copyWidth - view.px(8);
  if (ImGui::InvisibleButton("output of the run", {std::max(1.0f, headRight - min.x), head},
                             ImGuiButtonFlags_EnableNav))
    isFolded_ = !isFolded_;
  const ImU32 ink = ImGui::IsItemHovered() ? colours.text : colours.dim;
  const ImVec2 middle{min.x + view.px(6), min.y + head / 2};
  const float r = view.px(4);
  if (isFolded_)
    draw::fillTriangleRight(list, {middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, ink);
  else
    list.AddTriangleFilled({middle.x - r, middle.y - r * 0.6f}, {middle.x + r, middle.y - r * 0.6f},
                           {middle.x, middle.y + r}, ink);
  view.text(list, {min.x + view.px(16), min.y}, {headRight, min.y + head}, head_, view.words(ink));
  ImGui::SetCursorScreenPos({max.x - copyWidth, min.y + view.px(1)});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, view.px(2)});
  if (ImGui::Button(copy))
    view.commands.push_back(session::CopyText{kernelOutputText(view.kernel), "what the run printed"});
  ImGui::PopStyleVar();
  if (isFolded_) return;
  const ScrolledPart part("output lines", {min.x, min.y + head}, max, ImGuiChildFlags_NavFlattened);
  if (!part) return;
  ImDrawList& inside = *ImGui::GetWindowDrawList();
  const float line = view.px(kOutputLine);
  const float first = std::max(0.0f, min.y + head - part.origin().y), visible = max.y - min.y - head;
  const auto from = std::size_t(first / line);
  const auto to = std::min(lines_.size(), std::size_t((first + visible) / line) + 1);
  for (std::size_t i = from; i < to; ++i) {
    const ImVec2 at{part.origin().x, part.origin().y + line * float(i)};
    const Line& each = lines_[i];
    const draw::DrawnText drawn =
        view.text(inside, at, {at.x + width_, at.y + line}, each.text,
                  each.isPrinted ? view.code(colours.text) : view.words(colours.dim));
    if (drawn.shortened && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(drawn.min, drawn.max))
      wideTooltip(view, each.text);
  }
  part.fill(line * float(lines_.size()));
}

std::string kernelOutputText(const session::OwnKernel& kernel) {
  std::string text;
  for (const std::string& note : notesOf(kernel))
    text += narration::wrapped(note, narration::kTextColumns) + "\n";
  const std::vector<std::string> printed = printedLines(kernel);
  if (!printed.empty()) text += (text.empty() ? "" : "\n") + std::string("printed by the kernel:\n");
  for (const std::string& line : printed) text += narration::wrapped(line, narration::kTextColumns) + "\n";
  return text;
}

}  // namespace stridescope::views
