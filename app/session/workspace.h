// What a person asks for: the experiment, its data, a custom operator, the engine or a recording; and the
// jobs that record it. It delivers runs; what is done with them is not its concern.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "session/app_state.h"
#include "session/command.h"
#include "session/experiment_choices.h"
#include "session/jobs.h"
#include "session/services.h"

namespace stridescope::lab {
class Known;
}

namespace stridescope::session {

// That they were left, since they cannot be had in this type.
Message tellLeft(const model::GivenData& numbers, model::ElementType type);

// A text that is to be compiled, which came with a file or which this kernel cannot confine: the person sees
// all of it and decides.
struct CodeQuestion {
  std::string text;
  std::string from;  // the file; empty: not known, or the person wrote it
  // What this kernel cannot keep it from, a sentence; empty: asked as it came with a file.
  std::string unconfined;
};

// The launch file beside it.
std::string launchFileOf(const std::string& kernel);

// What became of a person's own kernel that was to be run.
struct KernelAttempt {
  KernelOrder order;                         // with its text, and with its launches where they are guessed
  std::optional<std::string> launches = {};  // the launch file's; nullopt: there is none
  std::optional<Error> error = {};           // nullopt: it is recorded, and shown soon
  KernelRecord record = {};
};

class EngineSlot;
class FirstEngine;

class Workspace {
 public:
  // Who takes what it makes; called in poll() and by what changes the experiment. None may be empty.
  struct Listener {
    // What was asked for last, with what recordings have measured of it.
    std::function<void(std::shared_ptr<const lab::Run>, lab::RunMeasured)> recorded;
    // What was recorded last, measured on its GPU.
    std::function<void(const std::shared_ptr<const lab::Run>&, lab::RunMeasured)> measured;
    std::function<void()> otherReduction;  // another type or operator is asked for
  };
  // Starts recording at once. `app`, which outlives this, is told what went wrong and what was opened.
  // `known`: another workspace's, to share the GPU's processes; null: one of its own.
  Workspace(SessionServices services, AppState& app, const Start& start, Listener listener,
            std::shared_ptr<lab::Known> known = nullptr);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // The experiment asked for. The run that was delivered may lag behind it while a job runs; where it could
  // not be had, what was delivered is asked for again.
  const model::Experiment& experiment() const { return asked_.experiment; }
  // n is not chosen: it is one block's load, or the size that the variant begins with.
  bool oneBlockLoad() const;
  // In which fields the variant or the recording has something else than was chosen. What was chosen comes
  // back with a variant that can have it.
  FieldSet<model::Experiment> borrowed() const { return borrowedFields(asked_.choices, asked_.experiment); }
  const ExperimentChoices& choices() const { return asked_.choices; }
  // Why the open recording does not have the experiment with this change; empty: it does, or there is none.
  std::string whyNotRecorded(const std::function<void(ExperimentChoices&)>& change) const;
  std::string whyNotRecorded(std::string_view variant) const;
  // What was last written or stepped as a custom operator, running or not; else empty.
  const model::CustomOperator& customOperator() const { return custom_; }
  // There while Overlay::TrustCode is; answerCode answers it, and closing the overlay means no.
  const std::optional<CodeQuestion>& codeQuestion() const { return codeQuestion_; }
  std::string whyNotCustom() const;  // a sentence; empty: the variant takes any operator
  const std::string& engineId() const { return asked_.engineId; }
  // The engine that was last chosen to run something: what runs a person's own kernel, whose recording is
  // what engineId() tells of.
  const std::string& executing() const { return executing_; }
  void executeOn(const std::string& engine) { executing_ = engine; }
  const std::vector<EngineChoice>& engines() const { return engines_; }
  // The open one's contents; null: none is open.
  const archive::RecordingIndex* recording() const { return asked_.recording.get(); }
  std::optional<JobStatus> job() const;  // what is waited for: a request, or else a save
  // What was asked for is there: no job runs, and what one brought was taken in.
  bool isSettled() const { return jobs_.isIdle() && saves_.isIdle(); }
  // The GPU measures what is shown; nothing waits for it.
  std::optional<JobStatus> measuring() const { return measuring_.status(); }
  const std::shared_ptr<lab::Known>& known() const { return known_; }

