#include "analysis/run_differences.h"

#include <algorithm>
#include <array>

#include "analysis/compared_sides.h"
#include "analysis/device_traffic.h"
#include "analysis/lanes.h"

namespace stridescope::analysis {

namespace {

// In the order of their enumerators.
constexpr std::array<std::string_view, 3> kOriginNames{"modelled", "measured", "recorded"};
constexpr std::array<std::string_view, 6> kOfNames{"round", "run", "cycles", "time", "cost", "counters"};
constexpr std::array<std::string_view, 7> kUnitNames{"count", "per element", "cycles", "microseconds",
                                                     "bytes", "percent",     "warps"};
static_assert(kOriginNames.size() == std::size_t(OriginKind::Recorded) + 1 &&
              kOfNames.size() == std::size_t(FigureOf::Counters) + 1 &&
              kUnitNames.size() == std::size_t(FigureUnit::Warps) + 1);

}  // namespace

std::string_view nameOf(OriginKind kind) { return kOriginNames[std::size_t(kind)]; }
std::string_view nameOf(FigureOf of) { return kOfNames[std::size_t(of)]; }
std::string_view nameOf(FigureUnit unit) { return kUnitNames[std::size_t(unit)]; }

namespace {

// A measured difference below this factor is noise.
constexpr double kMinFactor = 1.005;

bool isNoise(const ComparedFigure& figure) {
  if (figure.interval.left && figure.interval.right)
    return overlap(*figure.interval.left, *figure.interval.right);
  const double left = figure.value.left.value_or(0), right = figure.value.right.value_or(0);
  return figure.origin.left.kind != OriginKind::Modelled && left > 0 && right > 0 &&
         std::max(left, right) < kMinFactor * std::min(left, right);
}

}  // namespace

std::optional<Side> ComparedFigure::better() const {
  if (!sameWork || !oneOrigin || otherElements || !value.left || !value.right || !differs() || isNoise(*this))
    return std::nullopt;
  return *value.left < *value.right ? Side::Left : Side::Right;
}

std::optional<double> ComparedFigure::factor() const {
  if (facts.unit == FigureUnit::Percent || facts.unit == FigureUnit::Warps) return std::nullopt;
  if (!oneOrigin || otherElements || isNoise(*this) || !differs() || value.left.value_or(0) <= 0 ||
      value.right.value_or(0) <= 0)
    return std::nullopt;
  const double factor = std::max(*value.left, *value.right) / std::min(*value.left, *value.right);
  const bool isMeasured = origin.left.kind != OriginKind::Modelled;
  return isMeasured && factor < kMinFactor ? std::nullopt : std::optional(factor);  // "1.00" says nothing
}

namespace {

using Value = std::optional<double>;

// ---- One side's figures.

// Elements of the input for each block of the first launch; 0: there is no launch.
double blockElements(const ComparedSide& side) {
  const auto& launches = side.trace->launches;
  if (launches.empty() || launches.front().grid == 0) return 0;
  return double(launches.front().elements) / double(launches.front().grid);
}

LaneCounts lanesOf(const ComparedSide& side) {
  if (side.shown == nullptr || side.flow == nullptr) return {};
  return countLanes(*side.shown, laneUses(*side.shown, *side.flow));
}

std::uint64_t sharedBytes(const ComparedSide& side) {
  std::uint64_t bytes = 0;
  if (side.launch >= side.trace->launches.size()) return bytes;
  for (const model::Array& array : side.trace->launches[side.launch].recorded().shared) bytes += array.bytes;
  return bytes;
}

std::uint64_t blocksOf(const model::Trace& trace) {
  return trace.launches.empty() ? 0 : trace.launches.front().grid;
}

// What went over the links in the round that is shown; nullopt: none is, or a pass alone.
std::optional<DeviceLinks> linksInRound(const ComparedSide& side) {
  if (!side.round || side.launch >= side.trace->launches.size()) return std::nullopt;
  const DeviceTraffic& traffic = side.analysis->launches[side.launch].traffic;
  if (*side.round >= traffic.rounds.size()) return DeviceLinks{};
  return linksIn(side.trace->launches[side.launch], traffic.rounds[*side.round]);
}

// ---- Both sides.

const FigureOrigin kModelled{};

// The sides differ in what executes, and in nothing else.
bool onlyTheEngineDiffers(const ComparedSide& left, const ComparedSide& right) {
  return left.trace->experiment == right.trace->experiment &&
         left.trace->kernelText == right.trace->kernelText;
}

// What is quick and wrong is no better. What was measured is not wrong because its trace is too long to be
// recorded to its end.
bool wentWrong(const ComparedSide& side, bool isMeasured) {
  const auto isFault = [&](const model::Problem& problem) {
    return !isMeasured || problem.kind != model::ProblemKind::Limit;
  };
  return model::isWrong(*side.trace) ||
         std::ranges::any_of(side.analysis->launches, [&](const LaunchAnalysis& launch) {
           return !launch.races.empty() || std::ranges::any_of(launch.problems, isFault);
         });
}

class Comparer {
 public:
  Comparer(const ComparedSide& left, const ComparedSide& right)
      : sides_{&left, &right}, sameButEngine_(onlyTheEngineDiffers(left, right)) {}

