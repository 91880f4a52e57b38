// stridescope doctor
#include <fmt/format.h>

#include "cli/commands.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::cli {
namespace {

constexpr std::size_t kIndent = 8;

class DoctorCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "doctor";
    options.about = "What works on this machine, and what to do where it does not";
    options.footer = "Example:\n  stridescope doctor";
  }

  ExitCode run(const Context& context) override {
    if (context.services.examinations.empty()) context.streams.out << "Nothing to examine is built in.\n";
    for (const auto& examine : context.services.examinations)
      for (const Finding& finding : examine()) {
        const std::string text = narration::wrapped(fmt::format("{}: {}", finding.subject, finding.text),
                                                    narration::kTextColumns - kIndent);
        context.streams.out << fmt::format("{:<{}}", finding.ok ? "ok" : "to do", kIndent);
        for (char c : text) {
          context.streams.out << c;
          if (c == '\n') context.streams.out << std::string(kIndent, ' ');
        }
        context.streams.out << "\n" << std::flush;
      }
    return ExitCode::Right;
  }
};

}  // namespace

std::unique_ptr<Command> makeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace stridescope::cli
