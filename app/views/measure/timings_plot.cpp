#include "views/measure/timings_plot.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "draw/marks.h"

namespace stridescope::views {
namespace {

constexpr float kAxisLabelGap = 6, kTickRoomX = 52, kTickRoomY = 34;  // units
constexpr float kTextGap = 9, kSearchStep = 8, kGreyMarkRadius = 2.5f;
constexpr std::string_view kOfWhat = " per reduction";  // in a title, where there is room
constexpr float kBandAlpha = 0.25f, kPlateAlpha = 0.85f, kPlateInset = 2;
constexpr float kClickSlack = 4;  // pixels that a click may move

constexpr ImPlotFlags kPlotFlags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMouseText |
                                   ImPlotFlags_NoMenus | ImPlotFlags_NoFrame;
constexpr ImPlotAxisFlags kAxisFlags = ImPlotAxisFlags_NoLabel | ImPlotAxisFlags_NoTickMarks |
                                       ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoMenus |
                                       ImPlotAxisFlags_NoSideSwitch | ImPlotAxisFlags_NoHighlight |
                                       ImPlotAxisFlags_NoInitialFit;

bool isLogarithmic(AxisKind kind) {
  return kind != AxisKind::Ago && kind != AxisKind::Microseconds && kind != AxisKind::Cycles;
}

void follow(const PlotAxis& axis) {
  if (!axis.range->follows) return;
  axis.range->least = axis.least;
  axis.range->most = axis.most;
}

bool moved(const AxisRange& before, const AxisRange& now) {
  const double slack = 1e-9 * std::max(std::abs(before.most), std::abs(before.least));
  return std::abs(before.least - now.least) > slack || std::abs(before.most - now.most) > slack;
}

void setUpAxis(ImAxis axis, const PlotAxis& spec, const std::vector<AxisTick>& ticks, ImPlotAxisFlags more) {
  ImPlot::SetupAxis(axis, nullptr, kAxisFlags | more);
  if (isLogarithmic(spec.kind)) ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
  ImPlot::SetupAxisLinks(axis, &spec.range->least, &spec.range->most);
  ImPlot::SetupAxisLimitsConstraints(axis, spec.lowest, spec.highest);
  std::vector<double> values;
  for (const AxisTick& tick : ticks) values.push_back(tick.value);
  if (!values.empty()) ImPlot::SetupAxisTicks(axis, values.data(), int(values.size()));
}

// Whether a segment has a point within the rectangle (Liang and Barsky, A New Concept and Method for Line
// Clipping, ACM Transactions on Graphics 3, 1984).
bool crosses(const ImVec4& segment, const ImVec4& room) {
  const float dx = segment.z - segment.x, dy = segment.w - segment.y;
  float enters = 0, leaves = 1;
  const auto clip = [&](float along, float distance) {
    if (along == 0) return distance >= 0;
    const float at = distance / along;
    along < 0 ? enters = std::max(enters, at) : leaves = std::min(leaves, at);
    return enters <= leaves;
  };
  return clip(-dx, segment.x - room.x) && clip(dx, room.z - segment.x) && clip(-dy, segment.y - room.y) &&
         clip(dy, room.w - segment.y);
}

// The line from a point to the text in the room.
ImVec4 leaderTo(ImVec2 topLeft, ImVec2 size, ImVec2 point) {
  return {point.x, point.y, std::clamp(point.x, topLeft.x, topLeft.x + size.x),
          std::clamp(point.y, topLeft.y, topLeft.y + size.y)};
}

void mapInput() {
  ImPlotInputMap& map = ImPlot::GetInputMap();
  map.Select = ImGuiMouseButton_Left;
  map.SelectCancel = ImGuiMouseButton_Right;
  map.Pan = ImGuiMouseButton_Right;
  map.Fit = ImGuiMouseButton_Left;
}

}  // namespace

TimingsPlot::TimingsPlot(ViewContext& view, ImDrawList& list, const char* name, const std::string& title,
                         ImVec2 min, ImVec2 max, const PlotAxis& x, const PlotAxis& y, double newest)
    : view_(view), list_(list), x_(x), y_(y), min_(min), max_(max), newest_(newest) {
  follow(x_);
  follow(y_);
  const draw::TextStyle figures = view.code(view.colours().dim);
  areaMin_.y = min.y + view.px(draw::kLabelLineHeight + 4);
  areaMax_.y = max.y - view.px(draw::kLabelLineHeight + 2);
  areaMax_.x = max.x - view.px(2);
  const int rows = std::max(2, int((areaMax_.y - areaMin_.y) / view.px(kTickRoomY)));
  yTicks_ = axisTicks(y_.kind, y_.range->least, y_.range->most, rows);
  float widest = 0;
  for (const AxisTick& tick : yTicks_) widest = std::max(widest, draw::textSize(figures, tick.label).x);
  areaMin_.x = std::ceil(min.x + widest + view.px(kAxisLabelGap));
  const int columns = std::max(2, int((areaMax_.x - areaMin_.x) / view.px(kTickRoomX)));
  xTicks_ = axisTicks(x_.kind, x_.range->least, x_.range->most, columns, newest);
  if (areaMax_.x - areaMin_.x < view.px(40) || areaMax_.y - areaMin_.y < view.px(40)) return;
  begin(name);
  if (begun_) labels(title);
}

void TimingsPlot::begin(const char* name) {
  xBefore_ = *x_.range;
  yBefore_ = *y_.range;
  mapInput();
  ImGui::SetCursorScreenPos(areaMin_);
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2{0, 0});
  begun_ = ImPlot::BeginPlot(name, {areaMax_.x - areaMin_.x, areaMax_.y - areaMin_.y}, kPlotFlags);
  ImPlot::PopStyleVar();
  if (!begun_) return;
  setUpAxis(ImAxis_X1, x_, xTicks_, isLogarithmic(x_.kind) ? 0 : ImPlotAxisFlags_NoGridLines);
  setUpAxis(ImAxis_Y1, y_, yTicks_, 0);
  ImPlot::SetupFinish();
  areaMin_ = ImPlot::GetPlotPos();
  areaMax_ = areaMin_ + ImPlot::GetPlotSize();
  if (ImPlot::IsPlotHovered()) {
    pointer_ = ImPlot::GetPlotMousePos().x;
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right, 0);
    clickedRight_ =
        ImGui::IsMouseReleased(ImGuiMouseButton_Right) && std::abs(drag.x) + std::abs(drag.y) < kClickSlack;
  }
}

