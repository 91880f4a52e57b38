#include "site_naming.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace stridescope::engine::access {
namespace {

class SiteNamer {
 public:
  SiteNamer(const AccessRecorder& recorder, const DebugInfo& info, std::uint64_t base,
            const std::string& textFile)
      : recorder_(recorder), info_(info), base_(base), textFile_(textFile) {}

  // Of a text with recording calls, those places alone that problems name have sites here.
  void nameFailed(AccessRecord& record) const {
    const std::uint32_t first = recorder_.firstPlace();
    std::map<int, int> idOf;  // by number
    const auto siteOf = [&](int number) {
      const auto [found, isNew] = idOf.try_emplace(number, int(first + record.sites.size()));
      if (!isNew) return found->second;
      const CalledPlaces::Place& place = recorder_.places().all()[std::size_t(number) - first];
      const TextPlace* const at = info_.placeOf(reinterpret_cast<std::uint64_t>(place.address) - base_ - 1);
      const bool isOfText = at != nullptr && at->file == textFile_;
      // The columns are those of the text with its calls, which nobody sees.
      record.sites.push_back({.id = found->second,
                              .kind = recording::SiteKind::Load,  // nothing is told of it but its line
                              .line = isOfText ? std::max(1, at->line) : 1,
                              .column = 1,
                              .length = 0,
                              .statement = isOfText ? at->line : 1,
                              .loops = {},
                              .text = {}});
      return found->second;
    };
    for (model::LaunchTrace& launch : record.launches)
      for (model::BlockTrace& block : launch.blocks)
        for (model::Problem& problem : block.problems)
          if (problem.site >= int(first)) problem.site = siteOf(problem.site);
    if (record.unseen >= int(first)) record.unseen = siteOf(record.unseen);
  }

  void name(AccessRecord& record) const {
    const auto& places = recorder_.places().all();
    std::vector<Named> named(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      named[i] = {.place = std::uint32_t(i),
                  .address = reinterpret_cast<std::uint64_t>(places[i].address) - base_};
      const TextPlace* const at = info_.placeOf(named[i].address - 1);  // within the call
      if (at != nullptr && at->file == textFile_) named[i].line = at->line, named[i].column = at->column;
      if (const FunctionCode* const function = info_.functionOf(named[i].address - 1)) {
        named[i].functionLine = function->line;
        named[i].function = function->begin;
      }
    }
    // In the order of evaluation, which within a function is that of its code; functions as they stand in the
    // text.
    std::ranges::sort(named, {}, [](const Named& site) {
      return std::tuple(site.functionLine, site.function, site.address);
    });
    const std::vector<std::uint32_t> sameAs = joined(named, record);
    record.isOfOneFunction = std::ranges::all_of(
        named, [&](const Named& site) { return site.function == named.front().function; });
    std::vector<std::uint32_t> idOf(places.size());
    for (const Named& site : named) {
      if (sameAs[site.place] != site.place) continue;
      const auto id = std::uint32_t(record.sites.size());
      idOf[site.place] = id;
      record.sites.push_back({.id = int(id),
                              .kind = places[site.place].kind,
                              .line = std::max(1, site.line),
                              .column = std::max(1, site.column),
                              .length = 0,
                              .statement = site.line,
                              .loops = {},
                              .text = {}});
      record.branches.push_back(places[site.place].branch);
    }
    for (std::size_t place = 0; place < places.size(); ++place) idOf[place] = idOf[sameAs[place]];
    for (model::LaunchTrace& launch : record.launches)
      for (model::BlockTrace& block : launch.blocks) rename(block, idOf);
    record.hasMoreSites = recorder_.places().isFull();
  }

 private:
  struct Named {
    std::uint32_t place = 0;
    int line = 0, column = 0;
    std::uint64_t address = 0;
    int functionLine = 0;
    std::uint64_t function = 0;  // where its code begins
  };

