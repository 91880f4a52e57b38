// docs/browser.md says of every panel and of every command what it is in a page.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "views/frame/command_table.h"
#include "views/panels.h"

namespace stridescope::views {
namespace {

// The rows of the table whose head begins so, without the two lines of the head.
std::vector<std::string> rowsBelow(const std::string& head) {
  std::ifstream file(STRIDESCOPE_SOURCE "/docs/browser.md");
  std::string line;
  while (std::getline(file, line) && !line.starts_with(head)) {
  }
  std::getline(file, line);
  std::vector<std::string> rows;
  while (std::getline(file, line) && line.starts_with("|")) rows.push_back(line);
  return rows;
}

// What stands between backticks.
std::vector<std::string> namesIn(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string::npos) break;
    names.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  std::ranges::sort(names);
  return names;
}

TEST(BrowserTables, NameEveryPanelOnce) {
  std::string cells;
  for (const std::string& row : rowsBelow("| panel |")) cells += row.substr(0, row.find('|', 1));
  std::vector<std::string> titles;
  for (const Panel& panel : allPanels()) titles.push_back(panel.title);
  std::ranges::sort(titles);
  EXPECT_EQ(namesIn(cells), titles);
}

TEST(BrowserTables, NameEveryCommandOnceInItsMenu) {
  std::map<std::string, std::vector<std::string>> told, known;
  for (const std::string& row : rowsBelow("| menu |")) {
    const std::size_t end = row.find(" |", 1);
    told[row.substr(2, end - 2)] = namesIn(row.substr(end));
  }
  for (const CommandEntry& entry : commandTable(allPanels())) known[entry.menu].push_back(entry.name);
  for (auto& [menu, names] : known) {
    std::ranges::sort(names);
    EXPECT_EQ(told[menu], names) << menu;
  }
  EXPECT_EQ(told.size(), known.size());
}

}  // namespace
}  // namespace stridescope::views
