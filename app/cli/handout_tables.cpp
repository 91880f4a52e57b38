// `export` of tables: CSV and Markdown.
#include <fmt/format.h>

#include "base/plain_text.h"
#include "cli/handout_request.h"
#include "cli/told_names.h"
#include "handout/round_table.h"
#include "narration/result_words.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"

namespace stridescope::cli {
namespace {

std::string csvOf(const HandoutRequest& request, const Runs& runs) {
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  report::Table table = handout::roundTable();
  std::vector<const handout::ToldRun*> all;
  for (const auto& run : runs) {
    handout::addRounds(table, *run, rounds);
    all.push_back(run.get());
  }
  if (request.values) handout::addValues(table, all, rounds);
  return report::csvOf(table);
}

// The values of a round as `step` lists them, where a fence of Markdown keeps them.
std::string valuesOf(const handout::ToldRun& run, const handout::Rounds& rounds) {
  std::string text;
  for (unsigned launch = 0; launch < run.trace().launches.size(); ++launch)
    for (std::size_t round = 0; round < run.analysis().launches[launch].rounds.size(); ++round) {
      if (!rounds.contains(round)) continue;
      const narration::RoundAt at = run.roundAt(launch, round);
      text += fmt::format("\n### {}\n\n```\n{}```\n", report::inMarkdown(narration::titleOf(at)),
                          narration::valuesMap(at));
    }
  return text;
}

std::string markdownOf(const HandoutRequest& request, const handout::ToldRun& run) {
  const handout::Rounds rounds = request.rounds.value_or(handout::Rounds());
  const ToldNames names = namesOf(run.trace());
  report::Table table = handout::roundTable();
  handout::addRounds(table, run, rounds);
  std::string text = fmt::format("## {}\n\n{}\n\n{}\n\n{}", report::inMarkdown(names.title),
                                 report::inMarkdown(names.experiment), report::inMarkdown(names.engine),
                                 report::markdownOf(report::forPeople(table)));
  if (!run.cyclesOrigin().empty() && text.find("cycles") != std::string::npos)
    text += fmt::format("\nCycles: {}.\n", report::inMarkdown(run.cyclesOrigin()));
  for (unsigned launch = 0; launch < run.trace().launches.size(); ++launch)
    if (!run.analysis().launches[launch].rounds.empty())
      for (const std::string& sentence : narration::troubleOf(run.roundAt(launch, 0)))
        text += "\n" + report::inMarkdown(sentence) + "\n";
  text += "\n" + report::inMarkdown(narration::resultAndExpected(run.trace())) + "\n";
  if (request.values) text += valuesOf(run, rounds);
  return text;
}

}  // namespace

Result<void> writeTables(const Context&, const HandoutRequest& request, const Runs& runs,
                         engine::JobControl& job) {
  constexpr std::size_t kAny = ~std::size_t{0};
  std::string text;
  for (const auto& run : runs) {
    if (const auto places = chosenPlaces(request, *run, kAny, kAny); !places)
      return tl::unexpected(places.error());
    if (request.format == HandoutFormat::Markdown)
      text += (text.empty() ? "" : "\n") + markdownOf(request, *run);
  }
  return writeFile(request, request.format == HandoutFormat::Csv ? csvOf(request, runs) : text, job);
}

}  // namespace stridescope::cli
