#include "narration/requests.h"

#include <algorithm>
#include <map>

#include "analysis/request_list.h"
#include "base/plain_text.h"

namespace stridescope::narration {
namespace {

std::string_view nounOf(model::EventKind kind) {
  return kind == model::EventKind::Load ? "load" : kind == model::EventKind::Store ? "store" : "atomic";
}

// A, B, ..., Z, AA, AB, ...
std::string lettersOf(std::size_t index) {
  std::string letters(1, char('A' + index % 26));
  for (index /= 26; index > 0; index /= 26) letters.insert(letters.begin(), char('A' + --index % 26));
  return letters;
}

// Two loads are lettered as the operands that they bring are, which is not always the order of the text.
bool loadsBBeforeA(const RoundAt& at, const std::vector<const analysis::Request*>& list) {
  std::vector<std::uint32_t> loads;
  for (const analysis::Request* request : list)
    if (request->kind == model::EventKind::Load) loads.push_back(request->site);
  const auto& work = at.flow[at.index].work;
  return loads.size() == 2 && std::ranges::any_of(work, [&](const analysis::ThreadWork& own) {
           return own.a && own.b && own.b->site == loads[0] && own.a->site == loads[1];
         });
}

}  // namespace

std::vector<NamedRequest> namedRequests(const RoundAt& at) {
  const std::vector<const analysis::Request*> list = analysis::listRequests(at.whole());
  std::map<model::EventKind, std::size_t> all, before;
  for (const analysis::Request* request : list) ++all[request->kind];
  const bool swapped = loadsBBeforeA(at, list);
  std::vector<NamedRequest> named;
  for (const analysis::Request* request : list) {
    NamedRequest& entry = named.emplace_back();
    entry.request = request;
    entry.name = nounOf(request->kind);
    const bool other = swapped && request->kind == model::EventKind::Load;
    if (all[request->kind] > 1)
      entry.name += " " + lettersOf(other ? 1 - before[request->kind]++ : before[request->kind]++);
    if (request->site >= at.trace.sites.size()) continue;
    const model::Site& site = at.trace.sites[request->site];
    entry.text = inOneLine(site.text);
    entry.line = site.line;
  }
  if (at.pass != nullptr) {  // named as in the whole round
    for (NamedRequest& entry : named) entry.request = analysis::findRequest(at.round(), *entry.request);
    std::erase_if(named, [](const NamedRequest& entry) { return entry.request == nullptr; });
  }
  return named;
}

std::vector<NamedRequest> bankRequests(const RoundAt& at) {
  std::vector<NamedRequest> named = namedRequests(at);
  std::erase_if(named, [](const NamedRequest& entry) { return !entry.request->hasWavefronts(); });
  return named;
}

std::vector<NamedRequest> deviceRequests(const RoundAt& at) {
  std::vector<NamedRequest> named = namedRequests(at);
  std::erase_if(named, [](const NamedRequest& entry) { return entry.request->shared; });
  return named;
}

}  // namespace stridescope::narration
