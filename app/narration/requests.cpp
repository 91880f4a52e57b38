#include "narration/requests.h"

#include <algorithm>

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

}  // namespace

std::vector<NamedRequest> namedRequests(const RoundAt& at) {
  const std::vector<const analysis::Request*> list = analysis::listRequests(at.round());
  std::vector<NamedRequest> named;
  for (auto request = list.begin(); request != list.end(); ++request) {
    const auto alike = [&](const analysis::Request* other) { return other->kind == (*request)->kind; };
    std::string name(nounOf((*request)->kind));
    if (std::ranges::count_if(list, alike) > 1)
      name += " " + lettersOf(std::size_t(std::count_if(list.begin(), request, alike)));
    const std::uint32_t site = (*request)->site;
    named.push_back({std::move(name),
                     site < at.trace.sites.size() ? inOneLine(at.trace.sites[site].text) : std::string(),
                     *request});
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
