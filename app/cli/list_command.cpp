// stridescope list
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "cli/commands.h"
#include "cli/step_json.h"
#include "narration/text_maps.h"
#include "narration/wrapped.h"

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
  return fmt::format("{}  {}\n", variant.id, variant.title) + paragraph(std::string(variant.changed)) +
         paragraph(fmt::format("types {}; operators {}; threads {}", namesOf(variant.types),
                               namesOf(variant.operators), fmt::join(variant.threads, " ")));
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
      context.streams.out << printed(listJson(kernels::catalog()));
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
