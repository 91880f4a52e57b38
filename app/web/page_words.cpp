#include "page_words.h"

#include <nlohmann/json.hpp>

#include "views/frame/command_table.h"
#include "views/transport/round_text.h"

namespace stridescope::web {

std::string wordsAsJson(const session::Session& session, std::span<const views::Panel> panels) {
  const views::SpokenRound spoken = views::spokenRound(session.parts(), panels);
  const nlohmann::json words = {
      {"caption", spoken.caption}, {"summary", spoken.summary}, {"text", spoken.text}};
  return words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string commandsAsJson(const session::Session& session, std::span<const views::CommandEntry> table) {
  const session::Parts parts = session.parts();
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t index = 0; index < table.size(); ++index) {
    const views::CommandEntry& entry = table[index];
    if (!views::isOffered(entry, parts.app.mode())) continue;
    all.push_back({{"index", index},
                   {"menu", entry.menu},
                   {"name", views::titleOf(entry, parts)},
                   {"keys", views::keysOf(entry)},
                   {"enabled", views::isEnabled(entry, parts)}});
  }
  return all.dump();
}

}  // namespace stridescope::web