TimingsPlot::~TimingsPlot() {
  if (!begun_) return;
  const bool fits = ImPlot::IsPlotHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  ImPlot::EndPlot();
  if (moved(xBefore_, *x_.range)) x_.range->follows = false;
  if (moved(yBefore_, *y_.range)) y_.range->follows = false;
  if (fits) x_.range->follows = y_.range->follows = true;
}

void TimingsPlot::labels(const std::string& title) {
  const draw::TextStyle words = view_.words(view_.colours().dim);
  const draw::TextStyle figures = view_.code(view_.colours().dim);
  const float line = view_.px(draw::kLabelLineHeight), half = line / 2;
  std::string shown = title;
  if (const std::size_t at = shown.find(kOfWhat);
      at != shown.npos && draw::textSize(words, shown).x > max_.x - min_.x)
    shown.erase(at, kOfWhat.size());
  view_.text(list_, min_, {max_.x, min_.y + line}, shown, words);
  for (const AxisTick& tick : yTicks_) {
    const float y = at(x_.range->least, tick.value).y;
    if (y < areaMin_.y - 1 || y > areaMax_.y + 1) continue;
    view_.text(list_, {min_.x, y - half}, {areaMin_.x - view_.px(kAxisLabelGap) + 1, y + half}, tick.label,
               figures, draw::TextAlign::Right);
  }
  float right = min_.x;  // the right edge of the label before
  for (const AxisTick& tick : xTicks_) {
    const float width = std::ceil(draw::textSize(figures, tick.label).x);
    const float middle = at(tick.value, y_.range->least).x;
    // Beside the lowest label of the other axis, which reaches below the plot.
    const float leftmost = areaMin_.x - view_.px(kAxisLabelGap) + 1;
    const float left = std::clamp(middle - width / 2, leftmost, std::max(leftmost, max_.x - width));
    if (middle < areaMin_.x - 1 || middle > areaMax_.x + 1 || left < right + view_.px(kAxisLabelGap))
      continue;
    const float top = areaMax_.y + view_.px(2);
    view_.text(list_, {left, top}, {left + width + 1, top + line}, tick.label, figures);
    right = left + width;
  }
}

