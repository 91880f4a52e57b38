// What is laid over the panels for a moment: all keys, the command palette, opening and saving, a person's
// own operator and input data, the text of the round, about; and what is read beside them: the lesson, the
// glossary and a tour.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/file_dialog.h"
#include "shell/key_input.h"
#include "views/forms/path_field.h"
#include "views/frame/command_table.h"
#include "views/reading/lesson.h"
#include "views/reading/tour_view.h"

namespace stridescope::views {

struct LaunchDraft;

struct OverlayState {
  session::Overlay shown = session::Overlay::None;  // whose texts the fields below hold
  std::string text = {};                            // a path or the filter of the palette or the glossary
  std::string identity = {};                        // a custom operator's, whose combine is the text
  int chosen = 0;                                   // in the palette
  bool told = false;                                // a message stood in the form in the frame before
  std::unique_ptr<shell::FileDialog> dialog = {};   // while the desktop's dialog is open
  std::string note = {};                            // why there is none; empty: not known
  PathFieldState path = {};                         // the state of the field for a path, which is the text
  ShownLesson lesson = {};
  session::ExportFile file = {};  // as it is filled in
  ShownStop stop = {};
  std::shared_ptr<LaunchDraft> launch = {};  // a person's own kernel's, as it is filled in
  shell::EarlyCharacters early = {};         // for the first field
};

// The lines of the overlay of all keys: the commands that have any, those of the mode first, then what keys
// and pointer do in panels. A key that the mode has taken stands there once.
struct KeyLine {
  std::string what, how;
  bool isKey = false;  // else words
};
std::vector<KeyLine> keyLines(std::span<const Panel> panels, std::span<const CommandEntry> table,
                              session::Mode mode);

// Whether the desktop's dialog was answered, or a folder was read, and a frame is due that takes the answer.
bool hasAnswer(const OverlayState& state);

// One of them is awaited, or was not taken yet.
bool awaitsAnswer(const OverlayState& state);

// The width, in pixels, of the column for a text that is read beside the panels. `takesColumns`: the panels
// are laid out for what it leaves; it is narrower where it would otherwise put them behind one another.
float readingWidth(const ViewContext& view, const OverlayState& state, float windowWidth, bool takesColumns);

// A form has the pointer alone: what is pressed beside it would change what it asks about. Before anything is
// drawn in a frame.
void keepPointerInForm(session::Overlay overlay);

// `overlay` is AppState::overlay() or AppState::seenText(), or None, which leaves nothing in its state.
// `readingMin`, `readingMax`: the column of a text that is read beside the panels.
void drawOverlay(session::Overlay overlay, ViewContext& view, OverlayState& state, KeyFocus& focus,
                 std::span<const CommandEntry> table, ImVec2 windowSize, ImVec2 readingMin,
                 ImVec2 readingMax);

// The overlays for what a person brings along: an operator of their own, numbers of their own.

// Two fields, combine and identity, and beside them what came of it: that it is being compiled, tried and
// recorded; what the compiler says; the trial's counter-examples. `appearing`: this is its first frame;
// `width`: its sentences' and fields', pixels.
void drawCustomOperator(ViewContext& view, OverlayState& state, float width, bool appearing);

void drawOwnData(ViewContext& view, OverlayState& state, float width, bool appearing);

// A text that came with a file: where it comes from, all of it, and whether it may be compiled and run. The
// answer that Enter gives is no.
void drawCodeQuestion(ViewContext& view, float width, bool appearing);

// The command palette: everything that a person can ask for by name.

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