  // By place, the one whose site it shares: `a[i] = c ? x : y` is one store of the text, for which the
  // compiler has one in each branch. Those are of one kind, at one place of the text, and no thread comes to
  // both between two block barriers. `named` is sorted.
  std::vector<std::uint32_t> joined(const std::vector<Named>& named, const AccessRecord& record) const {
    const auto& places = recorder_.places().all();
    std::vector<std::uint32_t> groupOf(places.size()), sameAs(places.size());
    std::map<std::tuple<int, int, recording::SiteKind>, std::uint32_t> groups;
    for (const Named& site : named) {
      sameAs[site.place] = groupOf[site.place] = site.place;
      if (site.line == 0) continue;  // not of the text
      const auto key = std::tuple(site.line, site.column, places[site.place].kind);
      groupOf[site.place] = groups.try_emplace(key, site.place).first->second;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> together;
    std::map<std::uint32_t, std::vector<std::uint32_t>> seen;  // by group, of one thread between two barriers
    std::vector<const model::BlockTrace*> blocks;
    for (const model::LaunchTrace& launch : record.launches)
      for (const model::BlockTrace& block : launch.blocks) blocks.push_back(&block);
    for (const model::BlockTrace* const recorded : blocks) {
      const model::BlockTrace& block = *recorded;
      for (std::size_t thread = 0; thread + 1 < block.first.size(); ++thread) {
        seen.clear();
        for (const model::Event& event : block.eventsOf(thread)) {
          if (event.secondHalf()) continue;
          if (event.kind() == model::EventKind::BlockBarrier) seen.clear();
          auto& others = seen[groupOf[event.site()]];
          if (std::ranges::count(others, event.site()) != 0) continue;
          for (const std::uint32_t other : others)
            together.emplace(std::min(other, event.site()), std::max(other, event.site()));
          others.push_back(event.site());
        }
      }
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      const std::uint32_t place = named[i].place;
      for (std::size_t k = 0; k < i; ++k) {
        const std::uint32_t first = named[k].place;
        if (sameAs[first] != first || groupOf[first] != groupOf[place]) continue;
        const bool isFree = std::ranges::none_of(named, [&](const Named& other) {
          return sameAs[other.place] == first &&
                 together.contains({std::min(other.place, place), std::max(other.place, place)});
        });
        if (!isFree) continue;
        sameAs[place] = first;
        break;
      }
    }
    return sameAs;
  }

  static void rename(model::BlockTrace& block, const std::vector<std::uint32_t>& idOf) {
    auto& events = block.events;
    for (model::Event& event : events)
      if (!event.secondHalf()) setSite(event, idOf);
    // The upper half of 16 bytes names the site of the lower one.
    for (std::size_t i = 1; i < events.size(); ++i)
      if (events[i].secondHalf()) events[i].head = (events[i - 1].head + 8) | 1ull << 63;
    for (auto& copy : block.copied) setSite(copy.event, idOf);
    for (model::Problem& problem : block.problems)
      if (problem.site >= 0 && std::size_t(problem.site) < idOf.size())
        problem.site = int(idOf[std::size_t(problem.site)]);
  }

  static void setSite(model::Event& event, const std::vector<std::uint32_t>& idOf) {
    constexpr std::uint64_t kSiteBits = std::uint64_t(0xfff) << 40;
    event.head = (event.head & ~kSiteBits) | std::uint64_t(idOf[event.site()]) << 40;
  }

  const AccessRecorder& recorder_;
  const DebugInfo& info_;
  std::uint64_t base_;
  const std::string& textFile_;
};

}  // namespace

void nameSites(const AccessRecorder& recorder, const DebugInfo& info, std::uint64_t base,
               const std::string& textFile, AccessRecord& record) {
  const SiteNamer namer(recorder, info, base, textFile);
  recorder.isRecorded() ? namer.nameFailed(record) : namer.name(record);
}

}  // namespace stridescope::engine::access
