#include "session/link.h"

#include <algorithm>

#include "narration/wording.h"

namespace stridescope::session {

void choose(const Link& link, ExperimentChoices& choices) {
  if (!link.variant.empty()) {
    if (link.anew) choices = resetChoices(link.variant);
    choices.experiment.variant = link.variant;
  }
  choose(link.choices, choices);
}

teaching::Topic topicOf(const Link& link) {
  const auto found = std::ranges::find(kQuestionNames, link.question);
  return teaching::kTopics[std::size_t(found - kQuestionNames.begin()) % kQuestionNames.size()];
}

Mode modeOf(const Link& link) {
  switch (link.action) {
    case LinkAction::Predict:
      return Mode::Predict;
    case LinkAction::Compare:
      return Mode::Compare;
    default:
      return Mode::Explore;
  }
}

std::vector<LinkText> linksIn(std::span<const markdown::Block> blocks) {
  std::vector<LinkText> links;
  for (const markdown::Block& block : blocks)
    for (const markdown::Link& link : block.links)
      if (!link.image && link.target.starts_with('#'))
        links.push_back({link.target.substr(1), link.line, link.column, link.verbatim});
  return links;
}

std::vector<LinkText> linksIn(std::string_view markdown) {
  const auto blocks = markdown::read(markdown);
  return blocks ? linksIn(*blocks) : std::vector<LinkText>();
}

std::optional<std::string> faultOf(const LinkText& link, std::span<const std::string> panels) {
  const auto parsed = parseLink(link.text, panels);
  if (parsed) return std::nullopt;
  const LinkFault& fault = parsed.error();
  std::size_t column = link.column;
  if (link.verbatim) column += 1 + narration::charactersIn(std::string_view(link.text).substr(0, fault.at));
  return "Line " + std::to_string(link.line) + ", column " + std::to_string(column) + ": " + fault.sentence;
}

}  // namespace stridescope::session
