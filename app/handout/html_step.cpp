#include "handout/html_step.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "narration/active_threads.h"
#include "narration/caption.h"
#include "narration/cycles_sentence.h"
#include "narration/requests.h"
#include "narration/result_words.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"
#include "narration/trouble.h"
#include "narration/wording.h"

namespace stridescope::handout {
namespace {

// "round 4 (0 to 9)"; if there are several launches, also which.
std::string placeOf(const ToldRun& run, const Place& place) {
  const std::string launch =
      run.trace().launches.size() > 1 ? fmt::format("launch {}, ", figure(place.launch)) : std::string();
  const std::size_t rounds = run.analysis().launches[place.launch].rounds.size();
  return rounds < 2 ? launch + "round 0"
                    : fmt::format("{}round {} (0 to {})", launch, figure(place.round), figure(rounds - 1));
}

// With what is known beside it, as the window's caption has it.
std::string captionIn(const ToldRun& run, const Place& place, const narration::RoundAt& at) {
  std::string text = narration::captionOf(at).text();
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += " " + sentence;
  };
  add(narration::troubleInAnotherPass(at, run.stalePasses(place.launch)));
  if (narration::endsTheRun(at)) add(narration::resultSentence(at.trace));
  if (at.pass == nullptr)
    add(narration::cyclesSentence(run.cycles(place.launch), place.round, run.cyclesOrigin()));
  return text;
}

std::string mapsOf(const narration::RoundAt& at) {
  std::string text;
  for (const narration::TextMap& map : narration::textMaps())
    if (map.inStep == narration::InStep::EachRound) text += map.text(at);
  return text;
}

// "load A takes 8 wavefronts, 1 would do; store takes 1 wavefront".
std::string requestsInWords(const narration::RoundAt& at) {
  std::string text;
  for (const narration::NamedRequest& named : narration::bankRequests(at)) {
    const unsigned wavefronts = named.request->wavefronts, ideal = named.request->ideal;
    text += fmt::format("{}{} takes {}", text.empty() ? "" : "; ", named.name,
                        narration::count(wavefronts, "wavefront"));
    if (wavefronts > ideal) text += fmt::format(", {} would do", figure(ideal));
  }
  for (const narration::NamedRequest& named : narration::deviceRequests(at))
    text += fmt::format("{}{} touches {}", text.empty() ? "" : "; ", named.name,
                        narration::count(named.request->sectors, "sector"));
  return text.empty() ? "no request" : text;
}

}  // namespace

HtmlStep stepOf(const ToldRun& run, const Place& place) {
  HtmlStep step;
  run.tellOf(place, [&](const narration::RoundAt& at) {
    step.title = narration::titleOf(at);
    step.name = narration::tickOf(at);
    step.place = placeOf(run, place);
    step.caption = captionIn(run, place, at);
    step.trouble = narration::troubleIn(at);
    step.textMap = mapsOf(at);
    step.source = narration::wholeSourceMap(at);
  });
  return step;
}

std::string altOf(const ToldRun& run, const Place& place, std::string_view panel) {
  std::string alt;
  run.tellOf(place, [&](const narration::RoundAt& at) {
    const std::string active = fmt::format("Active: {}", narration::whoIsActive(at));
    if (panel == "banks")
      alt = fmt::format("{}: {}.", narration::titleOf(at), requestsInWords(at));
    else if (panel == "divergence")
      alt = fmt::format("{}: {} of {} active, in {} of {}.", narration::titleOf(at),
                        figure(at.round().activeLanes), narration::count(at.launch.block, "lane"),
                        figure(at.round().activeWarps), narration::count(at.warps(), "warp"));
    else if (panel == "lanes")
      alt = fmt::format("{}. {}.", narration::titleOf(at), active);
    else
      alt = narration::captionOf(at).text() + " " + active + ".";
  });
  return alt;
}

}  // namespace stridescope::handout
