// What a frame draws, to be held against the frame before: what is shown already is not drawn again.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "imgui.h"

namespace stridescope::shell {

// Parts of a window, as Dear ImGui has clip rectangles: left, top, right, bottom.
using FrameParts = std::vector<ImVec4>;

// All that a frame's picture follows from, as bytes, a draw list after the other: what has the same bytes
// looks the same.
class FrameContent {
 public:
  // False where something that OpenGL does not have yet is to be drawn: all of the frame must be.
  [[nodiscard]] bool take(const ImDrawData& data, ImU32 ground);

  // Where the picture may differ from the one before; whole pixels, and no two overlap. Empty: nowhere.
  // nullopt: anywhere.
  std::optional<FrameParts> changedSince(const FrameContent& before) const;

 private:
  struct List {
    std::size_t begin, end;  // its bytes
    ImVec4 box;              // that all of it lies in
  };
  std::span<const std::byte> bytesOf(const List& list) const {
    return std::span(bytes_).subspan(list.begin, list.end - list.begin);
  }
  std::span<const std::byte> bytesOfAll() const { return std::span(bytes_).first(bytesOfAll_); }
  template <typename Value>
  void add(const Value* values, std::size_t count);
  void addList(const ImDrawList& list);

  std::vector<std::byte> bytes_;
  std::size_t bytesOfAll_ = 0;  // the first ones: what concerns all lists
  std::vector<List> lists_;
  ImVec4 window_{};
  bool hasWholePixels_ = false;
};

// Leaves of a frame what lies in the parts, of which no two may overlap. Callbacks that have data must keep
// to their clip rectangles.
void keepParts(ImDrawData& data, const FrameParts& parts);

// Turns a frame upside down, but for what callbacks draw.
void mirror(ImDrawData& data);

}  // namespace stridescope::shell