  std::vector<ComparedFigure> ofRound() {
    addRound();
    addRoundCycles();
    return std::move(figures_);
  }

  std::vector<ComparedFigure> all() {
    sums_ = {sumsOf(*sides_.left->analysis), sumsOf(*sides_.right->analysis)};
    addRound();
    addRun();
    addRoundCycles();
    addBlockCycles();
    addCounters();
    addCost();
    add(
        {"time", "time", FigureOf::Time, FigureUnit::Microseconds, SameWork::TimedElements},
        [](const ComparedSide& side) { return side.microseconds; }, &ComparedSide::timeFrom);
    giveIntervals("time", [](const ComparedSide& side) { return side.timeInterval; });
    return std::move(figures_);
  }

 private:
  template <class ValueOf>
  void add(const FigureFacts& facts, ValueOf valueOf, FigureOrigin ComparedSide::*from = nullptr) {
    const ComparedSide &left = *sides_.left, &right = *sides_.right;
    ComparedFigure figure{
        .facts = facts,
        .value = {valueOf(left), valueOf(right)},
        .origin = {from == nullptr ? kModelled : left.*from, from == nullptr ? kModelled : right.*from},
        .sameWork = hasSameWork(facts.better),
        .oneOrigin = true};
    if (!figure.value.left && !figure.value.right) return;
    figure.oneOrigin = figure.origin.left == figure.origin.right || sameButEngine_;
    const bool otherInput = left.trace->experiment.elements != right.trace->experiment.elements;
    // Blocks of as many elements each, but more of them: more launches, or more left to the last one.
    const bool isSumOfBlocks =
        facts.of == FigureOf::Run && facts.better == SameWork::BlockElements && figure.sameWork;
    figure.otherElements = (facts.of == FigureOf::Time && left.timedElements != right.timedElements) ||
                           ((facts.of == FigureOf::Cost || isSumOfBlocks) && otherInput);
    figures_.push_back(std::move(figure));
  }

  // To the figure that was added last, if it has that name.
  template <class IntervalOf>
  void giveIntervals(std::string_view name, IntervalOf intervalOf) {
    if (figures_.empty() || figures_.back().facts.name != name) return;
    figures_.back().interval = {intervalOf(*sides_.left), intervalOf(*sides_.right)};
  }

  bool hasSameWork(SameWork work) const {
    const ComparedSide &left = *sides_.left, &right = *sides_.right;
    const bool haveRound = left.shown != nullptr && right.shown != nullptr;
    const bool isMeasured = work == SameWork::TimedElements || work == SameWork::Input;
    if (work != SameWork::Fault && (wentWrong(left, isMeasured) || wentWrong(right, isMeasured)))
      return false;
    switch (work) {
      case SameWork::Fault:
      case SameWork::Nothing:
        return true;
      case SameWork::ActiveThreads:
        return haveRound && left.shown->activeLanes == right.shown->activeLanes;
      case SameWork::IdealSectors:
        return haveRound && sumsOf(*left.shown).idealSectors == sumsOf(*right.shown).idealSectors;
      case SameWork::BlockElements:
        return blockElements(left) == blockElements(right);
      case SameWork::TimedElements:
        return left.timedElements == right.timedElements;
      case SameWork::Input:
        return left.trace->experiment.elements == right.trace->experiment.elements;
      case SameWork::NeverBetter:
        break;
    }
    return false;
  }

  // Adds a figure of the rounds that are shown.
  template <class ValueOf>
  void addOfRound(std::string_view name, std::string_view title, SameWork better, ValueOf valueOf,
                  bool detail = false) {
    add({name, title, FigureOf::Round, FigureUnit::Count, better, detail}, [&](const ComparedSide& side) {
      return side.shown == nullptr ? std::nullopt : Value(valueOf(*side.shown));
    });
  }

  bool anyRound(bool (*has)(const Round& round)) const {
    return (sides_.left->shown != nullptr && has(*sides_.left->shown)) ||
           (sides_.right->shown != nullptr && has(*sides_.right->shown));
  }

