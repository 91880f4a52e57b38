#include "session/prediction.h"

#include <algorithm>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "analysis/snapshots.h"
#include "narration/outcome.h"
#include "narration/round_kind.h"
#include "teaching/cells.h"

namespace stridescope::session {
namespace {

// The run before its first round: the kernel, and how it is launched.
model::Trace untold(const model::Trace& whole) {
  model::Trace trace = model::beforeTheRun(whole);
  trace.result = "?";  // it is a run that has ended, with a result that is not told
  trace.ok = true;
  for (const model::LaunchTrace& launch : whole.launches) {
    model::LaunchTrace& own = trace.launches.emplace_back();
    own.setShape(launch.gridShape(), launch.blockShape());
    own.devices = launch.devices;
    own.recorded().block = launch.recorded().block;
    own.recorded().device = launch.recorded().device;
    own.elements = launch.elements;
    own.recorded().shared = launch.recorded().shared;
    own.buffers = launch.buffers;
    own.recorded().events.resize(launch.recorded().events.size());
    own.recorded().first = launch.recorded().first;
  }
  return trace;
}

}  // namespace

// FNV-1a, by words.
RunMark markOf(const lab::Run& run) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const model::LaunchTrace& launch : run.trace.launches) {
    for (const recording::Event& event : launch.recorded().events) add(event.head), add(event.value);
    for (const std::uint32_t first : launch.recorded().first) add(first);
  }
  return {run.trace.experiment, hash};
}

std::size_t PredictionSum::answered() const {
  std::size_t all = 0;
  for (const OfTopic& each : topics) all += each.answered;
  return all;
}

std::size_t PredictionSum::right() const {
  std::size_t all = 0;
  for (const OfTopic& each : topics) all += each.right;
  return all;
}

PredictionSum sumOf(const Prediction& prediction) {
  PredictionSum sum;
  for (const auto& [index, round] : prediction.rounds) {
    bool hasAnswer = false;
    for (const AskedQuestion& each : round.asked) {
      if (!each.judgement || !each.judgement->answered) continue;
      hasAnswer = true;
      PredictionSum::OfTopic& topic = sum.topics[std::size_t(each.question.topic)];
      ++topic.answered;
      if (each.judgement->right)
        ++topic.right;
      else
        topic.wrong.push_back(index);
    }
    sum.predicted += hasAnswer ? 1 : 0;
  }
  return sum;
}

std::string changeText(const Prediction& from, const Prediction& to) {
  if (from.run != to.run) return {};
  if (to.told > from.told) {
    const auto revealed = to.rounds.find(from.told);
    return revealed != to.rounds.end() && revealed->second.judged ? "revealing the round"
                                                                  : "skipping the round";
  }
  if (to.told < from.told) return "trying the round again";
  for (const auto& [index, round] : to.rounds) {
    const auto before = from.rounds.find(index);
    for (std::size_t place = 0; place < round.asked.size(); ++place) {
      if (before == from.rounds.end() || place >= before->second.asked.size()) break;
      const AskedQuestion &was = before->second.asked[place], &is = round.asked[place];
      if (was.guess != is.guess) return "the answer to question " + std::to_string(place + 1);
      if (was.hints != is.hints) return "a hint";
    }
  }
  return {};
}

RunSoFar::RunSoFar(std::shared_ptr<const lab::Run> whole) : whole_(std::move(whole)) {
  for (unsigned launch = 0; launch < whole_->analysis.launches.size(); ++launch)
    for (unsigned round = 0; round < whole_->analysis.launches[launch].rounds.size(); ++round) {
      const narration::RoundAt at = whole_->at(launch, round);
      names_.push_back({launch, round, narration::tickOf(at), narration::titleOf(at),
                        narration::nameInSentence(at), at.round().outputElement});
    }
  begin();
}

