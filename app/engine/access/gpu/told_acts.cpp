#include "engine/access/gpu/told_acts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stridescope::engine::access::gpu {
namespace {

using patched::Entry;
using patched::EntryKind;
using Numbers = std::vector<std::size_t>;  // of entries, in order

constexpr unsigned kWarp = 32;

bool isMeeting(const Entry& entry) {
  return entry.kind == EntryKind::BlockBarrier || entry.kind == EntryKind::WarpBarrier ||
         entry.kind == EntryKind::Shuffle;
}
bool isAccess(const Entry& entry) {
  return entry.kind == EntryKind::Shared || entry.kind == EntryKind::Global;
}

std::vector<Numbers> byThread(const std::vector<Entry>& entries, unsigned threads) {
  std::vector<Numbers> all(threads);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].thread < threads) all[entries[i].thread].push_back(i);
  return all;
}

// An instruction's line is asked for once.
class Lines {
 public:
  explicit Lines(const LineOf& lineOf) : lineOf_(lineOf) {}
  int of(std::uint64_t pc) {
    const auto [found, isNew] = lines_.try_emplace(pc, 0);
    if (isNew) found->second = lineOf_(pc);
    return found->second;
  }

 private:
  const LineOf& lineOf_;
  std::map<std::uint64_t, int> lines_;
};

// Where a thread is in the loops of the text, by what their conditions told.
class Passes {
 public:
  explicit Passes(const std::vector<ToldCondition>& conditions)
      : conditions_(conditions), passes_(conditions.size()) {}

  // Where the condition is told next: in which pass of its own loop, and of those around it.
  std::vector<std::uint32_t> placeOf(std::size_t condition) const {
    std::vector<std::uint32_t> place{condition < passes_.size() ? passes_[condition] : 0};
    forEachAround(condition, [&](std::size_t loop) { place.push_back(passes_[loop]); });
    return place;
  }
  void tell(std::size_t condition, bool goesOn) {
    if (condition >= passes_.size() || !conditions_[condition].isLoop) return;
    passes_[condition] = goesOn ? passes_[condition] + 1 : 0;
    // A loop in it begins anew in each pass.
    for (std::size_t inner = 0; inner < conditions_.size(); ++inner)
      forEachAround(inner, [&](std::size_t loop) {
        if (loop == condition) passes_[inner] = 0;
      });
  }

 private:
  template <class Visit>
  void forEachAround(std::size_t condition, const Visit& visit) const {
    std::size_t steps = 0;
    for (std::size_t at = condition; at < conditions_.size() && steps < conditions_.size(); ++steps) {
      const int loop = conditions_[at].loop;
      if (loop < 0 || std::size_t(loop) >= conditions_.size()) return;
      at = std::size_t(loop);
      visit(at);
    }
  }

  const std::vector<ToldCondition>& conditions_;
  std::vector<std::uint32_t> passes_;  // by condition; 0 of those that are no loop's
};

// 8 bytes are passed by two instructions.
unsigned shufflesOf(const Entry& given) { return (given.upper >> 40 & 0xff) > 4 ? 2 : 1; }
patched::ToldExchange exchangeOf(const Entry& given) {
  return patched::ToldExchange(given.upper >> 48 & 0xff);
}

class ToldJoiner {
 public:
  ToldJoiner(const BlockEntries& recorded, const BlockEntries& telling,
             const std::vector<ToldCondition>& conditions)
      : recorded_(recorded.entries),
        telling_(telling.entries),
        texts_(conditions),
        recordedLines_(recorded.lineOf),
        tellingLines_(telling.lineOf),
        changed_(recorded.entries),
        isLeftOut_(recorded.entries.size()) {}

  // Whether each of the thread's shuffles tells: there may be others than those of told.h.
  bool tellsShuffles(const Numbers& telling) const {
    std::size_t shuffles = 0, told = 0;
    for (const std::size_t number : telling) {
      const Entry& entry = telling_[number];
      if (entry.kind == EntryKind::Shuffle) ++shuffles;
      if (entry.kind == EntryKind::Given && exchangeOf(entry) == patched::ToldExchange::Shuffle)
        told += shufflesOf(entry);
    }
    return shuffles == told;
  }

