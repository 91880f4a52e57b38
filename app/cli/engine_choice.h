// --engine: auto, gpu, gpu:N, host or a recording's file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "archive/recording_file.h"
#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "engine/engine.h"
#include "lab/known/recorded.h"
#include "lab/measured.h"

namespace stridescope::cli {

// Something that gives traces: an engine that runs, or a recording that is searched.
class ChosenEngine {
 public:
  explicit ChosenEngine(std::unique_ptr<engine::Engine> engine) : engine_(std::move(engine)) {}
  // `notes` is told when the CPU executor stood in for the GPU (engine.h), and why.
  ChosenEngine(std::unique_ptr<engine::Engine> engine, std::ostream& notes)
      : engine_(std::move(engine)), notes_(&notes) {}
  ChosenEngine(std::filesystem::path file, archive::RecordingIndex index)
      : file_(std::move(file)), index_(std::move(index)) {}

  // Runs the experiment that was asked for, or reads the trace of a recording that agrees with everything
  // that was given. Where several do, the one with the defaults for the rest; else the error lists them.
  // `firstOfMany`: see entryOf().
  Result<model::Trace> traceOf(const ExperimentRequest& experimentRequest, engine::JobControl& job,
                               bool firstOfMany = false) const;

  // The trace at that place among a recording's traces that agree with what was given.
  Result<model::Trace> nthTraceOf(const ExperimentRequest& experimentRequest, std::size_t place,
                                  engine::JobControl& job) const;

  // The entry of a recording that traceOf() reads. If several agree, the request leaves all but the variant
  // open, and `firstOfMany` is set, it is the first of them, which opening the file shows.
  Result<const archive::RecordingEntry*> entryOf(const ExperimentRequest& experimentRequest,
                                                 bool firstOfMany = false) const;

  bool isRecording() const { return !engine_; }
  std::unique_ptr<engine::Engine> release() { return std::move(engine_); }
  engine::Engine* engine() const { return engine_.get(); }         // null for a recording
  const archive::RecordingIndex& index() const { return index_; }  // a recording's
  const std::filesystem::path& file() const { return file_; }

 private:
  std::vector<const archive::RecordingEntry*> admittedBy(const ExperimentRequest& experimentRequest) const;
  tl::unexpected<Error> noneMatches() const;

  std::unique_ptr<engine::Engine> engine_;
  std::ostream* notes_ = nullptr;
  std::filesystem::path file_;
  archive::RecordingIndex index_;
};

// The CPU executor, for what is stepped beside what was measured.
lab::MakeHost hostOf(const Context& context);

// `auto` takes the GPU if it works, else the CPU executor, and says on standard error which. `onGpuFailure`:
// whether that holds for a GPU that fails later, too.
Result<ChosenEngine> openEngine(const Context& context, const std::string& name,
                                engine::OnGpuFailure onGpuFailure = engine::OnGpuFailure::RunOnCpu);

// Is the name well-formed? Opens nothing. The error is of kind Usage.
std::optional<Error> engineNameFault(const std::string& name);

// Does the name mean a recording's file?
bool isRecordingName(const std::string& name);

// What each round of a run cost in cycles of the SM's clock.

// On a GPU the block is clocked now, alone and in a full grid; else they are taken from the recording that is
// stepped through, or from one that comes with the program. `engineName`: as --engine has it.
lab::RunCycles findCycles(const Context& context, const ChosenEngine& engine, const std::string& engineName,
                          const lab::Run& run, engine::JobControl& job);

// What recordings have measured: that which is stepped through, and those that come with the program.
lab::Recorded recordedOf(const Context& context, const ChosenEngine& engine);

// The cycles that are recorded alone, whatever the engine is.
lab::RunCycles recordedCycles(const lab::Recorded& recorded, const ChosenEngine& engine, const lab::Run& run);

}  // namespace stridescope::cli
