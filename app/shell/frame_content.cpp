#include "shell/frame_content.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace stridescope::shell {
namespace {

constexpr float kMargin = 1;  // pixels; what is drawn at a fraction of a pixel touches its neighbour
constexpr float kWorthJoining = 1.05f;  // the area of two parts in one, as often that of the two

bool isEmpty(const ImVec4& box) { return box.x >= box.z || box.y >= box.w; }
float areaOf(const ImVec4& box) { return (box.z - box.x) * (box.w - box.y); }

bool isSame(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

ImVec4 commonOf(const ImVec4& a, const ImVec4& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.z, b.z), std::min(a.w, b.w)};
}

ImVec4 around(const ImVec4& a, const ImVec4& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.z, b.z), std::max(a.w, b.w)};
}

// That all of the list lies in. A callback may draw wherever it is not clipped.
ImVec4 boxOf(const ImDrawList& list) {
  constexpr float kFar = std::numeric_limits<float>::max();
  constexpr ImVec4 kNowhere{kFar, kFar, -kFar, -kFar};
  ImVec4 triangles = kNowhere, clips = kNowhere, callbacks = kNowhere;
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    triangles.x = std::min(triangles.x, vertex.pos.x), triangles.z = std::max(triangles.z, vertex.pos.x);
    triangles.y = std::min(triangles.y, vertex.pos.y), triangles.w = std::max(triangles.w, vertex.pos.y);
  }
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == nullptr)
      clips = around(clips, command.ClipRect);
    else if (command.UserCallbackDataSize > 0)
      callbacks = around(callbacks, command.ClipRect);
  }
  const ImVec4 drawn = commonOf(triangles, clips);
  return isEmpty(drawn) ? callbacks : around(drawn, callbacks);
}

// Parts that overlap, or that are hardly less together than the one round both, become one.
void join(FrameParts& parts) {
  const auto belongTogether = [](const ImVec4& a, const ImVec4& b) {
    return !isEmpty(commonOf(a, b)) || areaOf(around(a, b)) <= kWorthJoining * (areaOf(a) + areaOf(b));
  };
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t other = i + 1;
    while (other < parts.size() && !belongTogether(parts[i], parts[other])) ++other;
    if (other == parts.size()) {
      ++i;
      continue;
    }
    parts[i] = around(parts[i], parts[other]);
    parts.erase(parts.begin() + std::ptrdiff_t(other));
    i = 0;  // it may reach others now
  }
}

}  // namespace

template <typename Value>
void FrameContent::add(const Value* values, std::size_t count) {
  if (count == 0) return;
  const std::size_t before = bytes_.size();
  bytes_.resize(before + count * sizeof(Value));
  std::memcpy(bytes_.data() + before, values, count * sizeof(Value));
}

void FrameContent::addList(const ImDrawList& list) {
  List added{.begin = bytes_.size(), .end = 0, .box = boxOf(list)};
  add(list.VtxBuffer.Data, std::size_t(list.VtxBuffer.Size));
  add(list.IdxBuffer.Data, std::size_t(list.IdxBuffer.Size));
  for (const ImDrawCmd& command : list.CmdBuffer) {
    add(&command.ClipRect, 1);
    add(&command.TexRef, 1);
    for (const unsigned number : {command.VtxOffset, command.IdxOffset, command.ElemCount}) add(&number, 1);
    add(&command.UserCallback, 1);
    if (command.UserCallbackDataSize > 0)
      add(static_cast<const std::byte*>(command.UserCallbackData), std::size_t(command.UserCallbackDataSize));
  }
  added.end = bytes_.size();
  lists_.push_back(added);
}

