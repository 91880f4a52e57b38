// stridescope list
#include "cli/commands.h"
#include "report/runs.h"

namespace stridescope::cli {
namespace {

class ListCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "list";
    options.about = "The variants: what each changes, and what it can run";
    options.flag("--json", json_, "As JSON");
    options.footer = "Examples:\n  stridescope list\n  stridescope list --json";
  }

  ExitCode run(const Context& context) override {
    if (json_)
      report::writeCatalogueJson(context.streams.out);
    else
      context.streams.out << report::catalogueText();
    return ExitCode::Right;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace stridescope::cli
