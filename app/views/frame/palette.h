// The command palette: everything that a person can ask for by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "views/frame/overlays.h"

namespace stridescope::views {

struct PaletteItem {
  std::string name;       // "Block size: 512"
  std::string also = {};  // other words that find it
  std::string note = {};  // its keys, or a few words
  std::string why = {};   // it cannot be had now; else empty
  session::Commands commands = {};
};

// Words that find the item of this name, beside the words of a command or a choice itself. A name such as
// "Block size: " stands for all items whose names begin so.
struct FurtherWords {
  std::string_view name, words;
};
std::span<const FurtherWords> furtherWords();

// Commands, panels, variants, the choices of the experiment bar, themes, lessons, words of the glossary, and,
// with the reason, what this version does not have. A query that is a number ("1000", "n = 2^20") also gives
// that n.
std::vector<PaletteItem> paletteItems(const ViewContext& view, std::span<const CommandEntry> table,
                                      std::string_view query);
// Those that the query finds, the best first. An item whose name ends with the query scores higher; items
// with equal scores stay in their order.
std::vector<PaletteItem> findItems(std::vector<PaletteItem> items, std::string_view query);

void drawPalette(ViewContext& view, OverlayState& state, std::span<const CommandEntry> table, bool appearing);

}  // namespace stridescope::views
