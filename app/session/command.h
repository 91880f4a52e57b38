// What a person can ask of the session. Views return commands; the main loop applies them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/compared_sides.h"
#include "base/result.h"
#include "model/experiment_fields.h"
#include "session/hover.h"
#include "session/link.h"
#include "session/measurements.h"
#include "session/mode.h"
#include "session/settings.h"

namespace stridescope::session {

// What a person can ask of two runs that are compared, beside the commands that go to both.

class Command;

// The side that a person works on: the fields of the experiment, the variant keys and the lists are its.
struct ChooseSide {
  analysis::Side side{};
};
struct ChooseTogether {  // type, operator, sizes, data, schedule and engine are chosen for both sides, or for
                         // the chosen one
  bool together = true;
};
struct LockSides {
  analysis::LockedBy by{};
};
struct SwapSides {};
// The chosen side's variant beside the one that it is taught after, all else alike: enters Compare.
struct CompareWithPrevious {};

// A command that means one of the sides.
struct OnSide {
  analysis::Side side{};
  std::shared_ptr<const Command> command;  // not null
};
// Something is pointed at in one side, and what belongs to it in the other.
struct PointAtSides {
  analysis::BothSides<std::optional<Hover>> hover{};
  bool pin = false;
};

// What a person does to a prediction (session/predict.h).

enum class PredictAct : std::uint8_t {
  Reveal,        // the round, and what the guesses are worth
  Skip,          // to the next round: this one is told unasked
  TryAgain,      // hides the shown round once more, and those behind it
  Hint,          // one more about the question that is chosen
  Choose,        // that question
  Mark,          // threads or warps `first` to `last` of it; `on` false: takes their marks away
  AnswerNone,    // the question is about threads or warps; the answer is that there are none
  AnswerWay,     // teaching::kWays, or teaching::kOtherWay
  AnswerText,    // as it is typed
  AskElsewhere,  // the concept of that question, in another variant
  AskWeakest,    // the concept that was answered wrong most, in another variant
  DeleteScore,
};

struct PredictStep {
  PredictAct act{};
  std::size_t question = 0;  // its place among Predict::asked()
  unsigned first = 0, last = 0;
  bool on = true;
  unsigned way = 0;
  std::string text{};
  bool goesOn = false;  // with what was done to that question right before: both are one step of undo
};

// What a person asks to be handed out of the run that is shown, and as what.

enum class ExportAs : std::uint8_t {
  Png,       // what is on the screen, as it is
  Pictures,  // a folder of PNG: a picture of each round
  Gif,       // the same as a film
  Html,      // a page
  Csv,
  Markdown,
  Quiz,  // a sheet of questions, and apart their answers
};

struct ExportFile {
  ExportAs as{};
  std::string path = {};
  bool overwrite = false;
  std::string panel = {};          // for pictures: its id; empty: the whole window
  unsigned density = 1;            // for Png: pixels for each pixel of the screen, in both directions
  unsigned width = 0, height = 0;  // for Pictures and Gif: the window's, pixels
  float scale = 1;                 // scales the window's text and controls
  std::string rounds = {};         // not for Png: "4", "2..5"; empty: all
  std::string other = {};          // for Html: a variant to compare with; empty: none
  bool bothSides = false;          // for Html, if two runs are compared: both of them, and no `other`
  bool questions = false;          // for Html
  bool presented = false;          // for Pictures, Gif and Html: in Present's style
  bool values = false;             // for tables: with shared memory's values, too
};

struct StepForward {};
struct StepBack {};
struct StepPass {  // within a round of several; else by a round
  int direction = 1;
};
struct GoToFirst {};
struct GoToLast {};
struct TogglePlay {};
struct SetSpeed {
  double roundsPerSecond = 1;
};
struct GoToRound {
  unsigned launch = 0, round = 0;
  unsigned pass = ~0u;  // if the round has several; beyond the last is the last
};

// Chooses values for fields of the experiment (model/experiment_fields.h); what is not given stays chosen.
struct Choose {
  model::ChosenFields fields{};
  bool elementsByDefault = false;  // n is one block's load, or the variant's own size

