#include "walker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "archive/recording_file.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "session/experiment_choices.h"
#include "views/panels.h"

namespace stridescope::views::test {

using session::Command;

unsigned stepsToWalk() {
  const char* const given = std::getenv("STRIDESCOPE_WALK_STEPS");
  return given != nullptr ? unsigned(std::strtoul(given, nullptr, 10)) : 500;
}

Walker::Walker(std::uint64_t seed)
    : dice_(seed),
      // A program's walks may run at the same time as another's.
      folder_(std::filesystem::temp_directory_path() /
              ("stridescope-walk-" + std::to_string(::getpid()) + "-" + std::to_string(seed))),
      table_(commandTable(allPanels())) {
  std::filesystem::create_directories(folder_);
  recordings_.push_back(
      record("few.stride", {{"sequential", 256}, {"sequential", 64}, {"warp_shuffle", 64}}));
  recordings_.push_back(record("odd.stride", {{"any_block_size", 96}, {"k_way_merge", 32}, {"warm_up", 8}}));
  write("whole.txt", "3\n-1\n4\n1\n-5\n9\n2\n6\n");
  write("fractions.txt", "1.5\n2.25\n-0.5\n");
  write("lists.json", "[[1, 4, 9], [2, 3], [5]]");
  write("damaged.json", "[[1, 4");
}

Walker::~Walker() { std::filesystem::remove_all(folder_); }

session::Command Walker::next(const session::Parts& parts) {
  switch (below(29)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return session::Choose(&model::Experiment::variant, std::string(pick(kernels::catalog()).id));
    case 4:
    case 5:
      return session::Choose(&model::Experiment::type, pick(model::kElementTypes));
    case 6:
    case 7:
      return session::Choose(&model::Experiment::op, pick(model::kOperators));
    case 8:
    case 9:
      return session::Choose(&model::Experiment::threads, pick(session::allBlockSizes()));
    case 10:
      return session::Choose::elements(pick(std::array<std::uint64_t, 5>{0, 1, 33, 1000, 5000}));
    case 11:
      return session::Choose::elements(std::nullopt);
    case 12:
      return session::Choose(&model::Experiment::data, pick(model::kDataPatterns));
    case 13:
      return session::Choose(&model::Experiment::seed, below(100));
    case 14:
      if (below(2) == 0) return session::Choose::blockOrder(pick(model::kBlockOrders), below(10));
      return session::Choose::schedule(pick(model::kSchedules), below(10));
    case 15:
      return session::Choose::block(unsigned(below(3)), below(4));
    case 16:
    case 17:
      return session::OpenRecording{pick(recordings_)};
    case 18:
      return session::ChooseEngine{pick(std::array<std::string, 4>{"host", "auto", recordings_[0], "gpu:7"})};
    case 19:
      return session::ResetExperiment{};
    case 20:
      return session::GoToRound{unsigned(below(2)), unsigned(below(16)), unsigned(below(3))};
    case 21:  // a recording stays until another engine is chosen, and takes no data
      return session::ChooseEngine{"host"};
    case 22:
    case 23:
      return session::OpenData{.path = pick(data_), .type = std::nullopt, .variant = {}};
    case 24:
      return session::ChooseCustom{pick(std::array<std::string, 2>{"a + b", "a +"}), "0"};
    default:
      return anyOfTheTable(parts);
  }
}

Command Walker::nextOfTwo(const session::Parts& parts) {
  const auto side = [&] { return pick(analysis::kSides); };
  switch (below(16)) {
    case 0:
      return session::ChooseSide{side()};
    case 1:
      return session::ChooseTogether{below(2) == 0};
    case 2:
      return session::LockSides{pick(std::array{analysis::LockedBy::Round, analysis::LockedBy::Stride})};
    case 3:
      return session::SwapSides{};
    case 4:
      return session::CompareWithPrevious{};
    case 5:
      return session::PointAtSides{.hover = {session::Hover{session::HoverKind::Thread, below(300)},
                                             session::Hover{session::HoverKind::Element, below(300)}},
                                   .pin = below(2) == 0};
    case 6:
    case 7:
    case 8:
      return session::OnSide{side(), std::make_shared<const Command>(next(parts))};
    default:
      return next(parts);
  }
}

// Any command of the menus.
session::Command Walker::anyOfTheTable(const session::Parts& parts) {
  for (;;) {
    const CommandEntry& entry = pick(table_);
    if (!isEnabled(entry, parts)) continue;
    Command command = entry.make(parts);
    if (std::holds_alternative<session::Quit>(command.any()) ||
        std::holds_alternative<session::ShowOverlay>(command.any()) ||
        std::holds_alternative<session::StartTiming>(command.any()) ||
        std::holds_alternative<session::EnterMode>(command.any()) ||
        std::holds_alternative<session::CompareWithPrevious>(command.any()) ||
        std::holds_alternative<session::ChangeSettings>(command.any()))
      continue;
    return command;
  }
}

void Walker::write(const std::string& name, const std::string& text) {
  data_.push_back((folder_ / name).string());
  std::ofstream(data_.back()) << text;
}
std::string Walker::record(const std::string& name,
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

}  // namespace stridescope::views::test
