// The commands: each declares its options and runs when it was chosen.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/analysis.h"
#include "base/plain_text.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "model/operator_table.h"
#include "model/trace.h"
#include "report/runs.h"

namespace stridescope::cli {

// What a command takes, as values: its name, its options, and where what was typed goes. The command line
// gives it to the parser, so that no command includes the parser's headers.

// Set if it is typed; a list takes several words.
using OptionTarget =
    std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*>;

struct Option {
  std::string names;  // "-o,--output"; without dashes: a word without an option's name
  OptionTarget target;
  std::string description = {};
  std::string valueName = {};  // as the help shows it: "FILE"; empty for a flag
  bool hidden = false;         // taken, but told nobody: an older spelling
};

struct Options {
  std::string command;
  std::string about;
  std::string footer;
  std::vector<Option> options;

  void flag(std::string names, bool& target, std::string description) {
    options.push_back({std::move(names), &target, std::move(description), {}});
  }
  // What a flag was called before.
  void olderFlag(std::string names, bool& target) {
    options.push_back({.names = std::move(names), .target = &target, .hidden = true});
  }
  template <class Target>
  void value(std::string names, Target& target, std::string description, std::string valueName) {
    options.push_back({std::move(names), &target, std::move(description), std::move(valueName)});
  }
};

// Values of options: from what was typed to what is meant. Errors are of kind Usage and name the option.

// "1000", "65537", "2^24", "65,536", "1e6": a count as typedNumber() of base/numbers.h takes it.
Result<std::uint64_t> parseNumber(std::string_view option, std::string_view given);

// The same, refused outside [least, most].
Result<std::uint64_t> parseNumberWithin(std::string_view option, std::string_view given, std::uint64_t least,
                                        std::uint64_t most);

// "4", "2-5" or "2..5".
Result<report::RoundRange> parseRounds(std::string_view given, std::string_view option = "--round");

// "1600x1000", from 320x200 to 7680x4320.
struct PictureSize {
  unsigned width = 0, height = 0;
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};
Result<PictureSize> parsePictureSize(std::string_view given);

// ".5" to "3".
Result<float> parseScale(std::string_view given);

// ".25" to "8": rounds per second.
Result<double> parseSpeed(std::string_view given);

// ".1" to "600": seconds that a call of NVIDIA's driver may take.
Result<std::chrono::milliseconds> parseDriverLimit(std::string_view given);

// "--type flot is not one of int, unsigned, ...; did you mean float?" `also` may be meant, too, but is not
// listed.
Error notOneOf(std::string_view option, std::string_view given, const std::vector<std::string>& valid,
               const std::vector<std::string>& also = {});

// "--beside sequentail is no variant; did you mean sequential? `stridescope list` has them."
Error noVariant(std::string_view option, std::string_view given);

// All aliases of one kind.
std::vector<std::string> aliasNames(model::Named kind);

// The id of the variant that was typed, which may be an alias (model/operator_table.h); any other text as it
// is.
std::string variantNamed(std::string_view typed);

// What every command has at hand.

struct Context {
  Streams& streams;
  const Services& services;
  std::ostream* terminal = nullptr;  // for ProgressLine alone; null: progress is not shown
};

// Tells the failure on standard error; gives the exit code that belongs to it.
inline ExitCode tell(const Context& context, const Error& error) {
  context.streams.error << "stridescope: " << printable(error.sentence) << "\n";
  if (!error.details.empty()) context.streams.error << error.details << "\n";
  return exitCodeOf(error);
}

class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(Options& options) = 0;  // called once
  virtual ExitCode run(const Context& context) = 0;
};

std::unique_ptr<Command> makeListCommand();
std::unique_ptr<Command> makeStepCommand();
std::unique_ptr<Command> makeInitCommand();
std::unique_ptr<Command> makeCompareCommand();
std::unique_ptr<Command> makeRecordCommand();
std::unique_ptr<Command> makeTimeCommand();
std::unique_ptr<Command> makeCountersCommand();
std::unique_ptr<Command> makeTimelineCommand();
std::unique_ptr<Command> makeWhyCommand();
std::unique_ptr<Command> makeQuizCommand();
std::unique_ptr<Command> makeShotCommand();
std::unique_ptr<Command> makeExportCommand();
std::unique_ptr<Command> makeVerifyCommand();
std::unique_ptr<Command> makeDoctorCommand();

// The exit code of a command that shows a run.

// Whether the run, or what was made of it, was cut short at a limit (steps, memory, time): a problem says
// which. The analysis has the trace's problems and its own.
bool metLimit(const model::Trace& trace);
bool metLimit(const analysis::Analysis& analysis);

// Wrong: the run ended with another result than a plain loop, or ended early for another reason than a limit.
// Limit: `limited`, and no result that is wrong. Else Right.
ExitCode exitCodeOf(const model::Trace& trace, bool limited);

// For a command that makes something of a run and does not tell its problems itself: tells the first limit
// that was met on standard error, and gives Limit; else Right.
ExitCode tellLimit(const Context& context, const analysis::Analysis& analysis);

// The code that a command ends with if it has two: Wrong before Limit before Right.
ExitCode worseOf(ExitCode one, ExitCode other);

}  // namespace stridescope::cli
