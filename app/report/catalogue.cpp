#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "kernels/catalog.h"
#include "model/operator_table.h"
#include "report/runs.h"
#include "report/table.h"

namespace stridescope::report {
namespace {

constexpr std::size_t kIndent = 4;

template <class Values>
std::vector<std::string_view> namesOf(const Values& values) {
  std::vector<std::string_view> names;
  for (auto value : values) names.push_back(model::nameOf(value));
  return names;
}

std::string entryOf(const kernels::Variant& variant) {
  const auto aliases = model::aliasesOf(model::Named::Variant, variant.id);
  return fmt::format("{}  {}{}\n", variant.id, variant.title,
                     aliases.empty() ? "" : fmt::format(" (also {})", fmt::join(aliases, ", "))) +
         paragraph(variant.changed, kIndent) +
         paragraph(fmt::format("types {}; operators {}; threads {}", fmt::join(namesOf(variant.types), " "),
                               fmt::join(namesOf(variant.operators), " "), fmt::join(variant.threads, " ")),
                   kIndent) +
         (variant.onlyTimed.empty() ? "" : paragraph(variant.onlyTimed, kIndent));
}

void writeEntry(JsonWriter& json, const kernels::Variant& variant) {
  json.object([&] {
    json.member("id", variant.id);
    json.member("title", variant.title);
    json.member("family", kernels::nameOf(variant.family));
    json.member("previous", variant.previous);
    json.member("changed", variant.changed);
    json.member("source", variant.source);
    json.member("types", namesOf(variant.types));
    json.member("operators", namesOf(variant.operators));
    json.member("threads", variant.threads);
    if (variant.isOfSeveralGpus()) json.member("gpus", std::array{model::kDefaultGpus, model::kMaxGpus});
    if (!variant.onlyTimed.empty()) json.member("why_no_steps", variant.onlyTimed);
  });
}

}  // namespace

std::string catalogueText() {
  std::string text;
  for (const auto& family : kernels::byFamily(kernels::catalogAndTimedOnly())) {
    text += fmt::format("{}{}\n\n", text.empty() ? "" : "\n", kernels::nameOf(family.front()->family));
    for (const kernels::Variant* const variant : family) text += entryOf(*variant);
  }
  return text;
}

void writeCatalogueJson(std::ostream& out) {
  JsonWriter json(out);
  json.beginArray();
  for (const kernels::Variant& variant : kernels::catalogAndTimedOnly()) writeEntry(json, variant);
  json.endArray();
  json.endLine();
}

}  // namespace stridescope::report
