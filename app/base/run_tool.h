// Runs a program of the machine's and keeps what it prints.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace stridescope {

// What `command` (the program's path, and its arguments) writes to standard output; its standard error and
// input are /dev/null. Errors: it cannot be started, prints more than `mostBytes`, is not through in time, or
// ends with another status than 0. It is then ended. Sentences name the program.
Result<std::string> runTool(const std::vector<std::string>& command, std::size_t mostBytes,
                            std::chrono::milliseconds time);

// The path of a program in PATH, or in one of these folders; empty: there is none.
std::string findTool(const std::string& name, const std::vector<std::string>& folders);

}  // namespace stridescope
