// What is selected and shown: the experiment, the run that is on screen, the playhead, the hover, messages
// and jobs. One session a window. It draws nothing and knows no window; views read it and return commands.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "archive/recording_file.h"
#include "engine/code_trust.h"
#include "engine/engine.h"
#include "kernels/catalog.h"
#include "measure/timing_board.h"
#include "session/command.h"
#include "session/jobs.h"
#include "session/settings.h"

namespace stridescope::session {

// A trace with everything derived from it; immutable, shared with jobs.
struct Run {
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<std::vector<analysis::RoundFlow>> flow;  // by launch, by round
};
// An error if no launch has a round: there is nothing to step through. What does not fit into the budget is
// left out of the run, which says so among its problems.
Result<std::shared_ptr<const Run>> makeRun(model::Trace trace, MemoryBudget budget = MemoryBudget());

inline constexpr double kTransitionSeconds = 0.15;  // operands flow into results for so long after a step

struct EngineChoice {
  std::string id;     // as ChooseEngine takes it; a recording's path
  std::string label;  // "NVIDIA H200", "CPU executor", a file's name
  std::string why;    // empty if it can be used; else a sentence that says why not and what to do
};

enum class MessageKind : std::uint8_t { Fine, ToDo, Wrong };
struct Message {
  MessageKind kind = MessageKind::ToDo;
  std::string sentence;
  std::string details;      // copied with 'copy details'
  std::string actionLabel;  // empty: none
  std::optional<Command> action;
};

Message messageOf(const Error& error);

// Own numbers give way to a pattern; other data stay as they are.
void leaveOwnData(model::Experiment& experiment, model::DataPattern data);

// That they were left, since they cannot be had in this type.
Message tellLeft(const model::GivenData& numbers, model::ElementType type);

// What the session needs from outside; calls run on the worker's thread.
struct SessionServices {
  // "auto" gives the GPU if it works, else the CPU executor.
  std::function<Result<std::shared_ptr<engine::Engine>>(const std::string& id)> makeEngine;
  std::function<std::vector<EngineChoice>()> listEngines;
  // What a person should know on the first start; nullopt: nothing. May be empty.
  std::function<std::optional<Message>()> greet;
  std::function<void()> wake;  // from any thread: something changed, draw a frame
  std::shared_ptr<measure::TimingBoard> timings = nullptr;  // null: nothing is timed
  std::vector<std::string> shippedRecordings = {};          // files that OpenShippedRecording chooses from
  // What the engines may compile; the session allows what a person writes, and asks for the rest. May be
  // null.
  std::shared_ptr<engine::CodeTrust> trust = nullptr;
};

// A text that is to be compiled, which came with a file or which this kernel cannot confine: the person sees
// all of it and decides.
struct CodeQuestion {
  std::string text;
  std::string from;  // the file; empty: not known, or the person wrote it
  std::string
      unconfined;  // what this kernel cannot keep it from, a sentence; empty: asked as it came with a file
};

struct Playhead {
  unsigned launch = 0, round = 0;
  friend bool operator==(const Playhead&, const Playhead&) = default;
};

class Session {
 public:
  // What is shown first. The experiment is checked; unless `elementsGiven`, n follows the block size.
  struct Start {
    model::Experiment experiment;
    bool elementsGiven = false;
    unsigned round = 0;
    std::string engine = "auto";  // as ChooseEngine takes it
  };
  // Starts recording at once; the round is shown when it is there.
  Session(SessionServices services, Settings settings, const Start& start);

  void apply(const Command& command);
  void apply(const Commands& commands);

  // Advances playing and takes in what jobs delivered. `seconds` since the last call.
  void update(double seconds);
  bool wantsFrameSoon() const;  // playing, a transition or a job is under way
  void waitForJobs();           // blocks until what was asked for is on screen; for headless use

  // The experiment asked for. What is on screen (run()) may lag behind it while a job runs.
  const model::Experiment& experiment() const { return experiment_; }
  bool oneBlockLoad() const { return !elements_; }
  // What was last written or stepped as a custom operator, running or not; else empty.
  const model::CustomOperator& customOperator() const { return custom_; }
  // There while Overlay::TrustCode is; AnswerCode answers it, and closing the overlay means no.
  const std::optional<CodeQuestion>& codeQuestion() const { return codeQuestion_; }
  std::string whyNotCustom() const;  // a sentence; empty: the variant takes any operator
  const std::string& engineId() const { return engineId_; }
  const std::vector<EngineChoice>& engines() const { return engines_; }
  const std::optional<archive::RecordingIndex>& recording() const {
    return recording_;
  }  // the open one's contents

  // nullptr: nothing to show yet. Some launch of it has a round, and the playhead stands in one.
  const Run* run() const { return run_.get(); }
  Playhead playhead() const { return playhead_; }
  // These require run().
  const model::LaunchTrace& launch() const { return run_->trace.launches[playhead_.launch]; }
  const analysis::LaunchAnalysis& launchAnalysis() const { return run_->analysis.launches[playhead_.launch]; }
  const analysis::Round& round() const { return launchAnalysis().rounds[playhead_.round]; }
  const analysis::RoundFlow& flow() const { return run_->flow[playhead_.launch][playhead_.round]; }
  const kernels::Variant* variant() const {
    return run_ ? kernels::findVariant(run_->trace.experiment.variant) : nullptr;
  }

