#include "views/shared/linked_highlight.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "analysis/requests.h"
#include "narration/outcome.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

// The stage's elements that an event touches: [first, last).
struct Elements {
  std::uint64_t first = 0, last = 0;
};

Elements elementsOf(const MemoryStage& stage, const model::Event& event) {
  if (!stage.holds(event)) return {};
  const std::uint64_t width = std::max(1u, stage.array().elementBytes);
  return {event.offset() / width - stage.first(),
          (event.offset() + event.width() + width - 1) / width - stage.first()};
}

std::uint32_t banksOf(std::uint64_t offset, unsigned width) {
  std::uint32_t banks = 0;
  for (std::uint64_t word = offset / analysis::kBankBytes; word * analysis::kBankBytes < offset + width;
       ++word)
    banks |= 1u << (word % analysis::kBankCount);
  return banks;
}

}  // namespace

LinkedHighlight::LinkedHighlight(const session::Replay& replay) {
  const auto hover = replay.hover();
  if (!hover || !replay.run()) return;
  addItself(replay, *hover);
  if (hover->kind == session::HoverKind::Round) return;
  const MemoryStage stage(replay.launch(), replay.launchAnalysis());
  const MemoryStage hovered(replay.launch(), replay.launchAnalysis(), hover->array);
  for (const analysis::WarpOperation& operation : replay.round().operations)
    addOperation(replay.launch(), stage, hovered, operation, *hover);
  owner_ = writer_ ? writer_ : lowestActive(replay);
}

// One of those that are lit. A thread that only branches has no part in the round.
std::optional<unsigned> LinkedHighlight::lowestActive(const session::Replay& replay) const {
  for (const analysis::ThreadWork& work : replay.flow().work)  // ascending
    if (thread(work.thread)) return work.thread;
  const auto& exchanges = replay.round().exchanges;
  for (unsigned each = 0; each < exchanges.size(); ++each)
    if (exchanges[each] && thread(each)) return each;
  return std::nullopt;
}

bool LinkedHighlight::anyElement(std::uint64_t from, std::uint64_t to) const {
  const auto found = elements_.lower_bound(from);
  return found != elements_.end() && *found < to;
}

std::vector<unsigned> LinkedHighlight::threads() const {
  std::vector<unsigned> found;
  for (unsigned thread = 0; thread < threads_.size(); ++thread)
    if (threads_[thread]) found.push_back(thread);
  return found;
}

std::optional<unsigned> LinkedHighlight::lowestThread() const {
  const auto found = std::ranges::find(threads_, true);
  if (found == threads_.end()) return std::nullopt;
  return unsigned(found - threads_.begin());
}

void LinkedHighlight::add(std::vector<bool>& set, std::uint64_t index) {
  if (index >= set.size()) set.resize(std::size_t(index) + 1);
  set[std::size_t(index)] = true;
}

void LinkedHighlight::addThread(unsigned thread) {
  add(threads_, thread);
  add(warps_, thread / model::kWarpSize);
}

// What is pointed at is lit though nothing of the round touches it.
void LinkedHighlight::addItself(const session::Replay& replay, const session::Hover& hover) {
  const model::LaunchTrace& launch = replay.launch();
  switch (hover.kind) {
    case session::HoverKind::Thread:
      if (hover.index < launch.block) addThread(unsigned(hover.index));
      break;
    case session::HoverKind::Warp:
      if (hover.index >= warpsOf(launch)) break;
      for (unsigned lane = 0; lane < lanesOf(launch, unsigned(hover.index)); ++lane)
        addThread(unsigned(hover.index) * model::kWarpSize + lane);
      break;
    case session::HoverKind::Element: {
      if (hover.array == 0) elements_.insert(hover.index);
      ofArrays_.insert({hover.array, hover.index});
      const std::vector<model::Array>& shared = launch.recorded().shared;
      if (hover.array < shared.size())
        banks_ |= banksOf(hover.index * shared[hover.array].elementBytes, shared[hover.array].elementBytes);
      break;
    }
    case session::HoverKind::Bank:
      banks_ |= 1u << (hover.index % analysis::kBankCount);
      break;
    case session::HoverKind::Site:
      add(sites_, hover.index);
      break;
    case session::HoverKind::Round:
      if (hover.launch == replay.playhead().launch) round_ = unsigned(hover.index);
      break;
  }
}

void LinkedHighlight::addElementsOf(const model::LaunchTrace& launch, const model::Event& event) {
  const std::uint64_t width = std::max(1u, launch.arrayOf(event).elementBytes);
  for (std::uint64_t element = event.offset() / width; element * width < event.offset() + event.width();
       ++element)
    ofArrays_.insert({event.sharedArray(), element});
}

