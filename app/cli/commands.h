// The commands: each declares its options and runs when it was chosen.
#pragma once

#include <memory>
#include <vector>

#include "cli/context.h"
#include "cli/options.h"

namespace stridescope::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(Options& options) = 0;  // called once
  virtual ExitCode run(const Context& context) = 0;
};

std::unique_ptr<Command> makeListCommand();
std::unique_ptr<Command> makeStepCommand();
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

}  // namespace stridescope::cli