  bool playing() const { return playing_; }
  double secondsSinceStep() const { return sinceStep_; }
  bool atFirst() const;
  bool atLast() const;

  std::optional<Hover> hover() const { return pinned_ ? pinned_ : hovered_; }
  std::optional<unsigned> hoveredThread() const;  // if the hover is a thread
  bool pinned() const { return pinned_.has_value(); }
  RequestRole requestRole() const { return requestRole_; }

  // What was timed, live and recorded; null without a board. The same pointer until something changed.
  std::shared_ptr<const measure::TimingSnapshot> timings() const;
  const TimingChoices& timingChoices() const { return timingChoices_; }
  bool isTiming() const;                                    // a plan is under way, or waits
  bool canTimeOnGpu() const;                                // as far as is known: a GPU is among the engines
  std::string whyNotTimed(TimingSweep sweep) const;         // a sentence; empty: it can be started
  TimingSweep timingSweep() const { return timingSweep_; }  // of what was started last

  const Settings& settings() const { return settings_; }
  const std::optional<Message>& message() const { return message_; }
  void tell(Message message) { message_ = std::move(message); }
  std::optional<JobStatus> job() const;  // what is waited for: a wish, or else a save
  Overlay overlay() const { return overlay_; }

  // Wishes that the window fulfils, each told once.
  bool takeLayoutReset() { return std::exchange(layoutReset_, false); }
  std::optional<std::string> takeCopiedText() { return std::exchange(copied_, std::nullopt); }
  std::optional<SavePicture> takePictureWish() { return std::exchange(picture_, std::nullopt); }
  void tellPictureSaved(const std::string& path, const Result<void>& saved);
  bool fullscreen() const { return fullscreen_; }
  bool quitting() const { return quitting_; }

 private:
  // Changes it, moves the rest to what is legal and starts recording; own numbers go along into another type
  // if their file is known, which is read again first. False: not changed, or not yet.
  bool changeExperiment(const std::function<void(model::Experiment&)>& change);
  void chooseCustom(const ChooseCustom& wish);
  void askAboutCode(const Error& error);
  void answerCode(bool allow);
  // Then `wish` with the file's numbers, in its type, is the experiment.
  void openData(const std::string& path, model::Experiment wish);
  void startRecording();
  static std::optional<Message> whyOnTheCpu(const model::Executor& asked, const model::Experiment& experiment,
                                            std::optional<Message> otherwise);
  void show(Result<std::shared_ptr<const Run>> run);
  // The experiment on screen, if one of the files has it; else the nearest in the first file that has one.
  void openRecording(const std::vector<std::string>& paths);
  void showRecording(const std::string& path, archive::RecordingIndex index,
                     const std::optional<model::Experiment>& other);
  // That a file could not be read, and how to choose another. What reading it interrupted goes on.
  void tellUnread(const Error& error, Overlay again, bool interrupted);
  void saveRecording(const SaveRecording& wish);
  void moveTo(Playhead playhead);
  void step(int direction);
  Playhead nearest(Playhead wish) const;
  bool exists(const Hover& hover) const;
  void takeBackWish();
  void startTiming(TimingSweep sweep);
  void pauseTiming();
  void chooseTimings(const TimingChoices& choices);
  void copyTimings();

  SessionServices services_;
  Settings settings_;
  model::Experiment experiment_;
  std::optional<std::uint64_t> elements_;  // nullopt: one block's load; of own numbers as many as they are
  model::CustomOperator custom_;
  std::optional<CodeQuestion> fileCode_;  // the last operator that was seen in a recording
  std::optional<CodeQuestion> codeQuestion_;
  std::string dataPath_;  // of own numbers; empty: there are none, or they came with a recording
  std::string engineId_ = "auto";
  std::vector<EngineChoice> engines_;
  std::optional<archive::RecordingIndex> recording_;
  struct Choice {  // what run_ was recorded from, to come back to when a job is cancelled
    model::Experiment experiment;
    std::optional<std::uint64_t> elements;
    std::string engineId;
    std::optional<archive::RecordingIndex> recording;
    std::string dataPath;
  };
  Choice shown_;

  std::shared_ptr<const Run> run_;
  Playhead playhead_;
  Playhead wished_;  // kept over changes of the experiment, though the run may have fewer rounds
  bool playing_ = false;
  double sinceStep_ = 1e9;

  std::optional<Hover> hovered_, pinned_;
  RequestRole requestRole_ = RequestRole::LoadA;
  std::optional<Message> message_;
  Overlay overlay_ = Overlay::None;
  struct EngineSlot;  // the engine in use; touched by the worker only
  std::shared_ptr<EngineSlot> engineSlot_;
  bool layoutReset_ = false, fullscreen_ = false, quitting_ = false;
  std::optional<std::string> copied_;
  std::optional<SavePicture> picture_;
  TimingChoices timingChoices_;
  TimingSweep timingSweep_ = TimingSweep::OneSize;
  // Last: their threads end before what they use.
  Jobs jobs_;
  Jobs saves_;  // a save goes on whatever is wished next, and what became of it is told
};

}  // namespace stridescope::session