  // Whether the thread came to the same barriers and shuffles in both.
  bool take(const Numbers& recorded, const Numbers& telling, bool shufflesTell) {
    own_ = &recorded;
    next_ = 0;
    meetings_ = 0;
    met_ = 0;
    given_.reset();
    timesAt_.clear();
    Passes passes(texts_);
    for (const std::size_t number : telling) {
      const Entry& entry = telling_[number];
      // The GPU's compiler moves a shuffle before the store that tells what is given, but not behind the one
      // that tells what was received.
      const bool isMet = isMeeting(entry) && !(shufflesTell && entry.kind == EntryKind::Shuffle);
      if (isMet) {
        if (!meet(entry.kind)) return false;
      } else if (isAccess(entry)) {
        follow(entry);
      } else if (entry.kind == EntryKind::Condition) {
        takeCondition(entry, passes);
      } else if (entry.kind == EntryKind::Given) {
        given_ = entry;
      } else if (entry.kind == EntryKind::Received && given_) {
        if (!receive(entry, shufflesTell)) return false;
        given_.reset();
      }
    }
    return nextMeeting() == own_->size();
  }

  std::vector<Entry> together() {
    for (auto& [place, conditions] : conditions_) insertInOrder(conditions);
    std::ranges::stable_sort(inserted_, {}, &std::pair<std::size_t, Entry>::first);
    std::vector<Entry> all;
    all.reserve(changed_.size() + inserted_.size());
    auto next = inserted_.begin();
    for (std::size_t i = 0; i <= changed_.size(); ++i) {
      for (; next != inserted_.end() && next->first == i; ++next) all.push_back(next->second);
      if (i < changed_.size() && !isLeftOut_[i]) all.push_back(changed_[i]);
    }
    return all;
  }

 private:
  std::size_t nextMeeting() const {
    std::size_t at = next_;
    while (at < own_->size() && !isMeeting(recorded_[(*own_)[at]])) ++at;
    return at;
  }

  bool meet(EntryKind kind) {
    const std::size_t at = nextMeeting();
    if (at == own_->size() || recorded_[(*own_)[at]].kind != kind) return false;
    next_ = at + 1;
    met_ = (*own_)[at] + 1;
    ++meetings_;
    return true;
  }

  // The recorded run's same access, if the thread has not come to it yet.
  void follow(const Entry& access) {
    constexpr std::size_t kLooksAhead = 256;
    const std::size_t end = std::min(nextMeeting(), next_ + kLooksAhead);
    for (std::size_t at = next_; at < end; ++at) {
      const Entry& own = recorded_[(*own_)[at]];
      if (own.kind != access.kind || own.access != access.access || own.address != access.address ||
          recordedLines_.of(own.pc) != tellingLines_.of(access.pc))
        continue;
      next_ = at + 1;
      return;
    }
  }

  void takeCondition(const Entry& entry, Passes& passes) {
    const std::size_t number = entry.value >> 1;
    const bool isMet = (entry.value & 1) != 0;
    std::vector<std::uint32_t> place = passes.placeOf(number);
    place.push_back(std::uint32_t(number));
    place.push_back(meetings_);
    passes.tell(number, isMet);
    place.push_back(timesAt_[place]++);  // of a function that is called again
    Entry told = entry;
    told.pc = kConditionMark | number;
    told.value = isMet ? 1 : 0;
    told.together = places_.try_emplace(std::move(place), std::uint32_t(places_.size())).first->second;
    const std::size_t end = nextMeeting();
    auto& lane = conditions_[{entry.thread / kWarp, meetings_}].lanes[entry.thread % kWarp];
    lane.begin = met_;
    lane.end = end == own_->size() ? recorded_.size() : (*own_)[end];
    lane.told.push_back(told);
  }

  // What the lanes of a warp tell between the same number of meetings.
  struct Conditions {
    struct Lane {
      std::size_t begin = 0, end = 0;  // between which of the recorded entries
      std::vector<Entry> told{};
      std::size_t next = 0;  // of these
      const Entry* current() const { return next < told.size() ? &told[next] : nullptr; }
    };
    std::map<unsigned, Lane> lanes{};
  };