std::size_t RunSoFar::indexOf(unsigned launch, unsigned round) const {
  const auto after = std::ranges::find_if(names_, [&](const lab::RoundName& name) {
    return std::pair(name.launch, name.round) > std::pair(launch, round);
  });
  return after == names_.begin() ? 0 : std::size_t(after - names_.begin()) - 1;
}

void RunSoFar::begin() {
  shown_ = std::make_shared<lab::Run>();
  shown_->trace = untold(whole_->trace);
  standing_.clear();
  told_ = 0;
  for (std::size_t launch = 0; launch < whole_->analysis.launches.size(); ++launch) {
    const analysis::LaunchAnalysis& whole = whole_->analysis.launches[launch];
    analysis::LaunchAnalysis& own = shown_->analysis.launches.emplace_back();
    own.deviceMemory.windows = whole.deviceMemory.windows;
    own.headArrays = whole.headArrays;
    own.goesOn = !whole.rounds.empty();
    standing_.emplace_back(whole_->trace.launches[launch], whole);
  }
  shown_->flow.resize(whole_->analysis.launches.size());
  shown_->stalePasses.resize(whole_->analysis.launches.size());
}

// The events of its operations, with the values that stand beside them.
void RunSoFar::copyEvents(const analysis::Round& round, unsigned launch) {
  const model::LaunchTrace& from = whole_->trace.launches[launch];
  model::LaunchTrace& to = shown_->trace.launches[launch];
  for (const analysis::WarpOperation& operation : round.operations) {
    const bool atBarrier = analysis::isBarrier(operation.kind);
    analysis::forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
      std::uint32_t begin = operation.event[lane], end = begin + 1;
      while (begin > from.recorded().first[thread] &&
             !analysis::isAct(from.recorded().events[begin - 1].kind()))
        --begin;
      if (analysis::upperHalfOf(from, thread, operation.event[lane]) != nullptr) ++end;
      // What a variable has become; behind a barrier that is the next round's.
      while (!atBarrier && end < from.recorded().first[thread + 1] &&
             from.recorded().events[end].kind() == model::EventKind::Value)
        ++end;
      const auto first = std::ptrdiff_t(begin), last = std::ptrdiff_t(end);
      std::copy(from.recorded().events.begin() + first, from.recorded().events.begin() + last,
                to.recorded().events.begin() + first);
    });
  }
}

void RunSoFar::copyMemoryAndTrouble(unsigned launch, unsigned round) {
  const analysis::LaunchAnalysis& from = whole_->analysis.launches[launch];
  analysis::LaunchAnalysis& to = shown_->analysis.launches[launch];
  std::ranges::copy_if(from.deviceMemory.changes, std::back_inserter(to.deviceMemory.changes),
                       [&](const analysis::DeviceChange& change) { return change.round == round; });
  std::ranges::copy_if(from.races, std::back_inserter(to.races),
                       [&](const analysis::Race& race) { return race.round == round; });
  const narration::RoundAt at = whole_->at(launch, round);
  std::ranges::copy_if(from.problems, std::back_inserter(to.problems), [&](const model::Problem& problem) {
    return narration::roundOf(at, problem) == round;
  });
  std::ranges::copy_if(whole_->stalePasses[launch], std::back_inserter(shown_->stalePasses[launch]),
                       [&](const analysis::PassPlace& place) { return place.round == round; });
}

