#include "narration/requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::narration {
namespace {

void gather(const RoundAt& at, model::EventKind kind, bool shared, std::string_view noun,
            std::vector<NamedRequest>& named) {
  const auto belongs = [&](const analysis::Request& request) {
    return request.shared == shared && request.kind == kind;
  };
  const auto number = std::ranges::count_if(at.round().requests, belongs);
  char letter = 'A';
  for (const analysis::Request& request : at.round().requests) {
    if (!belongs(request)) continue;
    NamedRequest entry{number == 1 ? std::string(noun) : fmt::format("{} {}", noun, letter), &request, {}};
    if (letter < 'Z') ++letter;
    for (std::size_t i = 0; i < at.round().operations.size(); ++i) {
      const analysis::WarpOperation& operation = at.round().operations[i];
      if (operation.site == request.site && operation.kind == kind &&
          analysis::firstEventOf(operation, at.launch).inShared() == shared)
        entry.operations.push_back(i);
    }
    named.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<NamedRequest> namedRequests(const RoundAt& at) {
  std::vector<NamedRequest> named;
  gather(at, model::EventKind::Load, true, "load", named);
  gather(at, model::EventKind::Store, true, "store", named);
  return named;
}

std::vector<NamedRequest> namedDeviceRequests(const RoundAt& at) {
  std::vector<NamedRequest> named;
  gather(at, model::EventKind::Load, false, "load", named);
  gather(at, model::EventKind::Store, false, "store", named);
  gather(at, model::EventKind::Atomic, false, "atomic", named);
  return named;
}

}  // namespace stridescope::narration