void TimingsPlot::line(const std::string& key, const LineLook& look, const std::vector<double>& x,
                       const std::vector<double>& y) {
  ImPlotSpec spec;
  spec.LineColor = ImGui::ColorConvertU32ToFloat4(look.colour);
  spec.LineWeight = look.widthPx;
  ImPlot::PlotLine(("##" + key).c_str(), x.data(), y.data(), int(x.size()), spec);
  for (std::size_t i = 1; i < x.size(); ++i) {
    const ImVec2 from = at(x[i - 1], y[i - 1]), to = at(x[i], y[i]);
    segments_.emplace_back(from.x, from.y, to.x, to.y);
  }
}

void TimingsPlot::band(const std::string& key, const LineLook& look, const std::vector<double>& x,
                       const std::vector<double>& low, const std::vector<double>& high) {
  ImPlotSpec spec;
  spec.FillColor = ImGui::ColorConvertU32ToFloat4(look.colour);
  spec.FillAlpha = kBandAlpha;
  ImPlot::PlotShaded(("##band " + key).c_str(), x.data(), low.data(), high.data(), int(x.size()), spec);
}

ImVec2 TimingsPlot::at(double x, double y) const {
  const ImVec2 pixel = ImPlot::PlotToPixels(x, y);
  return {pixel.x, pixel.y};
}

void TimingsPlot::clip() {
  const float slack = view_.px(kPlotMarkRadius);
  list_.PushClipRect({areaMin_.x - slack, areaMin_.y - slack}, {areaMax_.x + slack, areaMax_.y + slack},
                     true);
}
void TimingsPlot::unclip() { list_.PopClipRect(); }

void TimingsPlot::mark(double x, double y, const LineLook& look) {
  const float radius = view_.px(look.grey ? kGreyMarkRadius : kPlotMarkRadius);
  const ImVec2 middle = at(x, y);
  taken_.emplace_back(middle.x - radius, middle.y - radius, middle.x + radius, middle.y + radius);
  clip();
  draw::drawPlotMark(view_.draw, list_, middle, radius, look.mark, look.colour, look.filled);
  unclip();
}

void TimingsPlot::marks(const LineLook& look, const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) mark(x[i], y[i], look);
}

void TimingsPlot::dashed(double fromX, double fromY, double toX, double toY, ImU32 colour) {
  clip();
  const ImVec2 from = at(fromX, fromY), to = at(toX, toY);
  draw::drawDashedLine(view_.draw, list_, from, to, colour, 2, 5);
  segments_.emplace_back(from.x, from.y, to.x, to.y);
  unclip();
}

// Takes the room of a text unless some of it lies outside or is taken.
bool TimingsPlot::place(ImVec2 size, ImVec2 topLeft) {
  const ImVec4 room{topLeft.x, topLeft.y, topLeft.x + size.x, topLeft.y + size.y};
  if (room.x < areaMin_.x || room.z > areaMax_.x || room.y < areaMin_.y || room.w > areaMax_.y) return false;
  for (const ImVec4& other : taken_)
    if (room.x < other.z && room.z > other.x && room.y < other.w && room.w > other.y) return false;
  if (std::ranges::any_of(segments_, [&](const ImVec4& each) { return crosses(each, room); })) return false;
  taken_.push_back(room);
  texts_.push_back(room);
  return true;
}

bool TimingsPlot::leadsOverText(const ImVec4& line) const {
  return std::ranges::any_of(texts_, [&](const ImVec4& each) { return crosses(line, each); });
}

void TimingsPlot::reserve(double x) {
  const float pixel = std::round(at(x, y_.range->most).x);
  segments_.emplace_back(pixel, areaMin_.y, pixel, areaMax_.y);
}

