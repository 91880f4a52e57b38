#include "twin/requests.h"

#include <fmt/format.h>

#include <algorithm>

namespace stridescope {
namespace {

void gather(const RoundAt& at, EventKind kind, std::string_view noun, std::vector<NamedRequest>& named) {
  const auto belongs = [&](const Request& request) { return request.shared && request.kind == kind; };
  const auto number = std::ranges::count_if(at.round().requests, belongs);
  char letter = 'A';
  for (const Request& request : at.round().requests) {
    if (!belongs(request)) continue;
    NamedRequest entry{number == 1 ? std::string(noun) : fmt::format("{} {}", noun, letter), &request, {}};
    if (letter < 'Z') ++letter;
    for (std::size_t i = 0; i < at.round().operations.size(); ++i) {
      const WarpOperation& operation = at.round().operations[i];
      if (operation.site == request.site && operation.kind == kind) entry.operations.push_back(i);
    }
    named.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<NamedRequest> namedRequests(const RoundAt& at) {
  std::vector<NamedRequest> named;
  gather(at, EventKind::Load, "load", named);
  gather(at, EventKind::Store, "store", named);
  return named;
}

}  // namespace stridescope
