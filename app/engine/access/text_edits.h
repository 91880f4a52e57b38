// Changes of a text that keep its lines, and where a place of the changed text was before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stridescope::engine::access {

class TextEdits {
 public:
  // The bytes from `begin` to `end` become `text`. Pieces do not overlap; of insertions at one place the one
  // that was added first stands first.
  void replace(std::size_t begin, std::size_t end, std::string text) {
    edits_.push_back({.begin = begin, .end = end, .text = std::move(text), .place = {}, .restPlace = {}});
  }
  void insert(std::size_t at, std::string text) { replace(at, at, std::move(text)); }

  // Changes it; lines that a piece had are kept behind it.
  std::string applyTo(std::string_view text);

  // The column, 1-based, of the text before it was changed. 0 stays 0.
  int columnBefore(int line, int column) const;
  // The same of the last byte of something: within a changed piece, its last one.
  int lastColumnBefore(int line, int column) const;

 private:
  struct Place {
    int line = 0, column = 0, length = 0;  // in the changed text
    int columnBefore = 0, lengthBefore = 0;
  };
  struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
    Place place;
    Place restPlace;  // of what follows on the last line of a piece of several lines
  };
  int columnBefore(int line, int column, bool isLast) const;

  std::vector<Edit> edits_;
};

}  // namespace stridescope::engine::access