  // Changes what is chosen, takes the nearest experiment that can be had and starts recording it. Input data
  // go along into another type if their file is known, which is read again first. What the open recording
  // does not have is refused with a sentence.
  void choose(const std::function<void(ExperimentChoices&)>& change);
  void chooseCustom(const ChooseCustom& request);
  void resetExperiment();  // all but the variant
  void answerCode(bool allow);
  void openData(const OpenData& request);
  void chooseEngine(const std::string& id);  // or a recording's path
  void openRecording(const std::string& path) { openRecording(std::vector{path}); }
  // Compiles and records a person's own kernel. What was delivered last stays until then, or for good;
  // `attempted` is called in poll().
  void recordKernel(KernelOrder order, std::function<void(const KernelAttempt&)> attempted);
  const std::vector<std::string>& shippedRecordings() const { return services_.shippedRecordings; }
  void openShippedRecording() { openRecording(services_.shippedRecordings); }
  // These recordings come with the program, and were not there at first. What they have measured of the run
  // is known from then on.
  void takeShippedRecordings(std::vector<std::string> paths);
  // With what is measured of it, whoever measured it. null: nothing to save.
  void saveRecording(const SaveRecording& request, std::shared_ptr<const lab::Run> run,
                     lab::RunMeasured measured);
  void cancelJob();  // what was delivered last is asked for again; it is not measured

  void poll();         // takes in what jobs delivered
  void waitForJobs();  // blocks until what was asked for was delivered

 private:
  struct Asked {
    ExperimentChoices choices;
    model::Experiment experiment;  // what is had of them
    std::string engineId;
    std::shared_ptr<const archive::RecordingIndex> recording;
    std::optional<ExperimentChoices> before;  // what was chosen when the first of the recordings was opened
  };

  // The experiment of these choices is asked for, if the recording has one that agrees with them in
  // `required`. False: it is not, or not yet.
  bool take(ExperimentChoices choices, const FieldSet<model::Experiment>& required);
  bool leavesOwnKernel(const ExperimentChoices& choices) const;
  bool takeRecorded(ExperimentChoices choices, const FieldSet<model::Experiment>& required);
  bool takeChecked(ExperimentChoices choices, const model::Experiment& experiment);  // false: it is not legal
  void ask(ExperimentChoices choices, const model::Experiment& experiment);

  void askAboutCode(const Error& error);
  // Reads the file of the choices' numbers as bits of `type`; then they are the input, and they are the
  // choices' if those have that type, too.
  void readNumbers(ExperimentChoices choices, model::ElementType type);
  bool refusesLists(const std::string& path, const model::Experiment& request);  // then it is told
  void offer(const OpenData& request, std::string_view what);
  void startOpening(const Start& start);
  void leaveStandIn();
  void startRecording();
  void deliver(Result<std::shared_ptr<const lab::Run>> run, lab::RunMeasured measured);
  void startMeasuring(const std::shared_ptr<const lab::Run>& run, const lab::RunMeasured& recorded);
  void lookUp(const std::shared_ptr<const lab::Run>& run);  // what recordings have of it
  void tellNotRecorded(const Error& error);
  // The experiment on screen, if one of the files has it; else the nearest in the first file that has one.
  void openRecording(const std::vector<std::string>& paths);
  void showRecording(const std::string& path, archive::RecordingIndex index,
                     const std::optional<model::Experiment>& other);
  // That the file could not be read, and how to choose another in the form for it. What reading it
  // interrupted goes on.
  void tellUnread(const Error& error, Overlay form, const std::string& path, bool interrupted);
  void takeBackRequest();
  void remember();

  SessionServices services_;
  AppState& app_;
  Listener listener_;
  Asked asked_;
  std::string executing_;
  std::optional<Asked> delivered_;  // what the last run was recorded from, to come back to; nullopt: none yet
  std::weak_ptr<const lab::Run> lastRun_;
  std::optional<Asked> refused_;  // what could not be had, until something else is asked for
  model::CustomOperator custom_;
  std::optional<CodeQuestion> fileCode_;  // the last operator that was seen in a recording
  std::optional<CodeQuestion> codeQuestion_;
  std::vector<EngineChoice> engines_;
  std::shared_ptr<EngineSlot> engineSlot_;    // with the job that records
  std::shared_ptr<FirstEngine> firstEngine_;  // with that and the job that opens it
  std::optional<bool> openedOnCpu_;  // the first engine is the CPU executor; nullopt: it is not opened yet
  bool cpuStandsIn_ = false;         // the last run is the CPU executor's, because the GPU had not answered
  std::shared_ptr<lab::Known> known_;
  bool remembered_;
  // Last: their threads end before what they use.
  Jobs opens_;  // lists the engines and makes the first: a driver may take its time
  Jobs jobs_;
  Jobs measuring_;
  Jobs saves_;  // a save goes on whatever is requested next, and what became of it is told
};

}  // namespace stridescope::session
