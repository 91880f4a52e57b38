// Whatever a person does, in whatever order: bar, Ladder, maps, source, caption and title tell of one run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "archive/recording_file.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "narration/caption.h"
#include "narration/trouble.h"
#include "session/legal_choices.h"
#include "views/chrome/command_table.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"
#include "workbench_ui.h"

namespace stridescope::views::test {
namespace {

using session::Command;

// In STRIDESCOPE_WALK_STEPS; .ci/nightly takes more.
unsigned stepsToWalk() {
  const char* const given = std::getenv("STRIDESCOPE_WALK_STEPS");
  return given != nullptr ? unsigned(std::strtoul(given, nullptr, 10)) : 500;
}

class Walker {
 public:
  explicit Walker(std::uint64_t seed) : dice_(seed) {
    std::filesystem::create_directories(folder_);
    recordings_.push_back(
        record("few.stride", {{"sequential", 256}, {"sequential", 64}, {"warp_shuffle", 64}}));
    recordings_.push_back(
        record("odd.stride", {{"any_block_size", 96}, {"k_way_merge", 32}, {"warm_up", 8}}));
    write("whole.txt", "3\n-1\n4\n1\n-5\n9\n2\n6\n");
    write("fractions.txt", "1.5\n2.25\n-0.5\n");
    write("lists.json", "[[1, 4, 9], [2, 3], [5]]");
    write("damaged.json", "[[1, 4");
  }
  ~Walker() { std::filesystem::remove_all(folder_); }

  Command next(const session::Parts& parts) {
    switch (below(27)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return session::ChooseVariant{std::string(pick(kernels::catalog()).id)};
      case 4:
      case 5:
        return session::ChooseType{pick(model::kElementTypes)};
      case 6:
      case 7:
        return session::ChooseOperator{pick(model::kOperators)};
      case 8:
      case 9:
        return session::ChooseThreads{pick(session::allBlockSizes())};
      case 10:
        return session::ChooseElements{pick(std::array<std::uint64_t, 5>{0, 1, 33, 1000, 5000})};
      case 11:
        return session::ChooseElements{std::nullopt};
      case 12:
        return session::ChooseData{pick(model::kDataPatterns)};
      case 13:
        return session::ChooseSeed{below(100)};
      case 14:
        return session::ChooseSchedule{pick(model::kSchedules), below(10)};
      case 15:
        return session::ChooseBlock{unsigned(below(3)), below(4)};
      case 16:
      case 17:
        return session::OpenRecording{pick(recordings_)};
      case 18:
        return session::ChooseEngine{
            pick(std::array<std::string, 4>{"host", "auto", recordings_[0], "gpu:7"})};
      case 19:
        return session::ResetExperiment{};
      case 20:
        return session::GoToRound{unsigned(below(2)), unsigned(below(16)), unsigned(below(3))};
      case 21:
        return session::OpenData{.path = pick(data_), .type = std::nullopt, .variant = {}};
      case 22:
        return session::ChooseCustom{pick(std::array<std::string, 2>{"a + b", "a +"}), "0"};
      default:
        return anyOfTheTable(parts);
    }
  }

 private:
  std::uint64_t below(std::uint64_t n) { return dice_() % n; }
  template <class Values>
  auto pick(const Values& values) -> std::decay_t<decltype(*values.begin())> {
    return *(values.begin() + std::ptrdiff_t(below(values.size())));
  }

  // Those of the menus, but what ends the window or covers all of it.
  Command anyOfTheTable(const session::Parts& parts) {
    for (;;) {
      const CommandEntry& entry = pick(table_);
      if (!isEnabled(entry, parts)) continue;
      Command command = entry.make(parts);
      if (std::holds_alternative<session::Quit>(command.any()) ||
          std::holds_alternative<session::ShowOverlay>(command.any()) ||
          std::holds_alternative<session::StartTiming>(command.any()) ||
          std::holds_alternative<session::ChangeSettings>(command.any()))
        continue;
      return command;
    }
  }

  void write(const std::string& name, const std::string& text) {
    data_.push_back((folder_ / name).string());
    std::ofstream(data_.back()) << text;
  }
  std::string record(const std::string& name,
                     const std::vector<std::pair<std::string, unsigned>>& experiments) const {
    const auto engine = engine::host::makeHostEngine();
    std::vector<model::Trace> traces;
    for (const auto& [variant, threads] : experiments) {
      model::Experiment experiment;
      experiment.variant = variant;
      experiment.threads = threads;
      experiment.op = kernels::findVariant(variant)->operators.front();
      engine::JobControl job;
      auto trace = engine->record(*engine::checkedExperiment(experiment, false), job);
      EXPECT_TRUE(trace) << trace.error().sentence;
      traces.push_back(*std::move(trace));
    }
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(archive::writeRecording(path, traces, true));
    return path;
  }

