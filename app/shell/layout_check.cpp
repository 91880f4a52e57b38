#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "base/plain_text.h"
#include "shell/layout_file.h"

namespace stridescope::shell {
namespace {

using Fault = std::optional<std::string>;

struct Node {
  std::uint32_t id = 0;
  std::size_t root = 0, depth = 0;  // root: index
  std::size_t children = 0;
  bool isSplit = false, isCentral = false;
};

// "0x0000000A", as %08X writes it.
std::optional<std::uint32_t> idIn(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  if (!text.starts_with("0x") || text.size() != 2 + kDigits) return std::nullopt;
  if (text.find_first_not_of("0123456789ABCDEF", 2) != std::string_view::npos) return std::nullopt;
  std::uint32_t id = 0;
  std::from_chars(text.data() + 2, text.data() + text.size(), id, 16);
  return id;
}

// A decimal number that fits 16 bits and a sign. Dear ImGui reads what begins with 0 as octal.
std::optional<int> numberIn(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  int number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < std::numeric_limits<std::int16_t>::min() || number > std::numeric_limits<std::int16_t>::max())
    return std::nullopt;
  return number;
}

bool isPair(std::string_view text, int least) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const auto x = numberIn(text.substr(0, comma)), y = numberIn(text.substr(comma + 1));
  return x && y && *x >= least && *y >= least;
}