  void addRound() {
    using enum SameWork;
    const auto ofSums = [](unsigned RoundSums::*sum) {
      return [sum](const Round& round) { return double(sumsOf(round).*sum); };
    };
    add({"highest_way", "highest conflict, ways", FigureOf::Round, FigureUnit::Count, Nothing},
        [](const ComparedSide& side) {
          const RoundSums sums = side.shown == nullptr ? RoundSums() : sumsOf(*side.shown);
          return sums.requests == 0 ? std::nullopt : Value(sums.way);
        });
    addOfRound("wavefronts", "wavefronts", ActiveThreads, ofSums(&RoundSums::wavefronts));
    addOfRound(
        "bank_conflicts", "bank conflicts", Nothing,
        [](const Round& round) {
          const RoundSums sums = sumsOf(round);
          return double(sums.wavefronts - sums.ideal);
        },
        true);
    addOfRound("shared_requests", "requests to shared memory", ActiveThreads, ofSums(&RoundSums::requests),
               true);
    addOfRound("active_threads", "active threads", NeverBetter,
               [](const Round& round) { return double(round.activeLanes); });
    addUsedLanes();
    addOfRound("working_warps", "working warps", ActiveThreads,
               [](const Round& round) { return double(round.activeWarps); });
    addOfRound("partial_warps", "partial warps", ActiveThreads,
               [](const Round& round) { return double(round.partialWarps); });
    if (knowBranches())
      addOfRound("divergent_branches", "divergent branches in source", ActiveThreads,
                 [](const Round& round) { return double(round.divergentBranches.value_or(0)); });
    if (anyRound([](const Round& round) { return sumsOf(round).sectors > 0; })) {
      addOfRound("sectors", "sectors of device memory", IdealSectors, ofSums(&RoundSums::sectors));
      addOfRound("ideal_sectors", "ideal sectors", NeverBetter, ofSums(&RoundSums::idealSectors), true);
    }
    addLinks(FigureOf::Round, "link_bytes", "highest_link_bytes", linksInRound);
    if (anyRound([](const Round& round) { return round.passes > 1; }))
      addOfRound("passes", "passes", NeverBetter, [](const Round& round) { return double(round.passes); });
  }

  // Where a side has several devices: all links together, and the one that carries most.
  template <class LinksOf>
  void addLinks(FigureOf of, std::string_view all, std::string_view highest, LinksOf linksOfSide) {
    const auto haveLinks = [](const ComparedSide& side) {
      return linksOf(*side.trace, *side.analysis).devices > 1;
    };
    if (!haveLinks(*sides_.left) && !haveLinks(*sides_.right)) return;
    const auto sum = [&](auto each) {
      return [=](const ComparedSide& side) {
        const std::optional<DeviceLinks> links = linksOfSide(side);
        return links ? Value(double(((*links).*each)())) : std::nullopt;
      };
    };
    using enum SameWork;
    add({all, "bytes over links between GPUs", of, FigureUnit::Bytes}, sum(&DeviceLinks::all));
    add({highest, "bytes over the busiest link", of, FigureUnit::Bytes, NeverBetter, true},
        sum(&DeviceLinks::highest));
  }

  bool knowBranches() const {
    return !anyRound([](const Round& round) { return !round.divergentBranches; });
  }

  // Where lanes only take part on one of the sides.
  void addUsedLanes() {
    const BothSides<LaneCounts> lanes{lanesOf(*sides_.left), lanesOf(*sides_.right)};
    if (lanes.left.used == lanes.left.active() && lanes.right.used == lanes.right.active()) return;
    add({"used_lanes", "threads whose result is used", FigureOf::Round}, [&](const ComparedSide& side) {
      return side.shown == nullptr ? std::nullopt
                                   : Value((&side == sides_.left ? lanes.left : lanes.right).used);
    });
  }

  template <class ValueOf>
  void addOfRun(std::string_view name, std::string_view title, SameWork better, ValueOf valueOf,
                FigureUnit unit = FigureUnit::Count) {
    add({name, title, FigureOf::Run, unit, better},
        [&](const ComparedSide& side) { return Value(double(valueOf(side))); });
  }

  const RunSums& sums(const ComparedSide& side) const {
    return &side == sides_.left ? sums_.left : sums_.right;
  }

  void addSum(std::string_view name, std::string_view title, SameWork better, std::uint64_t RunSums::*sum) {
    addOfRun(name, title, better, [&](const ComparedSide& side) { return sums(side).*sum; });
  }
  // One that is worth a line only where it is not 0 on both sides.
  void addRareSum(std::string_view name, std::string_view title, SameWork better,
                  std::uint64_t RunSums::*sum) {
    if (sums_.left.*sum > 0 || sums_.right.*sum > 0) addSum(name, title, better, sum);
  }