  std::mt19937_64 dice_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("stridescope-walk-" + std::to_string(::getpid()));
  std::vector<std::string> recordings_, data_;
  std::vector<CommandEntry> table_ = commandTable(allPanels());
};

// What stands under a label of the bar.
std::string fieldOf(const WorkbenchUi& ui, const std::string& label) {
  const std::string texts = "\n" + ui.textsIn("##bar"), mark = "\n" + label + "\n";
  const std::size_t at = texts.find(mark);
  if (at == std::string::npos) return "(none)";
  const std::size_t begin = at + mark.size();
  return texts.substr(begin, texts.find('\n', begin) - begin);
}

// What of the window tells of another run than the one that is drawn; empty: nothing.
std::string contradictions(WorkbenchUi& ui) {
  const session::Session& session = ui.session();
  if (session.replay().run() == nullptr) return "nothing is shown";
  const model::Trace& trace = session.replay().run()->trace;
  const model::Experiment& shown = trace.experiment;
  const kernels::Variant& variant = *kernels::findVariant(shown.variant);
  const std::string title(variant.title);
  std::string wrong;
  if (session.workspace().experiment() != shown) wrong += "the experiment asked for is another; ";
  if (ui.workbench().title() != "Stridescope · " + title) wrong += "title: " + ui.workbench().title() + "; ";
  const bool recorded = session.workspace().recording().has_value();
  if (recorded != (trace.executor.kind == model::EngineKind::Recorded)) wrong += "what executes is another; ";
  const auto differs = [&](const std::string& what, const std::string& is, const std::string& should) {
    if (!is.starts_with(should)) wrong += what + " is '" + is + "', not '" + should + "'; ";
  };
  differs("variant", fieldOf(ui, "variant"), title);
  differs("type", fieldOf(ui, "type"), std::string(model::nameOf(shown.type)));
  differs("operator", fieldOf(ui, "operator"), std::string(model::nameOf(shown.op)));
  differs("block size", fieldOf(ui, "block size"), std::to_string(shown.threads));
  differs("data pattern", fieldOf(ui, "data pattern"),
          shown.given.get() != nullptr ? shown.given.get()->name : std::string(model::nameOf(shown.data)));
  const std::string n = fieldOf(ui, "n");
  if (!n.starts_with("2^")) differs("n", n, std::to_string(shown.elements));
  // The strip may break it into lines, and cut it short.
  const narration::RoundAt at = roundAt(session.replay());
  const std::vector<std::string> trouble = narration::troubleIn(at);  // comes first
  std::string caption = trouble.empty() ? narration::captionOf(at).text() : trouble.front();
  if (const session::RoundName* const hidden = session.replay().hidden())
    caption = "Next is " + hidden->inSentence + ".";
  caption.resize(std::min(caption.size(), std::size_t{60}));
  std::string strip = ui.textsIn("##transport");
  std::ranges::replace(strip, '\n', ' ');
  if (strip.find(caption) == std::string::npos) wrong += "the caption is not '" + caption + "'; ";
  if (const std::string source = ui.textsIn("Source");
      !source.empty() && source.find("kernels/" + shown.variant + ".cu") == std::string::npos)
    wrong += "the source is " + source.substr(0, 60) + "; ";
  // The Ladder tells of the chosen variant alone what it changed; lines break where they must.
  std::string ladder;
  for (const draw::TextLog::Entry& entry : ui.ui().texts().entries())
    if (entry.window.starts_with("Ladder/")) ladder += entry.text + " ";
  for (const kernels::Variant& each : kernels::catalog())
    if (!ladder.empty() && (ladder.find(each.changed) != std::string::npos) != (each.id == shown.variant))
      wrong += "the Ladder tells of another than " + std::string(each.id) + "; ";
  if (const draw::PaintedGrid* const lanes = ui.ui().findGrid("lanes")) {
    const session::Replay& replay = session.replay();
    if (lanes->cells != laneBytes(replay.launch(), replay.round(), replay.flow()).cells)
      wrong += "the map of the lanes is another round's; ";
  }
  return wrong;
}

TEST(OneState, TheWindowTellsOfOneRunWhateverIsDone) {
  Walker walker(20261123);
  WorkbenchUi ui;
  unsigned ownData = 0, recorded = 0;  // steps that showed such a run
  for (unsigned step = 0; step < stepsToWalk(); ++step) {
    const Command command = walker.next(ui.session().parts());
    ui.apply(command);
    ASSERT_EQ(contradictions(ui), "") << "after step " << step << ", command " << command.any().index();
    const model::Trace& shown = ui.session().replay().run()->trace;
    ownData += shown.experiment.given.get() != nullptr;
    recorded += shown.executor.kind == model::EngineKind::Recorded;
  }
  EXPECT_GT(ownData, 0u);
  EXPECT_GT(recorded, 0u);
}

}  // namespace
}  // namespace stridescope::views::test
