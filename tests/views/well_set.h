// Whether texts stand as they should, and the windows in which they must.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "draw/text.h"
#include "session/settings.h"
#include "shell/graphics_context.h"

namespace stridescope::views::test {

struct Ground {
  std::string name;
  shell::PixelSize size;
  float scale;
  int textSize;  // percent
  session::ThemeName theme;

  float widthUnits() const { return float(size.width) / scale * 100 / float(textSize); }
  session::Settings settings() const {
    session::Settings chosen;
    chosen.theme = theme;
    chosen.textSize = textSize;
    return chosen;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Ground& ground) { return out << ground.name; }

// 1280x720, 1600x1000 and 3840x2160, each at text sizes of 100, 150 and 200 %, in turn dark and light: a
// theme moves no text. `./dev test` takes the smallest window at each, and of the others one.
std::vector<Ground> allGrounds();

// A failure for every text that is shortened, cut, or over another one.
void expectWellSet(const std::vector<draw::TextLog::Entry>& entries, float widthUnits,
                   const std::string& where);

}  // namespace stridescope::views::test
