#include "views/chrome/job_line.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/sides.h"
#include "session/comparison.h"

namespace stridescope::views {
namespace {

constexpr double kToldAfter = 0.25;      // seconds: most recordings are done earlier
constexpr float kInset = 10, kGap = 10;  // units
constexpr const char* kCancel = "Cancel";

struct Running {
  session::JobStatus job;
  session::Command cancel;
};

// What is waited for comes before what goes on beside it; the chosen side comes before the other.
std::optional<Running> findRunning(const ViewContext& view) {
  if (const auto writing = view.exports.job()) return Running{*writing, session::CancelJob{}};
  std::vector<std::pair<const session::Workspace*, session::Command>> all{
      {&view.workspace, session::CancelJob{}}};
  if (view.comparison != nullptr) {
    const analysis::Side other = analysis::otherOf(view.comparison->chosen());
    all.emplace_back(&view.comparison->workspace(other),
                     session::OnSide{other, std::make_shared<const session::Command>(session::CancelJob{})});
  }
  for (const auto& [workspace, cancel] : all)
    if (const auto job = workspace->job()) return Running{*job, cancel};
  for (const auto& [workspace, cancel] : all)
    if (const auto measuring = workspace->measuring()) return Running{*measuring, cancel};
  return std::nullopt;
}

std::string textOf(const session::JobStatus& job) {
  std::string text = job.doing;
  if (job.fraction >= 0) text += " " + std::to_string(int(job.fraction * 100)) + " %";
  return text;
}

}  // namespace

bool drawJobLine(ViewContext& view, JobLineState& state, float left, float right) {
  const auto running = findRunning(view);
  if (!running) state.since = -1;
  if (!running) return false;
  if (state.since < 0) state.since = ImGui::GetTime();
  if (ImGui::GetTime() - state.since < kToldAfter) return false;
  const draw::TextStyle strong = draw::semiBoldStyle(view.draw, draw::kLabelSize, view.colours().text);
  const float width = draw::textSize(strong, kCancel).x + 2 * view.px(kInset);
  if (right - width < left) return false;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetFrameHeight();
  const ImVec2 min{right - width, top + view.px(2)}, max{right, bottom - view.px(2)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(min);
  const bool pressed =
      ImGui::InvisibleButton("cancel", {max.x - min.x, max.y - min.y}, ImGuiButtonFlags_EnableNav);
  if (pressed) view.commands.push_back(running->cancel);
  list.AddRectFilled(min, max, ImGui::IsItemHovered() ? view.colours().line : view.colours().field,
                     view.px(draw::kFieldRadius));
  draw::drawText(view.draw, list, min, max, kCancel, strong, draw::TextAlign::Centre);
  ImGui::SetCursorScreenPos(cursor);
  const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().text);
  const std::string text = textOf(running->job);
  const float end = min.x - view.px(kGap);
  const float begin = std::max(left, end - draw::textSize(words, text).x - 1);
  draw::drawText(view.draw, list, {begin, top}, {end, bottom}, text, words);
  return true;
}

}  // namespace stridescope::views
