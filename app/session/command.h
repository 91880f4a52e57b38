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
#include "model/chosen_fields.h"
#include "session/compare_commands.h"
#include "session/export_file.h"
#include "session/hover.h"
#include "session/link.h"
#include "session/mode.h"
#include "session/predict_step.h"
#include "session/settings.h"
#include "session/timing_choices.h"

namespace stridescope::session {

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
struct OpenShippedRecording {
};  // the one of those that came with the program that is nearest to what is shown
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

// Timings: session/timing_choices.h.
struct StartTiming {
  TimingSweep sweep{};
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
struct UseTool {  // on, or off again
  PresenterTool tool{};
};
struct ToggleFullscreen {};
struct Quit {};

using AnyCommand =
    std::variant<StepForward, StepBack, StepPass, GoToFirst, GoToLast, TogglePlay, SetSpeed, GoToRound,
                 Choose, ChooseCustom, AnswerCode, OpenData, ResetExperiment, ChooseEngine, OpenRecording,
                 OpenShippedRecording, SaveRecording, PointAt, Pin, Unpin, ChooseRequest, FollowLink,
                 OpenTour, StartTour, GoToStop, StepStop, SaveTour, StartTiming, StopTiming, PauseTiming,
                 ClearTimings, ChooseTimings, CopyTimings, ExportFile, ShowPanel, HidePanel, FocusPart,
                 ChangeSettings, ResetLayout, CancelJob, DismissMessage, Remark, ShowOverlay, CopyText,
                 EnterMode, UseTool, PredictStep, ToggleFullscreen, Quit, ChooseSide, ChooseTogether,
                 LockSides, SwapSides, CompareWithPrevious, OnSide, PointAtSides>;

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

}  // namespace stridescope::session
