// Experiments with a person's own operator, and an environment that is put back.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/host/host_engine.h"
#include "engine/sandbox/combine_worker.h"
#include "engine/sandbox/custom_engine.h"
#include "support/trust.h"

namespace stridescope::engine::sandbox {

inline model::Experiment custom(const std::string& combine, const std::string& identity,
                                model::ElementType type = model::ElementType::Int,
                                const std::string& variant = "sequential") {
  return {.variant = variant,
          .type = type,
          .op = model::Operator::Custom,
          .threads = 64,
          .elements = 64,
          .custom = {.combine = combine, .identity = identity}};
}

inline std::unique_ptr<Engine> customOnCpu() {
  return makeCustomEngine(host::makeHostEngine(), support::trustInAll(),
                          {.program = STRIDESCOPE_COMBINE_CHILD});
}

inline Result<model::Trace> record(Engine& engine, const model::Experiment& experiment) {
  JobControl job;
  return engine.record(experiment, job);
}

inline const model::TrialFinding& findingOf(const model::Trace& trace, model::TrialProperty property) {
  static const model::TrialFinding none{.property = {}, .sentence = "not tried"};
  for (const model::TrialFinding& finding : trace.trial.findings)
    if (finding.property == property) return finding;
  ADD_FAILURE() << "No trial: " << trace.trial.whyNotTried;
  return none;
}

// A variable of the environment, set for a scope; nullopt: unset.
class Variable {
 public:
  Variable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) old_ = old;
    put(value);
  }
  ~Variable() { put(old_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void put(const std::optional<std::string>& value) {
    if (value)
      ::setenv(name_.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }
  std::string name_;
  std::optional<std::string> old_;
};

inline std::size_t entriesOf(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

// The processes that have this text in their command.
inline std::vector<pid_t> processesOf(const std::string& text) {
  std::vector<pid_t> processes;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string command;
    if (std::getline(file, command) && command.find(text) != std::string::npos)
      processes.push_back(std::atoi(entry.path().filename().c_str()));
  }
  return processes;
}
inline std::size_t processesWith(const std::string& text) { return processesOf(text).size(); }

}  // namespace stridescope::engine::sandbox
