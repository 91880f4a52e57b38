#include "page_words.h"

#include <nlohmann/json.hpp>

#include "views/frame/command_table.h"
#include "views/reading/spoken_reading.h"
#include "views/shared/spoken_questions.h"
#include "views/transport/round_text.h"

namespace stridescope::web {

std::string wordsAsJson(const session::Session& session, std::span<const views::Panel> panels) {
  const views::SpokenRound spoken = views::spokenRound(session.parts(), panels);
  const session::AppState& app = session.parts().app;
  const nlohmann::json words = {
      {"caption", spoken.caption},
      {"summary", spoken.summary},
      {"text", spoken.text},
      {"told", app.message() ? app.message()->sentence : app.loneRemark().value_or("")}};
  return words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string readingAsJson(const session::Session& session, const measure::TimingSnapshot& timings,
                          std::span<const views::Panel> panels) {
  const views::SpokenReading reading = views::spokenReading(session.parts(), timings, panels);
  nlohmann::json paragraphs = nlohmann::json::array();
  for (const views::SpokenParagraph& each : reading.paragraphs) {
    nlohmann::json pieces = nlohmann::json::array();
    for (const auto& [text, target] : each.pieces) pieces.push_back(nlohmann::json::array({text, target}));
    paragraphs.push_back({{"kind", each.isHeading ? "heading"
                                   : each.isCode  ? "code"
                                                  : "text"},
                          {"pieces", std::move(pieces)}});
  }
  const nlohmann::json all = {{"title", reading.title}, {"paragraphs", std::move(paragraphs)}};
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string questionsAsJson(const session::Session& session) {
  nlohmann::json all = nlohmann::json::array();
  for (const views::SpokenQuestion& question : views::spokenQuestions(session.parts())) {
    nlohmann::json answers = nlohmann::json::array();
    for (const views::SpokenAnswer& answer : question.answers)
      answers.push_back({{"name", answer.name}, {"chosen", answer.isChosen}});
    all.push_back({{"text", question.text},
                   {"state", question.state},
                   {"answers", std::move(answers)},
                   {"field", question.field}});
  }
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