  template <class Field>
  Choose(Field model::Experiment::*field, std::type_identity_t<Field> value) {
    fields.give(field, std::move(value));
  }
  static Choose elements(std::optional<std::uint64_t> elements);  // nullopt: by default
  // The seeds are those of the random orders.
  static Choose schedule(model::Schedule schedule, std::uint64_t seed = 1);
  static Choose blockOrder(model::BlockOrder order, std::uint64_t seed = 1);
  static Choose block(unsigned launch, std::uint64_t block);

 private:
  Choose() = default;
};
struct ChooseCustom {  // a person's own operator, as written
  std::string combine, identity;
};
struct AnswerCode {  // to Workspace::codeQuestion()
  bool allow = false;
};
struct OpenData {
  std::string path;  // .json: a merge's lists; else numbers, one per line
  // To choose with it; nothing, empty: as they are.
  std::optional<model::ElementType> type = std::nullopt;
  std::string variant = {};
};
struct ResetExperiment {};  // but for the variant
struct ChooseEngine {
  std::string id;  // "auto", "host", "gpu:0", or a recording's path
};
struct OpenRecording {
  std::string path;
};
// A person's own kernel (session/own_kernel.h): one is opened as a recording is.
struct EditKernel {
  std::string text;  // all of it, as it was typed
};
struct RunKernel {};       // as it stands in the window
struct SaveKernel {        // and runs it
  bool overwrite = false;  // what another program has written meanwhile
};
struct TakeFileText {};  // in place of the window's, which is given up
struct RestoreDraft {    // the text of that file which was typed and not saved
  std::string path;
};
struct SetLaunches {
  std::string json;  // of the launch file
};
struct CopyVariant {  // the shown variant, as a person's own kernel in that file
  std::string path;
  bool overwrite = false;
};
struct CompareWithBefore {};  // the run of its text before the last change beside the shown one
struct OpenShippedRecording {
};                          // the one of those that came with the program that is nearest to what is shown
struct FetchRecordings {};  // those that come with the program, where they are not here yet
struct SaveRecording {
  std::string path;
  bool overwrite = false;
};

struct PointAt {
  std::optional<Hover> hover;  // nullopt: nothing
};
struct Pin {
  Hover hover;
};
struct Unpin {};
struct ChooseRequest {
  analysis::RequestId request;
};
struct FollowLink {  // a link in a lesson or a tour
  Link link;
};
struct OpenTour {
  std::string path;
};
struct StartTour {
  std::string id;  // a tour's that comes with the program
};
struct GoToStop {  // in the open tour; beyond the last is the last
  std::size_t stop = 0;
};
struct StepStop {
  int direction = 1;
};
struct SaveTour {  // the open tour's text, to be edited
  std::string path;
  bool overwrite = false;
};

// Timings: session/measurements.h.
struct StartTiming {
  TimingSweep sweep{};
  std::string panel = {};  // the one that shows it, which comes to the front where the mode has it
};
struct StopTiming {};   // what was measured stays
struct PauseTiming {};  // again: goes on
struct ClearTimings {};
struct ChooseTimings {
  TimingChoices choices;  // what runs is started anew with them
};
struct CopyTimings {};  // as CSV

// Panels of the window, by their ids.
struct ShowPanel {  // before others that share its place
  std::string id;
};
struct HidePanel {
  std::string id;
};
struct FocusPart {  // gives the keyboard to a part of the window
  std::string id;   // a panel's, kBarPart, kMessagePart or kReadingPart; empty: to none of them
};

struct ChangeSettings {
  Settings settings;
};
struct ResetLayout {};  // shows all panels
struct CancelJob {};    // a file that is being written, or else what is recorded
struct DismissMessage {};
struct Remark {  // says it in passing: a message that asks for something stays
  std::string sentence;
};
struct ShowOverlay {
  Overlay overlay{};  // the same one again closes it
  // Export takes the id of a panel here, Glossary the word to show, and the other forms for files the path to
  // begin with; each may have none.
  std::string subject = {};
};
struct CopyText {
  std::string text;
  // "the text of this round": for the sentence that says so; empty: its lines are counted.
  std::string what = {};
};
struct EnterMode {
  Mode mode{};
};
// Through where the window was (session/history.h).
struct Undo {};
struct Redo {};
struct GoBack {};
struct GoForward {};
struct UseTool {  // on, or off again
  PresenterTool tool{};
};
struct ToggleFullscreen {};
struct ToggleNotes {};  // the window with the tour's speaker notes
struct Quit {};

using AnyCommand =
    std::variant<StepForward, StepBack, StepPass, GoToFirst, GoToLast, TogglePlay, SetSpeed, GoToRound,
                 Choose, ChooseCustom, AnswerCode, OpenData, ResetExperiment, ChooseEngine, OpenRecording,
                 EditKernel, RunKernel, SaveKernel, TakeFileText, RestoreDraft, SetLaunches, CopyVariant,
                 CompareWithBefore, OpenShippedRecording, FetchRecordings, SaveRecording, PointAt, Pin, Unpin,
                 ChooseRequest, FollowLink, OpenTour, StartTour, GoToStop, StepStop, SaveTour, StartTiming,
                 StopTiming, PauseTiming, ClearTimings, ChooseTimings, CopyTimings, ExportFile, ShowPanel,
                 HidePanel, FocusPart, ChangeSettings, ResetLayout, CancelJob, DismissMessage, Remark,
                 ShowOverlay, CopyText, EnterMode, Undo, Redo, GoBack, GoForward, UseTool, PredictStep,
                 ToggleFullscreen, ToggleNotes, Quit, ChooseSide, ChooseTogether, LockSides, SwapSides,
                 CompareWithPrevious, OnSide, PointAtSides>;

// The place of a type among a variant's alternatives; one behind the last: it is none of them.
template <class Wanted, class Variant>
inline constexpr std::size_t kPlaceOf = 0;
template <class Wanted, class... Alternative>
inline constexpr std::size_t kPlaceOf<Wanted, std::variant<Alternative...>> = [] {
  std::size_t place = 0;
  (void)((std::is_same_v<Wanted, Alternative> || (++place, false)) || ...);
  return place;
}();
inline constexpr std::size_t kNoCommand = kPlaceOf<void, AnyCommand>;

// One of them. To make, copy or destroy a variant of so many takes the compiler seconds in each file that
// does it: only the source file knows how, and a value's type says which alternative it is.
class Command {
 public:
  template <class Alternative>
  requires(kPlaceOf<Alternative, AnyCommand> < kNoCommand) Command(Alternative command)
      : Command(kPlaceOf<Alternative, AnyCommand>, &command) {}
  Command(const Command& other);
  Command(Command&& other) noexcept;  // `other` may only be assigned to then, or destroyed
  Command& operator=(const Command& other);
  Command& operator=(Command&& other) noexcept;
  ~Command();

  const AnyCommand& any() const { return *any_; }

 private:
  Command(std::size_t place, void* command);  // moves from that alternative

  std::unique_ptr<AnyCommand> any_;
};
using Commands = std::vector<Command>;

// A sentence for the person who sits at the window.

enum class MessageKind : std::uint8_t { Fine, ToDo, Wrong };
struct Message {
  MessageKind kind = MessageKind::ToDo;
  std::string sentence = {};
  std::string details = {};      // copied with 'copy details'
  std::string note = {};         // what a person did meanwhile, beside the sentence
  std::string actionLabel = {};  // empty: none
  std::optional<Command> action = {};
  bool stays = false;            // an offer: until it is taken or dismissed, whatever runs meanwhile
  Overlay form = Overlay::None;  // the form that it is about, which shows it while it is open
};

// What a sentence for all says of the command line's options stands in brackets, "(on the command line:
// --engine host)": in the window it is left out.
std::string inWindow(std::string sentence);

Message messageOf(const Error& error);
// The message for an error in saving a file: if one stands there already, it offers `overwriting`.
Message messageOf(const Error& error, const std::string& path, const Command& overwriting);

}  // namespace stridescope::session
