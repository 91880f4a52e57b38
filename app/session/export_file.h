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
  std::string panel = {};          // of pictures: its id; empty: the whole window
  unsigned density = 1;            // of Png: its pixels for one of the screen, either way
  unsigned width = 0, height = 0;  // of Pictures and Gif: of the window, pixels
  float scale = 1;                 // and of its text and controls
  std::string rounds = {};         // but of Png: "4", "2..5"; empty: all
  std::string other = {};          // of Html: a variant to compare with; empty: none
  bool bothSides = false;          // of Html, where two runs are compared: both of them, and no `other`
  bool questions = false;          // of Html
  bool values = false;             // of tables: of shared memory, too
};

}  // namespace stridescope::session