// Text on a ground that keeps it apart from the lines behind it.
void TimingsPlot::plate(ImVec2 topLeft, const std::string& text, const draw::TextStyle& style) {
  const float width = std::ceil(draw::textSize(style, text).x), line = view_.px(draw::kLabelLineHeight);
  list_.AddRectFilled({topLeft.x - view_.px(kPlateInset), topLeft.y},
                      {topLeft.x + width + view_.px(kPlateInset), topLeft.y + line},
                      draw::withAlpha(view_.colours().panel, kPlateAlpha), view_.px(2));
  view_.text(list_, topLeft, {topLeft.x + width + 1, topLeft.y + line}, text, style);
}

bool TimingsPlot::text(double x, double y, const std::string& text, ImU32 colour, Lead lead) {
  const draw::TextStyle style = view_.words(colour);
  const ImVec2 size{std::ceil(draw::textSize(style, text).x), view_.px(draw::kLabelLineHeight)};
  const ImVec2 point = at(x, y);
  if (point.x < areaMin_.x || point.x > areaMax_.x || point.y < areaMin_.y || point.y > areaMax_.y)
    return false;
  const float gap = view_.px(kTextGap);
  const float right = point.x + gap, left = point.x - gap - size.x, middle = point.x - size.x / 2;
  const float beside = point.y - size.y / 2, above = point.y - gap - size.y, below = point.y + gap;
  for (const ImVec2 topLeft :
       {ImVec2{right, beside}, ImVec2{left, beside}, ImVec2{middle, above}, ImVec2{middle, below},
        ImVec2{right, above}, ImVec2{right, below}, ImVec2{left, above}, ImVec2{left, below}})
    if (place(size, topLeft)) {
      plate(topLeft, text, style);
      return true;
    }
  const auto room = lead == Lead::None ? std::nullopt : nearestRoom(size, point);
  if (!room) return false;
  const ImVec4 line = leaderTo(*room, size, point);
  list_.AddLine({line.x, line.y}, {line.z, line.w}, view_.colours().dim, view_.px(1));
  segments_.push_back(line);
  plate(*room, text, style);
  return true;
}

std::optional<ImVec2> TimingsPlot::nearestRoom(ImVec2 size, ImVec2 point) {
  const float step = view_.px(kSearchStep);
  std::vector<std::pair<float, ImVec2>> places;
  for (float y = areaMin_.y; y + size.y <= areaMax_.y; y += step)
    for (float x = areaMin_.x; x + size.x <= areaMax_.x; x += step)
      places.emplace_back(std::hypot(x + size.x / 2 - point.x, y + size.y / 2 - point.y), ImVec2{x, y});
  std::ranges::stable_sort(places, {}, &std::pair<float, ImVec2>::first);
  for (const auto& [distance, topLeft] : places)
    if (!leadsOverText(leaderTo(topLeft, size, point)) && place(size, topLeft)) return topLeft;
  return std::nullopt;
}

void TimingsPlot::cursor(double x, bool isNamed) {
  const float pixel = std::round(at(x, y_.range->most).x);
  if (pixel < areaMin_.x || pixel > areaMax_.x) return;
  float top = areaMin_.y;
  if (isNamed) {
    const draw::TextStyle style = view_.code(view_.colours().text);
    const std::string where = placeText(x_.kind, x, newest_);
    const float width = std::ceil(draw::textSize(style, where).x);
    const float left = std::clamp(pixel - width / 2, areaMin_.x + view_.px(2),
                                  std::max(areaMin_.x + view_.px(2), areaMax_.x - width - view_.px(2)));
    plate({left, top}, where, style);
    top += view_.px(draw::kLabelLineHeight);
  }
  std::ranges::sort(texts_, {}, &ImVec4::y);
  const auto piece = [&](float from, float to) {
    if (from < to) list_.AddLine({pixel, from}, {pixel, to}, view_.colours().dim, view_.px(1));
  };
  const float beside = view_.px(kPlateInset);
  for (const ImVec4& text : texts_) {
    if (pixel < text.x - beside || pixel > text.z + beside) continue;
    piece(top, text.y);
    top = std::max(top, text.w);
  }
  piece(top, areaMax_.y);
}

}  // namespace stridescope::views
