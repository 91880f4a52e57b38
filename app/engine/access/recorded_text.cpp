#include "recorded_text.h"

#include <algorithm>

namespace stridescope::engine::access {
namespace {

// The model has the shared arrays, with their functions, in the order of their numbers.
std::vector<std::string> sharedNamesOf(const instrument::Instrumented& pass) {
  std::vector<std::string> names, functions;
  for (const model::KernelVariable& variable : pass.model.variables) {
    if (variable.kind != model::VariableKind::Shared) continue;
    names.push_back(variable.name);
    functions.push_back(variable.function < 0 ? ""
                                              : pass.model.functions[std::size_t(variable.function)].name);
  }
  std::vector<std::string> told = names;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::ranges::count(names, names[k]) > 1 && !functions[k].empty())
      told[k] = functions[k] + "::" + names[k];
  return told;
}

}  // namespace

std::string NotRecorded::sentence() const {
  if (place.empty()) return reason;
  std::string told = place + ": " + reason;
  told.front() = 'L';
  return told;
}

tl::expected<RecordedText, NotRecorded> recordedTextOf(const KernelText& text) {
  auto pass = instrument::instrument(text.deviceText, instrument::Preamble::None);
  if (!pass) {
    const instrument::Refusal& refusal = pass.error();
    const int column = text.deviceEdits.columnBefore(refusal.line, refusal.column);
    return tl::unexpected(NotRecorded{
        "line " + std::to_string(refusal.line) + ", column " + std::to_string(column), refusal.reason});
  }
  RecordedText recorded{.pass = *std::move(pass), .sharedNames = {}};
  for (model::Site& site : recorded.pass.sites)
    site.column = text.deviceEdits.columnBefore(site.line, site.column);
  recorded.sharedNames = sharedNamesOf(recorded.pass);
  if (recorded.sharedNames.size() != recorded.pass.shared.size())
    return tl::unexpected(NotRecorded{"", "Its shared arrays cannot be told apart."});
  return recorded;
}

}  // namespace stridescope::engine::access