bool FrameContent::take(const ImDrawData& data, ImU32 ground) {
  bytes_.clear();
  lists_.clear();
  bytesOfAll_ = 0;
  if (data.Textures != nullptr)
    for (const ImTextureData* const texture : *data.Textures)
      if (texture->Status != ImTextureStatus_OK) return false;
  add(&ground, 1);
  for (const ImVec2& part : {data.DisplayPos, data.DisplaySize, data.FramebufferScale}) add(&part, 1);
  bytesOfAll_ = bytes_.size();
  window_ = {data.DisplayPos.x, data.DisplayPos.y, data.DisplayPos.x + data.DisplaySize.x,
             data.DisplayPos.y + data.DisplaySize.y};
  const auto isWhole = [](float number) { return number == std::floor(number); };
  hasWholePixels_ = isWhole(data.FramebufferScale.x) && isWhole(data.FramebufferScale.y) &&
                    isWhole(data.DisplayPos.x) && isWhole(data.DisplayPos.y);
  for (const ImDrawList* const list : data.CmdLists) addList(*list);
  return true;
}

// Lists come and go between others, which stay.
std::optional<FrameParts> FrameContent::changedSince(const FrameContent& before) const {
  if (bytesOfAll_ == 0 || !isSame(bytesOfAll(), before.bytesOfAll())) return std::nullopt;
  const auto isSameList = [&](const List& now, const List& then) {
    return isSame(bytesOf(now), before.bytesOf(then));
  };
  std::span<const List> now(lists_), then(before.lists_);
  while (!now.empty() && !then.empty() && isSameList(now.front(), then.front()))
    now = now.subspan(1), then = then.subspan(1);
  while (!now.empty() && !then.empty() && isSameList(now.back(), then.back()))
    now = now.first(now.size() - 1), then = then.first(then.size() - 1);
  if (now.empty() && then.empty()) return FrameParts();
  if (!hasWholePixels_) return std::nullopt;
  FrameParts parts;
  const auto add = [&](const List& list) {
    if (isEmpty(list.box)) return;
    const ImVec4 box{std::floor(list.box.x) - kMargin, std::floor(list.box.y) - kMargin,
                     std::ceil(list.box.z) + kMargin, std::ceil(list.box.w) + kMargin};
    if (const ImVec4 seen = commonOf(box, window_); !isEmpty(seen)) parts.push_back(seen);
  };
  // Where there are as many lists as before, those that stand at the same place may be the same ones.
  const bool isPaired = now.size() == then.size();
  for (std::size_t i = 0; i < std::max(now.size(), then.size()); ++i) {
    if (isPaired && isSameList(now[i], then[i])) continue;
    if (i < now.size()) add(now[i]);
    if (i < then.size()) add(then[i]);
  }
  join(parts);
  return parts;
}

namespace {

// As the renderer takes a clip rectangle: from the pixel in which it begins, so many whole pixels.
ImVec4 inPixels(const ImVec4& clip) {
  const float left = std::floor(clip.x), top = std::floor(clip.y);
  return {left, top, left + std::floor(clip.z - clip.x), top + std::floor(clip.w - clip.y)};
}

}  // namespace

void keepParts(ImDrawData& data, const FrameParts& parts) {
  for (ImDrawList* const list : data.CmdLists) {
    ImVector<ImDrawCmd> kept;
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback != nullptr && command.UserCallbackDataSize == 0) {
        kept.push_back(command);  // it sets what those after it are drawn with
        continue;
      }
      for (const ImVec4& part : parts) {
        const ImVec4 clip = commonOf(inPixels(command.ClipRect), part);
        if (isEmpty(clip)) continue;
        kept.push_back(command);
        kept.back().ClipRect = clip;
      }
    }
    list->CmdBuffer.swap(kept);
  }
}

void mirror(ImDrawData& data) {
  const float sum = 2 * data.DisplayPos.y + data.DisplaySize.y;
  for (ImDrawList* const list : data.CmdLists) {
    for (ImDrawVert& vertex : list->VtxBuffer) vertex.pos.y = sum - vertex.pos.y;
    for (ImDrawCmd& command : list->CmdBuffer) {
      ImVec4& clip = command.ClipRect;
      clip = {clip.x, sum - clip.w, clip.z, sum - clip.y};
    }
  }
}

}  // namespace stridescope::shell
