#include "site_naming.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace stridescope::engine::access {
namespace {

// Instructions at one place of the text that may be one access of it.
constexpr std::size_t kMostJoined = 64;

class SiteNamer {
 public:
  SiteNamer(const AccessRecorder& recorder, const DebugInfo& info, const NamedText& text)
      : recorder_(recorder), info_(info), text_(text) {}

  // Where a text has recording calls, those places alone that problems name have sites here.
  void nameFailed(AccessRecord& record) const {
    const std::uint32_t first = recorder_.firstPlace();
    std::map<int, int> idOf;  // by number
    const auto siteOf = [&](int number) {
      const auto [found, isNew] = idOf.try_emplace(number, int(first + record.sites.size()));
      if (!isNew) return found->second;
      const CalledPlaces::Place& place = recorder_.places().all()[std::size_t(number) - first];
      const TextPlace* const at =
          info_.placeOf(reinterpret_cast<std::uint64_t>(place.address) - text_.base - 1);
      const bool isOfText = at != nullptr && at->file == text_.file;
      // The column is that of the text with its calls.
      record.sites.push_back({.id = found->second,
                              .kind = recording::SiteKind::Load,  // nothing is told of it but its place
                              .line = isOfText ? std::max(1, at->line) : 1,
                              .column = isOfText ? std::max(0, at->column) : 0,
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
    for (std::uint32_t site = 0; site < first; ++site) {
      if (recorder_.handsOver(site)) record.handingOver.push_back(int(site));
      if (recorder_.isAtomic(site)) record.atomic.push_back(int(site));
    }
  }

  void name(AccessRecord& record) const {
    const auto& places = recorder_.places().all();
    std::vector<Named> named(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      named[i] = {.place = std::uint32_t(i),
                  .address = reinterpret_cast<std::uint64_t>(places[i].address) - text_.base};
      const TextPlace* const at = info_.placeOf(named[i].address - 1);  // within the call
      if (at != nullptr && at->file == text_.file) {
        named[i].line = at->line;
        named[i].column = at->column;
      } else if (at != nullptr) {
        named[i].file = at->file;
        named[i].lineInFile = at->line;
      }
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
    std::vector<std::uint32_t> idOf(places.size());
    for (const Named& site : named) {
      if (sameAs[site.place] != site.place) continue;
      const auto id = std::uint32_t(record.sites.size());
      idOf[site.place] = id;
      record.sites.push_back({.id = int(id),
                              .kind = places[site.place].kind,
                              .line = std::max({1, site.line, site.lineInFile}),
                              .column = std::max(1, site.column),
                              .length = 0,
                              .statement = site.line,
                              .loops = {},
                              .text = {}});
      record.branches.push_back(places[site.place].branch);
      record.files.push_back(site.file);
    }
    std::erase_if(named, [&](const Named& site) { return sameAs[site.place] != site.place; });
    nameFunctions(named, record);
    for (std::size_t place = 0; place < places.size(); ++place) {
      idOf[place] = idOf[sameAs[place]];
      recording::Site& site = record.sites[idOf[place]];
      site.handsOver = site.handsOver || recorder_.handsOver(std::uint32_t(place));
      site.isAtomic = site.isAtomic || recorder_.isAtomic(std::uint32_t(place));
    }
    for (model::LaunchTrace& launch : record.launches)
      for (model::BlockTrace& block : launch.blocks) rename(block, idOf);
    record.hasMoreSites = recorder_.places().isFull();
  }

 private:
  struct Named {
    std::uint32_t place = 0;
    int line = 0, column = 0;
    std::string file{};  // another than the text, and the line there
    int lineInFile = 0;
    std::uint64_t address = 0;
    int functionLine = 0;
    std::uint64_t function = 0;  // where its code begins
  };

  // The functions with sites, and those that lead to them, in the order of the text, and their calls.
  // `named`: the sites by their ids. Nothing where one of them was called by what is not recorded, such as a
  // function of CUDA's headers.
  void nameFunctions(const std::vector<Named>& named, AccessRecord& record) const {
    struct Call {
      const FunctionCode* caller = nullptr;
      const FunctionCode* callee = nullptr;
      std::uint64_t address = 0;  // within the call
    };
    std::vector<Call> calls;
    const FunctionCode* kernel = nullptr;
    for (const auto& [behind, within] : recorder_.calls()) {
      const Call call{.caller = info_.functionOf(behind - text_.base - 1),
                      .callee = info_.functionOf(within - text_.base),
                      .address = behind - text_.base - 1};
      if (call.callee == nullptr) continue;
      if (!text_.kernels.contains(call.callee->begin + text_.base)) {
        calls.push_back(call);
        continue;
      }
      if (kernel != nullptr && kernel != call.callee) return;  // whose site is where depends on the launch
      kernel = call.callee;
    }
    if (kernel == nullptr) return;

    const auto isBefore = [](const FunctionCode* a, const FunctionCode* b) {
      return std::tie(a->line, a->begin) < std::tie(b->line, b->begin);
    };
    std::set<const FunctionCode*, decltype(isBefore)> functions({kernel}, isBefore);
    for (const Named& site : named) {
      const FunctionCode* const function = info_.functionOf(site.address - 1);
      if (function == nullptr) return;
      functions.insert(function);
    }
    for (std::size_t before = 0; before != functions.size();) {
      before = functions.size();
      for (const Call& call : calls)
        if (functions.contains(call.callee) && call.caller != nullptr) functions.insert(call.caller);
    }
    const std::vector<const FunctionCode*> all(functions.begin(), functions.end());
    const auto indexOf = [&](const FunctionCode* function) {
      return int(std::ranges::find(all, function) - all.begin());
    };
    for (const FunctionCode* const function : all) {
      const auto isCall = [&](const Call& call) { return call.callee == function; };
      if (function != kernel && std::ranges::none_of(calls, isCall)) return;
      record.functions.push_back(
          {.name = function->name, .isKernel = function == kernel, .line = std::max(1, function->line)});
    }
    for (const Named& site : named)
      record.functionOfSite.push_back(indexOf(info_.functionOf(site.address - 1)));
    for (const Call& call : calls) {
      if (!functions.contains(call.callee)) continue;
      const auto isEarlier = [&](const Named& site) {
        return std::tuple(site.functionLine, site.function, site.address) <=
               std::tuple(call.caller->line, call.caller->begin, call.address);
      };
      AccessCall& kept = record.calls.emplace_back();
      kept.call = {.caller = indexOf(call.caller),
                   .callee = indexOf(call.callee),
                   .sitesBefore = int(std::ranges::count_if(named, isEarlier))};
      if (const TextPlace* const at = info_.placeOf(call.address); at != nullptr && at->file == text_.file)
        kept.line = at->line, kept.column = at->column;
    }
    std::ranges::sort(record.calls, {}, [](const AccessCall& call) {
      return std::pair(call.call.sitesBefore, call.call.callee);
    });
  }

  // By place, the one whose site it shares: `a[i] = c ? x : y` is one store of the text, for which the
  // compiler has one in each branch. Those are of one kind, at one place of the text, and no thread comes to
  // both between two block barriers. `named` is sorted. Where very many places have one place of the text, as
  // behind the last column that the compiler tells, they are no branches of one expression, and none is
  // joined.
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
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;  // by group
    for (const Named& site : named) members[groupOf[site.place]].push_back(site.place);
    std::erase_if(members, [](const auto& group) {
      return group.second.size() < 2 || group.second.size() > kMostJoined;
    });
    std::vector<bool> mayJoin(places.size());
    for (const auto& [group, its] : members) mayJoin[group] = true;
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
          if (!mayJoin[groupOf[event.site()]]) continue;
          auto& others = seen[groupOf[event.site()]];
          if (std::ranges::count(others, event.site()) != 0) continue;
          for (const std::uint32_t other : others)
            together.emplace(std::min(other, event.site()), std::max(other, event.site()));
          others.push_back(event.site());
        }
      }
    }
    for (const auto& [group, its] : members)
      for (std::size_t i = 1; i < its.size(); ++i) {
        const std::uint32_t place = its[i];
        for (std::size_t k = 0; k < i; ++k) {
          const std::uint32_t first = its[k];
          if (sameAs[first] != first) continue;
          const bool isFree = std::ranges::none_of(its, [&](std::uint32_t other) {
            return sameAs[other] == first &&
                   together.contains({std::min(other, place), std::max(other, place)});
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
  const NamedText& text_;
};

}  // namespace

void nameSites(const AccessRecorder& recorder, const DebugInfo& info, const NamedText& text,
               AccessRecord& record) {
  const SiteNamer namer(recorder, info, text);
  recorder.isRecorded() ? namer.nameFailed(record) : namer.name(record);
}

}  // namespace stridescope::engine::access