bool isPosition(std::string_view text) { return isPair(text, std::numeric_limits<std::int16_t>::min()); }
bool isExtent(std::string_view text) { return isPair(text, 0); }
bool isFlag(std::string_view text) { return text == "0" || text == "1"; }
bool isDate(std::string_view text) {
  return text.size() == 8 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "Key=value" in two; without a '=' no key.
std::pair<std::string_view, std::string_view> parted(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {{}, text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

class LayoutReader {
 public:
  explicit LayoutReader(std::uint32_t dockSpace) : dockSpace_(dockSpace) {}

  Fault read(std::string_view text) {
    if (text.size() > kMaxLayoutBytes)
      return "it has more than " + std::to_string(kMaxLayoutBytes) + " bytes";
    if (text.empty()) return {};
    if (printableLength(text, Lines::Many) < text.size() || text.find('\t') != std::string_view::npos)
      return "it is not plain text";
    if (text.back() != '\n') return "it is cut short";
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = text.find('\n');
      if (Fault fault = readLine(text.substr(0, end)))
        return "line " + std::to_string(number) + ": " + *fault;
      text.remove_prefix(end + 1);
    }
    return faultOfTrees();
  }

 private:
  enum class Section { None, Window, Docking };

  Fault readLine(std::string_view line) {
    if (line.empty()) return {};
    if (line.front() == '[') return readHeading(line);
    if (section_ == Section::Window) return readWindowLine(line);
    if (section_ == Section::Docking) return readNode(wordsOf(line));
    return "it stands in no section";
  }

  Fault readHeading(std::string_view line) {
    constexpr std::string_view kWindow = "[Window][";
    lastKey_ = 0;
    if (line == "[Docking][Data]") {
      if (section_ == Section::Docking) return "the nodes stand there twice";
      section_ = Section::Docking;  // the last one
      return {};
    }
    if (section_ == Section::Docking) return "something follows the nodes";
    if (!line.starts_with(kWindow) || !line.ends_with(']') || line.size() <= kWindow.size() + 1)
      return "there is no such section";
    section_ = Section::Window;
    // Dear ImGui cuts a name before ###, and takes brackets in it for its end.
    const std::string_view name = line.substr(kWindow.size(), line.size() - kWindow.size() - 1);
    if (name.find("###") != name.npos || name.find_first_of("[]") != name.npos)
      return "there is no window of this name";
    if (!windows_.insert(line.substr(kWindow.size())).second) return "the window stands there twice";
    if (windows_.size() > kMaxLayoutWindows) return "there are too many windows";
    return {};
  }

  Fault readWindowLine(std::string_view line) {
    struct Key {
      std::string_view name;
      bool (*isValid)(std::string_view);
    };
    static constexpr auto isId = [](std::string_view text) { return idIn(text).has_value(); };
    static constexpr std::array<Key, 9> kKeys{{{"IsChild", isFlag},
                                               {"ViewportPos", isPosition},
                                               {"ViewportId", isId},
                                               {"Pos", isPosition},
                                               {"Size", isExtent},
                                               {"Collapsed", isFlag},
                                               {"DockId", [](std::string_view) { return true; }},
                                               {"ClassId", isId},
                                               {"LastUsed", isDate}}};
    const auto [name, value] = parted(line);
    for (; lastKey_ < kKeys.size(); ++lastKey_)
      if (kKeys[lastKey_].name == name) break;
    if (lastKey_ == kKeys.size()) return "it is not what the program writes of a window";
    if (!kKeys[lastKey_++].isValid(value)) return "its value cannot be";
    return name == "DockId" ? readDocked(value) : Fault();
  }

  // "0x00000005,0": the node, and the tab's place, which may be left out.
  Fault readDocked(std::string_view value) {
    const std::size_t comma = std::min(value.find(','), value.size());
    const auto node = idIn(value.substr(0, comma));
    if (!node || *node == 0 || (comma < value.size() && !numberIn(value.substr(comma + 1))))
      return "its value cannot be";
    docked_.insert(*node);
    return {};
  }

  Fault readNode(const std::vector<std::string_view>& words) {
    const bool isSpace = !words.empty() && words.front() == "DockSpace";
    if (words.size() < 2 || (!isSpace && words.front() != "DockNode"))
      return "it is not what the program writes of a node";
    static constexpr std::array<std::string_view, 14> kKeys{"ID",
                                                            "Parent",
                                                            "Window",
                                                            "Pos",
                                                            "Size",
                                                            "SizeRef",
                                                            "Split",
                                                            "NoResize",
                                                            "CentralNode",
                                                            "NoTabBar",
                                                            "HiddenTabBar",
                                                            "NoWindowMenuButton",
                                                            "NoCloseButton",
                                                            "Selected"};
    std::map<std::string_view, std::string_view> given;
    std::size_t key = 0;
    for (std::size_t i = 1; i < words.size(); ++i, ++key) {
      const auto [name, value] = parted(words[i]);
      while (key < kKeys.size() && kKeys[key] != name) ++key;
      if (key == kKeys.size()) return "it is not what the program writes of a node";
      given[name] = value;
    }
    const auto has = [&](std::string_view name) { return given.contains(name); };
    for (const auto& [name, value] : given) {
      const bool isId = name == "ID" || name == "Parent" || name == "Window" || name == "Selected";
      const bool isValid = isId                                  ? idIn(value).value_or(0) != 0
                           : name == "Pos"                       ? isPosition(value)
                           : name == "Size" || name == "SizeRef" ? isExtent(value)
                           : name == "Split"                     ? value == "X" || value == "Y"
                                                                 : value == "1";
      if (!isValid) return "its " + std::string(name) + " cannot be";
    }
    if (!has("ID")) return "the node has no id";
    const bool isRoot = !has("Parent");
    if (has("Pos") != isRoot || has("Size") != isRoot || has("SizeRef") == isRoot ||
        (has("Window") && !isRoot))
      return isRoot ? "the node has no place" : "the node has a place of its own";
    // The window decides the dock space's size anew.
    if (isRoot && *idIn(given["ID"]) != dockSpace_ && !isPair(given["Size"], 1))
      return "the node has no room";
    return addNode(*idIn(given["ID"]), isRoot ? 0 : *idIn(given["Parent"]), isSpace, has("Split"),
                   has("CentralNode"));
  }

  Fault addNode(std::uint32_t id, std::uint32_t parent, bool isSpace, bool isSplit, bool isCentral) {
    if (nodes_.size() == kMaxLayoutNodes) return "there are too many nodes";
    if (!indices_.emplace(id, nodes_.size()).second) return "the node stands there twice";
    Node node{.id = id, .root = nodes_.size(), .isSplit = isSplit, .isCentral = isCentral};
    if (isSpace && parent != 0) return "a dock space has a parent";
    if (id == dockSpace_ && !isSpace) return "the dock space is a node among others";
    if (parent != 0) {
      const auto found = indices_.find(parent);
      if (found == indices_.end() || found->second == nodes_.size())
        return "the node has no parent before it";
      Node& above = nodes_[found->second];
      node.root = above.root;
      node.depth = above.depth + 1;
      if (++above.children > 2 || !above.isSplit) return "its parent is not split in two";
      if (node.depth >= kMaxLayoutDepth) return "there are too many splits within each other";
    }
    nodes_.push_back(node);
    return {};
  }

  Fault faultOfTrees() const {
    std::set<std::size_t> rootsWithCentral;
    for (const Node& node : nodes_) {
      if (node.isSplit != (node.children == 2)) return "a split node lacks a child";
      if (!node.isCentral) continue;
      if (node.isSplit) return "a split node is the central one";
      if (!rootsWithCentral.insert(node.root).second) return "there are two central nodes";
    }
    for (const std::uint32_t id : docked_) {
      const auto found = indices_.find(id);
      if (found == indices_.end()) return "a window is docked into a node that there is not";
      if (nodes_[found->second].isSplit) return "a window is docked into a split node";
    }
    return {};
  }

  std::uint32_t dockSpace_;
  Section section_ = Section::None;
  std::size_t lastKey_ = 0;  // the last of the window's keys: those before it have been
  std::set<std::string_view> windows_;
  std::set<std::uint32_t> docked_;
  std::vector<Node> nodes_;
  std::map<std::uint32_t, std::size_t> indices_;
};

}  // namespace

std::optional<std::string> faultOfLayout(std::string_view text, std::uint32_t dockSpace) {
  return LayoutReader(dockSpace).read(text);
}

}  // namespace stridescope::shell
