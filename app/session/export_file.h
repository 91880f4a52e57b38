// What a person asks to be handed out of the run that is shown, and as what.
#pragma once

#include <cstdint>
#include <string>

namespace stridescope::session {

enum class ExportAs : std::uint8_t {
  Png,       // what is on the screen, as it is
  Pictures,  // a folder of PNG: a picture of each round
  Gif,       // the same as a film
  Html,      // a page
  Csv,
  Markdown,
};

struct ExportFile {
  ExportAs as{};
  std::string path = {};
  bool overwrite = false;
  std::string panel = {};          // for pictures: its id; empty: the whole window
  unsigned density = 1;            // for Png: pixels for each pixel of the screen, in both directions
  unsigned width = 0, height = 0;  // for Pictures and Gif: the window's, pixels
  float scale = 1;                 // scales the window's text and controls
  std::string rounds = {};         // not for Png: "4", "2..5"; empty: all
  std::string other = {};          // for Html: a variant to compare with; empty: none
  bool bothSides = false;          // for Html, if two runs are compared: both of them, and no `other`
  bool questions = false;          // for Html
  bool values = false;             // for tables: with shared memory's values, too
};

}  // namespace stridescope::session