  void addRun() {
    using enum SameWork;
    if (sums_.left.inMixedRounds + sums_.right.inMixedRounds == 0)  // which have strides, too
      addRareSum("wavefronts_in_strides", "wavefronts in strides", BlockElements, &RunSums::inStrides);
    addSum("all_wavefronts", "wavefronts", BlockElements, &RunSums::wavefronts);
    addSum("all_bank_conflicts", "bank conflicts", BlockElements, &RunSums::conflicts);
    if (!hasSameWork(BlockElements))
      addOfRun(
          "wavefronts_per_element", "wavefronts per element", Nothing,
          [&](const ComparedSide& side) {
            const double elements = blockElements(side);
            return elements > 0 ? double(sums(side).wavefronts) / elements : 0;
          },
          FigureUnit::PerElement);
    addSum("all_sectors", "sectors of device memory", BlockElements, &RunSums::sectors);
    addSum("warp_rounds", "working warps, summed", BlockElements, &RunSums::workingWarps);
    addSum("partial_warp_rounds", "partial warps, summed", BlockElements, &RunSums::partialWarps);
    if (knowBranches())
      addSum("all_divergent_branches", "divergent branches in source", BlockElements,
             &RunSums::divergentBranches);
    addSum("rounds", "rounds", NeverBetter, &RunSums::rounds);
    addSum("block_barriers", "block barriers", BlockElements, &RunSums::blockBarriers);
    addRareSum("warp_barriers", "warp barriers", NeverBetter, &RunSums::warpBarriers);
    addOfRun("launches", "launches", Input,
             [](const ComparedSide& side) { return side.trace->launches.size(); });
    addOfRun("blocks", "blocks of the first launch", NeverBetter,
             [](const ComparedSide& side) { return blocksOf(*side.trace); });
    // A person's own kernel has arrays, and none of them is the input.
    if (blockElements(*sides_.left) > 0 || blockElements(*sides_.right) > 0)
      addOfRun("block_elements", "elements per block", NeverBetter, blockElements);
    addOfRun("shared_bytes", "shared memory per block", NeverBetter, sharedBytes, FigureUnit::Bytes);
    addLinks(FigureOf::Run, "all_link_bytes", "highest_all_link_bytes",
             [](const ComparedSide& side) { return linksOf(*side.trace, *side.analysis); });
    addRareSum("races", "races", Fault, &RunSums::races);
    addRareSum("problems", "problems", Fault, &RunSums::problems);
  }

  static FigureFacts cyclesFacts(std::string_view name, std::string_view title, SameWork better,
                                 bool detail = false) {
    return {name, title, FigureOf::Cycles, FigureUnit::Cycles, better, detail};
  }

  // Where one side has nothing measured of a kind, one figure says so for all.
  template <class Pointer>
  bool bothHave(Pointer ComparedSide::*measured) const {
    return sides_.left->*measured != nullptr && sides_.right->*measured != nullptr;
  }

  void addRoundCycles() {
    if (!bothHave(&ComparedSide::cycles)) return;
    const auto in = [](const RoundCycles LaunchCycles::*company) {
      return [company](const ComparedSide& side) -> Value {
        if (side.cycles == nullptr || !side.round) return std::nullopt;
        const Cycles* const cycles = (side.cycles->*company).at(*side.round);
        return cycles == nullptr ? std::nullopt : Value(double(cycles->median));
      };
    };
    add(cyclesFacts("round_cycles", "this round alone", SameWork::ActiveThreads), in(&LaunchCycles::alone),
        &ComparedSide::cyclesFrom);
    add(cyclesFacts("round_cycles_in_grid", "this round in a full grid", SameWork::ActiveThreads, true),
        in(&LaunchCycles::inGrid), &ComparedSide::cyclesFrom);
  }

  void addBlockCycles() {
    const auto in = [](const RoundCycles LaunchCycles::*company) {
      return [company](const ComparedSide& side) -> Value {
        if (side.cycles == nullptr || (side.cycles->*company).block.median == 0) return std::nullopt;
        return double((side.cycles->*company).block.median);
      };
    };
    add(cyclesFacts("block_cycles", "all rounds alone", SameWork::BlockElements), in(&LaunchCycles::alone),
        &ComparedSide::cyclesFrom);
    if (!bothHave(&ComparedSide::cycles)) return;
    add(cyclesFacts("block_cycles_in_grid", "all rounds in a full grid", SameWork::BlockElements),
        in(&LaunchCycles::inGrid), &ComparedSide::cyclesFrom);
  }

