// stridescope list
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "cli/commands.h"
#include "cli/json_writer.h"
#include "kernels/catalog.h"
#include "model/operator_table.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

constexpr std::size_t kIndent = 4;

std::string paragraph(const std::string& text) {
  std::string indented(kIndent, ' ');
  for (char c : narration::wrapped(text, narration::kTextColumns - kIndent)) {
    indented += c;
    if (c == '\n') indented.append(kIndent, ' ');
  }
  return indented + "\n";
}

template <class Values>
std::string namesOf(const Values& values) {
  std::vector<std::string_view> names;
  for (auto value : values) names.push_back(model::nameOf(value));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string entryOf(const kernels::Variant& variant) {
  const auto aliases = model::aliasesOf(model::Named::Variant, variant.id);
  return fmt::format("{}  {}{}\n", variant.id, variant.title,
                     aliases.empty() ? "" : fmt::format(" (also {})", fmt::join(aliases, ", "))) +
         paragraph(std::string(variant.changed)) +
         paragraph(fmt::format("types {}; operators {}; threads {}", namesOf(variant.types),
                               namesOf(variant.operators), fmt::join(variant.threads, " ")));
}

template <class Values>
void writeNames(JsonWriter& json, std::string_view key, const Values& values) {
  json.key(key);
  json.beginArray();
  for (auto value : values) json.value(model::nameOf(value));
  json.endArray();
}

void writeEntry(JsonWriter& json, const kernels::Variant& variant) {
  json.beginObject();
  json.member("id", variant.id);
  json.member("title", variant.title);
  json.member("family", kernels::nameOf(variant.family));
  json.member("previous", variant.previous);
  json.member("changed", variant.changed);
  json.member("source", variant.source);
  writeNames(json, "types", variant.types);
  writeNames(json, "operators", variant.operators);
  json.member("threads", variant.threads);
  json.endObject();
}

class ListCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "list";
    options.about = "The variants: what each changes, and what it can run";
    options.flag("--json", json_, "As JSON");
    options.footer = "Examples:\n  stridescope list\n  stridescope list --json";
  }

  ExitCode run(const Context& context) override {
    if (json_) {
      JsonWriter json(context.streams.out);
      json.beginArray();
      for (const kernels::Variant& variant : kernels::catalog()) writeEntry(json, variant);
      json.endArray();
      json.endLine();
      return ExitCode::Right;
    }
    std::optional<kernels::Family> family;
    for (const kernels::Variant& variant : kernels::catalog()) {
      if (variant.family != family)
        context.streams.out << (family ? "\n" : "") << kernels::nameOf(variant.family) << "\n\n";
      family = variant.family;
      context.streams.out << entryOf(variant);
    }
    return ExitCode::Right;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace stridescope::cli
