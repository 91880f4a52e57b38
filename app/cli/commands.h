// The commands: each declares its options and runs when it was chosen.
#pragma once

#include <memory>
#include <vector>

#include "analysis/analysis.h"
#include "base/plain_text.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "model/trace.h"

namespace stridescope::cli {

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
