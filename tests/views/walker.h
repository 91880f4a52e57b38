// Commands in random order, as a person might give them, with recordings and data of a folder of its own.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "views/frame/command_table.h"

namespace stridescope::views::test {

// In STRIDESCOPE_WALK_STEPS; .ci/nightly takes more.
unsigned stepsToWalk();

class Walker {
 public:
  explicit Walker(std::uint64_t seed);
  ~Walker();

  // A command of the bar, the files or the menus, except one that ends the window, covers all of it, or
  // leaves its mode.
  session::Command next(const session::Parts& parts);
  // Also gives commands about two runs side by side, and for one of them.
  session::Command nextOfTwo(const session::Parts& parts);

 private:
  std::uint64_t below(std::uint64_t n) { return dice_() % n; }
  template <class Values>
  auto pick(const Values& values) -> std::decay_t<decltype(*values.begin())> {
    return *(values.begin() + std::ptrdiff_t(below(values.size())));
  }
  session::Command anyOfTheTable(const session::Parts& parts);
  void write(const std::string& name, const std::string& text);
  std::string record(const std::string& name,
                     const std::vector<std::pair<std::string, unsigned>>& experiments) const;

  std::mt19937_64 dice_;
  std::filesystem::path folder_;
  std::vector<std::string> recordings_, data_;
  std::vector<CommandEntry> table_;
};

}  // namespace stridescope::views::test
