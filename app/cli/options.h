// What a command takes, as values: its name, its options, and where what was typed goes. The command line
// gives it to the parser, so that no command includes the parser's headers.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stridescope::cli {

// Set if it is typed; a list takes several words.
using OptionTarget =
    std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*>;

struct Option {
  std::string names;  // "-o,--output"; without dashes: a word without an option's name
  OptionTarget target;
  std::string description = {};
  std::string valueName = {};  // as the help shows it: "FILE"; empty for a flag
  bool hidden = false;         // taken, but told nobody: an older spelling
};

struct Options {
  std::string command;
  std::string about;
  std::string footer;
  std::vector<Option> options;

  void flag(std::string names, bool& target, std::string description) {
    options.push_back({std::move(names), &target, std::move(description), {}});
  }
  // What a flag was called before.
  void olderFlag(std::string names, bool& target) {
    options.push_back({.names = std::move(names), .target = &target, .hidden = true});
  }
  template <class Target>
  void value(std::string names, Target& target, std::string description, std::string valueName) {
    options.push_back({std::move(names), &target, std::move(description), std::move(valueName)});
  }
};

}  // namespace stridescope::cli
