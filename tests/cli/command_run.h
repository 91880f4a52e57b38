// Runs a command line as a person would, with its streams caught.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace stridescope::cli {

struct CommandRun {
  int code = -1;
  std::string out, error;
};

// The CPU executor and nothing else.
Services hostOnly();

CommandRun runCommand(const std::vector<std::string>& arguments, const Services& services = hostOnly());

// An engine that gives what it is told, as if a GPU had run it.
Services withGpu(std::function<Result<model::Trace>(const model::Experiment&)> record);

// A CPU executor that does this in place of recording.
Services withHost(std::function<Result<model::Trace>(const model::Experiment&, engine::JobControl&)> record);

// The CPU executor's trace of an experiment; the experiment must be legal.
model::Trace hostTrace(const model::Experiment& experiment);

}  // namespace stridescope::cli