  // In an order in which each lane's conditions are in its own, and which has those that lanes come to
  // together at one place.
  void insertInOrder(Conditions& conditions) {
    auto& lanes = conditions.lanes;
    std::map<std::uint32_t, unsigned> awaited;  // by place, the lanes that come to it
    std::size_t begin = 0, end = recorded_.size();
    for (const auto& [number, lane] : lanes) {
      for (const Entry& told : lane.told) ++awaited[told.together];
      begin = std::max(begin, lane.begin);
      end = std::min(end, lane.end);
    }
    const auto comingTo = [&](std::uint32_t place) {
      return unsigned(std::ranges::count_if(lanes, [&](const auto& each) {
        const Entry* const told = each.second.current();
        return told != nullptr && told->together == place;
      }));
    };
    while (true) {
      std::optional<std::uint32_t> place;  // to which all have come, or else any
      for (const auto& [number, lane] : lanes) {
        const Entry* const told = lane.current();
        if (told == nullptr) continue;
        if (!place) place = told->together;
        if (comingTo(told->together) != awaited[told->together]) continue;
        place = told->together;
        break;
      }
      if (!place) return;
      for (auto& [number, lane] : lanes) {
        const Entry* const told = lane.current();
        if (told == nullptr || told->together != *place) continue;
        inserted_.emplace_back(begin <= end ? begin : lane.begin, *told);
        ++lane.next;
      }
    }
  }

  // False: the recorded run has no such shuffle there.
  bool receive(const Entry& received, bool shufflesTell) {
    const auto about = std::uint32_t(given_->upper >> 32);
    Entry told = received;
    told.kind = EntryKind::Exchange;
    told.access = patched::U8(exchangeOf(*given_));
    told.bytes = patched::U8(about >> 8);
    told.address = (given_->upper & 0xffffffff) | std::uint64_t(about & 0xff) << 32;
    told.upper = given_->value;
    told.isValueKnown = 1;
    if (exchangeOf(*given_) != patched::ToldExchange::Shuffle) {
      told.pc = kTellingMark | received.pc;
      insert(told);
      return true;
    }
    if (!shufflesTell) return true;
    for (unsigned i = 0; i < shufflesOf(*given_); ++i) {
      if (!meet(EntryKind::Shuffle)) return false;
      const std::size_t at = (*own_)[next_ - 1];
      isLeftOut_[at] = i > 0;
      if (i > 0) continue;
      told.pc = recorded_[at].pc;
      told.together = recorded_[at].together;
      changed_[at] = told;
    }
    return true;
  }

  void insert(const Entry& told) {
    inserted_.emplace_back(next_ < own_->size() ? (*own_)[next_] : recorded_.size(), told);
  }

  const std::vector<Entry>& recorded_;
  const std::vector<Entry>& telling_;
  const std::vector<ToldCondition>& texts_;
  Lines recordedLines_, tellingLines_;
  std::vector<Entry> changed_;
  std::vector<bool> isLeftOut_;
  std::vector<std::pair<std::size_t, Entry>> inserted_;         // before which of the recorded entries
  std::map<std::vector<std::uint32_t>, std::uint32_t> places_;  // of conditions, in passes of loops
  std::map<std::pair<unsigned, std::uint32_t>, Conditions> conditions_;  // by warp and meetings before

  // The thread whose entries are taken has these.
  const Numbers* own_ = nullptr;
  std::size_t next_ = 0;  // of own_: how far it has come
  std::uint32_t meetings_ = 0;
  std::size_t met_ = 0;  // the recorded entry behind the last of them
  std::optional<Entry> given_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> timesAt_;
};

}  // namespace

std::optional<std::vector<Entry>> withTold(const BlockEntries& recorded, const BlockEntries& telling,
                                           unsigned threads, const std::vector<ToldCondition>& conditions) {
  ToldJoiner joiner(recorded, telling, conditions);
  const std::vector<Numbers> own = byThread(recorded.entries, threads),
                             told = byThread(telling.entries, threads);
  const bool shufflesTell =
      std::ranges::all_of(told, [&](const Numbers& thread) { return joiner.tellsShuffles(thread); });
  for (unsigned thread = 0; thread < threads; ++thread)
    if (!joiner.take(own[thread], told[thread], shufflesTell)) return std::nullopt;
  return joiner.together();
}

}  // namespace stridescope::engine::access::gpu