void LinkedHighlight::addOperation(const model::LaunchTrace& launch, const MemoryStage& stage,
                                   const MemoryStage& hovered, const analysis::WarpOperation& operation,
                                   const session::Hover& hover) {
  if (hover.kind == session::HoverKind::Site && hover.index != operation.site) return;
  if (hover.kind == session::HoverKind::Warp && hover.index != operation.warp) return;
  if (hover.kind == session::HoverKind::Thread && hover.index / model::kWarpSize != operation.warp) return;
  for (std::uint32_t lanes = operation.mask; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = unsigned(std::countr_zero(lanes)),
                   thread = operation.warp * model::kWarpSize + lane;
    const model::Event& event = launch.recorded().events[operation.event[lane]];
    const bool access = operation.kind == model::EventKind::Load ||
                        operation.kind == model::EventKind::Store ||
                        operation.kind == model::EventKind::Atomic;
    const Elements elements = access ? elementsOf(stage, event) : Elements{};
    const Elements pointed = access ? elementsOf(hovered, event) : Elements{};
    const std::uint32_t banks = access && event.inShared() ? banksOf(event.offset(), event.width()) : 0;
    if (hover.kind == session::HoverKind::Thread && hover.index != thread) continue;
    if (hover.kind == session::HoverKind::Element &&
        (hover.index < pointed.first || hover.index >= pointed.last))
      continue;
    if (hover.kind == session::HoverKind::Bank && (banks >> hover.index & 1) == 0) continue;
    if (hover.kind == session::HoverKind::Element && operation.kind != model::EventKind::Load)
      writer_ = std::min(writer_.value_or(thread), thread);
    addThread(thread);
    add(sites_, operation.site);
    for (std::uint64_t element = elements.first; element < elements.last; ++element)
      elements_.insert(element);
    if (access && event.inShared()) addElementsOf(launch, event);
    if (hover.kind != session::HoverKind::Bank) banks_ |= banks;
  }
}

namespace {

std::optional<std::uint64_t> placeOf(const MemoryStage& stage, const analysis::Race& race) {
  analysis::Operand operand;
  operand.shared = race.shared;
  operand.array = race.array;
  operand.element = race.element;
  if (!stage.holds(operand)) return std::nullopt;
  return stage.placeOf(operand);
}

bool concerns(const analysis::Race& race, const std::optional<std::uint64_t>& element,
              const session::Hover& hover) {
  if (hover.kind == session::HoverKind::Thread)
    return hover.index == race.first.thread || hover.index == race.second.thread;
  if (hover.kind != session::HoverKind::Element) return false;
  return hover.array == 0 ? element == hover.index
                          : race.shared && race.array == hover.array && race.element == hover.index;
}

}  // namespace

bool TroubleMarks::thread(std::uint32_t thread) const { return std::ranges::count(threads, thread) != 0; }

bool TroubleMarks::site(std::uint32_t site) const { return std::ranges::count(sites, site) != 0; }

TroubleMarks troubleMarks(const session::Replay& replay) {
  TroubleMarks marks;
  if (!replay.run()) return marks;
  const narration::RoundAt round = roundAt(replay);
  const analysis::LaunchAnalysis& analysis = replay.launchAnalysis();
  if (analysis.races.empty() && analysis.problems.empty()) return marks;
  const MemoryStage stage(replay.launch(), analysis);
  const auto hover = replay.hover();
  bool chosen = false;
  for (const analysis::Race& race : analysis.races) {
    if (!narration::showsIn(round, race)) continue;
    ++marks.races;
    const auto element = placeOf(stage, race);
    const bool hovered = hover && concerns(race, element, *hover);
    if (marks.race != nullptr && (chosen || !hovered)) continue;
    chosen = hovered;
    marks.race = &race;
    marks.element = element;
  }
  if (marks.race != nullptr)
    for (const analysis::Race::Access& access : {marks.race->first, marks.race->second}) {
      marks.threads.push_back(access.thread);
      marks.sites.push_back(access.site);
    }
  for (const model::Problem& problem : analysis.problems) {
    if (!narration::showsIn(round, problem)) continue;
    marks.threads.push_back(problem.thread);
    if (!marks.problemThread) marks.problemThread = problem.thread;
    if (problem.site >= 0) marks.sites.push_back(std::uint32_t(problem.site));
  }
  return marks;
}

std::vector<session::Playhead> troubledPlaces(const session::Replay& replay, unsigned launch) {
  const analysis::LaunchAnalysis& analysis = replay.run()->analysis.launches[launch];
  std::vector<session::Playhead> places;
  if (analysis.rounds.empty()) return places;
  const narration::RoundAt at = roundAt(replay, launch, 0);
  for (const analysis::Race& race : analysis.races)
    if (race.round < analysis.rounds.size()) places.push_back({launch, race.round, race.pass});
  for (const model::Problem& problem : analysis.problems)
    places.push_back({launch, unsigned(narration::roundOf(at, problem)), narration::passOf(at, problem)});
  for (const analysis::PassPlace& stale : replay.run()->stalePasses[launch])
    places.push_back({launch, stale.round, stale.pass});
  return places;
}

std::optional<session::Playhead> nextRace(const session::Replay& replay, int direction) {
  if (!replay.run()) return std::nullopt;
  using Place = std::tuple<unsigned, unsigned, unsigned>;
  std::set<Place> places;
  const auto& launches = replay.run()->analysis.launches;
  for (unsigned launch = 0; launch < launches.size(); ++launch) {
    for (const analysis::Race& race : launches[launch].races)
      if (race.round < launches[launch].rounds.size()) places.emplace(launch, race.round, race.pass);
    for (const analysis::PassPlace& stale : replay.run()->stalePasses[launch])
      places.emplace(launch, stale.round, stale.pass);
  }
  if (places.empty()) return std::nullopt;
  const session::Playhead at = replay.playhead();
  const Place here{at.launch, at.round, at.pass};
  auto found = direction > 0 ? places.upper_bound(here) : places.lower_bound(here);
  if (direction > 0 && found == places.end()) found = places.begin();
  if (direction < 0) found = std::prev(found == places.begin() ? places.end() : found);
  const auto& [launch, round, pass] = *found;
  return session::Playhead{launch, round, pass};
}

}  // namespace stridescope::views
