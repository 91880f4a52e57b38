#include "analysis/lost_elements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace stridescope::analysis {
namespace {

using Place = std::pair<std::uint32_t, std::uint64_t>;  // array, element
using Elements = std::set<Place>;                       // elements of the input

struct Held {
  Elements elements;
  Operand value{};
  std::size_t writtenIn = 0;
};

bool isFollowed(const LaunchAnalysis& analysis) {
  return analysis.races.empty() && std::ranges::all_of(analysis.rounds, [](const Round& round) {
           return round.passes == 1 && round.exchanges.empty();
         });
}

// What the block's elements became: all that was loaded, where it stands in shared memory, and what left it.
class Follower {
 public:
  // False: the round holds what cannot be followed.
  bool follow(std::size_t round, const RoundFlow& flow) {
    std::map<Place, Held> stored;  // threads of a round read what the rounds before left
    for (const ThreadWork& work : flow.work) {
      if (!work.result || !work.result->placed) return false;
      Elements elements;
      for (const Operand& operand : work.operands) {
        if (!operand.placed) return false;
        add(operand, elements);
      }
      if (work.result->shared)
        stored[placeOf(*work.result)] = {std::move(elements), *work.result, round};
      else
        result_.insert(elements.begin(), elements.end());
    }
    for (auto& [place, held] : stored) held_[place] = std::move(held);
    return true;
  }

  std::vector<LostValue> lost() const {
    std::map<Place, const Held*> carriers;  // for each lost element, the value that holds the most elements
    for (const Place& element : loaded_)
      if (!result_.contains(element)) carriers[element] = nullptr;
    for (const auto& [place, held] : held_)
      for (const Place& element : held.elements)
        if (const auto carrier = carriers.find(element); carrier != carriers.end())
          if (carrier->second == nullptr || carrier->second->elements.size() < held.elements.size())
            carrier->second = &held;
    std::map<const Held*, std::uint64_t> counts;
    for (const auto& [element, held] : carriers)
      if (held != nullptr) ++counts[held];
    std::vector<LostValue> values;
    for (const auto& [held, count] : counts) values.push_back({held->writtenIn + 1, held->value, count});
    std::ranges::sort(values, {}, [](const LostValue& lost) {
      return std::tuple(lost.round, lost.value.array, lost.value.element);
    });
    return values;
  }

 private:
  static Place placeOf(const Operand& operand) { return {operand.array, operand.element}; }

  void add(const Operand& operand, Elements& elements) {
    if (!operand.shared) {
      loaded_.insert(placeOf(operand));
      elements.insert(placeOf(operand));
    } else if (const auto held = held_.find(placeOf(operand)); held != held_.end()) {
      elements.insert(held->second.elements.begin(), held->second.elements.end());
    }
  }

  Elements loaded_, result_;
  std::map<Place, Held> held_;
};

}  // namespace

std::vector<LostValue> findLostValues(const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow) {
  if (!isFollowed(analysis)) return {};
  Follower follower;
  for (std::size_t round = 0; round < flow.size(); ++round)
    if (!follower.follow(round, flow[round])) return {};
  return follower.lost();
}

}  // namespace stridescope::analysis