void RunSoFar::tellNext() {
  const auto [launch, round] = std::pair(names_[told_].launch, names_[told_].round);
  const analysis::LaunchAnalysis& from = whole_->analysis.launches[launch];
  analysis::LaunchAnalysis& to = shown_->analysis.launches[launch];
  const analysis::Round& told = from.rounds[round];
  copyEvents(told, launch);
  copyMemoryAndTrouble(launch, round);
  to.rounds.push_back(told);
  if (round < from.traffic.rounds.size()) to.traffic.rounds.push_back(from.traffic.rounds[round]);
  if (round < from.traffic.partsAfter.size()) to.traffic.partsAfter.push_back(from.traffic.partsAfter[round]);
  to.before = from.before;
  const analysis::Totals totals = analysis::totalsOf(told);
  to.totals = to.totals + totals;
  shown_->analysis.totals = shown_->analysis.totals + totals;
  to.goesOn = to.rounds.size() < from.rounds.size();

  const analysis::RoundFlow& whole = whole_->flow[launch][round];
  standing_[launch].pass(told, whole);
  analysis::RoundFlow flow = whole;
  for (analysis::ThreadWork& work : flow.work) work.useful = true;
  flow.liveAfter = standing_[launch].shared();
  flow.deviceLiveAfter = standing_[launch].device();
  flow.registerUseful.assign(flow.registerUseful.size(), true);
  flow.lost.clear();
  shown_->flow[launch].push_back(std::move(flow));
  ++told_;
}

// Memory is as the round before left it.
void RunSoFar::hideNext() {
  const unsigned launch = names_[told_].launch;
  const model::LaunchTrace& trace = shown_->trace.launches[launch];
  analysis::LaunchAnalysis& own = shown_->analysis.launches[launch];
  analysis::Round empty;
  empty.lanes.assign(trace.block, analysis::LaneState::IdleWarp);
  analysis::RoundFlow flow;
  if (!own.rounds.empty()) {
    empty.snapshot = own.rounds.back().snapshot;
  } else {
    const std::size_t bytes = analysis::SharedLayout(trace).bytes();
    empty.snapshot = {analysis::SnapshotFrom::Carried, std::vector<std::uint8_t>(bytes, 0),
                      std::vector<bool>(bytes, false)};
  }
  empty.outputElement = names_[told_].outputElement;
  shown_->registersBefore = teaching::registersBefore(whole_->at(launch, names_[told_].round));
  flow.liveAfter = standing_[launch].shared();
  flow.deviceLiveAfter = standing_[launch].device();
  own.rounds.push_back(std::move(empty));
  own.hidesLast = true;
  shown_->flow[launch].push_back(std::move(flow));
}

void RunSoFar::unhide() {
  for (std::size_t launch = 0; launch < shown_->analysis.launches.size(); ++launch) {
    analysis::LaunchAnalysis& own = shown_->analysis.launches[launch];
    if (!std::exchange(own.hidesLast, false)) continue;
    own.rounds.pop_back();
    shown_->flow[launch].pop_back();
    shown_->registersBefore.clear();
  }
}

std::shared_ptr<const lab::Run> RunSoFar::show(std::size_t told, bool hidden) {
  told = std::min(told, names_.size());
  if (told == names_.size()) return whole_;
  unhide();
  if (told < told_) begin();
  while (told_ < told) tellNext();
  shown_->toCome.assign(names_.begin() + std::ptrdiff_t(told), names_.end());
  if (hidden) hideNext();
  return shown_;
}

lab::RunMeasured RunSoFar::measured(const lab::RunMeasured& whole, std::size_t told) const {
  if (told >= names_.size()) return whole;
  lab::RunMeasured measured{.cycles = whole.cycles, .counters = {}};
  measured.cycles.variants.clear();
  for (model::ClockRecord& clock : measured.cycles.clocks) clock.firstWarp.clear(), clock.warps.clear();
  for (std::size_t launch = 0; launch < measured.cycles.launches.size(); ++launch) {
    std::size_t rounds = 0;
    for (std::size_t index = 0; index < told; ++index) rounds += names_[index].launch == launch ? 1 : 0;
    for (auto* const cycles :
         {&measured.cycles.launches[launch].alone, &measured.cycles.launches[launch].inGrid}) {
      cycles->block = {};
      cycles->rounds.resize(std::min(rounds, cycles->rounds.size()));
      for (analysis::WarpTimeline& warp : cycles->warps) warp.resize(std::min(rounds, warp.size()));
    }
  }
  return measured;
}

}  // namespace stridescope::session
