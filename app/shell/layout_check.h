// Is a layout file one that Dear ImGui may read? It trusts what it reads: a node that is its own parent hangs
// it, doubled ids and half-split nodes crash it. So a file passes only if it is what Dear ImGui itself writes
// (imgui.cpp, WindowSettingsHandler_WriteAll and DockSettingsHandler_WriteAll), line by line, and its nodes
// are trees:
// - At most kMaxLayoutBytes of UTF-8 without control characters but line breaks, ending in one.
// - Sections [Window][name], each name once, and one [Docking][Data]; in them known keys in Dear ImGui's
//   order, numbers that fit its 16-bit coordinates, no extent that is negative.
// - Node ids are not 0 and stand once. A node's parent stands before it, so that there are no cycles. A node
//   has two children and says how it is split, or has none and does not. There are at most kMaxLayoutNodes
//   nodes, kMaxLayoutDepth deep, and each tree has one central node, which has no children.
// - A dock space is a root. `dockSpace`, the program's own, is one if it is there.
// - A window that is docked is in a node without children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::shell {

inline constexpr std::size_t kMaxLayoutBytes = 64 << 10;  // a usual one has 2 KiB
inline constexpr std::size_t kMaxLayoutNodes = 256, kMaxLayoutDepth = 32, kMaxLayoutWindows = 256;

// The first thing wrong, as a clause: "line 12: node 0x00000003 has no parent before it". Nothing: it is
// sound.
std::optional<std::string> faultOfLayout(std::string_view text, std::uint32_t dockSpace);

}  // namespace stridescope::shell