  static SameWork betterOf(model::Counter counter) {
    using enum model::Counter;
    switch (counter) {
      case SharedLoadWavefronts:
      case SharedStoreWavefronts:
      case SharedLoadConflicts:
      case SharedStoreConflicts:
      case Instructions:
      case ThreadInstructions:
      case Branches:
      case DivergentBranchTargets:
        return SameWork::Input;
      default:
        // A share or an average: less of one may be more of another. Bytes of DRAM: what L2 has of the input
        // is not among them, and what earlier kernels left in it is.
        return SameWork::NeverBetter;
    }
  }

  static FigureUnit unitOf(model::CounterUnit unit) {
    switch (unit) {
      case model::CounterUnit::Count:
        return FigureUnit::Count;
      case model::CounterUnit::Bytes:
        return FigureUnit::Bytes;
      case model::CounterUnit::Percent:
        return FigureUnit::Percent;
      case model::CounterUnit::Warps:
        break;
    }
    return FigureUnit::Warps;
  }

  // Adds the counters of loads and of stores together.
  void addBothCounters(std::string_view name, std::string_view title, model::Counter loads,
                       model::Counter stores) {
    add(
        {name, title, FigureOf::Counters, FigureUnit::Count, SameWork::Input},
        [=](const ComparedSide& side) -> Value {
          if (side.counters == nullptr) return std::nullopt;
          const Value ofLoads = side.counters->find(loads), ofStores = side.counters->find(stores);
          return ofLoads && ofStores ? Value(*ofLoads + *ofStores) : std::nullopt;
        },
        &ComparedSide::countersFrom);
  }

  static bool isDetail(model::Counter counter) {
    return counter != model::Counter::Instructions && counter != model::Counter::DivergentBranchTargets &&
           counter != model::Counter::DramReadBytes;
  }

  void addCounters() {
    using enum model::Counter;
    if (bothHave(&ComparedSide::counters)) {
      addBothCounters("shared_wavefronts", "shared-memory wavefronts", SharedLoadWavefronts,
                      SharedStoreWavefronts);
      addBothCounters("shared_conflicts", "bank conflicts", SharedLoadConflicts, SharedStoreConflicts);
    }
    for (const model::CounterFacts& counter : model::counterFacts())
      if (counter.counter == model::Counter::Instructions || bothHave(&ComparedSide::counters))
        add(
            {counter.id, counter.title, FigureOf::Counters, unitOf(counter.unit), betterOf(counter.counter),
             isDetail(counter.counter)},
            [&](const ComparedSide& side) {
              return side.counters == nullptr ? std::nullopt : side.counters->find(counter.counter);
            },
            &ComparedSide::countersFrom);
  }

  void addCost() {
    const auto of = [](double model::CostRecord::*part) {
      return [part](const ComparedSide& side) {
        return side.cost == nullptr ? std::nullopt : Value(side.cost->*part);
      };
    };
    if (!timesSayTheSame())
      add({"reduction_time", "the whole reduction", FigureOf::Cost, FigureUnit::Microseconds,
           SameWork::Input},
          of(&model::CostRecord::microseconds), &ComparedSide::costFrom);
    giveIntervals("reduction_time", [](const ComparedSide& side) -> std::optional<MedianInterval> {
      return side.cost == nullptr ? std::nullopt : std::optional(medianInterval(*side.cost));
    });
    if (bothHave(&ComparedSide::cost) && !bothHave(&ComparedSide::prices))  // which have the grid's price
      add({"empty_grid_time", "grids that do nothing", FigureOf::Cost, FigureUnit::Microseconds,
           SameWork::NeverBetter, true},
          of(&model::CostRecord::emptyMicroseconds), &ComparedSide::costFrom);
  }

  // Two series of one time would be no news, and may differ by their spread.
  bool timesSayTheSame() const {
    const auto isTimed = [](const ComparedSide& side) {
      return side.microseconds && side.timedElements == side.trace->experiment.elements;
    };
    return isTimed(*sides_.left) && isTimed(*sides_.right);
  }

  BothSides<const ComparedSide*> sides_;
  bool sameButEngine_;
  BothSides<RunSums> sums_;
  std::vector<ComparedFigure> figures_;
};

}  // namespace

std::vector<ComparedFigure> compareRuns(const ComparedSide& left, const ComparedSide& right) {
  return Comparer(left, right).all();
}

std::vector<ComparedFigure> compareRounds(const ComparedSide& left, const ComparedSide& right) {
  return Comparer(left, right).ofRound();
}

}  // namespace stridescope::analysis
